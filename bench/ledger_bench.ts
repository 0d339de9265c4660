/**
 * What does a question cost on disk, and how fast does a list of clarifications come up? Peers: a
 * bare write of the same bytes, and a Deno process that does nothing.
 *
 * @module
 */

import { ClarificationLedger } from "../lib/clarify/mod.ts";
import { newRecord } from "../lib/clarify/transitions.ts";
import { FileLockManager } from "../lib/lock/mod.ts";
import { freshFolder, ratio, target } from "./target.ts";

const CLI = new URL("../cli.ts", import.meta.url).pathname;
const folder = freshFolder("disk");

const record = newRecord({
  from: "engineer",
  to: "architect",
  topic: "Database layer",
  question: "ADR-42 says PostgreSQL, but local development uses SQLite. Dual adapter or migrate?",
  blocking: true,
  maxRounds: 5,
  slaMinutes: 30,
}, Date.now());

/** Fresh ledgers, so that every write is the first clarification of its issue. */
const ledger = new ClarificationLedger(`${folder}/clarifications`, new FileLockManager());
let issue = 0;
const addOne = () => ledger.add(++issue, record);

await addOne();
const TEXT = Deno.readTextFileSync(`${folder}/clarifications/issue-1.json`);
let count = 0;

function bareWrite(): void {
  const path = `${folder}/bare-${++count}.json`;
  const file = Deno.openSync(`${path}.tmp`, { write: true, createNew: true });
  file.writeSync(new TextEncoder().encode(TEXT));
  file.syncSync();
  file.close();
  Deno.renameSync(`${path}.tmp`, path);
}

Deno.bench({
  name: "bare write + fsync + rename",
  group: "one clarification",
  baseline: true,
  n: 200,
  fn: bareWrite,
});
Deno.bench({
  name: "ClarificationLedger.add(), with fsync",
  group: "one clarification",
  n: 200,
  fn: async () => void await addOne(),
});

target({
  name: "ledger.add / bare write+fsync+rename, with fsync",
  limit: { atMost: 1.3 },
  measure: () =>
    ratio(
      async (times) => {
        for (let i = 0; i < times; i++) await addOne();
      },
      (times) => {
        for (let i = 0; i < times; i++) bareWrite();
      },
      { times: 50, rounds: 21 },
    ),
});

async function workspaceWith(ledgers: number): Promise<string> {
  const root = freshFolder("disk");
  const ledger = new ClarificationLedger(
    `${root}/.agentx/state/clarifications`,
    new FileLockManager(),
  );
  for (let issue = 1; issue <= ledgers; issue++) await ledger.add(issue, record);
  return root;
}

function runDeno(...args: string[]) {
  return async () => {
    const { success } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--no-check", ...args],
      stdout: "null",
    }).output();
    if (!success) throw new Error(`deno run ${args.join(" ")} failed`);
  };
}

target({
  name: "`clarify` on 100 ledgers / deno run of an empty file, wall time",
  limit: { atMost: 3 },
  async measure() {
    const root = await workspaceWith(100);
    const empty = `${folder}/empty.ts`;
    Deno.writeTextFileSync(empty, "");
    return await ratio(runDeno(CLI, "clarify", "--root", root), runDeno(empty), {
      times: 1,
      rounds: 31,
    });
  },
});
