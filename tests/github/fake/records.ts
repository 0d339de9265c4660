// The records of the fake GitHub: accounts, repositories, issues, pull requests, comments and refs.

export type Permission = "admin" | "maintain" | "write" | "triage" | "read" | "none";

export interface Account {
  readonly id: number;
  readonly login: string;
  readonly type: "User" | "Organization";
}

/** A token of `login`; `contents` is the right to write refs, `pulls` the one to write pull requests. */
export interface Token {
  readonly login: string;
  readonly issues: boolean;
  readonly contents: boolean;
  readonly pulls: boolean;
}

export interface Comment {
  readonly id: number;
  readonly issue: number;
  readonly login: string;
  body: string;
  readonly created: string;
  updated: string;
}

export interface Issue {
  readonly id: number;
  readonly repository: Repository;
  readonly number: number;
  readonly login: string;
  readonly created: string;
  updated: string;
  title: string;
  body: string | null;
  state: "open" | "closed";
  reason: "completed" | "reopened" | "not_planned" | "duplicate" | null;
  closed: string | null;
  closedBy: string | null;
  locked: boolean;
  labels: string[];
  assignees: string[];
  milestone: number | null;
  type: string | null;
  fields: Map<number, FieldValue>;
  /** The id of the issue that this one is part of. */
  parent: number | undefined;
  /** Orders the parts of one parent. */
  place: number;
  /** The ids of issues. */
  readonly blockedBy: Set<number>;
  readonly pull: Pull | undefined;
  gone: boolean;
  /** The issue that this one became in another repository. */
  movedTo: Issue | undefined;
}

/** What an issue has more of once it is a pull request. */
export interface Pull {
  /** GitHub numbers pull requests apart from the issues that they are. */
  readonly id: number;
  /** The repository of the head; another one where it is a fork. */
  readonly from: Repository;
  readonly head: string;
  base: string;
  draft: boolean;
  /** GitHub says null until it has computed it. */
  mergeable: boolean | null;
  merged: string | null;
  mergedBy: string | null;
  mergedAs: "merge" | "squash" | "rebase" | null;
  mergeSha: string | null;
  readonly reviewers: Set<string>;
  readonly reviews: Review[];
  files: ChangedFile[];
}

export interface Review {
  readonly id: number;
  readonly login: string;
  readonly state: "APPROVED" | "CHANGES_REQUESTED" | "COMMENTED" | "PENDING";
  body: string;
  readonly commit: string;
  readonly submitted: string | undefined;
}

export interface ChangedFile {
  readonly path: string;
  readonly status: "added" | "removed" | "modified";
  readonly additions: number;
  readonly deletions: number;
}

export interface Label {
  readonly id: number;
  readonly color: string;
  readonly description: string | null;
}

export interface Milestone {
  readonly id: number;
  readonly number: number;
  readonly login: string;
  readonly title: string;
  readonly description: string | null;
  readonly state: "open" | "closed";
  readonly due: string | null;
  readonly created: string;
}

export interface Field {
  readonly id: number;
  readonly name: string;
  readonly kind: "text" | "single_select" | "multi_select" | "number" | "date";
  readonly options: readonly string[];
}

export type FieldValue = string | number | readonly string[];

export interface Commit {
  readonly sha: string;
  readonly tree: string;
  readonly message: string;
  readonly parents: readonly string[];
}

export interface Repository {
  readonly id: number;
  readonly owner: Account;
  name: string;
  private: boolean;
  archived: boolean;
  hasIssues: boolean;
  readonly permissions: Map<string, Permission>;
  readonly labels: Map<string, Label>;
  readonly milestones: Map<number, Milestone>;
  readonly types: readonly { readonly id: number; readonly name: string }[];
  readonly fields: readonly Field[];
  readonly issues: Map<number, Issue>;
  readonly comments: Map<number, Comment>;
  readonly refs: Map<string, string>;
  readonly commits: Map<string, Commit>;
  /** The trees that a commit may name. */
  readonly trees: Set<string>;
}
