/**
 * The ten tools, in the order in which a client sees them. What each takes follows from the command
 * that it runs.
 *
 * @module
 */

import { MAX_BODY, STATES } from "../../clarify/schema.ts";
import { text } from "../../cli/inputs.ts";
import { optional, word } from "../../cli/spec.ts";
import type { Annotations, ObjectSchema, Tool, ToolRun } from "./tool.ts";

const READS: Annotations = { readOnlyHint: true, openWorldHint: false };
const WRITES: Annotations = { destructiveHint: false, openWorldHint: false };
const ASKS: Annotations = { ...WRITES, openWorldHint: true };

/** Through a tool, nobody is a human. */
const AS = { as: "Your role; left out, the one that it is for" };

const TEXT = { type: "string" };

/** Two types in one list are legal, too, but not every host reads them. */
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

/** A question may close a deadlock, too. */
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

/** A list of tools is paid for at the start of every session: what a name says, nothing repeats. */
const ASK_USER = {
  issue: "",
  from: "",
  phase: "",
  blockerType: "",
  topic: "",
  codebaseSearch: "What you searched, and found",
  similarFeatures: "",
  attemptedInference: "",
  investigator: "Findings, if run",
  question: "",
  option: "Two to four",
  fallback: "Letter of the option if nobody answers",
  because: "Why that one",
  confidence: "",
  risk: "If wrong: high, medium or low - why",
};

const LIST = { type: "array", items: { type: "object" } };

const OBSERVATION: ObjectSchema = {
  type: "object",
  properties: { observation: { type: "object" } },
  required: ["observation"],
};

const showOutput = async (run: ToolRun) => (await import("./run_command.ts")).showOutput(run);
const showOutcome = async (run: ToolRun) => (await import("./run_command.ts")).showOutcome(run);

/** All tools. What they do is loaded when one is called: a list needs none of it. */
export const TOOLS: readonly Tool[] = [
  {
    name: "clarify_ask",
    description:
      "Ask another agent instead of guessing, whenever the issue, a design or a decision " +
      "is unclear; waits for the answer, and with the id alone waits on.",
    command: "clarify ask",
    keys: ["issue", "from", "to", "topic", "question", "id", "nonBlocking", "maxRounds"],
    input: { question: optional(text(MAX_BODY), "The question") },
    brief: {
      id: "Ask again in this one: the next round; alone: wait on",
      nonBlocking: "Do not wait for the answer: work goes on without it",
    },
    annotations: ASKS,
    output: ASKED,
    run: async (run) => (await import("./ask.ts")).ask(run),
  },
  {
    name: "clarify_answer",
    description: "Answer a question that another agent asked you, as clarify_list shows it.",
    command: "clarify answer",
    keys: ["id", "answer", "as", "round"],
    brief: AS,
    annotations: WRITES,
    output: OUTCOME,
    run: showOutcome,
  },
  {
    name: "clarify_resolve",
    description: "End a clarification that you asked, once its answer is enough.",
    command: "clarify resolve",
    keys: ["id", "conclusion", "as"],
    brief: AS,
    annotations: WRITES,
    output: OUTCOME,
    run: showOutcome,
  },
  {
    name: "clarify_escalate",
    description: "Hand a clarification to a human when the agents cannot settle it.",
    command: "clarify escalate",
    keys: ["id", "reason", "as"],
    brief: AS,
    annotations: WRITES,
    output: OUTCOME,
    run: showOutcome,
  },
  {
    name: "clarify_list",
    description: "See which questions are open, or read the threads of an issue, or one thread, " +
      "before you ask the same again.",
    command: "clarify",
    keys: ["issue", "id"],
    annotations: READS,
    output: list("clarifications"),
    run: showOutput,
  },
  {
    name: "ask_user",
    description:
      "Ask the human once, while you plan: refused unless requirements exclude each other, data " +
      "is missing or security is at stake, and you searched. The id alone waits on.",
    command: "ask-user",
    keys: [...Object.keys(ASK_USER), "id"],
    input: { id: optional(word, "Alone: wait on") },
    brief: ASK_USER,
    annotations: ASKS,
    output: HUMAN_ANSWER,
    run: async (run) => (await import("./ask_user.ts")).askUser(run),
  },
  {
    name: "memory_search",
    description: "Find what earlier sessions learned, before you decide or debug something again.",
    command: "memory search",
    keys: ["query", "issue", "agent", "category", "limit"],
    annotations: READS,
    output: list("observations"),
    run: showOutput,
  },
  {
    name: "memory_get",
    description: "Read in full an observation that memory_search or a recall names.",
    command: "memory get",
    keys: ["id"],
    annotations: READS,
    output: OBSERVATION,
    run: showOutput,
  },
  {
    name: "memory_note",
    description: "Remember a decision, fact or pitfall that the next session should know.",
    command: "memory note",
    keys: ["agent", "issue", "text", "category", "supersedes"],
    annotations: WRITES,
    output: OBSERVATION,
    run: showOutput,
  },
  {
    name: "ready",
    description:
      "See which issues can be worked on when you look for work, claim one, or give one back.",
    command: "ready",
    keys: ["claim", "release", "issue", "lease"],
    annotations: WRITES,
    output: {
      type: "object",
      properties: { issues: LIST, waiting: LIST, issue: { type: "object" } },
    },
    run: showOutput,
  },
];

function list(noun: string): ObjectSchema {
  return { type: "object", properties: { [noun]: LIST }, required: [noun] };
}
