// Checks a transcript against `docs/schemas/transcript.json`. Only `agentx run` and `doctor` load this module. Pure.

import * as z from "zod/mini";
import { isAgentName } from "../base/agent_names.ts";
import { nestingProblem } from "../base/input_checks.ts";

const text = z.string();
const textOrNull = z.nullable(text);
const count = z.int().check(z.minimum(0));

const CALL = z.looseObject({
  number: count,
  tool: text,
  input: z.union([z.record(text, z.unknown()), text]),
  state: z.enum(["waiting", "begun", "done"]),
  begunAt: textOrNull,
  result: textOrNull,
  isError: z.boolean(),
  clarificationId: textOrNull,
}).check(z.refine(({ state, result }) => (state === "done") === (result !== null)));

const TURN = z.union([
  z.looseObject({ role: z.literal("user"), text, at: text }),
  z.looseObject({ role: z.literal("assistant"), text, at: text, calls: z.array(CALL) }),
]);

export const TRANSCRIPT = z.looseObject({
  version: z.literal(1),
  id: text,
  agent: text.check(z.refine(isAgentName)),
  hostSession: text,
  issueNumber: count,
  issueUid: z.optional(textOrNull),
  started: text,
  system: text,
  recalled: text,
  iterations: count,
  tokens: count,
  countedFrom: z.looseObject({ iterations: count, tokens: count }),
  turns: z.array(TURN).check(
    z.minLength(1),
    z.refine(([task]) => task?.role === "user", { path: [0] }),
  ),
  settled: z.array(z.looseObject({ id: text, summary: text })),
  compaction: z.nullable(z.looseObject({ turns: count, summary: text })),
  end: z.nullable(z.looseObject({
    exit: z.enum([
      "complete",
      "paused",
      "escalated",
      "max_iterations",
      "budget",
      "model_error",
      "stuck",
      "abort",
    ]),
    text,
    at: text,
  })),
}).check(z.refine(({ compaction, turns }) => (compaction?.turns ?? 0) <= turns.length, {
  path: ["compaction"],
}));

/** Returns the first problem of a transcript, with its place; undefined if there is none. */
export function transcriptProblem(value: unknown): string | undefined {
  const { error, data } = TRANSCRIPT.safeParse(value);
  if (data !== undefined) return nestingProblem(data);
  const path = error!.issues[0].path.join(".");
  return path === "" ? "it is not a transcript" : `${path} is not as it must be`;
}
