/**
 * The tool `ask_user`: the client's human answers in a form, where the client has one; else the
 * question is escalated, with the options, and a human decides it later. What the human says, also that
 * it will not answer, is the end: the same question is not asked again.
 *
 * @module
 */

import {
  inputRequired,
  type InputRequiredResult,
  inputResponse,
} from "@modelcontextprotocol/server";
import { MAX_BODY } from "../../clarify/schema.ts";
import type { ActingAgent } from "../../cli/acting_agent.ts";
import { text } from "../../cli/inputs.ts";
import type { InputOf } from "../../cli/spec.ts";
import { AgentxError } from "../../errors.ts";
import { clip } from "../../text/quote.ts";
import { askingAgent } from "./actor.ts";
import { inert } from "./inert.ts";
import type { ASK_USER } from "./question_to_human.ts";
import type { ToolResult, ToolRun } from "./tool.ts";

const ANSWER = "answer";

type Input = Omit<InputOf<typeof ASK_USER>, "options"> & { options?: string[] };

/** What came of it. */
interface HumanAnswer {
  outcome: "accepted" | "declined" | "cancelled" | "escalated";
  answer: string | null;
  clarificationId: string | null;
}

const TOLD: Readonly<Record<HumanAnswer["outcome"], string>> = {
  accepted: "The human has answered.",
  declined:
    "The human does not answer this. It is not asked again: go on without it, say what you " +
    "assume, and do nothing that cannot be undone.",
  cancelled:
    "Nobody has answered: the form was closed. It is not asked again: go on without it, say " +
    "what you assume, and do nothing that cannot be undone.",
  escalated:
    "This client cannot ask its human. The question is escalated, and a human decides it " +
    "later: go on with what does not depend on it.",
};

/** Asks the human. */
export async function askUser(run: ToolRun): Promise<ToolResult | InputRequiredResult> {
  const { caller, context, deeds } = run;
  const input = run.input as unknown as Input;
  const acting = askingAgent("ask_user", context.io, input.from);
  const { root, router } = await context.openWorkspace();
  router.checkAsker(acting.name());
  const key = JSON.stringify([root, input.issue, input.question]);
  const before = deeds.humanSaid.get(key) as HumanAnswer | undefined;
  if (before !== undefined) return resultOf(before);
  const response = inputResponse(caller.answers, ANSWER);
  if (response.kind !== "elicit" && caller.canBeAsked) {
    return inputRequired({ inputRequests: { [ANSWER]: form(acting.name(), input) } });
  }
  const said = response.kind === "elicit"
    ? saidIn(response, input)
    : await escalated(run, input, acting);
  deeds.humanSaid.set(key, said);
  return resultOf(said);
}

/** The words of an agent, in a form that a human reads. */
function form(who: string, { issue, question, options, topic }: Input) {
  const about = topic === undefined ? "" : ` (${topic})`;
  const values = options?.map((each) => inert(each));
  return inputRequired.elicit({
    message: `${who} asks about issue #${issue}${inert(about)}:\n\n${inert(question)}`,
    requestedSchema: {
      type: "object",
      properties: {
        [ANSWER]: values === undefined
          ? { type: "string", title: "Answer", minLength: 1, maxLength: MAX_BODY }
          : { type: "string", title: "Decision", enum: values },
      },
      required: [ANSWER],
    },
  });
}

function saidIn(
  { action, content }: { action: "accept" | "decline" | "cancel"; content?: unknown },
  { options }: Input,
): HumanAnswer {
  if (action !== "accept") {
    const outcome = action === "decline" ? "declined" : "cancelled";
    return { outcome, answer: null, clarificationId: null };
  }
  const answer = (content as Record<string, unknown> | undefined)?.[ANSWER];
  const isFit = typeof answer === "string" && text(MAX_BODY).refuse(answer) === undefined &&
    (options === undefined || options.some((each) => inert(each) === answer));
  if (!isFit) throw unfit(answer);
  return { outcome: "accepted", answer, clarificationId: null };
}

async function escalated(
  { context }: ToolRun,
  { issue, question, options, topic }: Input,
  acting: ActingAgent,
): Promise<HumanAnswer> {
  const { router } = await context.openWorkspace();
  const { clarification: { id } } = await router.askHuman({
    issueNumber: issue,
    fromAgent: acting.name(),
    topic: topic ?? clip(question.split(/[\r\n]/, 1)[0]),
    question,
    options,
    session: acting.hostSession,
  });
  return { outcome: "escalated", answer: null, clarificationId: id };
}

function resultOf(said: HumanAnswer): ToolResult {
  const { outcome, answer, clarificationId } = said;
  const next = clarificationId === null
    ? TOLD[outcome]
    : `${TOLD[outcome]} See how it stands with clarify_list and id ${clarificationId}.`;
  const lines = [next, ...(answer === null ? [] : answer.split("\n").map((line) => `  | ${line}`))];
  return { structured: { ...said, next }, text: lines.join("\n") };
}

function unfit(answer: unknown): AgentxError<"INVALID_INPUT"> {
  const why = "what the client's form gave is none of the answers that it allows";
  return new AgentxError("INVALID_INPUT", `Cannot use the answer of the human: ${why}`, {
    details: { field: ANSWER, value: typeof answer },
    next: "Ask again in other words, or leave the decision to a human with clarify_escalate",
  });
}
