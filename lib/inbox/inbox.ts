// Reads and decides the entries that wait for a human, across all issues and kinds.

import { type AgentxError, hasCode } from "../base/errors.ts";
import { stillAsked } from "../work/issue/still_asked.ts";
import type { Workspace } from "../workspace/open.ts";
import {
  type Around,
  type DecideOptions,
  type InboxEntry,
  type InboxKind,
  type InboxOption,
  notTaken,
  offeredIn,
  waitersOf,
} from "./entry.ts";
import { escalation, unanswered } from "./kinds/clarification.ts";
import { command } from "./kinds/command.ts";
import { conflict } from "./kinds/conflict.ts";
import { assumption, question } from "./kinds/gate.ts";
import { permission } from "./kinds/permission.ts";
import { plan } from "./kinds/plan.ts";
import { stopped } from "./kinds/stopped.ts";

/** All kinds of entries that can wait for a human. */
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

/** The waiting entries, and the unreadable files. */
export interface Inbox {
  /** The entries, first those that block most. */
  entries: InboxEntry[];
  /** One error for each unreadable file. */
  problems: AgentxError[];
}

/**
 * Ends overdue questions, then reads the inbox. An unreadable file does not hide other entries. Throws `LOCK_TIMEOUT`.
 */
export async function readInbox(
  workspace: Workspace,
  scan = workspace.issues.scan(),
): Promise<Inbox> {
  const unreadable: AgentxError[] = [];
  const ledgers = workspace.ledger.scan();
  const around = aroundOf(workspace, scan, ledgers);
  const entries: InboxEntry[] = [];
  for (const { read } of KINDS) entries.push(...await readable(() => read(around), unreadable));
  entries.sort((a, b) =>
    b.blocks.length - a.blocks.length || Date.parse(a.created) - Date.parse(b.created) ||
    (a.id < b.id ? -1 : 1)
  );
  return { entries, problems: [...unreadable, ...ledgers.problems, ...scan.problems] };
}

/** Whether a text has the form of an id in the inbox. */
export function isInboxId(id: string): boolean {
  return KINDS.some((kind) => kind.id?.test(id));
}

/**
 * Decides one entry as the human. Throws the errors of {@linkcode InboxKind.decide}; `CORRUPT_STATE`,
 * `NEWER_STATE`, `LOCK_TIMEOUT`, `IO_ERROR`.
 */
export async function decideEntry(
  workspace: Workspace,
  id: string,
  answer: string,
  options: DecideOptions,
): Promise<string> {
  if (/^\s*[a-z]\s*$/i.test(answer)) await checkLetter(workspace, id, answer);
  return await kindWith(id).decide!(workspace, id, answer, options);
}

/** Lists the options of an entry, for a message; empty if the entry is missing or offers nothing. */
export async function offeredFor(workspace: Workspace, id: string): Promise<string> {
  return offeredIn(await optionsOf(workspace, id));
}

function kindWith(id: string): InboxKind {
  return KINDS.find((kind) => kind.id?.test(id)) ?? escalation;
}

async function optionsOf(workspace: Workspace, id: string): Promise<InboxOption[]> {
  const entries = await kindWith(id).read(aroundOf(workspace));
  return entries.find((entry) => entry.id === id)?.options ?? [];
}

/** Checks a single letter. It stands for an option; a letter without an option is a mistake, not an answer in words. */
async function checkLetter(workspace: Workspace, id: string, answer: string): Promise<void> {
  const options = await optionsOf(workspace, id);
  const isChoice = ({ label }: InboxOption) => label === answer.trim().toLowerCase();
  const hasLetters = options.some(({ label }) => label.length === 1);
  if (!hasLetters || options.some(isChoice)) return;
  throw notTaken(id, answer, `Answer with ${offeredIn(options)}, or with words of your own`);
}

function aroundOf(
  workspace: Workspace,
  { issues } = workspace.issues.scan(),
  { clarifications } = workspace.ledger.scan(),
): Around {
  const asked = stillAsked(clarifications, workspace.issues);
  return { workspace, clarifications: asked, issues, waiting: waitersOf(issues) };
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
