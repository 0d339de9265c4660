// Checks the other files of the state: those of the gate, of the inbox, of memory's figures and of the sessions that
// `agentx run` runs. Each is read by the code that owns it.

import { AssumptionStore } from "../gate/assumption_store.ts";
import { InteractionStore } from "../gate/store.ts";
import { notifiedFile } from "../inbox/notifier.ts";
import { type FileLockManager, JsonFile } from "../lock/mod.ts";
import { TranscriptFiles } from "../run/transcript_files.ts";
import { SessionUses } from "../memory/recall/session_uses.ts";
import { sys } from "../sys/mod.ts";
import { failure, type Finding, ok } from "./finding.ts";

/** Returns how many files can be read, and why the others cannot. */
export function examineOthers(home: string, locks: FileLockManager): Finding[] {
  const transcripts = new TranscriptFiles(home);
  const reads = [
    ...namesIn(`${home}/state`, ".json").map((name) => () =>
      readState(`${home}/state/${name}.json`, locks)
    ),
    ...namesIn(`${home}/state/transcripts`, ".jsonl").map((id) => () => transcripts.read(id)),
  ];
  const failures = reads.flatMap((read) => {
    try {
      read();
      return [];
    } catch (error) {
      return [failure("files", error)];
    }
  });
  return [
    ok("files", `${reads.length - failures.length} other state files can be read`),
    ...failures,
  ];
}

/** Returns the names of the files with an ending in a folder, without the ending. */
function namesIn(folder: string, end: string): string[] {
  return sys.readDir(folder).filter((name) => name.endsWith(end))
    .map((name) => name.slice(0, -end.length));
}

function readState(path: string, locks: FileLockManager): unknown {
  switch (path.slice(path.lastIndexOf("/") + 1)) {
    case "agent-interactions.json":
      return new InteractionStore(path, { locks }).read();
    case "assumptions.json":
      return new AssumptionStore(path, { locks }).list();
    case "memory-uses.json":
      return new SessionUses(path, locks).read();
    case "inbox-notified.json":
      return notifiedFile(path, locks).read();
    default:
      return new JsonFile(path, locks).read();
  }
}
