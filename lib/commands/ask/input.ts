// The input of the gate's commands, and the checks that a human runs them.

import { AgentxError } from "../../base/errors.ts";
import { text } from "../../cli/inputs.ts";
import type { Io } from "../../cli/io.ts";
import { typesWord } from "../../cli/person.ts";
import { optional, rule, type Spec, word } from "../../cli/spec.ts";
import { type GateInteraction, isSecurity } from "../../gate/interaction.ts";
import { parseTimeout } from "../../gate/timeout.ts";
import { OWN_TERMINAL, rulingOn, surfaceOf, WHO_MAY_DECIDE } from "../../who/surface.ts";

/** `ASK-001`, or in short `1`. */
export const askId: Spec<string> = idOf("ASK", "Id of the question to the human");

/** `ASM-001`, or in short `1`. */
export const assumptionId: Spec<string> = idOf("ASM", "Id of the assumption");

function idOf(kind: "ASK" | "ASM", description: string): Spec<string> {
  return {
    ...rule((text) => /^[A-Z]{3}-[0-9]{3,9}$/.test(wholeId(kind, text)), `look like ${kind}-001`),
    description,
    placeholder: `${kind}-NNN`,
    read: (text) => wholeId(kind, text),
  };
}

/** The whole id of a text such as `ASK-1`, `ask-001` or `1`; any other text as it is. */
function wholeId(kind: "ASK" | "ASM", text: string): string {
  const [, digits] = new RegExp(`^(?:${kind}-)?0*([1-9][0-9]{0,8})$`, "i").exec(text) ?? [];
  return digits === undefined ? text : `${kind}-${digits.padStart(3, "0")}`;
}

/** `90s`, `5m`, `2h` or `never`. */
export const timeout: Spec<string | undefined> = optional(
  {
    ...rule(
      (text) => parseTimeout(text) !== undefined,
      "be a time such as 90s, 5m or 2h, or never",
    ),
    placeholder: "TIME",
  },
  "How long the human has, at least gate.timeout (default: 5m)",
);

/** How long the human has. Only a human sets this time. An agent can only ask for a longer time. */
export function timeFor(io: Io, given: string | undefined): { timeout?: string; wanted?: string } {
  return rulingOn("gate", io) === "yes" ? { timeout: given } : { wanted: given };
}

/** A flag with values that help and completion show; the gate itself refuses other values. */
export function shown(
  values: readonly string[],
  description: string,
  placeholder: string,
): Spec<string | undefined> {
  return optional({ ...word, values }, `${description}: ${values.join(", ")}`, { placeholder });
}

/** A short text, which is not read from a pipe. */
export function short(maxCharacters: number): Spec<string> {
  return { ...text(maxCharacters), readsStdin: false };
}

/**
 * Returns whether a human at a terminal is verified. Throws `INVALID_TRANSITION` in an agent's session and in CI:
 * agents decide nothing for the human.
 */
export function checkHuman(io: Io, id: string, action: string): boolean {
  const { surface, agent: session } = surfaceOf(io);
  const ruling = WHO_MAY_DECIDE[surface].gate;
  if (ruling !== "no") return ruling === "yes";
  const place = session === undefined ? "CI" : `an agent's session, since ${session}`;
  const why = `only a human can, and this is ${place}`;
  throw new AgentxError("INVALID_TRANSITION", `Cannot ${action} ${id}: ${why}`, {
    details: { clarificationId: id, status: "pending", action },
    next: OWN_TERMINAL,
  });
}

/** Whether a human at a terminal is verified for a question. A question about security may ask for a typed word. */
export async function isVerifiedFor(io: Io, { request }: GateInteraction): Promise<boolean> {
  const ruling = rulingOn(isSecurity(request) ? "security" : "gate", io);
  if (ruling === "word") return await typesWord(io, "This decides about security.");
  return ruling === "yes";
}
