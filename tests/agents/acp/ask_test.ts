import { assert, assertEquals } from "@std/assert";
import { ASK, ended, TempWorkspace } from "../../temp_workspace.ts";
import type { FakeStep } from "./fake_agent.ts";

const FAKE = new URL("fake_agent.ts", import.meta.url).pathname;

function workspace(...steps: FakeStep[]): TempWorkspace {
  const acp = [
    Deno.execPath(),
    "run",
    "-A",
    "--no-check",
    "--quiet",
    FAKE,
    JSON.stringify({ steps }),
  ];
  return new TempWorkspace({ config: { agents: { architect: { preset: "acp", acp } } } });
}

const EDIT = { toolCallId: "t-1", kind: "edit", locations: [{ path: "a.txt" }] };

Deno.test("ask: an agent of the preset acp answers, and a follow-up names its session", async () => {
  using temp = workspace({ say: "PostgreSQL." });
  assertEquals((await ended(temp.spawn(ASK))).code, 0);
  const [, answer] = temp.ledger().clarifications[0].thread;
  assertEquals([answer.body, answer.runner, answer.session], ["PostgreSQL.", "acp", "s-1"]);
});

Deno.test("ask: an agent of the preset acp changes and runs nothing", async () => {
  const run = { toolCallId: "t-2", kind: "execute", rawInput: { command: "ls" } };
  using temp = workspace({ ask: EDIT }, { say: "$heard" }, { ask: run }, { say: "$heard" });
  await ended(temp.spawn(ASK));
  const [, { body }] = temp.ledger().clarifications[0].thread;
  assert(body.includes('"optionId":"no"') && !body.includes("yes"), body);
});

Deno.test("ask: the failure of an agent of the preset acp is no answer", async () => {
  using temp = workspace({ fail: "the key opens nothing" });
  const { code, out, err } = await ended(temp.spawn(ASK));
  assertEquals(code, 7, out + err);
  assert((out + err).includes("the key opens nothing"), out + err);
});

Deno.test("ask: the preset acp without a program says what is missing", async () => {
  using temp = new TempWorkspace({ config: { agents: { architect: { preset: "acp" } } } });
  const { out, err } = await ended(temp.spawn(ASK));
  assert((out + err).includes('needs the setting "acp"'), out + err);
});
