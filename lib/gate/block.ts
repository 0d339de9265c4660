/**
 * The block NEEDS_CLARIFICATION, to the letter of seed 004. Pure.
 *
 * @module
 */

import { BLOCKERS, type GateRequest, riskLevel } from "./request.ts";

/**
 * Writes the block that a human reads.
 *
 * @param request each part of it on one line
 * @param wait how long the human has, in words; null where nothing is done without an answer
 * @returns the block, which `parseBlock` reads back
 */
export function renderBlock(request: GateRequest, wait: string | null): string {
  const { blockerType, evidence, question, options, fallback } = request;
  const { codebaseSearch, similarFeatures, attemptedInference, investigator } = evidence;
  const silence = wait === null
    ? "Without a response I wait. I would"
    : `If no response within ${wait}, I will`;
  const status = wait === null
    ? "waits for a response"
    : `auto-proceed with fallback after ${wait}`;
  return [
    "## PM Status: NEEDS_CLARIFICATION",
    "",
    `**Blocker Type:** ${blockerType === "none" ? "None" : BLOCKERS[blockerType]}`,
    "",
    "**Evidence of Exhaustion:**",
    `- Codebase search: ${codebaseSearch}`,
    `- Similar features: ${similarFeatures}`,
    `- Attempted inference: ${attemptedInference}`,
    ...investigator === null ? [] : [`- Investigator findings: ${investigator}`],
    "",
    `**Question:** ${question}`,
    "",
    "**Options:**",
    ...options.map(({ label, text }) => `${label}) ${text}`),
    "",
    `**Safe Fallback:** ${silence} proceed with option (${fallback.option}) because ` +
    `${fallback.reasoning}. This assumption will be logged with ${riskLevel(fallback.risk)} risk.`,
    "",
    `**Status:** AWAITING_CLARIFICATION (${status})`,
    "",
  ].join("\n");
}
