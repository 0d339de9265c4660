// Reads the question of a command line: from its flags, from a block that an agent wrote, or from both.

import type { JsonObject } from "../../base/checks.ts";
import { actingAgent } from "../../cli/acting_agent.ts";
import type { Context } from "../../cli/command.ts";
import { agentName, issueNumber, text } from "../../cli/inputs.ts";
import { readSource } from "../../cli/read_source.ts";
import { flagName, type InputOf, optional, type Spec, word } from "../../cli/spec.ts";
import { usageError } from "../../cli/usage_error.ts";
import { parseBlock } from "../../gate/block.ts";
import {
  BLOCKERS,
  type GateQuestion,
  LABELS,
  LEVELS,
  MAX_EVIDENCE,
  MAX_GATE_TOPIC,
  MAX_OPTION,
  MAX_QUESTION,
  MAX_REASONING,
  PHASES,
} from "../../gate/request.ts";
import type { Workspace } from "../../workspace/open.ts";
import { askerHere } from "../here/identity_here.ts";
import { short, shown } from "./input.ts";

const evidence = short(MAX_EVIDENCE);

const option: Spec<string[] | undefined> = {
  ...optional(short(MAX_OPTION), "An option for the human; give two to four"),
  kind: "list",
  json: { type: "string", maxLength: MAX_OPTION, maxItems: LABELS.length },
  read: (given) => [given],
};

/** The parts of a question to the human. */
export const QUESTION = {
  issue: optional(issueNumber, "Issue that is planned (default: the one of agentx here)"),
  from: optional(agentName("Agent that asks (default: the one that runs this, else agentx here)")),
  session: optional(word, "Session that asks; it may ask once (default: the host's)", {
    placeholder: "ID",
  }),
  phase: shown(PHASES, "Phase of the work; only planning may ask", "PHASE"),
  blockerType: shown(Object.keys(BLOCKERS), "Why you cannot decide without the human", "TYPE"),
  topic: optional(short(MAX_GATE_TOPIC), "Topic, in a few words", {
    placeholder: "TOPIC",
  }),
  codebaseSearch: optional(evidence, "What you searched in the code, and found"),
  similarFeatures: optional(evidence, "Which existing features you examined"),
  attemptedInference: optional(evidence, "How you tried to infer the answer"),
  investigator: optional(evidence, "What an investigator found (required for a complex issue)"),
  option,
  fallback: optional(word, "Letter of the option to take if nobody answers", {
    placeholder: "a",
  }),
  because: optional(short(MAX_REASONING), "Reason for the fallback"),
  confidence: shown(LEVELS, "How sure you are of the fallback", "LEVEL"),
  risk: optional(short(MAX_REASONING), "high, medium or low, and what happens if it is wrong"),
  block: optional(word, "Read the question from a file with a NEEDS_CLARIFICATION block", {
    placeholder: "FILE|-",
  }),
  question: optional(text(MAX_QUESTION), "A single specific question", {
    placeholder: "QUESTION",
  }),
};

/** The flags and the words of the command line. */
export type QuestionInput = InputOf<typeof QUESTION>;

/** The parts that a question needs; the gate itself refuses evidence that is missing. */
const REQUIRED = [
  "question",
  "issue",
  "phase",
  "blockerType",
  "option",
  "fallback",
  "because",
  "confidence",
  "risk",
] as const;

/**
 * Returns the question, unchecked. Throws `INVALID_INPUT` for a missing part, and `NOT_FOUND` or `IO_ERROR` for the
 * file.
 */
export async function readQuestion(
  context: Context,
  flags: QuestionInput,
  { router }: Workspace,
): Promise<GateQuestion> {
  const { name, io } = context;
  const { session, block } = flags;
  const read = block === undefined ? {} : fromSource(await readSource(block, io), name);
  const said = { ...read, ...definedOf(flags) } as QuestionInput;
  const given = { ...said, ...await askerHere(said, actingAgent(io, flags.from), context) };
  const acting = actingAgent(io, given.from);
  const missing = acting.isNamed ? REQUIRED.filter((key) => given[key] === undefined) : ["from"];
  if (missing.length > 0) {
    const fields = missing.map((key) => key === "question" ? "QUESTION" : flagName(key));
    const why = `${fields.join(", ")} ${fields.length === 1 ? "is" : "are"} required`;
    throw usageError(name, { field: fields[0], value: null, why });
  }
  const agent = (await router()).checkAsker(acting.name());
  const { hostSession } = acting;
  if (hostSession !== undefined && session !== undefined && session !== hostSession) {
    const why = "the host shows which session this is";
    throw usageError(name, { field: "--session", value: session, why, hint: "Leave it out." });
  }
  const { issue, codebaseSearch, similarFeatures, attemptedInference, investigator } = given;
  return {
    agent,
    issue: issue!,
    session: hostSession ?? session ?? `${agent}#${issue}`,
    phase: given.phase!,
    blockerType: given.blockerType!,
    topic: given.topic,
    evidence: { codebaseSearch, similarFeatures, attemptedInference, investigator },
    question: given.question!,
    options: given.option!,
    fallback: {
      option: given.fallback!,
      reasoning: given.because!,
      confidence: given.confidence!,
      risk: given.risk!,
    },
  };
}

/** Returns the flags that were given, which override the block. */
function definedOf(flags: QuestionInput): Partial<QuestionInput> {
  return Object.fromEntries(Object.entries(flags).filter(([, value]) => value !== undefined));
}

/** Maps the block that an agent wrote to the names of the flags. */
function fromSource(source: string, name: string): JsonObject {
  const block = parseBlock(source);
  if (block === undefined) {
    throw unusable(name, 'it has no "## PM Status: NEEDS_CLARIFICATION" block');
  }
  const { evidence, fallback, options, timeout: _, ...rest } = block;
  const { option, reasoning: because, confidence, risk } = fallback;
  const { investigator, ...others } = evidence;
  const given = { ...rest, ...others, investigator: investigator ?? undefined, option: options };
  return { ...given, fallback: option, because, confidence, risk };
}

function unusable(name: string, why: string) {
  const hint = "Give the flags instead, or a block as the skill shows it.";
  return usageError(name, {
    field: "--block",
    value: null,
    why: `--block cannot be used: ${why}`,
    hint,
  });
}
