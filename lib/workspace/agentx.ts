// A workspace as a program uses it: verbs that ask, answer and decide, and parts that are ready when it is
// open.

import { HUMAN } from "../base/agent_names.ts";
import { checkIssueNumber, checkText } from "../base/input_checks.ts";
import { clip } from "../base/quote.ts";
import { type ClarificationOutcome, outcomeOf } from "../clarify/hub/outcome.ts";
import type { ClarificationAction, ClarificationRequest } from "../clarify/hub/requests.ts";
import {
  type ClarificationRecord,
  type ClarificationStatus,
  issueNumberOf,
  MAX_BODY,
} from "../clarify/schema.ts";
import { untilAnswered } from "../clarify/hub/until_answered.ts";
import type { AgentEventBus } from "../events/bus.ts";
import { type Memory, memoryOf } from "../memory/memory.ts";
import type { Issue, IssueUpdate, NewIssue } from "../work/issue/issue.ts";
import { Scheduler } from "../schedule/scheduler.ts";
import type { ClarificationMonitor, ClarificationRouter } from "./hub.ts";
import { openWorkspaceParts } from "./open.ts";
import { schedulerParts } from "./scheduler_parts.ts";
import type { OpenWorkspaceOptions } from "./state.ts";

export { ClarificationMonitor, ClarificationRouter } from "./hub.ts";

/** A question of one agent to another. */
export interface Question {
  /** The issue it is about, from 1. */
  issue: number;
  /** The requester: a role such as `engineer`, or a worker in it, `engineer@2`. */
  from: string;
  /** The agent to ask; the workflow of the issue says whom `from` may ask. */
  to: string;
  /** 1 to 2,000 characters. */
  question: string;
  /** A topic of 1 to 200 characters. */
  topic?: string;
  /**
   * Whether to wait for the answer. If not, it is only written, and `agentx serve` runs the target.
   */
  blocking?: boolean;
  /** Rounds before a human is asked; lowers the limit of the workflow. */
  maxRounds?: number;
  /** Type of the workflow with the rules that apply. */
  workflow?: string;
  /** Stops waiting; the question stays. */
  signal?: AbortSignal;
}

/** The next question in the same thread, by the agent that asked the first. */
export interface FollowUp extends Pick<Question, "question" | "signal"> {
  /** Such as `CLR-42-001`. */
  id: string;
}

/** The outcome of a question. */
export interface Outcome extends Omit<ClarificationOutcome, "clarificationId"> {
  /** Such as `CLR-42-001`. */
  id: string;
}

/** The actor on a question. */
export interface ActionOptions {
  /** An agent, or `human`. */
  by?: string;
}

/** How long to wait for an answer. */
export interface WaitOptions {
  /** In milliseconds. */
  timeoutMs?: number;
  /** Stops waiting; the question stays. */
  signal?: AbortSignal;
}

/** The questions to list; a field that is left out matches all. */
export interface QuestionFilter {
  /** Only on this issue. */
  issue?: number;
  /** Only of this requester. */
  from?: string;
  /** Only to this target. */
  to?: string;
  /** Only in this state. */
  status?: ClarificationStatus;
}

/** The local issues. */
export interface Issues {
  /** Creates one under the next number. */
  create(issue: NewIssue, by?: string): Promise<Issue>;
  /** Reads one; `NOT_FOUND` if there is none. */
  get(number: number): Promise<Issue>;
  /** Reads all, by number. */
  list(): Promise<Issue[]>;
  /** Changes the given fields of one. */
  update(number: number, update: IssueUpdate, by?: string): Promise<Issue>;
  /** Reads those that an agent can take now: by priority, then the oldest first. */
  ready(): Promise<Issue[]>;
  /** Takes the first that is ready for an agent, or the one that is named; `NOT_FOUND`, `NOT_READY`. */
  claim(agent: string, number?: number): Promise<Issue>;
  /** Gives one back. */
  release(number: number, agent: string): Promise<void>;
}

/** The scheduled tasks. `runDue` rejects with `UNTRUSTED` before the user agreed to the file as it is. */
export type Schedules = Pick<
  Scheduler,
  "list" | "add" | "remove" | "enable" | "disable" | "runDue"
>;

/**
 * An open workspace. Its verbs reject with an `AgentxError`: `INVALID_INPUT`, `NOT_FOUND`,
 * `SCOPE_VIOLATION`, `INVALID_TRANSITION`, `GATE_REFUSED`, `LOCK_TIMEOUT`, `CORRUPT_STATE` or `IO_ERROR`.
 */
export interface Agentx {
  /**
   * Asks, and runs the target if it can be run. Without an answer the status says why: `pending`, with
   * the reason in `reach`; `escalated` to a human.
   */
  ask(question: Question | FollowUp): Promise<Outcome>;
  /**
   * Waits until the open question of a thread is answered, by whatever process, or a human has to decide.
   * Rejects with `WAIT_TIMEOUT` after `timeoutMs`; without it, it waits as long as that takes.
   */
  wait(id: string, options?: WaitOptions): Promise<Outcome>;
  /** Answers the open question of a thread; `inTime` is false for one that came late, which is kept. */
  answer(
    id: string,
    answer: string,
    options?: ActionOptions,
  ): Promise<Outcome & { inTime: boolean }>;
  /** Ends a thread with its conclusion; an escalated one only a human may end. */
  resolve(id: string, conclusion: string, options?: ActionOptions): Promise<ClarificationRecord>;
  /** Hands a thread to a human. */
  escalate(id: string, reason: string, options?: ActionOptions): Promise<ClarificationRecord>;
  /** Reads a thread. */
  get(id: string): Promise<ClarificationRecord>;
  /** Reads the threads that match, oldest first. */
  list(filter?: QuestionFilter): Promise<ClarificationRecord[]>;
  /** The memory of agents. */
  readonly memory: Memory;
  /** The local issues. */
  readonly issues: Issues;
  /** The scheduled tasks: nothing runs them but `runDue()` and `agentx schedule run`. */
  readonly schedules: Schedules;
  /** Receives what happens in this process. */
  readonly events: AgentEventBus;
  /** The hub by the documents' names: `requestClarification` and others. */
  readonly router: Pick<ClarificationRouter, keyof ClarificationRouter>;
  /** Marks and escalates questions that do not move: `runCheck()`. */
  readonly monitor: Pick<ClarificationMonitor, "runCheck" | "breakDeadlock">;
}

/**
 * Opens the workspace that holds a folder.
 *
 * @throws {AgentxError} `NOT_INITIALISED`, `INVALID_CONFIG`, `UNTRUSTED`
 */
export async function openWorkspace(options: OpenWorkspaceOptions = {}): Promise<Agentx> {
  const parts = await openWorkspaceParts(options);
  const { ledger, issues, ready, events } = parts;
  const [router, monitor] = [await parts.router(), await parts.monitor()];
  return {
    async ask(question) {
      if ("id" in question) {
        const { id, ...rest } = question;
        return named(await router.followUp({ clarificationId: id, ...rest }));
      }
      return named(await router.requestClarification(requestOf(question)));
    },
    async wait(id, options = {}) {
      const record = await untilAnswered(ledger, id, options);
      return named(outcomeOf(record, record.round));
    },
    async answer(id, answer, options) {
      const outcome = await router.answerClarification({ ...acted(id, options), answer });
      return { ...named(outcome), inTime: outcome.inTime };
    },
    async resolve(id, resolutionBody, options) {
      return (await router.resolveClarification({ ...acted(id, options), resolutionBody }))
        .clarification;
    },
    async escalate(id, summary, options) {
      return (await router.escalateClarification({ ...acted(id, options), summary })).clarification;
    },
    get: async (id) => await ledger.getById(id),
    async list({ issue, from, to, status } = {}) {
      const number = issue === undefined ? undefined : checkIssueNumber(issue);
      return await ledger.scan().clarifications.filter((one) =>
        (number === undefined || issueNumberOf(one.id) === number) &&
        (from === undefined || one.from === from) && (to === undefined || one.to === to) &&
        (status === undefined || one.status === status)
      );
    },
    memory: memoryOf(parts.memory),
    issues: {
      create: async (issue, by = HUMAN) => await issues.create(issue, by),
      get: async (number) => await issues.get(number),
      list: async () => await issues.scan().issues,
      update: async (number, update, by = HUMAN) => await issues.update(number, update, by),
      ready: async () => (await ready.list()).ready,
      claim: async (agent, issueNumber) => await ready.claim(agent, { issueNumber }),
      async release(number, agent) {
        await ready.release(number, agent);
      },
    },
    schedules: new Scheduler(schedulerParts(parts)),
    events,
    router,
    monitor,
  };
}

function requestOf({ issue, from, to, question, ...options }: Question): ClarificationRequest {
  const { topic = clip(checkText("question", question, MAX_BODY).trim().split("\n")[0]) } = options;
  const blocking = options.blocking ?? true;
  const request = { issueNumber: issue, fromAgent: from, toAgent: to, question };
  return { ...options, ...request, topic, blocking };
}

function named<Of extends ClarificationOutcome>(
  { clarificationId: id, ...rest }: Of,
): Omit<Of, "clarificationId"> & { id: string } {
  return { id, ...rest };
}

function acted(clarificationId: string, { by }: ActionOptions = {}): ClarificationAction {
  return { clarificationId, by };
}
