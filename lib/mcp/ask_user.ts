// The tool `ask_user`: the gate to the human. If the client has a form, its human answers in it; declining or closing
// the form is final, too. Otherwise the call waits for `agentx answer` as long as a host lets a tool wait. For a
// question that is still pending then, another call with its id continues the wait.

import {
  inputRequired,
  type InputRequiredResult,
  inputResponse,
} from "@modelcontextprotocol/server";
import { hostSession } from "../who/host_session.ts";
import { AgentxError } from "../base/errors.ts";
import type { HumanGate } from "../gate/gate.ts";
import { type GateInteraction, isSecurity } from "../gate/interaction.ts";
import { gateNext, statusLine } from "../gate/render/interaction.ts";
import { untilEnded } from "../gate/wait.ts";
import { clip } from "../base/quote.ts";
import { checkFirst } from "./first_question.ts";
import { inertJson } from "./inert.ts";
import { showProgress } from "./progress.ts";
import { outputOf } from "./run_command.ts";
import type { ToolResult, ToolRun } from "./tool.ts";

const ANSWER = "answer";

/** Asks the human, or continues to wait. */
export async function askUser(run: ToolRun): Promise<ToolResult | InputRequiredResult> {
  const { caller, context } = run;
  const gate = await (await context.openState()).gate();
  const interaction = await questionOf(run, gate);
  if (interaction.status !== "pending") return resultOf(await gate.noteDelivered(interaction));
  const response = inputResponse(caller.answers, ANSWER);
  if (response.kind === "elicit") {
    return resultOf(await gate.noteDelivered(await said(gate, interaction, response)));
  }
  if (caller.canBeAsked && !isSecurity(interaction.request)) {
    return inputRequired({ inputRequests: { [ANSWER]: form(interaction) } });
  }
  const { whileNotifying } = await import("../inbox/notifier.ts"); // imported late, since it loads a lot
  const waiting = () => waited(gate, interaction, run);
  return resultOf(
    await gate.noteDelivered(await whileNotifying(await context.openWorkspace(), waiting)),
  );
}

/**
 * Returns the question of a call. A repeated call resumes its question, because clients repeat calls, and an answered
 * form causes a second call.
 */
async function questionOf(run: ToolRun, gate: HumanGate): Promise<GateInteraction> {
  const { context, background, input } = run;
  if (input.id !== undefined) return await gate.get(String(input.id));
  const { root } = await context.openState();
  const key = JSON.stringify([root, input]);
  const asking = background.asked.get(key) ?? asked(run);
  background.asked.set(key, asking);
  asking.catch(() => background.asked.delete(key));
  return await gate.get(await asking);
}

/** Asks a new question; returns its id. */
async function asked(run: ToolRun): Promise<string> {
  const { command, context, background, input } = run;
  checkFirst("ask_user", run, FIRST);
  const session = hostSession(context.io.env) === undefined ? background.session : undefined;
  const { interaction } = await outputOf<{ interaction: GateInteraction }>({
    command,
    context,
    input: { ...input, session, noWait: true },
  });
  return interaction.id;
}

/** The arguments that a new question needs. The gate itself refuses missing evidence. */
const FIRST = {
  required: [
    "phase",
    "blockerType",
    "question",
    "option",
    "fallback",
    "because",
    "confidence",
    "risk",
  ],
  next: "Give all that the human needs to decide; or an id alone to wait on",
};

/** Returns a form with the words of an agent, made inert because a human reads them. */
function form({ content, request }: GateInteraction) {
  return inputRequired.elicit({
    message: inertJson(content),
    requestedSchema: {
      type: "object",
      properties: {
        [ANSWER]: {
          type: "string",
          title: "Decision",
          enum: request.options.map(({ label, text }) => inertJson(`${label}) ${text}`)),
        },
      },
      required: [ANSWER],
    },
  });
}

/** Decides by the reply to the form. After a closed form, the human is not asked again. */
async function said(
  gate: HumanGate,
  { id, request }: GateInteraction,
  { action, content }: { action: "accept" | "decline" | "cancel"; content?: unknown },
): Promise<GateInteraction> {
  if (action !== "accept") {
    return await gate.dismiss(id, action === "decline" ? "declined" : "cancelled");
  }
  const answer = (content as Record<string, unknown> | undefined)?.[ANSWER];
  const option = request.options.find(({ label, text }) =>
    inertJson(`${label}) ${text}`) === answer
  );
  if (option === undefined) throw unfit(answer);
  return await gate.answer(id, option.label);
}

async function waited(
  gate: HumanGate,
  { id }: GateInteraction,
  { caller, background: { waitMs }, waits }: ToolRun,
): Promise<GateInteraction> {
  waits();
  const stop = showProgress(caller, waitMs, () => `${id} is waiting for a human`);
  try {
    return await untilEnded(gate, id, { signal: caller.signal, maxMs: waitMs });
  } finally {
    stop();
  }
}

function resultOf(interaction: GateInteraction): ToolResult {
  const { id, outcome, decision } = interaction;
  const next = outcome === null
    ? "Nobody has answered yet: continue with what does not depend on it, or keep waiting with ask_user and " +
      `id ${id} alone.`
    : gateNext(interaction).join(" ");
  return {
    structured: {
      id,
      outcome: outcome ?? "pending",
      option: decision?.label ?? undefined,
      answer: decision?.text,
      next,
    },
    text: `${id} ${statusLine(interaction)}\n${next}`,
  };
}

function unfit(answer: unknown): AgentxError<"INVALID_INPUT"> {
  const why = "the client's form returned something that is not one of the options";
  return new AgentxError("INVALID_INPUT", `Cannot use the answer of the human: ${why}`, {
    details: { field: ANSWER, value: typeof answer === "string" ? clip(answer) : typeof answer },
    next: "The question stays open: call ask_user again",
  });
}
