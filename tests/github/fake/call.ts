// One request to the fake, its answer, and the rights that it needs.

import type { Account, Permission, Repository, Token } from "./records.ts";
import type { State } from "./state.ts";

export type Json = Record<string, unknown>;

/** What all answers of one server are made of; `base` is the address of its API. */
export interface Site {
  readonly base: string;
  readonly state: State;
}

/** One request, after the checks that all operations share. */
export interface Call extends Site {
  readonly names: Record<string, string>;
  readonly query: URLSearchParams;
  readonly body: Json;
  readonly account: Account;
  readonly token: Token;
  /** The repository of the path, which the account may read; absent where the path names none. */
  readonly repository: Repository;
  readonly permission: Permission;
  /** How many requests the token still has, as `/rate_limit` tells; absent where there is no limit. */
  readonly rate: Json | undefined;
}

export interface Answer {
  readonly status: number;
  readonly body?: unknown;
}

/** The handlers of one file, by GitHub's names of the operations. */
export type Operations = Record<string, (call: Call) => Answer>;

export class Refusal extends Error {
  /** `rest` is what the answer has beside a message, such as the errors of a validation. */
  constructor(readonly status: number, message: string, readonly rest: Json = {}) {
    super(message);
  }
}

/** A redirect to `url`, as GitHub words it. */
export class Moved extends Refusal {
  constructor(status: 301 | 307, readonly url: string) {
    super(status, status === 301 ? "Moved Permanently" : "Temporary Redirect", { url });
  }
}

/** A failed validation; `code` is one of GitHub's, "custom" has a message. */
export function invalid(resource: string, field: string, code: string, more: Json = {}): Refusal {
  return new Refusal(422, "Validation Failed", { errors: [{ resource, field, code, ...more }] });
}

export function notFound(): Refusal {
  return new Refusal(404, "Not Found");
}

export function ok(body: unknown): Answer {
  return { status: 200, body };
}

export function created(body: unknown): Answer {
  return { status: 201, body };
}

const LEVELS: readonly Permission[] = ["none", "read", "triage", "write", "maintain", "admin"];

export function has(permission: Permission, level: Permission): boolean {
  return LEVELS.indexOf(permission) >= LEVELS.indexOf(level);
}

export function canPush(call: Call): boolean {
  return has(call.permission, "write");
}

export function canTriage(call: Call): boolean {
  return has(call.permission, "triage");
}

export function needsIssues(call: Call): void {
  needsWritable(call);
  if (!call.repository.hasIssues) throw new Refusal(410, "Issues are disabled for this repo");
  needsRight(call.token.issues);
}

export function needsTriage(call: Call): void {
  needsIssues(call);
  if (!canTriage(call)) throw new Refusal(403, "Must have admin rights to Repository.");
}

export function needsPush(call: Call): void {
  needsIssues(call);
  if (!canPush(call)) throw new Refusal(403, "Must have push access to repository.");
}

export function needsContents(call: Call): void {
  needsWritable(call);
  if (!canPush(call)) throw notFound();
  needsRight(call.token.contents);
  needsCommits(call.repository);
}

export function needsPulls(call: Call): void {
  needsWritable(call);
  needsRight(call.token.pulls);
}

export function needsCommits(repository: Repository): void {
  if (repository.refs.size === 0) throw new Refusal(409, "Git Repository is empty.");
}

function needsWritable(call: Call): void {
  if (call.repository.archived) throw new Refusal(403, "Repository was archived so is read-only.");
}

function needsRight(right: boolean): void {
  if (!right) throw new Refusal(403, "Resource not accessible by personal access token");
}
