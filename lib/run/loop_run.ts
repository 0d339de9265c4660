// One run of a transcript. The next step follows from the transcript alone, and each step is on the disk before the
// next step begins.

import type { ModelTurn, ToolOffer } from "../agents/language_model.ts";
import { objectOf } from "../base/checks.ts";
import { checkMaxRounds, type ClarificationScope, scopeOf } from "../clarify/rules/scope.ts";
import { hasCode } from "../base/errors.ts";
import { sys } from "../sys/mod.ts";
import { isoTime } from "../base/time.ts";
import { AMBIGUITY_SIGNAL, clarificationTool, signalIn } from "./ambiguity.ts";
import { askModel } from "./ask_model.ts";
import { compactionOf, contextOf, type LoopContext, type RunContextOptions } from "./context.ts";
import { settleThroughHub } from "./hub.ts";
import { limitReached, type RunEnd } from "./limits.ts";
import type { AgenticLoopConfig, LoopParts } from "./loop_parts.ts";
import { type CallOutcome, runCall, runClarification } from "./run_call.ts";
import { firstSentences, threadSummary } from "./thread_summary.ts";
import { estimatedTokens } from "../text/token_estimate.ts";
import { CLARIFY_TOOL, type ToolCall } from "./tool.ts";
import {
  callsOf,
  type LoopCall,
  type LoopTranscript,
  newCalls,
  nextStep,
  textOfMessage,
  type TranscriptChange,
} from "./transcript.ts";
import type { TranscriptFiles } from "./transcript_files.ts";

/**
 * Returns the maximum number of rounds of a clarification. Throws `INVALID_INPUT` if it exceeds the workflow's
 * number.
 */
export function roundsOf(
  { blockingAllowed, maxRounds }: ClarificationScope,
  { clarifyMaxRounds }: Pick<AgenticLoopConfig, "clarifyMaxRounds">,
): number {
  const limit = blockingAllowed ? maxRounds.blocking : maxRounds.nonBlocking;
  return checkMaxRounds(clarifyMaxRounds ?? limit, limit);
}

/** Runs one transcript. The caller makes sure that no other process runs it at the same time. */
export class LoopRun {
  readonly #parts: LoopParts;
  readonly #config: AgenticLoopConfig;
  readonly #files: TranscriptFiles;
  readonly #scope: ClarificationScope;
  readonly #limit: number;
  #transcript: LoopTranscript;

  /** Throws `INVALID_INPUT` if the configured number of rounds exceeds the workflow's number. */
  constructor(
    transcript: LoopTranscript,
    { parts, config, files }: {
      parts: LoopParts;
      config: AgenticLoopConfig;
      files: TranscriptFiles;
    },
  ) {
    this.#transcript = transcript;
    this.#parts = parts;
    this.#config = config;
    this.#files = files;
    const { agent, issueNumber } = transcript;
    this.#scope = scopeOf(parts.workflowOf(issueNumber), agent);
    this.#limit = roundsOf(this.#scope, config);
  }

  /** The transcript as it was last stored. */
  get transcript(): LoopTranscript {
    return this.#transcript;
  }

  /** Runs until the transcript ends or has to wait. */
  async untilEnd(): Promise<RunEnd> {
    const { signal } = this.#config;
    while (true) {
      if (signal?.aborted) return { exit: "abort", text: "It was stopped" };
      try {
        const end = await this.#step();
        if (end !== undefined) return end;
      } catch (error) {
        if (!signal?.aborted && !hasCode(error, "INTERRUPTED")) throw error;
        return { exit: "abort", text: "It was stopped" };
      }
    }
  }

  async #step(): Promise<RunEnd | undefined> {
    const next = nextStep(this.#transcript);
    switch (next.kind) {
      case "respond":
        return limitReached(this.#transcript, this.#config) ?? await this.#respond();
      case "settle":
        return await this.#settle(next.id);
      case "call":
        return await this.#call(next.call);
      case "complete":
        return { exit: "complete", text: next.text };
    }
  }

  async #respond(): Promise<RunEnd | undefined> {
    const { system, agent } = this.#transcript;
    const { model, signal } = this.#config;
    const { messages, budget } = await this.#fittingContext();
    const { totalTokens, limit } = budget;
    if (totalTokens > limit) {
      const text = `Its context of ${totalTokens} tokens exceeds the ${limit} of the model`;
      return { exit: "budget", text };
    }
    const tools = this.#offers;
    const retried = (reason: string) => this.#tell({ kind: "retry", reason });
    const asked = await askModel(model, { system, messages, tools, signal }, retried);
    if ("failure" in asked) return { exit: "model_error", text: asked.failure };
    const { turn } = asked;
    const calls = newCalls(this.#transcript, { calls: this.#withSignal(turn) });
    const at = isoTime(sys.now());
    const { iterations, tokens } = this.#transcript;
    const used = turn.tokens ??
      totalTokens + estimatedTokens(textOfMessage({ role: "assistant", ...turn }));
    await this.#save({
      iterations: iterations + 1,
      tokens: tokens + used,
      turn: { role: "assistant", text: turn.text, at, calls },
    });
    // Settle questions before the new words are shown, because these words come after the answers.
    for (let next = nextStep(this.#transcript); next.kind === "settle";) {
      await this.#settle(next.id);
      next = nextStep(this.#transcript);
    }
    if (turn.text !== "") this.#tell({ kind: "text", agent, text: turn.text });
    return undefined;
  }

  /** Returns the context. If three quarters of it are full, older turns are compacted first. */
  async #fittingContext(): Promise<LoopContext> {
    const context = this.context();
    if (!context.budget.isOverThreshold) return context;
    const compaction = compactionOf(this.#transcript, this.#contextOptions);
    if (compaction === undefined) return context;
    await this.#save({ compaction });
    const compacted = this.context();
    const { agent, issueNumber, id: sessionId } = this.#transcript;
    const originalTokens = context.budget.totalTokens;
    const compactedTokens = compacted.budget.totalTokens;
    this.#parts.events.emit("context-compacted", {
      agent,
      issueNumber,
      sessionId,
      originalTokens,
      compactedTokens,
      summary: compaction.summary,
      timestamp: sys.now(),
    });
    this.#tell({ kind: "compacted", originalTokens, compactedTokens });
    return compacted;
  }

  /** Returns the next input of the model. */
  context(): LoopContext {
    return contextOf(this.#transcript, this.#contextOptions);
  }

  get #contextOptions(): RunContextOptions {
    const { root, tree } = this.#parts;
    const folders = [...new Set([tree, root])];
    return { limit: this.#config.contextTokens, offers: this.#offers, folders };
  }

  get #offers(): readonly ToolOffer[] {
    const { tools = [] } = this.#config;
    const clarifies = clarificationTool(this.#canClarify);
    return [...tools, ...clarifies === undefined ? [] : [clarifies]]
      .map(({ name, description, input }) => ({ name, description, input }));
  }

  /** Returns the calls of a turn. A signal in the text becomes a call, because the model failed to make one. */
  #withSignal({ text, calls }: ModelTurn): ModelTurn["calls"] {
    const { ambiguitySignal = AMBIGUITY_SIGNAL } = this.#config;
    if (calls.some(({ name }) => name === CLARIFY_TOOL)) return calls;
    const input = signalIn(text, ambiguitySignal, this.#canClarify);
    return input === undefined ? calls : [...calls, { id: "", name: CLARIFY_TOOL, input }];
  }

  /** Settles a clarification. The model has continued, so the answer was enough. */
  async #settle(id: string): Promise<undefined> {
    const { agent, hostSession, turns } = this.#transcript;
    const { onClarificationNeeded } = this.#config;
    const last = callsOf(turns).findLast(({ clarificationId }) => clarificationId === id);
    let summary = `[${id} settled] ${firstSentences(last?.result ?? "")}`;
    if (onClarificationNeeded === undefined) {
      const body = firstSentences(turns.at(-1)!.text) || "Clear.";
      const record = await settleThroughHub(id, { agent, hostSession, body }, this.#parts);
      summary = threadSummary(record);
      this.#tell({ kind: "settled", clarification: record });
    }
    await this.#save({ thread: { id, summary } });
  }

  async #call(call: LoopCall): Promise<RunEnd | undefined> {
    const { agent, id, hostSession, issueNumber } = this.#transcript;
    const begunAt = call.begunAt ?? isoTime(sys.now());
    if (call.state === "waiting") await this.#change(call, { state: "begun", begunAt });
    if (call.tool !== CLARIFY_TOOL) {
      this.#tell({ kind: "tool", agent, tool: call.tool, detail: detailOf(call) });
    }
    const as: ToolCall = {
      callId: `${id}.${call.number}`,
      begunMs: Date.parse(begunAt),
      agent,
      sessionId: id,
      hostSession,
      issueNumber,
      signal: this.#config.signal,
    };
    const { waits, result, isError, clarificationId } = await this.#run(call, as);
    if (waits !== undefined) {
      await this.#change(call, { clarificationId });
      return waits;
    }
    await this.#change(call, { state: "done", result, isError, clarificationId });
    if (isError) this.#tell({ kind: "failed", agent, tool: call.tool, reason: result ?? "" });
    else this.#tellAnswer(clarificationId);
    return undefined;
  }

  /**
   * Reports the answer of a clarification. An answer that did not go through the hub is not in the ledger, so it is
   * not reported.
   */
  #tellAnswer(id: string | null): void {
    if (id === null || this.#config.onClarificationNeeded !== undefined) return;
    const clarification = this.#parts.ledger.findReadable(id);
    if (clarification?.status === "pending") return;
    if (clarification !== undefined) this.#tell({ kind: "answered", clarification });
  }

  async #run(call: LoopCall, as: ToolCall): Promise<CallOutcome> {
    const { tools = [], onClarificationNeeded, clarifyMaxRounds } = this.#config;
    const { agent, issueNumber, sessionId } = as;
    const emit = (status: "running" | "done" | "error") =>
      this.#parts.events.emit("tool-invoked", {
        agent,
        issueNumber,
        sessionId,
        tool: call.tool,
        status,
        timestamp: sys.now(),
      });
    emit("running");
    const clarifies = clarificationTool(this.#canClarify);
    const outcome = call.tool === CLARIFY_TOOL && clarifies !== undefined
      ? await runClarification(call, as, {
        offer: clarifies,
        onClarificationNeeded,
        hub: this.#parts,
        maxRounds: clarifyMaxRounds,
        refusal: this.#whyNotAsk(call),
        blocking: onClarificationNeeded !== undefined || this.#scope.blockingAllowed,
        onAsked: (clarification, reach) => this.#tell({ kind: "asked", clarification, reach }),
      })
      : await runCall(call, tools.find(({ name }) => name === call.tool), as);
    emit(outcome.isError ? "error" : "done");
    return outcome;
  }

  /**
   * Returns why a call must not begin a clarification; undefined if it may. The limit is needed because rounds bound
   * only one clarification, and a model may begin many.
   */
  #whyNotAsk({ number, input }: LoopCall): string | undefined {
    const limit = this.#limit;
    const calls = callsOf(this.#transcript.turns);
    const begun = calls.filter((call) =>
      call.tool === CLARIFY_TOOL && call.number < number && begins(call.input) && !call.isError
    );
    if (!begins(input) || begun.length < limit) return undefined;
    return `This session has asked ${begun.length} questions, and the limit is ${limit}. Continue ` +
      "with what you know, and say what you assume.";
  }

  get #canClarify(): readonly string[] {
    return this.#config.canClarify ?? this.#scope.canClarify;
  }

  async #change({ number }: LoopCall, change: Partial<LoopCall>): Promise<void> {
    await this.#save({ call: { number, ...change } });
  }

  async #save(change: TranscriptChange): Promise<void> {
    this.#transcript = await this.#files.append(this.#transcript, change);
  }

  #tell(step: Parameters<NonNullable<AgenticLoopConfig["onStep"]>>[0]): void {
    this.#config.onStep?.(step);
  }
}

/** Whether a call begins a new clarification. */
function begins(input: LoopCall["input"]): boolean {
  return objectOf(input).clarification_id === undefined;
}

/** Returns the subject of a call, on one line. */
function detailOf({ input }: LoopCall): string {
  return firstSentences(typeof input === "string" ? input : Object.values(input).join(" "));
}
