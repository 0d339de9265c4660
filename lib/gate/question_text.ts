// A question as a person reads it: what is asked, what can be chosen, what is done without an answer, and
// then why it is asked. Pure; nothing in it is made safe for a terminal here.

import { minuteOf } from "../base/time.ts";
import type { GateInteraction } from "./interaction.ts";
import { BLOCKERS } from "./request.ts";

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
