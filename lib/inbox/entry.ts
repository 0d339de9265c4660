// The entries of the inbox, which wait for a human, with the agents and issues that they block. Pure.

import { AgentxError } from "../base/errors.ts";
import { quote } from "../base/quote.ts";
import type { ClarificationRecord } from "../clarify/schema.ts";
import type { GateInteraction } from "../gate/interaction.ts";
import { dependencyGraph } from "../work/issue/dependencies.ts";
import { isOpen, type Issue } from "../work/issue/issue.ts";
import type { Workspace } from "../workspace/open.ts";

/** A choice, named by a letter or a word. */
export interface InboxOption {
  /** The letter, `a` to `g`, or a word such as `once`. */
  label: string;
  text: string;
  /** Set on the option that is taken if no answer comes in time. */
  isFallback?: true;
}

/** One item that waits for a human. */
export interface InboxEntry {
  /**
   * The id, such as `CLR-42-001`, `ASK-001`, `ASM-001`, `GRD-001`, `ISS-42-title`, `PLN-42-3f2a9c01`, `STP-42-prd`; or
   * the name of a session.
   */
  id: string;
  /**
   * The kind of item, in the order of the values below: an escalated clarification, a question of the gate, an
   * assumption of high risk, a clarification that no agent here answers, a merge conflict of an issue, a command that a
   * session wants to run, an agent's plan of parts, a step that its agent could not do, or a question of a session in
   * its own terminal.
   */
  kind:
    | "escalation"
    | "question"
    | "assumption"
    | "unanswered"
    | "conflict"
    | "command"
    | "plan"
    | "stopped"
    | "permission";
  /** The issue that the entry is about; 0 for a session without an issue. */
  issue: number;
  agent: string;
  /** The name of the machine where the agent works; absent if it is this machine. */
  machine?: string;
  /** ISO-8601, UTC: when the wait began. */
  created: string;
  /** ISO-8601, UTC: when a fallback is taken; null if the entry waits without a limit. */
  deadline: string | null;
  /** The topic of the decision, in a few words. */
  topic: string;
  /** Why no agent answers the entry; null if it was meant for a human. */
  reason: string | null;
  /** All that a human needs to know. */
  content: string;
  /** The options; none if the answer has to be in words. */
  options: InboxOption[];
  /** The agent that waits, and the open issues that wait for the issue of the entry. */
  blocks: string[];
}

/** The fields of a new entry; absent ones become null or empty. */
export type NewEntry =
  & Omit<InboxEntry, "kind" | "deadline" | "reason" | "options" | "blocks">
  & Partial<Pick<InboxEntry, "deadline" | "reason" | "options" | "blocks">>;

/** The state of the workspace that all kinds of entries are read from. */
export interface Around {
  workspace: Workspace;
  clarifications: readonly ClarificationRecord[];
  issues: readonly Issue[];
  waiting: Waiting;
}

export interface DecideOptions {
  verified: boolean;
  /** The account of a human who answers from elsewhere, such as a GitHub login. */
  login?: string;
  /** Stops the run that a decision started. */
  signal?: AbortSignal;
  /** Tells whether a decision on a question of the gate counts as verified, which may need more proof. */
  isVerifiedFor: (asked: GateInteraction) => Promise<boolean>;
}

/** A kind of entries. */
export interface InboxKind {
  /** The pattern of the ids that can be decided here; absent if the answer is given elsewhere. */
  id?: RegExp;
  read(around: Around): Promise<InboxEntry[]>;
  /**
   * Decides as the human, by a letter that the entry offers or in other words. Returns the decision in one line. Throws
   * `NOT_FOUND`; `INVALID_TRANSITION` if the entry was decided already; `INVALID_INPUT` for an answer that it does not
   * take.
   */
  decide?(
    workspace: Workspace,
    id: string,
    answer: string,
    options: DecideOptions,
  ): Promise<string>;
}

/** Makes a kind that reads items and makes an entry of each. */
export function kindOf<Item>(
  kind: InboxEntry["kind"],
  { read, entry, ...row }: Omit<InboxKind, "read"> & {
    read(around: Around): readonly Item[] | Promise<readonly Item[]>;
    entry(item: Item, around: Around, all: readonly Item[]): NewEntry | Promise<NewEntry>;
  },
): InboxKind {
  const rest = { deadline: null, reason: null, options: [], blocks: [] };
  return {
    ...row,
    async read(around) {
      const items = await read(around);
      const made = await Promise.all(items.map((item) => entry(item, around, items)));
      return made.map((each) => ({ kind, ...rest, ...each }));
    },
  };
}

/** Whether an entry can also be decided in a person's own words. */
export function takesWords({ id, kind }: Pick<InboxEntry, "id" | "kind">): boolean {
  return !["assumption", "command", "permission"].includes(kind) && !id.endsWith("-deletion");
}

/** The error for an answer that an entry does not take. */
export function notTaken(id: string, answer: string, next: string): AgentxError<"INVALID_INPUT"> {
  return new AgentxError("INVALID_INPUT", `Cannot take ${quote(answer)} as an answer to ${id}`, {
    details: { field: "answer", value: answer },
    next,
  });
}

/** Lists the options of an entry, for a message. */
export function offeredIn(options: readonly InboxOption[]): string {
  return options.map(({ label, text }) => `${label} (${text})`).join(" or ");
}

/** Returns the first word of an answer, and the rest; null if nothing follows. */
export function wordIn(answer: string): { word: string; why: string | null } {
  const [, word = "", why = ""] = /^\s*([a-z]+)[\s:,]*([^]*)$/i.exec(answer) ?? [];
  return { word, why: why.trim() === "" ? null : why.trim() };
}

/** Returns the open issues that wait for an issue, directly or through others. */
type Waiting = (issue: number) => string[];

/** Makes a function that finds waiting issues, from the dependencies of all issues. */
export function waitersOf(issues: readonly Issue[]): Waiting {
  const { blocks } = dependencyGraph(issues);
  const open = new Set(issues.filter(isOpen).map(({ number }) => number));
  return (issue) => {
    const reached = new Set([issue]);
    for (const each of reached) for (const waiter of blocks.get(each) ?? []) reached.add(waiter);
    reached.delete(issue);
    return [...reached].filter((number) => open.has(number)).sort((a, b) => a - b)
      .map((number) => `#${number}`);
  };
}
