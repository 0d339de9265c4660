// Reads and decides what waits for a human, across all issues and kinds.

import { type AgentxError, hasCode } from "../base/errors.ts";
import type { Workspace } from "../workspace/open.ts";
import { type DecideOptions, type InboxEntry, type InboxKind, waitersOf } from "./entry.ts";
import { escalation, unanswered } from "./kinds/clarification.ts";
import { command } from "./kinds/command.ts";
import { conflict } from "./kinds/conflict.ts";
import { assumption, question } from "./kinds/gate.ts";
import { permission } from "./kinds/permission.ts";
import { plan } from "./kinds/plan.ts";
import { stopped } from "./kinds/stopped.ts";

/** All that can wait for a human. */
const KINDS: readonly InboxKind[] = [
  escalation,
  unanswered,
  question,
  assumption,
  conflict,
  command,
  permission,
  stopped,
  plan,
];

/** What waits, and what could not be read. */
export interface Inbox {
  /** First what blocks most. */
  entries: InboxEntry[];
  /** One error for each file that was left out. */
  problems: AgentxError[];
}

/**
 * Reads the inbox, once questions whose time is over have ended. What cannot be read hides nothing
 * else. Throws `LOCK_TIMEOUT`.
 */
export async function readInbox(
  workspace: Workspace,
  { issues, problems: issueProblems } = workspace.issues.scan(),
): Promise<Inbox> {
  const unreadable: AgentxError[] = [];
  const { clarifications, problems } = workspace.ledger.scan();
  const around = { workspace, clarifications, issues, waiting: waitersOf(issues) };
  const entries: InboxEntry[] = [];
  for (const { read } of KINDS) entries.push(...await readable(() => read(around), unreadable));
  entries.sort((a, b) =>
    b.blocks.length - a.blocks.length || Date.parse(a.created) - Date.parse(b.created) ||
    (a.id < b.id ? -1 : 1)
  );
  return { entries, problems: [...unreadable, ...problems, ...issueProblems] };
}

/** Whether something in the inbox may have an id. */
export function isInboxId(id: string): boolean {
  return KINDS.some((kind) => kind.id?.test(id));
}

/**
 * Decides one entry as the human. Throws as {@linkcode InboxKind.decide}; `CORRUPT_STATE`,
 * `NEWER_STATE`, `LOCK_TIMEOUT`, `IO_ERROR`.
 */
export async function decideEntry(
  workspace: Workspace,
  id: string,
  answer: string,
  options: DecideOptions,
): Promise<string> {
  const { decide } = KINDS.find((kind) => kind.id?.test(id)) ?? escalation;
  return await decide!(workspace, id, answer, options);
}

async function readable<T>(
  read: () => T[] | Promise<T[]>,
  problems: AgentxError[],
): Promise<T[]> {
  try {
    return await read();
  } catch (error) {
    if (!UNREADABLE.some((code) => hasCode(error, code))) throw error;
    const problem = error as AgentxError;
    if (problems.every(({ message }) => message !== problem.message)) problems.push(problem);
    return [];
  }
}

const UNREADABLE = ["CORRUPT_STATE", "NEWER_STATE", "UNTRUSTED", "IO_ERROR"] as const;
