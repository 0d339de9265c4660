/**
 * What the commands of memory have in common in their input.
 *
 * @module
 */

import * as z from "zod/mini";
import { CATEGORIES } from "../memory/schema.ts";
import { agentName } from "./actor.ts";
import { argument } from "./arguments.ts";
import { issueNumber, must } from "./inputs.ts";

/** `obs-engineer-42-1709035200000-a1b2c3`. */
export const observationId = argument(
  z.string().check(
    z.regex(
      /^obs-[a-z0-9][a-z0-9_.@-]{0,63}-[1-9][0-9]{0,8}-[0-9]{1,15}-[a-z0-9]{6}$/,
      must("look like obs-engineer-42-1709035200000-a1b2c3"),
    ),
  ),
  "Id of the observation",
  { placeholder: "ID" },
);

/** `--category`. */
export const category = argument(z.enum(CATEGORIES), "What it tells");

/** What a person is told who captures or recalls in vain. */
export const SWITCHED_OFF = "Memory is switched off: memory.enabled is false";

/** `--agent` and `--issue`, both required. */
export const session = {
  agent: agentName("Whose session it is"),
  issue: argument(issueNumber, "The issue that is worked on"),
};

/**
 * @param description one sentence without a final period
 * @param minimum the smallest number
 * @returns a schema for a whole number
 */
export function wholeNumber(
  description: string,
  minimum: number,
): z.ZodMiniType<number, string> {
  const rule = must(`be a whole number from ${minimum} to 9999999`);
  return argument(
    z.pipe(
      z.string().check(
        z.refine((text) => /^[0-9]{1,7}$/.test(text) && Number(text) >= minimum, rule),
      ),
      z.transform(Number),
    ),
    description,
    { placeholder: "N" },
  );
}

/**
 * @param description one sentence without a final period
 * @returns a schema for `2026-02-27` or `2026-02-27T10:00:00Z`
 */
export function moment(description: string): z.ZodMiniType<string, string> {
  const isMoment = (text: string) =>
    /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?Z)?$/.test(text) &&
    dayOf(text) === text.slice(0, 10);
  return argument(
    z.string().check(z.refine(isMoment, must("be a date such as 2026-02-27"))),
    description,
    { placeholder: "DATE" },
  );
}

/** Where there is no such day, `Date` takes one of the next month for it. */
function dayOf(text: string): string | undefined {
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString().slice(0, 10);
}
