// The columns for what other trackers call a status. Pure.

import { DONE, IN_PROGRESS, IN_REVIEW, ISSUE_STATUSES, READY } from "../issue.ts";

/** The use of one status. */
export interface StatusUse {
  /** As it was written. */
  status: string;
  /** The column for it; an unknown one has its own name, and issues in it are not offered. */
  column: string;
  /** How many records have it. */
  records: number;
  /** Whether the table, or `--status`, has it. */
  isKnown: boolean;
}

/** Each row: a column, and what trackers call it. */
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
  // Put off by a person there: `ready` offers none of them.
  ["Deferred", "deferred postponed later someday icebox"],
  ["Blocked", "blocked on_hold hold waiting paused"],
  ["Pinned", "pinned"],
  ["Draft", "draft"],
];

const COLUMN_OF = new Map(
  COLUMNS.flatMap(([column, names]) => names.split(" ").map((name) => [name, column] as const)),
);

/** Finds columns, and keeps account of them. */
export class Statuses {
  readonly #given: ReadonlyMap<string, string>;
  readonly #uses = new Map<string, StatusUse>();

  /** @param given the columns of `--status`, by the names there */
  constructor(given: Readonly<Record<string, string>> = {}) {
    this.#given = new Map(Object.entries(given).map(([name, column]) => [plain(name), column]));
  }

  /** The column for a status; a record without one has not begun. */
  columnOf(status: string): string {
    const name = plain(status) || "open";
    const known = this.#given.get(name) ?? COLUMN_OF.get(name);
    const use = this.#uses.get(name) ??
      { status: status.trim(), column: known ?? status.trim(), records: 0, isKnown: !!known };
    this.#uses.set(name, { ...use, records: use.records + 1 });
    return use.column;
  }

  /** Each status that was read, the most frequent first. */
  used(): StatusUse[] {
    return [...this.#uses.values()].sort((a, b) => b.records - a.records);
  }
}

/** `In-Progress`, `in progress` and `in_progress` are one status, and so are `Won't do` and `wont_do`. */
function plain(status: string): string {
  return status.trim().toLowerCase().replaceAll(/['\u2019]/g, "").replaceAll(/[\s-]+/g, "_");
}
