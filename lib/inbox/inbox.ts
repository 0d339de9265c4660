// Reads and decides what waits for a human, across all issues and kinds.

import { HUMAN } from "../base/agent_names.ts";
import { AgentxError, hasCode, orElse } from "../base/errors.ts";
import { type ClarificationRecord, isUnanswered } from "../clarify/schema.ts";
import type { GateInteraction } from "../gate/interaction.ts";
import { DECISIONS, type GuardRequest } from "../guard/request.ts";
import { GuardRequests } from "../guard/requests.ts";
import { allowLine } from "../guard/user_policy.ts";
import { waitingSessions } from "./permission.ts";
import { hasEnded, SessionFiles } from "../hooks/session_files.ts";
import { openRequests, unconfirmedRisks } from "../workspace/open_requests.ts";
import { quote } from "../base/quote.ts";
import { isHostRunning } from "../who/host_process.ts";
import type { Workspace } from "../workspace/open.ts";
import { originOf } from "../workspace/state_origin.ts";
import { decideConflict, openConflicts } from "./conflict.ts";
import { decidePlan, plansOf } from "./plan.ts";
import { decideStopped, stoppedIn } from "./stopped.ts";
import { type InboxEntry, inboxOf, JUDGEMENTS, type Unanswered } from "./entry.ts";

/** What waits, and what could not be read. */
export interface Inbox {
  /** First what blocks most. */
  entries: InboxEntry[];
  /** One error for each file that was left out. */
  problems: AgentxError[];
}

export interface DecideOptions {
  verified: boolean;
  /** The same for a question of the gate, for which more may be asked. */
  isVerifiedFor: (asked: GateInteraction) => Promise<boolean>;
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
  const questions = await readable(() => openRequests(workspace), unreadable);
  const risks = await readable(() => unconfirmedRisks(workspace), unreadable);
  const plans = await readable(() => plansOf(workspace).list(), unreadable);
  const files = new SessionFiles(`${workspace.root}/.agentx`, () => workspace.locks);
  const asked = () => requestsOf(workspace).pending().filter((each) => !isOver(each, files));
  const commands = await readable(asked, unreadable);
  const sessions = await readable(() => waitingSessions(files), unreadable);
  const stopped = await readable(() => stoppedIn(workspace), unreadable);
  const assumed = plans.length === 0
    ? []
    : await readable(() => workspace.gate().assumptions.list(), unreadable);
  const { clarifications, problems } = workspace.ledger.scan();
  const unanswered = await unansweredOf(clarifications, workspace);
  return {
    entries: inboxOf({
      clarifications,
      unanswered,
      questions,
      risks,
      issues,
      conflicts: openConflicts(workspace.issues),
      commands,
      plans,
      sessions,
      stopped,
      assumed: assumed.filter(({ status }) => status === "open"),
    }),
    problems: [...unreadable, ...problems, ...issueProblems],
  };
}

/** A question that an agent or a session may still answer is left to them. */
async function unansweredOf(
  clarifications: readonly ClarificationRecord[],
  { runs }: Workspace,
): Promise<Unanswered[]> {
  const byId = new Map(clarifications.map((record) => [record.id, record]));
  return (await runs.ofAll(clarifications)).flatMap(({ clarificationId, state, reach }) =>
    state === "nobody" && reach.by === "nobody" ? { record: byId.get(clarificationId)!, reach } : []
  );
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

/**
 * Decides one entry as the human, by a letter that it offers or other words. Returns the decision
 * in one line. Throws `NOT_FOUND`, `INVALID_INPUT`, `INVALID_TRANSITION` where it was decided
 * already; `CORRUPT_STATE`, `NEWER_STATE`, `LOCK_TIMEOUT`, `IO_ERROR`.
 */
export async function decideEntry(
  workspace: Workspace,
  id: string,
  answer: string,
  { verified, isVerifiedFor }: DecideOptions,
): Promise<string> {
  const gate = workspace.gate();
  switch (id.slice(0, 3)) {
    case "ASK": {
      const asked = await gate.get(id);
      const { decision } = await gate.answer(id, answer, { verified: await isVerifiedFor(asked) });
      return decision?.text ?? answer;
    }
    case "GRD":
      return await decideCommand(workspace, id, answer, verified);
    case "ISS":
      return await decideConflict(workspace.issues, id, answer);
    case "PLN":
      return await decidePlan(workspace, id, answer);
    case "STP":
      return await decideStopped(workspace, id, answer);
    case "ASM": {
      const [status, because] = judgementIn(id, answer);
      await gate.assumptions.judge(id, status, because);
      return status;
    }
    default: {
      const { router, ledger } = workspace;
      if (isUnanswered(ledger.getById(id))) {
        await router.answerClarification({ clarificationId: id, answer, by: HUMAN, verified });
        return answer;
      }
      const decided = { clarificationId: id, resolutionBody: answer, by: HUMAN, verified };
      const { clarification } = await router.resolveClarification(decided);
      return clarification.thread.at(-1)?.body ?? answer;
    }
  }
}

function requestsOf({ root, locks }: Workspace): GuardRequests {
  return new GuardRequests(`${root}/.agentx`, locks, originOf(root));
}

/** Whether the session of a request has ended, so that it does not ask again. */
function isOver({ session, process }: GuardRequest, files: SessionFiles): boolean {
  return hasEnded(orElse(undefined, () => files.read({ session }))) ||
    process !== undefined && isHostRunning(process) === false;
}

/** A rule holds for all that this user's agents do later: only a person at a terminal makes one. */
async function decideCommand(
  workspace: Workspace,
  id: string,
  answer: string,
  verified: boolean,
): Promise<string> {
  const requests = requestsOf(workspace);
  const request = requests.get(id);
  const { line } = request;
  const offered = DECISIONS.filter((each) => each !== "rule" || line !== null);
  const word = answer.trim().toLowerCase();
  const decision = offered.find((each, at) => each === word || "abcd"[at] === word);
  if (decision === undefined || decision === "rule" && !verified) {
    throw new AgentxError("INVALID_INPUT", `Cannot take ${quote(answer)} as an answer to ${id}`, {
      details: { field: "answer", value: answer },
      next: decision === undefined
        ? `Say ${offered.join(", ")}`
        : "A rule is made by a person at a terminal; once and session may be said anywhere",
    });
  }
  const files = new SessionFiles(`${workspace.root}/.agentx`, () => workspace.locks);
  if (decision !== "rule" && isOver(request, files)) {
    throw new AgentxError(
      "GATE_REFUSED",
      `Cannot answer ${id} with ${decision}: its session has ended`,
      {
        details: {
          gate: "command",
          issueNumber: request.issue,
          reasons: ["its session has ended"],
        },
        next: "The next session asks anew. What holds from now on is a rule" +
          (line === null ? " in your policy.toml" : `: agentx answer ${id} rule`),
      },
    );
  }
  if (decision === "rule") allowLine(line!);
  await requests.decide(id, decision);
  return decision;
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
