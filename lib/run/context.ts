// The context of an agentic loop: the part of a transcript that the model gets, its cost, and the summary that
// replaces turns that no longer fit.

import type { ModelMessage, ToolOffer } from "../agents/language_model.ts";
import type { TranscriptMessage } from "../transcripts/transcript.ts";
import { type BudgetStatus, ContextCompactor } from "./budget.ts";
import { estimatedTokens } from "../text/token_estimate.ts";
import {
  type LoopTranscript,
  type LoopTurn,
  messagesOf,
  textOfMessage,
  type TurnSummary,
} from "./transcript.ts";

export interface LoopContext {
  messages: ModelMessage[];
  budget: BudgetStatus;
  /** The budget as text for people. */
  report: string;
}

export interface RunContextOptions {
  limit: number | undefined;
  offers: readonly ToolOffer[];
  folders: readonly string[];
}

/** The share of the limit for the newest turns, which are kept unchanged. */
const KEPT_SHARE = 0.25;

/** Returns the messages that the model gets from a transcript, and their cost. */
export function contextOf(transcript: LoopTranscript, options: RunContextOptions): LoopContext {
  const { system, recalled } = transcript;
  const messages = messagesOf(transcript);
  const compactor = compactorOf(options);
  compactor.trackItem(
    "instruction",
    "system",
    recalled === "" ? system : system.replace(recalled, ""),
  );
  compactor.trackItem("instruction", "tools", JSON.stringify(options.offers));
  compactor.trackItem("memory", "recalled-observations", recalled);
  compactor.trackItem("conversation", "messages", messages.map(textOfMessage).join("\n"));
  const [budget, report] = [compactor.checkBudget(), compactor.formatBudgetReport()];
  return { messages, budget, report };
}

/**
 * Returns a summary of the older turns that keeps the tasks word for word; undefined if no more turns can be left
 * out.
 */
export function compactionOf(
  transcript: LoopTranscript,
  options: RunContextOptions,
): TurnSummary | undefined {
  const { turns: all, agent, compaction } = transcript;
  const room = KEPT_SHARE * compactorOf(options).checkBudget().limit;
  let turns = all.length - 1;
  let used = costOf(transcript, turns);
  while (turns > 0) {
    used += costOf(transcript, turns - 1);
    if (used > room) break;
    turns--;
  }
  if (turns <= (compaction?.turns ?? 0)) return undefined;
  const old = all.slice(0, turns);
  const tasks = old.flatMap((turn) => turn.role === "user" ? [turn.text] : []);
  const summary = compactorOf(options).compactConversation(spoken(old), agent);
  return { turns, summary: `${tasks.join("\n\n")}\n\n[Earlier turns are left out.] ${summary}` };
}

/** Returns turns in the form that memory reads. */
export function spoken(turns: readonly LoopTurn[]): TranscriptMessage[] {
  return turns.flatMap((turn): TranscriptMessage[] => {
    const { role, text, at: timestamp } = turn;
    const said = text === "" ? [] : [{ role, text, timestamp }];
    if (turn.role === "user") return said;
    const results = turn.calls.flatMap(({ tool, result, begunAt }): TranscriptMessage[] =>
      result === null ? [] : [{ role: "tool", tool, text: result, timestamp: begunAt ?? timestamp }]
    );
    return [...said, ...results];
  });
}

function costOf(transcript: LoopTranscript, index: number): number {
  const one = { ...transcript, turns: [transcript.turns[index]], compaction: null };
  return estimatedTokens(messagesOf(one).map(textOfMessage).join("\n"));
}

function compactorOf({ limit, folders }: RunContextOptions): ContextCompactor {
  return new ContextCompactor({ limit, folders });
}
