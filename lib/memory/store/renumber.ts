/**
 * Observations of an issue that got another number.
 *
 * @module
 */

import { type Observation, parseObservationId } from "../schema.ts";
import type { StoreChange } from "./change.ts";
import { addTo, excluding, keepWhole } from "./edits.ts";
import { uniteObservations } from "./memory_file.ts";
import { groupBy, inEachIssue, type ObservationFiles } from "./observation_files.ts";

/** The number that each issue has now, by its `uid`. */
type NumbersByUid = ReadonlyMap<string, number>;

/**
 * Moves the observations of such issues, and returns their new ids by the old ones. What moves is
 * written at its new place before it leaves the old one; a file that cannot be read whole is left as
 * it is. The journal must be flushed.
 */
export function renumber(
  files: ObservationFiles,
  numbers: NumbersByUid,
  change: StoreChange,
): Map<string, string> {
  const { issues, archive } = files;
  const ids = new Map<string, string>();
  // What was joined may move apart.
  inEachIssue([archive], (_, from) => {
    const isMoving = (each: Observation) => newNumberOf(each, numbers) !== undefined;
    const { joined = [] } = archive.readWhole(from).file ?? {};
    const all = [...issues.readWhole(from).observations, ...files.compacted(from)];
    if (all.some(isMoving)) keepWhole(files, from, joined.map(({ of }) => of), change);
    return [];
  });
  // The archive first: the summaries of what is in it name the new ids.
  inEachIssue([archive, issues], (files, from) => {
    const { file, observations } = files.readWhole(from);
    const moving = groupBy(observations, (each) => newNumberOf(each, numbers) ?? from);
    moving.delete(from);
    const { forgotten = [], replacedBy = [] } = file ?? {};
    for (const [to, list] of moving) {
      for (const { id } of list) ids.set(id, renumberedId(id, to));
      files.edit(to, change, (there, target) => {
        addTo(target, "forgotten", forgotten);
        addTo(target, "replacedBy", replacedBy.map((id) => renumberedId(id, to)));
        return uniteObservations([...there, ...list.map((each) => renumbered(each, to, ids))]);
      });
      files.edit(from, change, (all) => excluding(all, list.map(({ id }) => id)));
    }
    return [];
  });
  return ids;
}

/** The number that its issue has now; undefined if that is still its own, or not known. */
function newNumberOf(
  { issueUid, issueNumber }: Observation,
  numbers: NumbersByUid,
): number | undefined {
  const number = issueUid === undefined ? undefined : numbers.get(issueUid);
  return number === issueNumber ? undefined : number;
}

/** The id that an observation has in an issue with another number: the same on every clone. */
export function renumberedId(id: string, issueNumber: number): string {
  const { agent, issueNumber: before } = parseObservationId(id);
  const start = `obs-${agent}-`;
  return `${start}${issueNumber}${id.slice(start.length + String(before).length)}`;
}

/** The observation as another issue has it; `ids` has the new ids of all that move, by the old. */
function renumbered(
  observation: Observation,
  issueNumber: number,
  ids: ReadonlyMap<string, string>,
): Observation {
  const { id, supersedes, replaces, ...rest } = observation;
  const now = (id: string) => ids.get(id) ?? id;
  return {
    ...rest,
    id: now(id),
    issueNumber,
    ...(supersedes === undefined ? {} : { supersedes: now(supersedes) }),
    ...(replaces === undefined ? {} : { replaces: replaces.map(now) }),
  };
}
