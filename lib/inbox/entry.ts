// The entries that wait for a human, with the agents and issues that they block. Pure.

import { AgentxError } from "../base/errors.ts";
import { quote } from "../base/quote.ts";
import type { ClarificationRecord } from "../clarify/schema.ts";
import type { GateInteraction } from "../gate/interaction.ts";
import { dependencyGraph } from "../work/issue/dependencies.ts";
import { isOpen, type Issue } from "../work/issue/issue.ts";
import type { Workspace } from "../workspace/open.ts";

/** A choice under a letter. */
export interface InboxOption {
  /** `a` to `g`. */
  label: string;
  text: string;
  /** Present on the option that is taken if nobody answers. */
  isFallback?: true;
}

/** One thing that waits for a human. */
export interface InboxEntry {
  /** `CLR-42-001`, `ASK-001`, `ASM-001`, `GRD-001`, `ISS-42-title`, `PLN-42-3f2a9c01`, `STP-42-prd`
   * or the name of a session. */
  id: string;
  /**
   * An escalated clarification, a question of the gate, an assumption of high risk, a clarification that nobody here
   * answers, a merge conflict of an issue, a command that a session wants to run, an agent's plan of parts, a step that
   * its agent could not do, or a question of a session in its own terminal.
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
  /** The issue that it is about; 0 where a session runs something for none. */
  issue: number;
  agent: string;
  /** The name of the machine on which that agent works; absent if it is this one. */
  machine?: string;
  /** ISO-8601, UTC: since when it waits. */
  created: string;
  /** ISO-8601, UTC: when a fallback is taken; null where it waits as long as it takes. */
  deadline: string | null;
  /** The topic of the decision, in a few words. */
  topic: string;
  /** Why no agent answers it; null where a human was meant to. */
  reason: string | null;
  /** All that a human needs to know. */
  content: string;
  /** None where only words decide. */
  options: InboxOption[];
  /** The agent that waits, and the open issues that wait for this one. */
  blocks: string[];
}

/** An entry's own fields; absent ones become null or empty. */
export type NewEntry =
  & Omit<InboxEntry, "kind" | "deadline" | "reason" | "options" | "blocks">
  & Partial<Pick<InboxEntry, "deadline" | "reason" | "options" | "blocks">>;

/** The surroundings of a read of the inbox. */
export interface Around {
  workspace: Workspace;
  clarifications: readonly ClarificationRecord[];
  issues: readonly Issue[];
  waiting: Waiting;
}

export interface DecideOptions {
  verified: boolean;
  /** The account of a human at another machine. */
  login?: string;
  /** Stops the run that a decision started. */
  signal?: AbortSignal;
  /** The same for a question of the gate, for which more may be asked. */
  isVerifiedFor: (asked: GateInteraction) => Promise<boolean>;
}

/** A kind of things that wait. */
export interface InboxKind {
  /** The ids of what can be decided here; absent where the answer is taken elsewhere. */
  id?: RegExp;
  read(around: Around): Promise<InboxEntry[]>;
  /**
   * Decides as the human, by a letter that the entry offers or other words. Returns the decision in
   * one line. Throws `NOT_FOUND`; `INVALID_TRANSITION` if it was decided already; `INVALID_INPUT` for another answer.
   */
  decide?(
    workspace: Workspace,
    id: string,
    answer: string,
    options: DecideOptions,
  ): Promise<string>;
}

/** A row of the table of kinds: it reads items, and makes the entry of each. */
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

/** Whether an entry is also decided in a person's own words. */
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

/** The options of an entry, for a message. */
export function offeredIn(options: readonly InboxOption[]): string {
  return options.map(({ label, text }) => `${label} (${text})`).join(" or ");
}

/** A word that an answer begins with, and what follows it. */
export function wordIn(answer: string): { word: string; why: string | null } {
  const [, word = "", why = ""] = /^\s*([a-z]+)[\s:,]*([^]*)$/i.exec(answer) ?? [];
  return { word, why: why.trim() === "" ? null : why.trim() };
}

/** Gives the open issues that wait for one, also through others. */
type Waiting = (issue: number) => string[];

/** Reads from all issues who waits for whom. */
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
