// Renders a question to the human, and its outcome, as text. Pure. The renderers make texts of agents and people safe
// for a terminal.

import { agentLabel } from "../../text/agent_label.ts";
import { minuteOf } from "../../base/time.ts";
import { terminalBlock, terminalLine } from "../../text/text.ts";
import type { RenderView } from "../../text/view.ts";
import { type GateInteraction, isSecurity } from "../interaction.ts";
import { BLOCKERS } from "../request.ts";

/**
 * Returns a question for a person: the question, its options, the fallback without an answer, and the reason. The
 * text is not made safe for a terminal.
 */
export function questionText(
  { request, deadline, earlier }: Pick<GateInteraction, "request" | "deadline" | "earlier">,
): string {
  const { blockerType, evidence, question, options, fallback } = request;
  const { codebaseSearch, similarFeatures, attemptedInference, investigator } = evidence;
  const choice = `(${fallback.option}), because ${fallback.reasoning}`;
  const before = earlier?.decision.text;
  const same = options.find(({ text }) => text === before);
  return [
    question,
    "",
    ...earlier
      ? [`Answered before, in ${earlier.id}: ${same ? `${same.label}) ` : ""}${before}`, ""]
      : [],
    ...options.map(({ label, text }) => `${label}) ${text}`),
    "",
    deadline === null
      ? `If nobody answers: waits. Fallback: ${choice}`
      : `If nobody answers by ${minuteOf(deadline)} UTC: ${choice}`,
    `Risk if that is wrong: ${fallback.risk}`,
    "",
    ...(blockerType === "none" ? [] : [`Why it asks: ${BLOCKERS[blockerType]}`]),
    `Searched: ${codebaseSearch}`,
    `Similar features: ${similarFeatures}`,
    `Tried to infer it from: ${attemptedInference}`,
    ...(investigator === null ? [] : [`Investigator found: ${investigator}`]),
  ].join("\n");
}

/** Returns the lines that a human reads before answering (seed 004, "Surface to User"). */
export function renderQuestion(
  question: GateInteraction,
  { style, width }: RenderView,
): string {
  const { id, request } = question;
  const head = `${style.bold(id)}: ${agentLabel(request.agent)} needs clarification to proceed ` +
    `(issue #${request.issue})`;
  const block = terminalBlock(questionText(question), { indent: "  | ", width });
  return [`  ${head}`, "", ...block].join("\n");
}

/** Returns the outcome of a question, and what the agent does next. */
export function renderInteraction(
  interaction: GateInteraction,
  { style }: RenderView,
): string {
  const { id } = interaction;
  const lines = [`${style.bold(id)} ${statusLine(interaction)}`, ...gateNext(interaction)];
  return lines.map((line) => `  ${line}`).join("\n");
}

/** Returns the state of a question in one line. */
export function statusLine(interaction: GateInteraction): string {
  const { outcome, decision, verified, request, deadline, standing, supersededBy } = interaction;
  const option = decision === null ? "" : terminalLine(
    decision.label === null ? decision.text : `(${decision.label}) ${decision.text}`,
  );
  if (outcome === null) {
    const until = deadline === null ? "as long as it takes" : `until ${deadline}`;
    return `is waiting for a human, ${until}.`;
  }
  const later = supersededBy ? `; ${supersededBy} decided it again` : "";
  if (standing !== null) {
    return `is answered by the standing answer of ${standing}: ${option}${later}`;
  }
  if (outcome === "human") {
    return `is answered by a human${verified ? "" : ", unverified"}: ${option}${later}`;
  }
  const why = {
    timeout: "got no answer in time",
    declined: "was declined by the human for good",
    cancelled: "was closed by the human without an answer, for good",
  }[outcome];
  if (decision !== null) return `${why}; the fallback is taken: ${option}${later}`;
  const never = isSecurity(request) ? ": it is a decision about security" : "";
  return `${why}; nothing may be assumed${never}.`;
}

export function gateNext(
  { id, outcome, decision, request, supersededBy }: GateInteraction,
): string[] {
  if (outcome === null) {
    const labels = request.options.map(({ label }) => label).join("|");
    return [
      `Answer it with: agentx answer ${id} ${labels}|TEXT`,
      `Wait for the answer with: agentx ask human --id ${id}`,
    ];
  }
  if (supersededBy) return [`Read the decision that holds: agentx ask human --id ${supersededBy}`];
  if (decision === null) return ["Leave out what depends on it, and say so."];
  return outcome === "human"
    ? ["Continue with it."]
    : ["Continue with it, and do nothing that cannot be undone."];
}
