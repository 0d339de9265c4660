/**
 * The changes of what an issue holds, each in one step. The journal must be flushed. Files that cannot
 * be read whole are refused.
 *
 * @module
 */

import { AgentxError } from "../../errors.ts";
import { sys } from "../../sys/mod.ts";
import { type Exchange, summaryWithout } from "../compaction_plan.ts";
import { fingerprintOf } from "../identity.ts";
import { byTime, type Observation, parseObservationId } from "../schema.ts";
import type { StoreChange } from "./change.ts";
import type { IssueFile } from "./memory_file.ts";
import { type ObservationFiles, observationNotFound } from "./observation_files.ts";

/** Marks an observation as wrong, unless it was compacted: the summaries would still say it. */
export function retract(
  files: ObservationFiles,
  id: string,
  retracted: NonNullable<Observation["retracted"]>,
  change: StoreChange,
): Observation {
  const { issueNumber } = parseObservationId(id);
  const list = files.issues.edit(issueNumber, change, (list) => {
    const index = list.findIndex((each) => each.id === id);
    if (index >= 0) return list.with(index, { ...list[index], retracted });
    if (files.archive.find(issueNumber, id) === undefined) throw observationNotFound(id);
    throw new AgentxError("INVALID_INPUT", `Cannot retract "${id}": it was compacted`, {
      details: { field: "id", value: id },
      next: `Bring it back with: agentx memory compact --undo --issue ${issueNumber}`,
    });
  });
  return list.find((each) => each.id === id)!;
}

/** Replaces what an observation names in the working tree. */
export function reanchor(
  files: ObservationFiles,
  id: string,
  { anchors, commit }: Pick<Observation, "anchors" | "commit">,
  change: StoreChange,
): Observation {
  const { issueNumber } = parseObservationId(id);
  const list = files.issues.edit(issueNumber, change, (list) => {
    const index = list.findIndex((each) => each.id === id);
    if (index < 0) throw observationNotFound(id);
    const { anchors: _, commit: __, ...rest } = list[index];
    const place = anchors === undefined ? {} : { commit, anchors };
    return list.with(index, { ...rest, ...place });
  });
  return list.find((each) => each.id === id)!;
}

/**
 * Removes an observation, also from the archive and from the summaries that stand for it, and
 * leaves fingerprints that keep it from being captured again. False if it was not there; `begin` is
 * called before anything is written.
 *
 * The original leaves the archive last: until then, an interrupted removal can begin again.
 */
export function remove(
  { issues, archive }: ObservationFiles,
  id: string,
  change: StoreChange,
  begin: () => void = () => {},
): boolean {
  const { issueNumber } = parseObservationId(id);
  const archived = archive.find(issueNumber, id);
  const gone = issues.find(issueNumber, id) ?? archived;
  if (gone === undefined) return false;
  for (const files of [issues, archive]) files.readWhole(issueNumber); // or nothing is begun
  begin();
  issues.edit(issueNumber, change, (list, file) => {
    const summaries = list.filter(({ replaces }) => replaces?.includes(id));
    addTo(file, "forgotten", [gone, ...summaries].map(fingerprintOf));
    // An original that is left out here would be lost to the summaries that are rebuilt.
    const isTold = summaries.length > 0;
    return without(list, id, isTold ? archive.readWhole(issueNumber).observations : []);
  });
  if (archived !== undefined) {
    archive.edit(issueNumber, change, (list) => without(list, id, list));
  }
  return true;
}

/** Puts some observations in the place of others, which go to the archive. */
export function replace(
  { issues, archive }: ObservationFiles,
  issueNumber: number,
  { remove, add }: Exchange,
  change: StoreChange,
): void {
  const all = issues.readWhole(issueNumber).observations;
  const there = new Set(all.map(({ id }) => id));
  for (const id of remove) if (!there.has(id)) throw observationNotFound(id);
  const leaving = new Set(remove);
  const originals = all.filter(({ id }) => leaving.has(id));
  const added = add.map(({ id }) => id);
  sys.makeDir(archive.folder);
  archive.edit(issueNumber, change, (archived, file) => {
    addTo(file, "replacedBy", added);
    return [...excluding(archived, remove), ...originals];
  });
  issues.edit(issueNumber, change, (list) => [
    ...excluding(list, [...remove, ...added]),
    ...add,
  ]);
}

/** Moves those that are still there to the archive, and returns how many that were. */
export function archiveSome(
  files: ObservationFiles,
  issueNumber: number,
  ids: readonly string[],
  change: StoreChange,
): number {
  const there = new Set(files.issues.readWhole(issueNumber).observations.map(({ id }) => id));
  const remove = ids.filter((id) => there.has(id));
  if (remove.length > 0) replace(files, issueNumber, { remove, add: [] }, change);
  return remove.length;
}

/** Takes back all that was exchanged, and returns the originals; none if nothing was compacted. */
export function restore(
  { issues, archive }: ObservationFiles,
  issueNumber: number,
  change: StoreChange,
): Observation[] {
  const archived = archive.readWhole(issueNumber);
  const { file } = archived;
  if (file === undefined) return [];
  // A summary that was archived, too, stands for what comes back beside it.
  const originals = excluding(archived.observations, file.replacedBy ?? []);
  issues.edit(issueNumber, change, (list) => {
    // Where the exchange was stopped half-way, what is still in place is the newer of the two.
    const current = new Map(list.map((each) => [each.id, each]));
    const back = originals.map((each) => current.get(each.id) ?? each);
    const gone = [...file.replacedBy ?? [], ...originals.map(({ id }) => id)];
    return [...back, ...excluding(list, gone)].sort(byTime);
  });
  archive.remove(archived, issueNumber);
  return originals;
}

export function excluding(list: readonly Observation[], ids: Iterable<string>): Observation[] {
  const gone = new Set(ids);
  return list.filter(({ id }) => !gone.has(id));
}

/** Nothing of the list is this observation, or stands for it. */
function without(
  list: readonly Observation[],
  id: string,
  originals: readonly Observation[],
): Observation[] {
  return excluding(list, [id])
    .map((each) => each.replaces?.includes(id) ? summaryWithout(each, id, originals) : each)
    .filter((each) => each !== undefined);
}

/** An empty list is not written. */
export function addTo(
  file: IssueFile,
  key: "forgotten" | "replacedBy",
  values: readonly string[],
): void {
  if (values.length > 0) file[key] = [...new Set([...file[key] ?? [], ...values])].sort();
}
