/**
 * The changes of what an issue holds, each in one step. The journal must be flushed. Files that cannot
 * be read whole are refused.
 *
 * @module
 */

import { AgentxError } from "../../errors.ts";
import { sys } from "../../sys/mod.ts";
import { encodeJson } from "../../text/text.ts";
import { type Exchange, summaryWithout } from "../compaction_plan.ts";
import { fingerprintOf } from "../identity.ts";
import { type Joined, joinedIn, takeApart } from "../joined.ts";
import { type Observation, parseObservationId } from "../schema.ts";
import type { StoreChange } from "./change.ts";
import { compactedIn, inOrder, orderOf } from "./compacted.ts";
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
    const isCompacted = files.compacted(issueNumber).some((each) => each.id === id);
    if (!isCompacted) throw observationNotFound(id);
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
 * leaves fingerprints that keep it from being captured again; a summary goes with all that it stands
 * for. False if it was not there. `begin` is called before anything is written; without it, a removal
 * that was interrupted is ended.
 *
 * The originals leave the archive last: until then, an interrupted removal can begin again.
 */
export function remove(
  files: ObservationFiles,
  id: string,
  change: StoreChange,
  begin?: () => void,
): boolean {
  const { issues, archive } = files;
  const { issueNumber } = parseObservationId(id);
  const compacted = files.compacted(issueNumber);
  const gone = [...issues.read(issueNumber).observations, ...compacted]
    .find((each) => each.id === id);
  if (gone === undefined && begin !== undefined) return false;
  const going = new Map(gone === undefined ? [] : [[id, gone]]);
  if (gone !== undefined) {
    const { observations: inPlace, hidden } = issues.readWhole(issueNumber);
    const { observations: archived } = archive.readWhole(issueNumber); // or nothing is begun
    const there = new Set(inPlace.map(({ id }) => id));
    for (const each of compacted) {
      if (gone.replaces?.includes(each.id) && !there.has(each.id)) going.set(each.id, each);
    }
    const telling = [...inPlace, ...hidden, ...archived].filter((each) => isTelling(each, going));
    if (begin !== undefined) {
      checkKnown(telling, [...inPlace, ...compacted], id);
      begin();
    }
    keepWhole(files, issueNumber, telling.map(({ id }) => id), change);
    issues.edit(issueNumber, change, (list, file) => {
      const told = list.filter((each) => isTelling(each, going));
      addTo(file, "forgotten", [...going.values(), ...told].map(fingerprintOf));
      return without(list, going, compacted);
    }, (each) => going.has(each.id) || isTelling(each, going));
  }
  clearArchive(files, issueNumber, new Set([id, ...going.keys()]), change);
  files.sweep(id, change);
  return gone !== undefined;
}

/**
 * Puts some observations in the place of others. The archive gets what those do not say of them; and
 * before anything leaves, it was found there again as it was.
 */
export function replace(
  files: ObservationFiles,
  issueNumber: number,
  { remove, add }: Exchange,
  change: StoreChange,
): void {
  const { issues, archive } = files;
  const all = issues.readWhole(issueNumber).observations;
  const there = new Set(all.map(({ id }) => id));
  for (const id of remove) if (!there.has(id)) throw observationNotFound(id);
  const leaving = new Set(remove);
  const originals = new Map(all.filter(({ id }) => leaving.has(id)).map((each) => [each.id, each]));
  const added = add.map(({ id }) => id);
  const joined = new Map<string, Joined>();
  const said = new Set<string>();
  for (const each of add) {
    const summary: Observation = JSON.parse(encodeJson(each)); // as it will be read
    const rest = joinedIn(summary, originals);
    if (rest === undefined) continue;
    joined.set(each.id, rest);
    for (const { id } of takeApart(summary, rest) ?? []) said.add(id);
  }
  sys.makeDir(archive.folder);
  keepWhole(files, issueNumber, added.filter((id) => there.has(id)), change);
  archive.edit(issueNumber, change, (archived, file) => {
    addTo(file, "replacedBy", added.filter((id) => !joined.has(id)));
    const others = (file.joined ?? []).filter(({ of }) => !joined.has(of));
    file.joined = [...others, ...joined.values()];
    if (add.length > 0) file.order = [...new Set([...file.order ?? [], ...orderOf(all, leaving)])];
    const whole = [...originals.values()].filter(({ id }) => !said.has(id));
    return [...excluding(archived, remove), ...whole];
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

/**
 * Takes back all that was exchanged. Returns the originals, none if nothing was compacted; and the ids
 * of the summaries that were kept, since they cannot be taken apart any more.
 */
export function restore(
  { issues, archive }: ObservationFiles,
  issueNumber: number,
  change: StoreChange,
): { originals: Observation[]; kept: string[] } {
  const archived = archive.readWhole(issueNumber);
  const { file } = archived;
  if (file === undefined) return { originals: [], kept: [] };
  const issue = issues.readWhole(issueNumber);
  const { originals: all, edited } = compactedIn(issue, archived);
  const forgotten = new Set(issue.file?.forgotten);
  const standing = [...file.replacedBy ?? [], ...(file.joined ?? []).map(({ of }) => of)]
    .filter((id) => !edited.includes(id));
  // A summary that was archived, too, stands for what comes back beside it.
  const originals = inOrder(excluding(all, standing), file)
    .filter((each) => !forgotten.has(fingerprintOf(each)));
  issues.edit(issueNumber, change, (list) => {
    // Where the exchange was stopped half-way, what is still in place is the newer of the two.
    const current = new Map(list.map((each) => [each.id, each]));
    const back = originals.map((each) => current.get(each.id) ?? each);
    const gone = [...standing, ...originals.map(({ id }) => id)];
    return inOrder([...back, ...excluding(list, gone)], file);
  }, ({ id }) => standing.includes(id));
  archive.remove(archived, issueNumber);
  return { originals, kept: edited };
}

/** Has the archive keep whole all that some summaries stand for, so that they may change. */
export function keepWhole(
  { issues, archive }: ObservationFiles,
  issueNumber: number,
  summaries: readonly string[],
  change: StoreChange,
): void {
  const archived = archive.readWhole(issueNumber);
  const joined = archived.file?.joined?.filter(({ of }) => summaries.includes(of)) ?? [];
  if (joined.length === 0) return;
  const issue = issues.readWhole(issueNumber);
  archive.edit(issueNumber, change, (_, file) => {
    const { originals, edited } = compactedIn(issue, { ...archived, file: { ...file, joined } });
    const ids = joined.map(({ of }) => of);
    file.joined = file.joined?.filter(({ of }) => !ids.includes(of));
    addTo(file, "replacedBy", ids.filter((id) => !edited.includes(id)));
    return inOrder(originals, file);
  });
}

export function excluding(list: readonly Observation[], ids: Iterable<string>): Observation[] {
  const gone = new Set(ids);
  return list.filter(({ id }) => !gone.has(id));
}

/** Takes what goes out of the archive, and what else was forgotten: a removal that was interrupted left it. */
function clearArchive(
  files: ObservationFiles,
  issueNumber: number,
  ids: ReadonlySet<string>,
  change: StoreChange,
): void {
  const { issues, archive } = files;
  if (!archive.issueNumbers().includes(issueNumber)) return;
  const issue = issues.read(issueNumber);
  const forgotten = new Set(issue.file?.forgotten);
  const compacted = files.compacted(issueNumber);
  const there = new Set([...issue.observations, ...compacted].map(({ id }) => id));
  archive.edit(issueNumber, change, (list, file) => {
    const going = new Set(ids);
    for (const each of list) {
      if (each.replaces === undefined && forgotten.has(fingerprintOf(each))) going.add(each.id);
    }
    const staying = <T>(byId?: Record<string, T>) =>
      byId && Object.fromEntries(Object.entries(byId).filter(([id]) => !going.has(id)));
    file.joined = file.joined?.filter(({ of }) => !going.has(of))
      .map((each) => ({ ...each, rest: staying(each.rest), pieces: staying(each.pieces) }));
    file.order = file.order?.filter((id) => there.has(id) && !going.has(id));
    return without(list, going, compacted);
  });
}

/** Whether it stays, and stands for what goes. */
function isTelling(
  { id, replaces = [] }: Observation,
  going: { has(id: string): boolean },
): boolean {
  return !going.has(id) && replaces.some((each) => going.has(each));
}

/** Refuses to forget what a summary says that would lose what nothing else says. */
function checkKnown(
  summaries: readonly Observation[],
  known: readonly Observation[],
  id: string,
): void {
  const ids = new Set(known.map(({ id }) => id));
  const summary = summaries.find(({ replaces = [] }) => replaces.some((each) => !ids.has(each)));
  if (summary === undefined) return;
  const why = `the summary "${summary.id}" says it, too, and cannot be taken apart`;
  throw new AgentxError("INVALID_INPUT", `Cannot forget "${id}": ${why}`, {
    details: { field: "id", value: id },
    next: `Forget that one first; or take "${id}" out of its "replaces" if it does not say it`,
  });
}

/** Nothing of the list goes, or stands for what does. */
function without(
  list: readonly Observation[],
  going: { has(id: string): boolean },
  originals: readonly Observation[],
): Observation[] {
  return list.filter(({ id }) => !going.has(id))
    .map((each) => isTelling(each, going) ? summaryWithout(each, going, originals) : each)
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
