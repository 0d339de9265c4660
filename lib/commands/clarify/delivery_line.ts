// Describes a delivery in a sentence for people: its state, the proof of it, and the next action. Pure.

import { isSessionName } from "../../base/agent_names.ts";
import { agentLabel } from "../../text/agent_label.ts";
import { terminalBlock, terminalLine } from "../../text/text.ts";
import type { RenderView } from "../../text/view.ts";
import type { DeliveryReport } from "../../hooks/delivery_report.ts";

const MAX_SESSION = 60;

/** Returns one line in a pipe, and wrapped lines at a terminal. */
export function deliveryLines(
  report: DeliveryReport,
  { width, isPiped }: Pick<RenderView, "width" | "isPiped">,
): string[] {
  const { id, kind, receiver, state, session, offers, at, proof } = report;
  const who = agentLabel(receiver);
  const of = session === null ? "" : ` (session ${terminalLine(session, MAX_SESSION)})`;
  const times = offers > 1 ? `, ${offers} times` : "";
  const otherwise = kind === "question"
    ? "; or run its target with: agentx clarify run"
    : isSessionName(receiver)
    ? "; once it has ended, wake it with: agentx clarify run"
    : ""; // a role has no session that could be woken
  const next = kind === "question" ? "it to answer" : "it to resolve or ask again";
  const states: Record<DeliveryReport["state"], string> = {
    queued: `waiting for a session of ${who} to start, get a prompt or use a tool${otherwise}`,
    woken: `waiting for ${who}${of}, whose run began at ${at ?? "an unknown time"}`,
    offered: `delivered to ${who}${of} at ${at}${times}; not confirmed as read yet`,
    shown: `read by ${who}${of}, as its ${
      PROOFS[proof ?? "later event"]
    } proves; waits for ${next}`,
    acknowledged: `read: ${who} acted at ${at}`,
  };
  const line = `Delivery of the ${kind} ${terminalLine(id)}: ${states[state]}`;
  return isPiped ? [`  ${line}`] : terminalBlock(line, { indent: "  ", width });
}

const PROOFS = { transcript: "recording", "later event": "next event" } as const;
