// The token budget of a context: its parts, its level, and the summary of a conversation that no longer fits (PRD
// "Context Compaction", SPEC-AgentX section 2.1).

import { decisionsOf, extractFromTranscript } from "../memory/extract/extract.ts";
import type { ObservationCategory } from "../memory/schema.ts";
import type { TranscriptMessage } from "../transcripts/transcript.ts";
import { estimatedTokens } from "../text/token_estimate.ts";

/** The kind of a part of a context. */
export type ContextCategory =
  | "instruction"
  | "skill"
  | "agent-def"
  | "template"
  | "memory"
  | "conversation";

/** A part of a context. */
export interface ContextItem {
  /** The kind of the part. */
  category: ContextCategory;
  /** The origin of the part, such as `recalled-observations`; unique in its category. */
  source: string;
  /** Estimated tokens. */
  tokens: number;
}

/** How full a context is: less than half, less than the threshold, less than nine tenths, or more. */
export type BudgetLevel = "GOOD" | "OK" | "WARNING" | "CRITICAL";

/** The state of a context. */
export interface BudgetStatus {
  /** Estimated tokens of the whole context. */
  totalTokens: number;
  /** The maximum number of tokens that the model can see at once. */
  limit: number;
  /** The share of the limit that is used, in percent, rounded. */
  utilizationPercent: number;
  /** The level of the used share. */
  status: BudgetLevel;
  /** Whether the threshold is reached, so that the conversation should be compacted. */
  isOverThreshold: boolean;
  /** Tokens that were read or written in this session. */
  freshTokens: number;
  /** Tokens that memory recalled. At least this many tokens did not have to be read again. */
  recalledTokens: number;
}

export interface ContextCompactorOptions {
  limit?: number;
  /** Folders of the repository. The summary writes paths in them as relative paths. */
  folders?: readonly string[];
}

const GOOD_PERCENT = 50;
const COMPACT_PERCENT = 75;
const CRITICAL_PERCENT = 90;

/** The headings of a summary, each with the category of its items. */
const SECTIONS: readonly (readonly [heading: string, category: ObservationCategory])[] = [
  ["Decisions", "decision"],
  ["Code changes", "code-change"],
  ["Errors", "error"],
  ["Key facts", "key-fact"],
];

/** Counts the tokens of a context, and compacts conversations. */
export class ContextCompactor {
  readonly #limit: number;
  readonly #folders: readonly string[];
  readonly #items = new Map<string, ContextItem>();

  /**
   * Creates an empty context.
   *
   * @throws {RangeError} if the limit is not at least 1
   */
  constructor(options: ContextCompactorOptions = {}) {
    const { limit = 200_000, folders = [] } = options;
    if (!(limit >= 1)) throw new RangeError(`Cannot count to ${limit} tokens: at least 1`);
    this.#limit = limit;
    this.#folders = folders;
  }

  /**
   * Counts a part of the context. It replaces a part with the same category and source.
   *
   * @param content the text of the part; an empty text removes the part
   */
  trackItem(category: ContextCategory, source: string, content: string): ContextItem {
    const item = { category, source, tokens: estimatedTokens(content) };
    const key = `${category} ${source}`;
    if (content === "") this.#items.delete(key);
    else this.#items.set(key, item);
    return item;
  }

  /** Returns the state of the context. */
  checkBudget(): BudgetStatus {
    const usage = this.getUsageByCategory();
    const totalTokens = Object.values(usage).reduce((sum, tokens) => sum + tokens, 0);
    const percent = 100 * totalTokens / this.#limit;
    return {
      totalTokens,
      limit: this.#limit,
      utilizationPercent: Math.round(percent),
      status: levelOf(percent),
      isOverThreshold: percent >= COMPACT_PERCENT,
      freshTokens: totalTokens - usage.memory,
      recalledTokens: usage.memory,
    };
  }

  /** Returns the tokens of each category in the context. */
  getUsageByCategory(): Record<ContextCategory, number> {
    const usage: Record<ContextCategory, number> = {
      instruction: 0,
      skill: 0,
      "agent-def": 0,
      template: 0,
      memory: 0,
      conversation: 0,
    };
    for (const { category, tokens } of this.#items.values()) usage[category] += tokens;
    return usage;
  }

  /**
   * Summarizes a conversation, oldest message first, in the markdown that memory reads: decisions, code changes,
   * errors and key facts, word for word. The rules are those by which memory extracts observations.
   */
  compactConversation(messages: readonly TranscriptMessage[], agentName: string): string {
    const apart = messages.map(withLinesApart);
    const found = extractFromTranscript(
      {
        format: "markdown",
        sessionId: null,
        messages: apart,
        recalled: [],
        problems: [],
      },
      { agent: agentName, issueNumber: 1, sessionId: "", folders: this.#folders },
    );
    const count = messages.length === 1 ? "1 message" : `${messages.length} messages`;
    const decided = apart.filter(({ role }) => role !== "tool")
      .flatMap(({ text }) => decisionsOf(text, this.#folders));
    const sections = SECTIONS.flatMap(([heading, category]) => {
      const items = found.filter((one) => one.category === category).map(({ content }) => content);
      const all = category === "decision" ? withOthers(decided, items) : items;
      const lines = all.map(itemOf);
      return lines.length === 0 ? [] : [`### ${heading}\n\n${lines.join("\n")}`];
    });
    return [`Compacted from ${count} of ${agentName}.`, ...sections].join("\n\n");
  }

  /** Describes the context for people, in a few lines, with a section on recalled memory. */
  formatBudgetReport(): string {
    const { totalTokens, limit, utilizationPercent, status, freshTokens, recalledTokens } = this
      .checkBudget();
    const usage = Object.entries(this.getUsageByCategory()).filter(([, tokens]) => tokens > 0);
    const recalled = [...this.#items.values()].filter(({ category }) => category === "memory");
    const row = (name: string, tokens: number) =>
      `  ${name.padEnd(24)}${grouped(tokens).padStart(9)}`;
    return [
      `Context budget: ${grouped(totalTokens)} of ${grouped(limit)} tokens ` +
      `(${utilizationPercent} %), ${status}`,
      ...usage.map(([category, tokens]) => row(category, tokens)),
      "",
      "Memory",
      ...recalled.length === 0 ? ["  nothing was recalled"] : [
        ...recalled.map(({ source, tokens }) => row(source, tokens)),
        `  Memory recall displaced ${grouped(recalledTokens)} tokens of manual re-read; ` +
        `${grouped(freshTokens)} are fresh`,
      ],
      "",
      ADVICE[status],
    ].join("\n");
  }
}

function levelOf(percent: number): BudgetLevel {
  if (percent >= CRITICAL_PERCENT) return "CRITICAL";
  if (percent >= COMPACT_PERCENT) return "WARNING";
  return percent >= GOOD_PERCENT ? "OK" : "GOOD";
}

const ADVICE: Readonly<Record<BudgetLevel, string>> = {
  GOOD: "There is room.",
  OK: "There is room; load only what is needed.",
  WARNING: "Compact the conversation soon.",
  CRITICAL: "Compact the conversation before anything else is loaded.",
};

/** Makes a paragraph of each line that begins with a capital, since such a line is an item even without a bullet. */
function withLinesApart(message: TranscriptMessage): TranscriptMessage {
  if (message.role === "tool") return message;
  return { ...message, text: message.text.replace(/\n(?=\p{Lu})/gu, "\n\n") };
}

/** Returns the items, and the other texts that no item contains. */
function withOthers(items: readonly string[], others: readonly string[]): string[] {
  const missing = others.filter((other) => items.every((item) => !item.includes(other)));
  return [...new Set([...items, ...missing])];
}

/** Returns an item on one line. A line that looks like a heading would begin a section. */
function itemOf(content: string): string {
  return `- ${content.replace(/\s+/g, " ")}`;
}

function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ",");
}
