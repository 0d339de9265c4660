// Checks the change lines of issues, besides whether they can be read.

import { notCheckedOut } from "../git/tracked_paths.ts";
import { repositoryAbove } from "../git/repository.ts";
import { sys } from "../sys/mod.ts";
import { listed } from "../base/quote.ts";
import { DAY_MS, isoTime } from "../base/time.ts";
import { changeIdOf } from "../lines/line.ts";
import type { IssueStore } from "../work/issue/issue_store.ts";
import { type Finding, warn } from "./finding.ts";

const CHECK = "issues";

/** Maximum number of items that a message lists. */
const MAX_NAMED = 5;

export function examineLines(store: IssueStore, home: string, nowMs: number): Finding[] {
  return [
    ...examineMissing(store),
    ...examineHeadless(store),
    ...examineTimes(store, nowMs),
    ...examineSparse(home.slice(0, -"/.agentx".length)),
  ];
}

/**
 * Finds changes that exist only in the copy in the state. They count in this workspace, but a clone does not have them.
 */
function examineMissing(store: IssueStore): Finding[] {
  const missing = store.missing();
  if (missing.length === 0) return [];
  const { byUid } = store.view();
  const refs = new Set(missing.map(({ uid }) => byUid.get(uid)?.ref ?? uid));
  return [
    warn(
      CHECK,
      `Changes that no file here has, but the copy in the state: ${missing.length}, ` +
        `of ${listed([...refs], MAX_NAMED)}`,
      "They are on another branch, or were lost with one; write them here with: " +
        "agentx doctor --fix",
    ),
  ];
}

function examineHeadless(store: IssueStore): Finding[] {
  const { headless } = store.view();
  if (headless.size === 0) return [];
  const uids = listed([...headless.keys()], MAX_NAMED);
  const message = `Issues whose beginning is not here: ${uids}`;
  return [warn(CHECK, message, "Merge or pull the branch on which they were created")];
}

/** Finds changes dated more than a day ahead. The later of two edits wins, so a clock that is far ahead matters. */
function examineTimes(store: IssueStore, nowMs: number): Finding[] {
  const latest = isoTime(nowMs + DAY_MS);
  const ahead = [...store.view().byUid.values()].flatMap(({ ref, lines }) =>
    lines.at(-1)!.time <= latest ? [] : lines.filter(({ time }) => time > latest)
      .map(({ id, time }) => `${changeIdOf(id)} of ${ref} (${time.slice(0, 10)})`)
  );
  if (ahead.length === 0) return [];
  return [
    warn(
      CHECK,
      `Changes dated more than a day ahead: ${listed(ahead, MAX_NAMED)}`,
      "Such a change wins against others of the same field; edit the issue once more to settle it",
    ),
  ];
}

function examineSparse(root: string): Finding[] {
  const place = sys.realPath(root) ?? root;
  const repository = repositoryAbove(place);
  const left = repository === undefined
    ? []
    : notCheckedOut(place, repository, [".agentx/issues/", ".agentx/memory/"]);
  if (left.length === 0) return [];
  return [
    warn(
      CHECK,
      `This sparse checkout leaves out files of issues and memory: ${left.length}, ` +
        `such as ${left[0]}`,
      "Nobody here reads them; include them with: git sparse-checkout add .agentx",
    ),
  ];
}
