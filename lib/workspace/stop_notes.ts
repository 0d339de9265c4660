// Asks a session for notes before it stops, if its user wants that (`memory.ask`).
//
// This costs one more turn over the whole context. So a session is asked once, after work was committed or handed
// over and no note was made. It is asked only where a person is present: elsewhere, the last message of a session is
// the result of its run.

import { roleOf } from "../base/agent_names.ts";
import { type Identity, sessionNameOf } from "../hooks/identity.ts";
import { stopLine } from "./notes_line.ts";
import type { SessionFile } from "../hooks/session_files.ts";
import { PROJECT } from "../memory/schema.ts";
import { sys } from "../sys/mod.ts";
import type { WorkspaceState } from "./state.ts";

/** Matches a line of a reflog: its time in seconds since the epoch, and whether it is a commit. */
const ENTRY = / ([0-9]+) [+-][0-9]{4}\t(commit\b)?/;

export interface StopOptions {
  before: SessionFile;
  gitFolder: string | undefined;
  state: WorkspaceState;
}

/** Returns the request for notes; empty if none is due. */
export async function stopNotesFor(
  who: Identity,
  { before: { began = "" }, gitFolder, state }: StopOptions,
): Promise<string> {
  const { config: { memory: { enabled, ask } }, memory, records } = state;
  if (!enabled || ask !== "stop") return "";
  const base = records().status.bases().get(sessionNameOf(who) ?? "");
  const isFinished = base?.status === "done" && (base.since ?? "") >= began;
  if (!isFinished && !(gitFolder !== undefined && hasCommitted(gitFolder, began))) return "";
  const agent = who.agent === null ? undefined : roleOf(who.agent);
  const noted = { agent, issueNumber: who.issue ?? PROJECT, from: began };
  return (await (await memory()).store.searchByFilters(noted, 1)).length > 0 ? "" : stopLine();
}

function hasCommitted(gitFolder: string, since: string): boolean {
  const entries = (sys.readTextFile(`${gitFolder}/logs/HEAD`) ?? "").trimEnd().split("\n");
  const sinceSeconds = Math.floor(Date.parse(since) / 1_000);
  return entries.some((entry) => {
    const [, seconds, isCommit] = ENTRY.exec(entry) ?? [];
    return isCommit !== undefined && Number(seconds) >= sinceSeconds;
  });
}
