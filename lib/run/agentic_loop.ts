// The agentic loop: a model works on an issue with tools, asks other agents if something is unclear, and can continue
// in another process (ADR-1 decision 6, PRD "Agentic Loop Integration").
//
// The agentic loop differs from the iterative loop of an issue (`work/iterations/`), which counts how often work was
// repeated.

import { isSessionName, roleOf } from "../base/agent_names.ts";
import { scopeOf } from "../clarify/rules/scope.ts";
import { AgentxError } from "../base/errors.ts";
import { checkIssueNumber, checkText, invalidInput } from "../base/input_checks.ts";
import { SessionManager } from "../clarify/status/session_manager.ts";
import { sys } from "../sys/mod.ts";
import { isoTime } from "../base/time.ts";
import type { BudgetStatus } from "./budget.ts";
import type { AgenticLoopConfig, LoopParts } from "./loop_parts.ts";
import { LoopRun, roundsOf } from "./loop_run.ts";
import { captureLoop, handOff } from "./session_end.ts";
import type { LoopReport } from "./steps.ts";
import { systemPrompt } from "./system_prompt.ts";
import {
  callsOf,
  type LoopExit,
  type LoopTranscript,
  type TranscriptChange,
} from "./transcript.ts";
import { TranscriptFiles } from "./transcript_files.ts";
import { roleFiles } from "../agents/role_files.ts";

/** A task for an agent. */
export interface LoopTask {
  /** The agent at work, with or without a worker. */
  agent: string;
  /** The issue that it works on. */
  issueNumber: number;
  /** The task, 1 to 100,000 characters. */
  prompt: string;
}

/** The input of a resumed session. */
export interface MoreToDo {
  /** A further task; a complete session needs one. */
  prompt?: string;
  /** The expected issue of the session. */
  issueNumber?: number;
  /** The expected agent of the session. */
  agent?: string;
}

/** The exits after which a session can continue once somebody else has acted. */
const WAITING: readonly LoopExit[] = ["paused", "escalated"];

/** Longest task, in characters. */
export const MAX_PROMPT = 100_000;

/** A model at work with tools. */
export class AgenticLoop {
  readonly #parts: LoopParts;
  readonly #config: AgenticLoopConfig;
  readonly #files: TranscriptFiles;

  /** Stores the parts and the settings. No file is read yet. */
  constructor(parts: LoopParts, config: AgenticLoopConfig) {
    this.#parts = parts;
    this.#config = config;
    this.#files = new TranscriptFiles(`${parts.root}/.agentx`);
  }

  /**
   * Starts a session.
   *
   * @returns how the session ended; after `paused` and `escalated`, somebody else has to act before {@linkcode
   *   AgenticLoop.resume}
   * @throws {AgentxError} `INVALID_INPUT`, `NOT_FOUND` (workflow), `LOCK_TIMEOUT`, `CORRUPT_STATE`, `IO_ERROR`
   */
  async start(task: LoopTask): Promise<LoopReport> {
    const issueNumber = checkIssueNumber(task.issueNumber);
    const named = (await this.#parts.router()).checkAsker(task.agent);
    const prompt = checkText("prompt", task.prompt, MAX_PROMPT);
    this.#checkRounds(named, issueNumber);
    const { issues, events } = this.#parts;
    const token = crypto.randomUUID();
    const agent = isSessionName(named) ? named : `${named}@run-${token.slice(-4)}`;
    const hostSession = `agentx:${token}`;
    const sessions = new SessionManager(this.#parts.status, events);
    const { id } = await sessions.start({ agent, issueNumber, hostSession });
    const recalled = await this.#recall(agent, issueNumber, id);
    const started = isoTime(sys.now());
    const transcript = await this.#files.create({
      version: 1,
      id,
      agent,
      hostSession,
      issueNumber,
      issueUid: issues.findReadable(issueNumber)?.uid ?? null,
      started,
      system: this.#systemPrompt(agent, issueNumber, recalled),
      recalled,
      iterations: 0,
      tokens: 0,
      countedFrom: { iterations: 0, tokens: 0 },
      turns: [{ role: "user", text: prompt, at: started }],
      settled: [],
      compaction: null,
      end: null,
    });
    return await this.#exclusively(
      id,
      agent,
      () => this.#run(transcript, { sessions, isResumed: false }),
    );
  }

  /**
   * Resumes a session that was interrupted, waits for somebody, or has reached a limit.
   *
   * @throws {AgentxError} `NOT_FOUND`, `INVALID_INPUT`, `NEWER_STATE`, `CORRUPT_STATE`; `LOCK_TIMEOUT` if another
   *   process is running the session; `IO_ERROR`
   */
  async resume(id: string, more: MoreToDo = {}): Promise<LoopReport> {
    const { agent } = this.#files.read(id);
    return await this.#exclusively(id, agent, async () => {
      const left = this.#files.read(id);
      const before = this.#atItsNumber(left);
      const { issueNumber } = before;
      const change = { issueNumber, ...continued(before, more, isoTime(sys.now())) };
      this.#checkRounds(agent, issueNumber);
      const transcript = await this.#files.append(left, change);
      const { hostSession } = transcript;
      const sessions = new SessionManager(this.#parts.status, this.#parts.events);
      await sessions.start({ agent, issueNumber: transcript.issueNumber, hostSession });
      return await this.#run(transcript, { sessions, isResumed: true });
    });
  }

  /** Checks the number of rounds before the agent's status changes to working. */
  #checkRounds(agent: string, issueNumber: number): void {
    roundsOf(scopeOf(this.#parts.workflowOf(issueNumber), agent), this.#config);
  }

  async #run(
    begun: LoopTranscript,
    { sessions, isResumed }: { sessions: SessionManager; isResumed: boolean },
  ): Promise<LoopReport> {
    const { id, agent, hostSession, issueNumber } = begun;
    this.#config.onStep?.({ kind: "begin", id, agent, issueNumber, isResumed });
    const run = new LoopRun(begun, {
      parts: this.#parts,
      config: this.#config,
      files: this.#files,
    });
    const end = { ...await run.untilEnd(), at: isoTime(sys.now()) };
    const transcript = { ...run.transcript, end };
    if (!WAITING.includes(end.exit)) {
      await captureLoop(transcript, this.#parts);
      await sessions.end({ agent, hostSession, issueNumber });
      if (end.exit === "complete") handOff(transcript, this.#parts);
    }
    // The end is written last. If it is missing, the steps above are repeated, and store nothing twice.
    const kept = await this.#files.append(run.transcript, { end });
    const context = run.context();
    const report = reportOf(kept, context.budget);
    this.#config.onStep?.({ kind: "end", report, budget: context.report });
    return report;
  }

  async #exclusively<T>(id: string, agent: string, run: () => Promise<T>): Promise<T> {
    const held = await this.#parts.runs.hold(id, agent, run);
    if (held !== undefined) return held.value;
    const { pid } = this.#parts.runs.look(id);
    throw new AgentxError(
      "LOCK_TIMEOUT",
      `Cannot resume "${id}": ${pid === null ? "another process" : `process ${pid}`} is running it`,
      {
        details: { path: id, waitedMs: 0, holder: null },
        next: "Wait until that process has ended",
      },
    );
  }

  /** Returns the transcript with the present number of its issue, which may have been renumbered. */
  #atItsNumber(transcript: LoopTranscript): LoopTranscript {
    const { issueUid, issueNumber } = transcript;
    const { issues } = this.#parts;
    if (issueUid === null || issues.findReadable(issueNumber)?.uid === issueUid) return transcript;
    const moved = issues.scan().issues.find(({ uid }) => uid === issueUid);
    return { ...transcript, issueNumber: moved?.number ?? issueNumber };
  }

  #systemPrompt(agent: string, issueNumber: number, recalled: string): string {
    const { issues, tree, workflowOf, notify } = this.#parts;
    const role = roleOf(agent);
    return systemPrompt({
      role,
      issueNumber,
      issue: issues.findReadable(issueNumber),
      canClarify: this.#config.canClarify ?? scopeOf(workflowOf(issueNumber), agent).canClarify,
      roleFiles: roleFiles(role, tree, notify),
      recalled,
    });
  }

  async #recall(agent: string, issueNumber: number, sessionId: string): Promise<string> {
    const pipeline = await this.#parts.memory();
    const { section, tokens } = await pipeline.recall(roleOf(agent), issueNumber);
    if (section !== "") {
      this.#parts.events.emit("thinking-log", {
        agent,
        issueNumber,
        sessionId,
        kind: "info",
        timestamp: sys.now(),
        label: "Memory recall",
        detail: `Memory recall displaced ${tokens} tokens of manual re-read`,
      });
    }
    return section;
  }
}

/** Returns the change by which a session resumes. Throws `INVALID_INPUT` if it cannot resume like this. */
function continued(
  before: LoopTranscript,
  { prompt, issueNumber, agent = before.agent }: MoreToDo,
  at: string,
): TranscriptChange {
  const { id, end, turns, iterations, tokens } = before;
  if (issueNumber !== undefined && issueNumber !== before.issueNumber) {
    throw invalidInput("issue", issueNumber, `session ${id} is about #${before.issueNumber}`);
  }
  if (agent !== before.agent && agent !== roleOf(before.agent)) {
    throw invalidInput("agent", agent, `session ${id} is that of ${before.agent}`);
  }
  if (end?.exit === "complete" && prompt === undefined) {
    const next = "Give it more to do: agentx run --resume ID PROMPT";
    throw invalidInput("session", id, "it is complete", next);
  }
  const isOpen = callsOf(turns).some(({ state }) => state !== "done");
  if (prompt !== undefined && isOpen) {
    const why = "its last calls have no result yet";
    throw invalidInput("prompt", prompt, why, `Resume it first with: agentx run --resume ${id}`);
  }
  const isAtLimit = end !== null && ["complete", "max_iterations", "budget"].includes(end.exit);
  return {
    end: null,
    countedFrom: isAtLimit ? { iterations, tokens } : before.countedFrom,
    ...prompt !== undefined &&
      { turn: { role: "user", text: checkText("prompt", prompt, MAX_PROMPT), at } },
  };
}

function reportOf(
  { id, agent, issueNumber, end, turns, iterations, tokens }: LoopTranscript,
  context: BudgetStatus,
): LoopReport {
  const calls = callsOf(turns).filter(({ state }) => state === "done");
  const tools: Record<string, number> = {};
  for (const { tool } of calls) tools[tool] = (tools[tool] ?? 0) + 1;
  const asked = callsOf(turns).flatMap(({ clarificationId }) => clarificationId ?? []);
  return {
    id,
    agent,
    issueNumber,
    exit: end!.exit,
    text: end!.text,
    iterations,
    toolCalls: calls.length,
    tools,
    clarifications: [...new Set(asked)],
    tokens,
    context,
  };
}
