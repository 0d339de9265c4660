/**
 * What a repository may say about the user's safeguards: only what makes them stronger.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { readSettings } from "../../lib/config/settings.ts";
import { askWords, DANGEROUS } from "../gate/samples.ts";
import { TempWorkspace } from "../temp_workspace.ts";

function read(temp: TempWorkspace) {
  return readSettings({ root: temp.root, tree: temp.root }, () => {});
}

const WEAK = {
  clarify: { maxRunsPerDay: 1_000, maxTurns: 1_000 },
  gate: { timeout: "1s", neverAsk: ["auth"] },
  memory: { maxTokens: 200_000 },
};

const KEYS = [
  "clarify.maxRunsPerDay",
  "clarify.maxTurns",
  "gate.neverAsk",
  "gate.timeout",
  "memory.maxTokens",
];

Deno.test("A repository weakens no safeguard, and doctor names what was ignored", async () => {
  using temp = new TempWorkspace({ config: WEAK });
  const { config: { clarify, gate, memory }, ignored } = read(temp);
  assertEquals([clarify.maxTurns, memory.maxTokens], [40, 20_000]);
  assertEquals(gate, { timeout: "5m", alwaysAsk: [], neverAsk: [] });
  assertEquals(ignored.map(({ key }) => key), KEYS);
  const { out } = await temp.run(["doctor"]);
  const text = out.replace(/\s+/g, " ");
  for (const key of KEYS) assert(text.includes(`This repository's ${key} is ignored`), key);
});

Deno.test("A repository strengthens safeguards, beside what the user set", () => {
  const gate = { timeout: "1h", alwaysAsk: ["prices"] };
  const clarify = { maxTurns: 3 };
  using temp = new TempWorkspace({ config: { clarify, gate, memory: { maxTokens: 0 } } });
  temp.user.configure({ gate: { timeout: "10m", alwaysAsk: ["licences"], neverAsk: ["naming"] } });
  const { config, ignored } = read(temp);
  assertEquals(ignored, []);
  assertEquals(config.gate, {
    timeout: "1h",
    alwaysAsk: ["licences", "prices"],
    neverAsk: ["naming"],
  });
  assertEquals(config.clarify.maxTurns, 3);
  assertEquals(config.memory.maxTokens, 0);
});

Deno.test("The user's own safeguard wins over a weaker one, and no consent changes that", async () => {
  using temp = new TempWorkspace({ config: { gate: { timeout: "8m" } } });
  temp.user.configure({ gate: { timeout: "10m" } });
  assertEquals((await temp.json(["trust", "--print"])).weaker, {});
  const { config, ignored } = read(temp);
  assertEquals(config.gate.timeout, "10m");
  assertEquals(ignored, [{
    key: "gate.timeout",
    why: "your own setting is stronger, and wins",
  }]);
});

Deno.test("The user's own weaker safeguard is theirs to set", () => {
  using temp = new TempWorkspace();
  temp.user.configure(WEAK);
  const { config, ignored } = read(temp);
  assertEquals([config.clarify.maxTurns, config.gate.timeout], [1_000, "1s"]);
  assertEquals([config.gate.neverAsk, ignored], [["auth"], []]);
});

Deno.test("a weaker safeguard applies once the user agreed to exactly that", async () => {
  using temp = new TempWorkspace({ config: WEAK });
  const { code, err } = await temp.trust();
  assertEquals(code, 0);
  assert(err.includes('gate.neverAsk = ["auth"]'), err);
  assertEquals([read(temp).config.gate.timeout, read(temp).ignored], ["1s", []]);
  temp.write(".agentx/config.json", JSON.stringify({ ...WEAK, gate: { timeout: "2s" } }));
  assertEquals(read(temp).config.gate.timeout, "5m");
});

Deno.test("A person at a terminal weakens a safeguard of a repository, a pipe does not", async () => {
  using temp = new TempWorkspace();
  const set = ["config", "set", "clarify.maxTurns", "100"];
  const piped = await temp.run(set);
  assert(piped.err.includes("This has no effect before a human agrees to it"), piped.err);
  assertEquals(read(temp).config.clarify.maxTurns, 40);
  assertEquals((await temp.run(["config", "unset", "clarify.maxTurns"])).code, 0);
  assertEquals((await temp.run(set, { terminal: true })).err, "");
  assertEquals(read(temp).config.clarify.maxTurns, 100);
});

for (const key of ["clarify.maxTurns", "clarify", "memory.maxTokens", "gate.alwaysAsk"]) {
  Deno.test(`A session changes no safeguard: ${key}`, async () => {
    using temp = new TempWorkspace();
    const env = { CLAUDECODE: "1" };
    const { code, err } = await temp.run(["config", "set", key, "{}"], { env });
    assertEquals(code, 6);
    assert(err.includes("this is an agent's session"), err);
  });
}

Deno.test("gate.neverAsk, the user's own too, keeps no question about security from them", async () => {
  using temp = new TempWorkspace();
  temp.user.configure({ gate: { neverAsk: ["personal data"] } });
  const words = askWords({ ...DANGEROUS, topic: "Personal data" });
  assertEquals((await temp.run([...words, "--no-wait"])).code, 7);
});
