// The ten tools, in the order that clients show. Each takes the input of the command that it runs.

import { MAX_BODY, STATES } from "../clarify/schema.ts";
import { text } from "../cli/inputs.ts";
import { optional, word } from "../cli/spec.ts";
import { ask } from "./ask.ts";
import { askUser } from "./ask_user.ts";
import { showOutcome, showOutput } from "./run_command.ts";
import type { Annotations, ObjectSchema, Tool } from "./tool.ts";

const READS: Annotations = { readOnlyHint: true, openWorldHint: false };
const WRITES: Annotations = { destructiveHint: false, openWorldHint: false };
const ASKS: Annotations = { ...WRITES, openWorldHint: true };

/**
 * Short descriptions for the tools that decide. No human role is offered, because nobody acts as a human through a
 * tool.
 */
const DECIDES = {
  id: "",
  answer: `At most ${MAX_BODY} characters`,
  conclusion: "",
  reason: "",
  as: "Your role",
  round: "",
};

const TEXT = { type: "string" };

/** A text or null. A list of two types is also legal, but not every host reads it. */
const TEXT_OR_NULL = { anyOf: [TEXT, { type: "null" }] };

const OUTCOME: ObjectSchema = {
  type: "object",
  properties: {
    clarificationId: TEXT,
    status: { enum: Object.keys(STATES) },
    round: { type: "integer" },
    maxRounds: { type: "integer" },
    answer: TEXT_OR_NULL,
    escalation: TEXT,
    next: TEXT,
  },
  required: ["status", "round", "answer", "next"],
};

const SETTLES = { brief: DECIDES, annotations: WRITES, output: OUTCOME, run: showOutcome };

/** The result of a question, which may also close a deadlock. */
const ASKED: ObjectSchema = {
  ...OUTCOME,
  properties: { ...OUTCOME.properties, deadlock: { type: "object" } },
};

const HUMAN_ANSWER: ObjectSchema = {
  type: "object",
  properties: {
    id: TEXT,
    outcome: { enum: ["pending", "human", "timeout", "declined", "cancelled"] },
    option: TEXT,
    answer: TEXT,
    next: TEXT,
  },
  required: ["id", "outcome", "next"],
};

/**
 * Short descriptions. The list of tools costs tokens in every session, so no description repeats the name of its
 * argument.
 */
const ASK_USER = {
  issue: "",
  from: "",
  phase: "",
  blockerType: "",
  topic: "",
  codebaseSearch: "What you searched, and found",
  similarFeatures: "",
  attemptedInference: "",
  investigator: "",
  question: "",
  option: "Two to four",
  fallback: "Letter taken if nobody answers",
  because: "Why that one",
  confidence: "",
  risk: "If wrong: high, medium or low - why",
};

const LIST = { type: "array", items: { type: "object" } };

const COUNT = { type: "integer" };

const OBSERVATION: ObjectSchema = {
  type: "object",
  properties: { observation: { type: "object" } },
  required: ["observation"],
};

const BY_NAME: Readonly<Record<string, Omit<Tool, "name">>> = {
  clarify_ask: {
    description:
      "Ask another agent instead of guessing when the issue, a design or a decision is " +
      "unclear, and wait for the answer.",
    command: "clarify ask",
    keys: ["issue", "from", "to", "topic", "question", "id", "nonBlocking", "maxRounds"],
    input: { question: optional(text(MAX_BODY), "The question") },
    brief: {
      issue: "",
      from: "Your role",
      to: "Role to ask",
      topic: "",
      question: `At most ${MAX_BODY} characters`,
      id: "Ask again in this thread; alone: wait on",
      nonBlocking: "Do not wait",
      maxRounds: "",
    },
    annotations: ASKS,
    output: ASKED,
    run: ask,
  },
  clarify_answer: {
    description: "Answer a question to you that clarify_list shows.",
    command: "clarify answer",
    keys: ["id", "answer", "as", "round"],
    ...SETTLES,
  },
  clarify_resolve: {
    description: "End a clarification that you asked, once its answer is enough.",
    command: "clarify resolve",
    keys: ["id", "conclusion", "as"],
    ...SETTLES,
  },
  clarify_escalate: {
    description: "Hand a clarification to a human when the agents cannot settle it.",
    command: "clarify escalate",
    keys: ["id", "reason", "as"],
    ...SETTLES,
  },
  clarify_list: {
    description: "List the open questions, or read one thread or those of an issue.",
    command: "clarify",
    keys: ["issue", "id"],
    brief: { issue: "", id: "" },
    annotations: READS,
    output: list("clarifications"),
    run: showOutput,
  },
  ask_user: {
    description:
      "Ask the human once, while you plan, if requirements exclude each other, data is " +
      "missing or security is at stake, and you searched.",
    command: "ask human",
    keys: [...Object.keys(ASK_USER), "id"],
    input: { id: optional(word, "Alone: wait on") },
    brief: ASK_USER,
    annotations: ASKS,
    output: HUMAN_ANSWER,
    run: askUser,
  },
  memory_search: {
    description:
      "Before you decide, find what earlier sessions learned; if none or weak, try other words.",
    command: "memory search",
    keys: ["query", "issue", "agent", "category", "limit"],
    brief: { query: "", issue: "", agent: "", category: "", limit: "Default: 20" },
    annotations: READS,
    output: list("observations"),
    run: showOutput,
  },
  memory_get: {
    description: "Read in full what memory_search or a recall names.",
    command: "memory view",
    keys: ["id"],
    brief: { id: "" },
    annotations: READS,
    output: OBSERVATION,
    run: showOutput,
  },
  memory_note: {
    description:
      "Before handing work over keep up to 5 notes, a line each: `- decision: X` (or error, key-fact).",
    command: "memory note",
    keys: ["agent", "issue", "text", "category", "supersedes"],
    brief: {
      agent: "Your role",
      issue: "",
      text: "",
      category: "",
      supersedes: "Id it corrects",
    },
    annotations: WRITES,
    output: OBSERVATION,
    run: showOutput,
  },
  ready: {
    description: "List the issues that can be worked on, claim one, or release one.",
    command: "ready",
    keys: ["claim", "release", "issue", "lease", "limit"],
    brief: { claim: "Your role", release: "Your role", issue: "", lease: "Such as 2h", limit: "" },
    annotations: WRITES,
    output: {
      type: "object",
      properties: { issues: LIST, more: COUNT, waiting: LIST, issue: { type: "object" } },
    },
    run: showOutput,
  },
};

export const TOOLS: readonly Tool[] = Object.entries(BY_NAME)
  .map(([name, tool]) => ({ name, ...tool }));

function list(noun: string): ObjectSchema {
  return { type: "object", properties: { [noun]: LIST }, required: [noun] };
}
