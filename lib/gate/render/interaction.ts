// A question to the human, and its outcome, as text. Pure; what agents and people wrote is made
// safe here.

import { agentLabel } from "../../text/agent_label.ts";
import { terminalBlock, terminalLine } from "../../text/text.ts";
import type { RenderView } from "../../text/view.ts";
import { type GateInteraction, isSecurity } from "../interaction.ts";
import { questionText } from "../question_text.ts";

/** The lines that a human reads before the answer (seed 004, "Surface to User"). */
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

/** Its outcome, and what the agent does next. */
export function renderInteraction(
  interaction: GateInteraction,
  { style }: RenderView,
): string {
  const { id } = interaction;
  const lines = [`${style.bold(id)} ${statusLine(interaction)}`, ...nextOf(interaction)];
  return lines.map((line) => `  ${line}`).join("\n");
}

/** Its state in one line. */
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

export function nextOf(
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
