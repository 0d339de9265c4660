// A workspace as a program uses it: methods that ask, answer and decide, and stores that are ready once it is open.

import { HUMAN } from "../base/agent_names.ts";
import { checkIssueNumber, checkText } from "../base/input_checks.ts";
import { topicOf } from "../text/topic.ts";
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

/** A question from one agent to another. */
export interface Question {
  /** Number of the issue that the question is about, from 1. */
  issue: number;
  /** The requester: a role such as `engineer`, or a worker in it, `engineer@2`. */
  from: string;
  /** The agent to ask. The workflow of the issue defines which agents `from` may ask. */
  to: string;
  /** The text of the question, 1 to 2,000 characters. */
  question: string;
  /** The topic, 1 to 200 characters; by default the first line of the question. */
  topic?: string;
  /** Whether to wait for the answer. If false, the question is only stored, and `agentx serve` runs the target. */
  blocking?: boolean;
  /** Maximum number of rounds before a human is asked. It can only lower the limit of the workflow. */
  maxRounds?: number;
  /** Type of the workflow with the rules that apply to the question. */
  workflow?: string;
  /** Stops waiting; the question remains open. */
  signal?: AbortSignal;
}

/** The next question of a thread, from the agent that asked the first one. */
export interface FollowUp extends Pick<Question, "question" | "signal"> {
  /** Such as `CLR-42-001`. */
  id: string;
}

/** The outcome of a question. */
export interface Outcome extends Omit<ClarificationOutcome, "clarificationId"> {
  /** Such as `CLR-42-001`. */
  id: string;
}

/** Options of actions on a question. */
export interface ActionOptions {
  /** The actor: an agent, or `human`. */
  by?: string;
}

/** How long to wait for an answer. */
export interface WaitOptions {
  /** In milliseconds. */
  timeoutMs?: number;
  /** Stops waiting; the question remains open. */
  signal?: AbortSignal;
}

/** A filter for questions; fields that are left out match all. */
export interface QuestionFilter {
  /** Only questions on this issue. */
  issue?: number;
  /** Only questions from this agent. */
  from?: string;
  /** Only questions to this agent. */
  to?: string;
  /** Only questions with this status. */
  status?: ClarificationStatus;
}

/** The local issues. */
export interface Issues {
  /** Creates an issue with the next free number. */
  create(issue: NewIssue, by?: string): Promise<Issue>;
  /** Reads an issue; rejects with `NOT_FOUND` if it does not exist. */
  get(number: number): Promise<Issue>;
  /** Reads all issues, by number. */
  list(): Promise<Issue[]>;
  /** Changes the given fields of an issue. */
  update(number: number, update: IssueUpdate, by?: string): Promise<Issue>;
  /** Reads the issues that an agent can claim now: by priority, then oldest first. */
  ready(): Promise<Issue[]>;
  /** Claims the first ready issue for an agent, or the given one; rejects with `NOT_FOUND` or `NOT_READY`. */
  claim(agent: string, number?: number): Promise<Issue>;
  /** Returns an issue to the queue. */
  release(number: number, agent: string): Promise<void>;
}

/**
 * The scheduled tasks. `runDue` rejects with `UNTRUSTED` until the user has agreed to the present content of the
 * file.
 */
export type Schedules = Pick<
  Scheduler,
  "list" | "add" | "remove" | "enable" | "disable" | "runDue"
>;

/**
 * An open workspace. Its methods reject with an `AgentxError`: `INVALID_INPUT`, `NOT_FOUND`, `SCOPE_VIOLATION`,
 * `INVALID_TRANSITION`, `GATE_REFUSED`, `LOCK_TIMEOUT`, `CORRUPT_STATE` or `IO_ERROR`.
 */
export interface Agentx {
  /**
   * Asks a question, and runs the target if it can be run. If there is no answer, the status says why: `pending`
   * with the reason in `reach`, or `escalated` to a human.
   */
  ask(question: Question | FollowUp): Promise<Outcome>;
  /**
   * Waits until any process answers the open question of a thread, or until a human has to decide. Rejects with
   * `WAIT_TIMEOUT` after `timeoutMs`; if left out, there is no time limit.
   */
  wait(id: string, options?: WaitOptions): Promise<Outcome>;
  /** Answers the open question of a thread. A late answer is stored, too, and its `inTime` is false. */
  answer(
    id: string,
    answer: string,
    options?: ActionOptions,
  ): Promise<Outcome & { inTime: boolean }>;
  /** Ends a thread with its conclusion. Only a human may end an escalated thread. */
  resolve(id: string, conclusion: string, options?: ActionOptions): Promise<ClarificationRecord>;
  /** Hands a thread to a human. */
  escalate(id: string, reason: string, options?: ActionOptions): Promise<ClarificationRecord>;
  /** Reads a thread. */
  get(id: string): Promise<ClarificationRecord>;
  /** Reads the matching threads, oldest first. */
  list(filter?: QuestionFilter): Promise<ClarificationRecord[]>;
  /** The memory of agents. */
  readonly memory: Memory;
  /** The local issues. */
  readonly issues: Issues;
  /** The scheduled tasks. Only `runDue()` and `agentx schedule run` run them. */
  readonly schedules: Schedules;
  /** Receives the events of this process. */
  readonly events: AgentEventBus;
  /** The clarification hub, with the method names of the documents: `requestClarification` and others. */
  readonly router: Pick<ClarificationRouter, keyof ClarificationRouter>;
  /** Marks and escalates questions without progress: `runCheck()`. */
  readonly monitor: Pick<ClarificationMonitor, "runCheck" | "breakDeadlock">;
}

/**
 * Opens the workspace of a folder, which may be the folder itself or one above it.
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
  const { topic = topicOf(checkText("question", question, MAX_BODY)) } = options;
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
