// Maps the statuses of other trackers to columns of the board. Pure.

import { DONE, IN_PROGRESS, IN_REVIEW, ISSUE_STATUSES, READY } from "../issue.ts";

/** One status, and the records that have it. */
export interface StatusUse {
  /** The status as the tracker wrote it. */
  status: string;
  /** Its column. An unknown status becomes a column of the same name, and `ready` does not offer its issues. */
  column: string;
  /** Number of records that have the status. */
  records: number;
  /** Whether the table of statuses, or `--status`, has it. */
  isKnown: boolean;
}

/** Each row: a column, and the names of statuses that mean it. */
const COLUMNS: ReadonlyArray<[column: string, names: string]> = [
  [
    ISSUE_STATUSES[0],
    "open todo to_do backlog pending new not_started planned deferred_until_a_day",
  ],
  [READY, "ready"],
  [IN_PROGRESS, "in_progress hooked doing started"],
  [IN_REVIEW, "in_review review"],
  [
    DONE,
    "done closed completed complete resolved " +
    "cancelled canceled wont_do wont_fix wontfix not_planned rejected duplicate abandoned obsolete",
  ],
  // A person put these issues off in the tracker, so `ready` does not offer them.
  ["Deferred", "deferred postponed later someday icebox"],
  ["Blocked", "blocked on_hold hold waiting paused"],
  ["Pinned", "pinned"],
  ["Draft", "draft"],
];

const COLUMN_OF = new Map(
  COLUMNS.flatMap(([column, names]) => names.split(" ").map((name) => [name, column] as const)),
);

/** Finds columns for statuses, and counts the statuses. */
export class Statuses {
  readonly #given: ReadonlyMap<string, string>;
  readonly #uses = new Map<string, StatusUse>();

  /** @param given the columns from `--status`, by the tracker's names */
  constructor(given: Readonly<Record<string, string>> = {}) {
    this.#given = new Map(Object.entries(given).map(([name, column]) => [plain(name), column]));
  }

  /** Returns the column for a status; an empty status counts as `open`. */
  columnOf(status: string): string {
    const name = plain(status) || "open";
    const known = this.#given.get(name) ?? COLUMN_OF.get(name);
    const use = this.#uses.get(name) ??
      { status: status.trim(), column: known ?? status.trim(), records: 0, isKnown: !!known };
    this.#uses.set(name, { ...use, records: use.records + 1 });
    return use.column;
  }

  /** Returns the statuses that occurred, the most frequent first. */
  used(): StatusUse[] {
    return [...this.#uses.values()].sort((a, b) => b.records - a.records);
  }
}

/** Normalizes a status, so that `In-Progress` and `in_progress` are equal, and `Won't do` and `wont_do` too. */
function plain(status: string): string {
  return status.trim().toLowerCase().replaceAll(/['\u2019]/g, "").replaceAll(/[\s-]+/g, "_");
}
