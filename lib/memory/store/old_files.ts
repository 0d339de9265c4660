// The file formats before lines, which are only read. Deleted observations are removed from them, and derived
// files are removed once something is written in the new form.

import { tryParseJson } from "../../base/checks.ts";
import { AgentxError } from "../../base/errors.ts";
import { commitFile } from "../../lock/commit.ts";
import type { LockHandle } from "../../lock/mod.ts";
import { sys } from "../../sys/mod.ts";
import { encodeJson } from "../../text/text.ts";
import { isObservation, type Observation } from "../schema.ts";
import { encodeIssueFile, type IssueFile, parseIssueFile, refuseNewer } from "./json_file.ts";
import { issueOfSource, type Sources } from "./sources.ts";
import type { Tombstones } from "./tombstones.ts";

/** Older versions of agentx refuse to write next to this. */
const MARK = `${
  encodeJson({
    version: 2,
    agentx: ">= 0.1.0 with memory in lines",
    about: "Observations are in {year-month}/*.jsonl; an older agentx would not see them",
  })
}\n`;

/**
 * Keeps older versions from writing next to lines.
 *
 * @param folder `.agentx/memory`
 * @param state `.agentx/state`
 * @throws {AgentxError} `NEWER_STATE` where a newer program did the same
 */
export function markFolder(
  folder: string,
  state: string,
  lock: LockHandle,
  lockedPath: string,
): void {
  const path = `${folder}/manifest.json`;
  if (refuseNewerForm(folder)) return;
  sys.makeDir(folder);
  commitFile(lock, path, MARK, { fsync: true, lockedPath });
  for (const name of sys.readDir(folder)) {
    if (/^manifest-\d+\.json$/.test(name)) sys.removeFile(`${folder}/${name}`);
  }
  for (const derived of [`${folder}/index`, `${state}/recalls`]) {
    if (sys.lstat(derived)?.kind === "directory") sys.removeFolder(derived);
  }
}

/**
 * Whether `.agentx/memory` holds lines already.
 *
 * @throws {AgentxError} `NEWER_STATE`
 */
export function refuseNewerForm(folder: string): boolean {
  const path = `${folder}/manifest.json`;
  const text = sys.readTextFile(path) ?? "";
  if (text !== MARK) refuseNewer(text, path, 2);
  return text === MARK;
}

/**
 * Removes deleted observations from files in older formats.
 *
 * @param state `.agentx/state`
 */
export function eraseOld(
  sources: Sources,
  state: string,
  tombstones: Tombstones,
  replace: (path: string, text: string) => void,
): void {
  const clean = (all: readonly Observation[]) =>
    all.flatMap((each) => tombstones.cleaned(each) ?? []);
  for (const { path, kind } of sources.list()) {
    if (kind !== "issue" && kind !== "archive" && kind !== "journal") continue;
    const text = sys.readTextFile(path) ?? "";
    const left = kind === "journal"
      ? text.split("\n").filter((line) => !isForgotten(line, tombstones)).join("\n")
      : erased(text, path, clean);
    if (left !== text) replace(path, left);
  }
  sys.removeFile(`${state}/backup/journal.jsonl`);
}

function erased(
  text: string,
  path: string,
  clean: (all: readonly Observation[]) => Observation[],
): string {
  let file: IssueFile;
  try {
    file = parseIssueFile(text, path, issueOfSource(path)).file;
  } catch (error) {
    if (error instanceof AgentxError) return text; // nothing of it is shown; it is named where it is read
    throw error;
  }
  const left = clean(file.observations);
  if (
    left.length === file.observations.length &&
    left.every((each, at) => each === file.observations[at])
  ) {
    return text;
  }
  return encodeIssueFile({ ...file, observations: left });
}

function isForgotten(line: string, tombstones: Tombstones): boolean {
  const value = tryParseJson(line); // what is no JSON is named where it is read
  return isObservation(value) && tombstones.cleaned(value) === undefined;
}
