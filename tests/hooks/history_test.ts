/**
 * What a hook and a command read of the ledgers: no more with every clarification that was ever closed.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { sys } from "../../lib/sys/mod.ts";
import { TempWorkspace } from "../temp_workspace.ts";
import { HookSession } from "./hook_session.ts";

const FOLDER = ".agentx/state/clarifications";

/** Gives a workspace the ledgers of issues that were settled a year ago. */
function settle(temp: TempWorkspace, count: number): void {
  const time = new Date(Date.now() - 365 * 86_400_000).toISOString();
  for (let issueNumber = 1; issueNumber <= count; issueNumber++) {
    const entry = { round: 1, from: "engineer", body: "Which?", timestamp: time };
    const record = {
      ...{ id: `CLR-${issueNumber}-001`, from: "engineer", to: "architect", topic: "T" },
      ...{ blocking: false, status: "resolved", round: 1, maxRounds: 5 },
      ...{ created: time, staleAfter: time, resolvedAt: time },
      thread: [{ ...entry, type: "question" }, { ...entry, type: "resolution" }],
    };
    const ledger = { issueNumber, clarifications: [record] };
    temp.write(`${FOLDER}/issue-${issueNumber}.json`, JSON.stringify(ledger, null, 2));
  }
}

/** The time that the folder has once nobody has written there for a while. */
function age(temp: TempWorkspace): void {
  const at = new Date(Date.now() - 60_000);
  Deno.utimeSync(`${temp.root}/${FOLDER}`, at, at);
}

/** How often each ledger is read while something runs. */
async function readsOf(work: () => Promise<unknown>): Promise<number[]> {
  const counts = new Map<string, number>();
  const { readTextFile } = sys;
  sys.readTextFile = (path, maxBytes) => {
    if (path.includes(`${FOLDER}/issue-`)) counts.set(path, (counts.get(path) ?? 0) + 1);
    return readTextFile(path, maxBytes);
  };
  try {
    await work();
  } finally {
    sys.readTextFile = readTextFile;
  }
  return [...counts.values()];
}

Deno.test("a hook reads the ledgers again in which something is open, and all of them once one was written", async () => {
  using temp = new TempWorkspace();
  settle(temp, 30);
  const session = new HookSession(temp, { env: { AGENTX_AGENT: "architect" } });
  const ask = (issue: number) =>
    temp.run(
      ["ask", "architect", "-i", `${issue}`, "--from", "engineer", "--non-blocking", "Which?"],
    );
  await ask(7);
  age(temp);
  assertEquals((await readsOf(() => session.fire("PostToolUse"))).length, 30);
  assertEquals((await readsOf(() => session.fire("PostToolUse"))).length, 1);
  await ask(9);
  const { text } = await session.fire("PostToolUse");
  assert(text.includes("CLR-9-002"), text);
});

Deno.test("a hook keeps no list of ledgers while one cannot be read, or was written just now", async () => {
  using temp = new TempWorkspace();
  settle(temp, 3);
  const session = new HookSession(temp, { env: { AGENTX_AGENT: "architect" } });
  const fire = () => readsOf(() => session.fire("PostToolUse"));
  assertEquals([(await fire()).length, (await fire()).length], [3, 3]);
  const whole = temp.read(`${FOLDER}/issue-2.json`);
  temp.write(`${FOLDER}/issue-2.json`, whole.slice(9));
  age(temp);
  assertEquals([(await fire()).length, (await fire()).length], [3, 3]);
  temp.write(`${FOLDER}/issue-2.json`, whole);
  age(temp);
  assertEquals([(await fire()).length, (await fire()).length], [3, 0]);
});

for (const words of [["status"], ["inbox"], ["ready"], ["clarify"], ["state"]]) {
  Deno.test(`agentx ${words} reads a ledger at most once`, async () => {
    using temp = new TempWorkspace();
    settle(temp, 5);
    await temp.run(["ask", "architect", "-i", "7", "--from", "engineer", "--non-blocking", "Why?"]);
    age(temp);
    assertEquals(await readsOf(() => temp.run(words)), [1, 1, 1, 1, 1, 1]);
  });
}
