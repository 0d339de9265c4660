/**
 * What the commands of the gate take, and from whom. Pure.
 *
 * @module
 */

import { actingAgent } from "../../cli/acting_agent.ts";
import { text } from "../../cli/inputs.ts";
import type { Io } from "../../cli/io.ts";
import { optional, rule, type Spec, word } from "../../cli/spec.ts";
import { wholeId } from "../../gate/ids.ts";
import { onlyHumans } from "../../gate/refusals.ts";
import { parseTimeout } from "../../gate/timeout.ts";

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

/** `90s`, `5m`, `2h` or `never`. */
export const timeout: Spec<string | undefined> = optional(
  {
    ...rule(
      (text) => parseTimeout(text) !== undefined,
      "be a time such as 90s, 5m or 2h, or never",
    ),
    placeholder: "TIME",
  },
  "How long the human has before the fallback is taken (default: gate.timeout, 5m)",
);

/** One of these, as help and completion show them; another one is refused by the gate itself. */
export function shown(
  values: readonly string[],
  description: string,
  placeholder: string,
): Spec<string | undefined> {
  return optional({ ...word, values }, `${description}: ${values.join(", ")}`, { placeholder });
}

/** A text that is not worth a pipe. */
export function short(maxCharacters: number): Spec<string> {
  return { ...text(maxCharacters), readsStdin: false };
}

/**
 * Agents decide nothing for the human.
 *
 * @returns whether a human typed it at a terminal
 * @throws {AgentxError} `INVALID_TRANSITION` in an agent's session
 */
export function checkHuman(io: Io, id: string, action: string): boolean {
  const { session, isVerified } = actingAgent(io, undefined);
  if (session !== undefined) throw onlyHumans(id, { action, session });
  return isVerified;
}
