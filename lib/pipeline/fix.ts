// Runs the fixers of a workflow on the files of a change. Nothing is committed. Other files that a fixer changes are
// reported.

import { shellWord } from "../base/quote.ts";
import type { Workflow } from "../config/workflow.ts";
import { sys } from "../sys/mod.ts";
import { isIgnored } from "./ignored.ts";
import { type Change, changeIn } from "./change_files.ts";
import { type Evidence, type EvidencePlace, runEvidence } from "./evidence.ts";

/** A fixer, and the files of the change to fix. */
export interface Fixer {
  /** Program and arguments, without the files. */
  command: string[];
  files: string[];
}

/** The result of a fix. */
export interface Fixed {
  ran: Evidence[];
  /** The files of the change that the fixers changed. */
  changed: string[];
  /** The findings for a person, one sentence each. */
  needsHuman: string[];
}

/** Returns the fixers with files to fix, in the order of the workflow. */
export function fixersFor({ steps }: Workflow, files: readonly string[]): Fixer[] {
  return steps.flatMap(({ fixers }) => Object.entries(fixers))
    .map(([glob, command]) => ({ command, files: files.filter((file) => isIgnored(file, glob)) }))
    .filter(({ files }) => files.length > 0);
}

/**
 * Runs fixers on a change.
 *
 * @throws {AgentxError} `IO_ERROR` if git refuses
 */
export async function runFixers(
  fixers: readonly Fixer[],
  change: Change,
  place: EvidencePlace,
): Promise<Fixed> {
  const before = textsOf(change.files, place.tree);
  const [ran, needsHuman]: [Evidence[], string[]] = [[], []];
  for (const { command, files } of fixers) {
    const names = files.map((file) => `./${file}`); // a name may begin with a dash
    const { evidence, reason } = await runEvidence(command, place, names);
    ran.push(evidence);
    if (reason !== undefined) needsHuman.push(reason);
  }
  const after = await changeIn(place.tree);
  const beyond = after?.files.filter((file) => !change.files.includes(file)) ?? [];
  needsHuman.push(
    ...beyond.map((file) =>
      `${shellWord(file)} was changed by a fixer, and is not part of the change`
    ),
    ...(after?.head ?? null) === change.head ? [] : ["a fixer has committed something"],
  );
  const now = textsOf(change.files, place.tree);
  return { ran, changed: change.files.filter((_, at) => before[at] !== now[at]), needsHuman };
}

function textsOf(files: readonly string[], tree: string): Array<string | undefined> {
  return files.map((file) => sys.readTextFile(`${tree}/${file}`));
}
