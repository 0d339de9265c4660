/**
 * How far a question or an answer got, as people read it: what is proven, and what it waits for. Pure.
 *
 * @module
 */

import { agentLabel } from "../../clarify/render/agent_label.ts";
import { terminalBlock, terminalLine } from "../../text/text.ts";
import type { RenderView } from "../../text/view.ts";
import type { DeliveryReport } from "./delivery_report.ts";

const MAX_SESSION = 60;

/**
 * @param report of the last entry of a thread
 * @param view where it is shown
 * @returns one line in a pipe; at a terminal, as many as it takes
 */
export function deliveryLines(
  report: DeliveryReport,
  { width, isPiped }: Pick<RenderView, "width" | "isPiped">,
): string[] {
  const { id, kind, receiver, state, session, offers, at, proof } = report;
  const who = agentLabel(receiver);
  const of = session === null ? "" : ` (session ${terminalLine(session, MAX_SESSION)})`;
  const times = offers > 1 ? `, ${offers} times` : "";
  const next = kind === "question" ? "it to answer" : "it to resolve or ask again";
  const standing: Record<DeliveryReport["state"], string> = {
    queued: `queued; waits for a session of ${who} to start, get a prompt or use a tool; ${
      OTHERWISE[kind]
    }: agentx clarify deliver`,
    woken: `woken${of} at ${at ?? "an unknown time"}; waits until ${who} has been shown it`,
    offered: `offered to ${who}${of} at ${at}${times}; waits for proof that it was shown`,
    shown: `shown to ${who}${of}, proven by its ${
      PROOFS[proof ?? "later event"]
    }; waits for ${next}`,
    acknowledged: `acknowledged: ${who} acted at ${at}`,
  };
  const line = `Delivery of the ${kind} ${terminalLine(id)}: ${standing[state]}`;
  return isPiped ? [`  ${line}`] : terminalBlock(line, { indent: "  ", width });
}

/** What else brings it to its receiver. */
const OTHERWISE: Record<DeliveryReport["kind"], string> = {
  question: "or run its target with",
  answer: "once it has ended, wake it with",
};

const PROOFS = { transcript: "recording", "later event": "next event" } as const;
