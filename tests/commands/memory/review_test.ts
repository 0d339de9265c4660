/**
 * `memory review`, `get` and `recall`, where the code that was observed has changed since.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { TempWorkspace } from "../../temp_workspace.ts";

const ON_42 = ["--agent", "engineer", "--issue", "42"];
const SOURCE = "export function retryDelay(turn: number) {\n  return turn * 200;\n}\n";

/** A workspace with an observation of a file, which has changed since. */
async function changedSince(content = "`retryDelay` in src/retry.ts waits 200 ms per turn.") {
  const temp = new TempWorkspace();
  temp.write("src/retry.ts", SOURCE);
  const { observation } = await temp.json(["memory", "note", ...ON_42, content]);
  temp.write("src/retry.ts", SOURCE.replace("200", "500"));
  return { temp, id: observation.id as string };
}

Deno.test("memory get says that the code has changed, and how", async () => {
  const { temp, id } = await changedSince();
  using _ = temp;
  const { standing } = await temp.json(["memory", "get", id]);
  assertEquals(standing, {
    state: "changed",
    changes: ["retryDelay in src/retry.ts: 1 of 2 lines changed; now: return turn * 500;"],
  });
  assert((await temp.run(["memory", "get", id])).out.includes("[CHANGED]"));
});

Deno.test("memory recall marks what has changed, and has what is gone on request only", async () => {
  const { temp } = await changedSince();
  using _ = temp;
  const recall = async (...more: string[]) =>
    (await temp.run(["memory", "recall", ...ON_42, ...more])).out;
  assert(/\(changed since it was recorded: retryDelay in src\/retry\.ts/.test(await recall()));
  Deno.removeSync(`${temp.root}/src/retry.ts`);
  assertEquals(await recall(), "");
  assert(
    /\(gone since it was recorded: src\/retry\.ts is gone\)/.test(await recall("--with-gone")),
  );
});

Deno.test("memory review lists what is in doubt, and --keep settles it", async () => {
  const { temp, id } = await changedSince();
  using _ = temp;
  const { inDoubt } = await temp.json(["memory", "review"]);
  assertEquals(inDoubt.map(({ observation }: { observation: { id: string } }) => observation.id), [
    id,
  ]);
  assertEquals((await temp.json(["memory", "review", "--keep", id])).decided, [
    { id, decision: "kept" },
  ]);
  assertEquals((await temp.json(["memory", "review"])).inDoubt, []);
  assert((await temp.run(["memory", "review"])).out.includes("Nothing is in doubt."));
});

for (
  const [typed, decision, after] of [
    ["k", "kept", "same"],
    ["s", "skipped", "changed"],
    ["", "skipped", "changed"],
  ]
) {
  Deno.test(`memory review on a terminal: "${typed}" is ${decision}`, async () => {
    const { temp, id } = await changedSince();
    using _ = temp;
    const { out, err } = await temp.run(["memory", "review"], {
      stdin: `${typed}\n`,
      terminal: true,
    });
    assert(/\[k\]eep, \[c\]orrect, \[r\]etract, \[s\]kip, \[q\]uit\?/.test(err));
    assert(new RegExp(`${decision} +${id}`).test(out));
    assertEquals((await temp.json(["memory", "get", id])).standing.state, after);
  });
}

Deno.test("memory review on a terminal corrects and retracts", async () => {
  const { temp, id } = await changedSince();
  using _ = temp;
  const answers = {
    stdin: "c\n`retryDelay` in src/retry.ts waits 500 ms per turn.\n",
    terminal: true,
  };
  await temp.run(["memory", "review"], answers);
  const { correctedBy: [newer] } = await temp.json(["memory", "get", id]);
  temp.write("src/retry.ts", "");
  await temp.run(["memory", "review"], { stdin: "x\nr\n\n", terminal: true });
  const { observation } = await temp.json(["memory", "get", newer]);
  assertEquals(observation.retracted.because, "no longer true");
});

Deno.test("memory review asks where a later observation may contradict, and no more where it does", async () => {
  using temp = new TempWorkspace();
  const note = async (text: string) =>
    (await temp.json(["memory", "note", ...ON_42, text])).observation;
  await note("We measured Redis for the session cache.");
  await note("We measured Memcached for the session cache.");
  const { inDoubt: [{ observation, contradictedBy }] } = await temp.json(["memory", "review"]);
  assert(observation.content.includes("Redis"));
  assertEquals(contradictedBy.length, 1);
  const first = await note("The session time-out is 30 s in production.");
  const second = await note("The session time-out is 45 s in production.");
  assertEquals([first.supersedes, second.supersedes], [undefined, first.id]);
  assertEquals((await temp.json(["memory", "review"])).inDoubt.length, 1);
});

Deno.test("quoted code is shown without secrets and control characters", async () => {
  const { temp, id } = await changedSince();
  using _ = temp;
  temp.write("src/retry.ts", SOURCE.replace("200", 'f("\x1b[2J", password="hunter2Zq9x")'));
  for (const argv of [["get", id], ["review"], ["recall", ...ON_42]]) {
    const { out } = await temp.run(["memory", ...argv]);
    assertEquals(out.includes("\x1b") || out.includes("hunter2Zq9x"), false, out);
  }
});
