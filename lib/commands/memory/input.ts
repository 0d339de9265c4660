/**
 * What the commands of memory have in common in their input.
 *
 * @module
 */

import { agentName, issueNumber } from "../../cli/inputs.ts";
import { argument, oneOf, rule, type Spec } from "../../cli/spec.ts";
import { AgentxError } from "../../errors.ts";
import { CATEGORIES } from "../../memory/schema.ts";
import { observationNotFound } from "../../memory/store/observation_files.ts";
import type { JsonObservationStore } from "../../memory/store/store.ts";

/** `obs-engineer-42-1709035200000-a1b2c3`, or so much of its beginning, or its end, as is unique. */
export const observationId: Spec<string> = {
  ...rule(
    /^(?:obs-[a-z0-9_.@-]{1,100}|[a-z0-9]{6})$/,
    "look like obs-engineer-42-1709035200000-a1b2c3, or like its beginning or end",
  ),
  description: "Id of the observation, its unique beginning, or its end",
  placeholder: "ID",
};

const WHOLE_ID = /^obs-.+-[1-9][0-9]{0,8}-[0-9]{1,15}-[a-z0-9]{6}$/;

/** Ids that a message names, where several would fit. */
const MAX_NAMED = 4;

/**
 * @returns the whole id; a text that is a whole id need not be there
 * @throws {AgentxError} `NOT_FOUND`; `INVALID_INPUT` where several fit
 */
export async function wholeId(
  store: Pick<JsonObservationStore, "searchByFilters">,
  text: string,
): Promise<string> {
  if (WHOLE_ID.test(text)) return text;
  const ids = (await store.searchByFilters({})).map(({ id }) => id)
    .filter((id) => id.startsWith(text) || id.endsWith(`-${text}`));
  if (ids.length === 1) return ids[0];
  if (ids.length === 0) throw observationNotFound(text);
  const named = ids.slice(0, MAX_NAMED).join(", ");
  const more = ids.length > MAX_NAMED ? ` and ${ids.length - MAX_NAMED} more` : "";
  throw new AgentxError("INVALID_INPUT", `Cannot use "${text}" as id: ${ids.length} ids fit it`, {
    details: { field: "ID", value: text },
    next: `Write more of one of these: ${named}${more}`,
  });
}

/** `--category`. */
export const category = argument(oneOf(CATEGORIES), "What it tells");

/** What a person is told who captures or recalls in vain. */
export const SWITCHED_OFF = "Memory is switched off: memory.enabled is false";

/** `--agent` and `--issue`, both required. */
export const session = {
  agent: agentName("Whose session it is"),
  issue: argument(issueNumber, "The issue that is worked on"),
};

/** A whole number from `minimum` on. */
export function wholeNumber(description: string, minimum: number): Spec<number> {
  const isInRange = (text: string) => /^[0-9]{1,7}$/.test(text) && Number(text) >= minimum;
  const must = `be a whole number from ${minimum} to 9999999`;
  return { ...rule(isInRange, must), description, placeholder: "N", read: Number };
}

/** `2026-02-27` or `2026-02-27T10:00:00Z`. */
export function moment(description: string): Spec<string> {
  const isMoment = (text: string) =>
    /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?Z)?$/.test(text) &&
    dayOf(text) === text.slice(0, 10);
  return argument(rule(isMoment, "be a date such as 2026-02-27"), description, {
    placeholder: "DATE",
  });
}

/** Where there is no such day, `Date` takes one of the next month for it. */
function dayOf(text: string): string | undefined {
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString().slice(0, 10);
}
