/**
 * Reads and decides what waits for a human, across all issues and kinds.
 *
 * @module
 */

import { HUMAN } from "../agent_names.ts";
import { AgentxError, hasCode } from "../errors.ts";
import { openRequests, unconfirmedRisks } from "../gate/open_requests.ts";
import { quote } from "../text/quote.ts";
import type { Workspace } from "../workspace/open.ts";
import { type InboxEntry, inboxOf, JUDGEMENTS } from "./entry.ts";

/** What waits, and what could not be read. */
export interface Inbox {
  /** That behind which most stands still first. */
  entries: InboxEntry[];
  /** One error for each file that was left out. */
  problems: AgentxError[];
}

/** How a human decides. */
export interface DecideOptions {
  /** Whether it was typed at a terminal. */
  verified: boolean;
}

/**
 * Reads the inbox, once questions whose time is over have ended.
 *
 * @param workspace any
 * @returns its entries; what cannot be read hides nothing else
 * @throws {AgentxError} `LOCK_TIMEOUT`
 */
export async function readInbox(workspace: Workspace): Promise<Inbox> {
  const unreadable: AgentxError[] = [];
  const questions = await readable(() => openRequests(workspace), unreadable);
  const risks = await readable(() => unconfirmedRisks(workspace), unreadable);
  const { clarifications, problems } = workspace.ledger.scan();
  const { issues, problems: issueProblems } = workspace.issues.scan();
  return {
    entries: inboxOf({ clarifications, questions, risks, issues }),
    problems: [...unreadable, ...problems, ...issueProblems],
  };
}

async function readable<T>(read: () => Promise<T[]>, problems: AgentxError[]): Promise<T[]> {
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

/**
 * Decides one entry as the human.
 *
 * @param workspace whose inbox it is in
 * @param id such as `CLR-42-001`, `ASK-001` or `ASM-001`
 * @param answer a letter that it offers, or other words
 * @param options whether a human typed it
 * @returns what was decided, in one line
 * @throws {AgentxError} `NOT_FOUND`, `INVALID_INPUT`, `INVALID_TRANSITION` where it was decided already;
 *   `CORRUPT_STATE`, `NEWER_STATE`, `LOCK_TIMEOUT`, `IO_ERROR`
 */
export async function decideEntry(
  workspace: Workspace,
  id: string,
  answer: string,
  { verified }: DecideOptions,
): Promise<string> {
  const gate = await workspace.gate();
  switch (id.slice(0, 3)) {
    case "ASK": {
      const { decision } = await gate.answer(id, answer, { verified });
      return decision?.text ?? answer;
    }
    case "ASM": {
      const [status, because] = judgementIn(id, answer);
      await gate.assumptions.judge(id, status, because);
      return status;
    }
    default: {
      const decided = { clarificationId: id, resolutionBody: answer, by: HUMAN, verified };
      const { clarification } = await workspace.router.resolveClarification(decided);
      return clarification.thread.at(-1)?.body ?? answer;
    }
  }
}

/** `b`, `revert`, or one of them and why. */
function judgementIn(
  id: string,
  answer: string,
): ["confirmed" | "reverted", string | null] {
  const [, word = "", why = ""] = /^\s*([a-z]+)[\s:,]*([^]*)$/i.exec(answer) ?? [];
  const because = why.trim() === "" ? null : why.trim();
  if (/^(?:a|confirm)$/i.test(word)) return ["confirmed", because];
  if (/^(?:b|revert)$/i.test(word)) return ["reverted", because];
  const offered = JUDGEMENTS.map(({ label, text }) => `${label} (${text})`).join(" or ");
  throw new AgentxError("INVALID_INPUT", `Cannot take ${quote(answer)} as an answer to ${id}`, {
    details: { field: "answer", value: answer },
    next: `Begin with ${offered}; more words say why`,
  });
}
