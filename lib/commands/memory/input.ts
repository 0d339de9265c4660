// Input that the commands of memory share.

import { HUMAN, roleOf } from "../../base/agent_names.ts";
import { isTime } from "../../base/checks.ts";
import { actingAgent } from "../../cli/acting_agent.ts";
import { agentName, issueNumber } from "../../cli/inputs.ts";
import type { Io } from "../../cli/io.ts";
import { argument, oneOf, rule, type Spec } from "../../cli/spec.ts";
import { CATEGORIES } from "../../memory/schema.ts";
import { isoTime } from "../../base/time.ts";

export const category = argument(oneOf(CATEGORIES), "Kind of observation");

/** The message if memory is off. */
export const SWITCHED_OFF = "Memory is switched off: memory.enabled is false";

/** The number of an issue, or 0 for the project. */
const observedIssue: Spec<number> = {
  ...issueNumber,
  ...rule(/^#?(?:0|[1-9][0-9]{0,8})$/, "be a whole number from 0 to 999999999"),
  json: { type: "integer", minimum: 0 },
  read: issueNumber.read,
};

/** The agent and the issue of a session, both required: `--agent` and `--issue`. */
export const session = {
  agent: agentName("Agent of the session"),
  issue: argument(observedIssue, "Issue that is worked on; 0 for the project"),
};

/** Throws `INVALID_INPUT` if an agent's session would write as a human: only a person does. */
export function checkAuthor(io: Io, agent: string): void {
  if (roleOf(agent) === HUMAN) actingAgent(io, HUMAN);
}

/** A whole number from `minimum` on. */
export function wholeNumber(description: string, minimum: number): Spec<number> {
  const isInRange = (text: string) => /^[0-9]{1,7}$/.test(text) && Number(text) >= minimum;
  const must = `be a whole number from ${minimum} to 9999999`;
  const json = { type: "integer", minimum, maximum: 9_999_999 } as const;
  return { ...rule(isInRange, must), description, placeholder: "N", json, read: Number };
}

/** A day or a time, such as `2026-02-27` or `2026-02-27T10:00:00Z`. */
export function moment(description: string): Spec<string> {
  const isMoment = (text: string) =>
    /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?Z)?$/.test(text) && isTime(text) &&
    isoTime(text).startsWith(text.slice(0, 10)); // for a day that does not exist, `Date` returns another day
  return argument(rule(isMoment, "be a date such as 2026-02-27"), description, {
    placeholder: "DATE",
  });
}
