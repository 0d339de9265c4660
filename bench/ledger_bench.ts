// What does a question cost on disk? Peer: a bare write of the same bytes.

import { ClarificationLedger } from "../lib/clarify/ledger/ledger.ts";
import { newRecord } from "../lib/clarify/rules/transitions.ts";
import { FileLockManager } from "../lib/lock/mod.ts";
import { freshFolder, ratio, target } from "./target.ts";

const folder = freshFolder("disk");

const record = newRecord({
  topic: "Database layer",
  question: "ADR-42 says PostgreSQL, but local development uses SQLite. Dual adapter or migrate?",
  blocking: true,
}, { from: "engineer", to: "architect", maxRounds: 5, slaMinutes: 30, nowMs: Date.now() });

/** As many issues as one works on at a time, each with a clarification already. */
const ISSUES = 50;
const ledger = new ClarificationLedger(`${folder}/clarifications`, new FileLockManager());
const pathOf = (issue: number) => `${folder}/clarifications/issue-${issue}.json`;
const barePathOf = (issue: number) => `${folder}/bare-${issue}.json`;
await ledger.add(1, record);
const BEFORE = Deno.readTextFileSync(pathOf(1));
await ledger.add(1, record);
const AFTER = Deno.readTextFileSync(pathOf(1));

function writeAndWait(path: string, text: string): void {
  const file = Deno.openSync(`${path}.tmp`, { write: true, createNew: true });
  file.writeSync(new TextEncoder().encode(text));
  file.syncSync();
  file.close();
  Deno.renameSync(`${path}.tmp`, path);
  const parent = Deno.openSync(path.slice(0, path.lastIndexOf("/")));
  parent.syncSync();
  parent.close();
}

/** Nothing of it is left for the measured writes to wait for. */
function prepare(): void {
  for (let issue = 1; issue <= ISSUES; issue++) {
    const text = BEFORE.replaceAll("CLR-1-", `CLR-${issue}-`)
      .replace('"issueNumber": 1,', `"issueNumber": ${issue},`);
    for (const path of [pathOf(issue), barePathOf(issue)]) writeAndWait(path, text);
  }
}

let count = 0;
const nextIssue = () => 1 + count++ % ISSUES;

function bareWrite(): void {
  writeAndWait(barePathOf(nextIssue()), AFTER);
}

prepare();

/** What a change under a lock file cannot do without. */
function bareChangeUnderLockFile(): void {
  const path = barePathOf(nextIssue());
  const file = Deno.openSync(`${path}.lock`, { write: true, createNew: true });
  file.writeSync(new TextEncoder().encode(`{"pid":${Deno.pid}}`));
  writeAndWait(path, JSON.stringify(JSON.parse(Deno.readTextFileSync(path)), null, 2));
  Deno.removeSync(`${path}.lock`);
  file.close();
}

Deno.bench({
  name: "bare write + fsync + rename + fsync of the folder",
  group: "one clarification",
  baseline: true,
  n: ISSUES,
  fn: bareWrite,
});
Deno.bench({
  name: "bare read + the same, under a bare lock file",
  group: "one clarification",
  n: ISSUES,
  fn: bareChangeUnderLockFile,
});
Deno.bench({
  name: "ClarificationLedger.add(), with fsync",
  group: "one clarification",
  n: ISSUES,
  fn: async () => void await ledger.add(nextIssue(), record),
});

target({
  name: "ledger.add / bare write+fsync+rename+fsync of the folder",
  limit: { atMost: 1.3 },
  measure: () =>
    ratio(
      async (times) => {
        for (let i = 0; i < times; i++) await ledger.add(nextIssue(), record);
      },
      (times) => {
        for (let i = 0; i < times; i++) bareWrite();
      },
      { times: ISSUES, rounds: 31, prepare },
    ),
});
