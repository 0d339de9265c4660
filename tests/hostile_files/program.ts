/**
 * Runs command lines in workspaces, one after the other, and uses parts of the library in folders.
 * What comes of each is a line of JSON on standard output, so that a hang shows where it is.
 *
 * @module
 */

import { readFileSync } from "node:fs";
import process from "node:process";
import { main } from "../../cli.ts";
import { ClarificationLedger } from "../../lib/clarify/ledger/ledger.ts";
import { AgentxError } from "../../lib/base/errors.ts";
import { EventLog } from "../../lib/events/log.ts";
import { FileLockManager } from "../../lib/lock/mod.ts";
import { JsonObservationStore } from "../../lib/memory/store/store.ts";
import { FakeIo } from "../cli/fake_io.ts";

/** What to run in one workspace. */
export interface Case {
  name: string;
  root: string;
  /** Command lines; none where the library is used instead, in `root`. */
  commands: string[][];
}

/** What came of one command line, or of one use of the library. */
export interface Outcome {
  name: string;
  command: string;
  /** Exit code, or the code of the error. */
  code: number | string;
  text: string;
}

/** The library without a workspace: folders are handed to it. */
function uses(root: string): Record<string, () => unknown> {
  const locks = new FileLockManager({ maxWaitMs: 500 });
  const ledger = new ClarificationLedger(`${root}/clarifications`, locks);
  const notes: string[] = [];
  const memory = new JsonObservationStore(`${root}/memory`, locks, {
    recallsPath: `${root}/memory-recalls.json`,
    notify: (message) => notes.push(message),
  });
  const heard = (found: unknown) => JSON.stringify([found, notes]);
  return {
    "ledger.scan": () => {
      const { ledgers, problems } = ledger.scan();
      return JSON.stringify([ledgers, problems.map(({ message }) => message)]);
    },
    "ledger.change": () => ledger.change("CLR-42-001", "engineer", (it) => void (it.topic = "x")),
    "memory.search": async () => heard(await memory.search("MARKER-JOURNAL MARKER-MEMORY", 10)),
    "memory.rebuild": async () => heard(await memory.rebuild()),
    "memory.getByIssue": async () => heard(await memory.getByIssue(43)),
    "memory.restore": async () => heard(await memory.restore(43)),
    "log.write": () => {
      new EventLog(`${root}/log`, { warn: (message) => notes.push(message) }).write("x", {});
      return heard([]);
    },
  };
}

function tell(outcome: Outcome): void {
  process.stdout.write(JSON.stringify(outcome) + "\n");
}

const cases: Case[] = JSON.parse(readFileSync(process.argv[2], "utf8"));
for (const { name, root, commands } of cases) {
  for (const argv of commands) {
    const command = argv.join(" ");
    tell({ name, command, code: "BEGUN", text: "" });
    const io = new FakeIo();
    const code = await main(["--root", root, ...argv], io);
    tell({ name, command, code, text: io.out + io.err });
  }
  for (const [command, use] of commands.length === 0 ? Object.entries(uses(root)) : []) {
    tell({ name, command, code: "BEGUN", text: "" });
    try {
      tell({ name, command, code: 0, text: String(await use()) });
    } catch (error) {
      if (!(error instanceof AgentxError)) throw error;
      tell({ name, command, code: error.code, text: error.message });
    }
  }
}
