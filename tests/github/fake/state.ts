// What the fake GitHub holds, and what happens there without a request.

import { createHash } from "node:crypto";

import type {
  Account,
  Comment,
  Field,
  Issue,
  Label,
  Permission,
  Pull,
  Repository,
  Token,
} from "./records.ts";

export interface RepositoryOptions {
  readonly private?: boolean;
  /** Only a repository of an organization has issue types and fields. */
  readonly organization?: boolean;
  readonly types?: readonly string[];
  readonly fields?: readonly Omit<Field, "id">[];
  /** A repository without a commit has no refs either. */
  readonly empty?: boolean;
}

/** What a test says of a new issue; the rest is as GitHub sets it. */
export type IssueValues =
  & Partial<Omit<Issue, "pull" | "repository">>
  & { readonly title: string; readonly pull?: Partial<Pull> & Pick<Pull, "head" | "base"> };

const CLOSES = /\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):? #(\d+)\b/gi;

/** The whole of the fake; tests change it directly for what happens on github.com itself. */
export class State {
  readonly accounts = new Map<string, Account>();
  readonly tokens = new Map<string, Token>();
  readonly repositories = new Map<string, Repository>();
  /** Old names of renamed repositories, in lower case. */
  readonly renamed = new Map<string, string>();
  /** The names that texts mentioned, in the order of the requests; `comment` is absent for an issue's own text. */
  readonly notified: { issue: number; comment: number | undefined; names: string[] }[] = [];
  /** Whether this is a GitHub Enterprise Server, without issue types, sub-issues and fields. */
  readonly isEnterprise: boolean;
  #id = 1000;
  #time = Date.parse("2026-11-01T00:00:00Z");

  constructor(isEnterprise = false) {
    this.isEnterprise = isEnterprise;
  }

  nextId(): number {
    return ++this.#id;
  }

  /** GitHub's times have whole seconds; each change is a second later than the last. */
  now(): string {
    return new Date(this.#time += 1000).toISOString().replace(".000", "");
  }

  account(login: string, type: Account["type"] = "User"): Account {
    const found = this.accounts.get(login);
    if (found !== undefined) return found;
    const made = { id: this.nextId(), login, type };
    this.accounts.set(login, made);
    return made;
  }

  /** Adds a token; by default it may write all that its account may. */
  token(token: string, login: string, rights: Partial<Omit<Token, "login">> = {}): void {
    this.account(login);
    this.tokens.set(token, { login, issues: true, contents: true, pulls: true, ...rights });
  }

  repository(fullName: string, options: RepositoryOptions = {}): Repository {
    const [owner, name] = fullName.split("/") as [string, string];
    const isOrganization = options.organization ?? false;
    const hasTypes = isOrganization && !this.isEnterprise;
    const first = { sha: sha("first commit"), tree: sha("tree"), message: "Begin", parents: [] };
    const made: Repository = {
      id: this.nextId(),
      owner: this.account(owner, isOrganization ? "Organization" : "User"),
      name,
      private: options.private ?? false,
      archived: false,
      hasIssues: true,
      permissions: new Map([[owner, "admin"]]),
      labels: new Map(),
      milestones: new Map(),
      types: hasTypes
        ? (options.types ?? ["Task", "Bug", "Feature"]).map((type) => ({
          id: this.nextId(),
          name: type,
        }))
        : [],
      fields: hasTypes
        ? (options.fields ?? []).map((field) => ({ id: this.nextId(), ...field }))
        : [],
      issues: new Map(),
      comments: new Map(),
      refs: new Map(options.empty ? [] : [["refs/heads/main", first.sha]]),
      commits: new Map(options.empty ? [] : [[first.sha, first]]),
      trees: new Set(options.empty ? [] : [first.tree]),
    };
    for (const label of ["bug", "enhancement"]) this.label(made, label);
    this.repositories.set(fullName.toLowerCase(), made);
    return made;
  }

  /** The label of this name; made where it is not there. */
  label(repository: Repository, name: string, color = "ededed", description?: string): Label {
    const found = repository.labels.get(name);
    if (found !== undefined) return found;
    const made = { id: this.nextId(), color, description: description ?? null };
    repository.labels.set(name, made);
    return made;
  }

  issue(repository: Repository, login: string, values: IssueValues): Issue {
    const created = this.now();
    const made: Issue = {
      id: this.nextId(),
      repository,
      number: Math.max(0, ...repository.issues.keys()) + 1,
      login,
      created,
      updated: created,
      body: null,
      state: "open",
      reason: null,
      closed: null,
      closedBy: null,
      locked: false,
      labels: [],
      assignees: [],
      milestone: null,
      type: null,
      fields: new Map(),
      parent: undefined,
      place: 0,
      blockedBy: new Set(),
      gone: false,
      movedTo: undefined,
      ...values,
      pull: values.pull && this.#pull(repository, values.pull),
    };
    repository.issues.set(made.number, made);
    return made;
  }

  comment(repository: Repository, issue: Issue, login: string, body: string): Comment {
    const created = this.now();
    const made = { id: this.nextId(), issue: issue.number, login, body, created, updated: created };
    repository.comments.set(made.id, made);
    issue.updated = created;
    return made;
  }

  /** The issue of this id, in any repository. */
  find(id: unknown): Issue | undefined {
    return this.issues().find((issue) => issue.id === id);
  }

  /** The issues of all repositories that are still there. */
  issues(): Issue[] {
    return [...this.repositories.values()].flatMap((each) => [...each.issues.values()])
      .filter((issue) => !issue.gone && issue.movedTo === undefined);
  }

  permission(login: string, repository: Repository): Permission {
    return repository.permissions.get(login) ?? (repository.private ? "none" : "read");
  }

  /** Merges a pull request as github.com does: `Closes #N` in its body closes the issue. */
  merge(
    repository: Repository,
    issue: Issue,
    { by = repository.owner.login, as = "merge" as NonNullable<Pull["mergedAs"]> } = {},
  ): void {
    const now = this.now();
    const pull = issue.pull!;
    const base = `refs/heads/${pull.base}`;
    const head = pull.from.refs.get(`refs/heads/${pull.head}`) ?? sha(pull.head);
    const parents = [
      repository.refs.get(base) ?? sha(pull.base),
      ...(as === "merge" ? [head] : []),
    ];
    const tree = pull.from.commits.get(head)?.tree ?? sha("tree");
    const made = { sha: sha(`${now} ${head}`), tree, message: issue.title, parents };
    repository.commits.set(made.sha, made);
    repository.refs.set(base, made.sha);
    Object.assign(pull, { merged: now, mergedBy: by, mergedAs: as, mergeSha: made.sha });
    const closed = { state: "closed", closed: now, closedBy: by, updated: now };
    Object.assign(issue, closed);
    // GitHub heeds the words only in a pull request to the default branch.
    const closes = pull.base === "main" ? issue.body ?? "" : "";
    for (const [, number] of closes.matchAll(CLOSES)) {
      Object.assign(repository.issues.get(Number(number)) ?? {}, closed, { reason: "completed" });
    }
  }

  /** Moves an issue to another repository, as a person does on github.com; returns it as it is there. */
  transfer(issue: Issue, to: Repository): Issue {
    const { login, title, body, state, reason, closed } = issue;
    const moved = this.issue(to, login, { title, body, state, reason, closed });
    for (const comment of issue.repository.comments.values()) {
      if (comment.issue === issue.number) this.comment(to, moved, comment.login, comment.body);
    }
    issue.movedTo = moved;
    return moved;
  }

  rename(from: string, to: string): void {
    const repository = this.repositories.get(from.toLowerCase())!;
    this.repositories.delete(from.toLowerCase());
    repository.name = to.split("/")[1]!;
    this.repositories.set(to.toLowerCase(), repository);
    this.renamed.set(from.toLowerCase(), to);
  }

  #pull(repository: Repository, values: Partial<Pull> & Pick<Pull, "head" | "base">): Pull {
    return {
      id: this.nextId(),
      from: repository,
      draft: false,
      mergeable: true,
      merged: null,
      mergedBy: null,
      mergedAs: null,
      mergeSha: null,
      reviewers: new Set(),
      reviews: [],
      files: [],
      ...values,
    };
  }
}

/** A name of an object of git: 40 hex digits that follow from `text`. */
export function sha(text: string): string {
  return createHash("sha1").update(text).digest("hex");
}
