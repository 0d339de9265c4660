// Parses a plan that splits an issue into parts: one title per line, or groups as a planning agent writes them,
// `**Group B: Checkout**` with its items and `Depends on: A` below. Pure.

import { cyclesIn } from "../../base/cycles.ts";
import { AgentxError } from "../../base/errors.ts";

/** A planned part of an issue. */
export interface PlannedPart {
  /** One line. */
  title: string;
  /** Markdown. */
  body: string;
  /** The parts that it waits for, by index in the plan. */
  waitsFor: number[];
  /** The workflow step at which the part begins; null if the plan names none. */
  step: string | null;
}

/** Maximum number of parts. A person could not review more. */
const MAX_PARTS = 100;

const GROUP = /^\s*(?:#{1,6}\s+|[-*]\s+)?(?:\*\*)?Group\s+(\w+)\s*:(.*)$/is;
const DEPENDS = /^\s*(?:[-*]\s+)?(?:\*\*)?(?:Depends on|Dependencies)(?:\*\*)?\s*:(?:\*\*)?(.*)$/i;
const STARTS = /^\s*(?:[-*]\s+)?(?:\*\*)?Starts at(?:\*\*)?\s*:(?:\*\*)?\s*(\S+)\s*$/i;
const NAME = /\b(?:group\s+)?(\w+)\b/gi;
/** Matches a dependency line of a group that waits for no other: `none`, `no other group`. */
const NOTHING = /^\W*(?:none|no|nothing)\b/i;
const OTHER_HEADING = /^\s*#{1,6}\s/;
const BULLET = /^\s*(?:[-*+]\s+(?:\[[ xX~-]\]\s+)?|\d{1,9}[.)]\s+)?/;

/**
 * Returns the parts of a plan, in order.
 *
 * @throws {AgentxError} `INVALID_INPUT` if there are no parts, more than 100, or parts that wait for each other
 */
export function parsePlan(text: string): PlannedPart[] {
  const lines = text.split(/\r?\n/);
  const parts = hasGroups(text) ? groupsIn(lines) : titlesIn(lines);
  if (parts.length === 0) throw wrong("it names no part");
  if (parts.length > MAX_PARTS) {
    throw wrong(`it has ${parts.length} parts, and ${MAX_PARTS} are allowed`);
  }
  const [cycle] = cyclesIn(new Map(parts.map(({ waitsFor }, index) => [index, waitsFor])));
  if (cycle === undefined) return parts;
  throw wrong(`these wait for each other: ${cycle.map((at) => parts[at].title).join(", ")}`);
}

/** Returns whether a plan has groups, and is not just a list of titles. */
export function hasGroups(text: string): boolean {
  return text.split(/\r?\n/).some((line) => GROUP.test(line));
}

function titlesIn(lines: readonly string[]): PlannedPart[] {
  return lines
    .map((line) => line.replace(BULLET, "").trim())
    .filter((title) => title !== "")
    .map((title) => ({ title, body: "", waitsFor: [], step: null }));
}

function groupsIn(lines: readonly string[]): PlannedPart[] {
  const groups: Array<
    { name: string; title: string; body: string[]; needs: string[]; step?: string }
  > = [];
  let isInside = false;
  for (const line of lines) {
    const [, name, title] = GROUP.exec(line) ?? [];
    if (name !== undefined) {
      groups.push({ name: name.toUpperCase(), title: plain(title), body: [], needs: [] });
    }
    isInside = name !== undefined || isInside && !OTHER_HEADING.test(line);
    if (name !== undefined || !isInside) continue;
    const needs = DEPENDS.exec(line)?.[1];
    const step = STARTS.exec(line)?.[1];
    if (step !== undefined) groups.at(-1)!.step = step;
    else if (needs === undefined) groups.at(-1)!.body.push(line);
    else groups.at(-1)!.needs.push(...namesIn(needs));
  }
  const names = groups.map(({ name }) => name);
  return groups.map(({ name, title, body, needs, step = null }, index) => {
    if (names.indexOf(name) !== index) throw wrong(`there are two groups ${name}`);
    const waitsFor = needs.map((need) => {
      if (!names.includes(need)) {
        throw wrong(`group ${name} waits for "${need}", which the plan lacks`);
      }
      return names.indexOf(need);
    });
    return { title, body: body.join("\n").trim(), waitsFor: [...new Set(waitsFor)], step };
  });
}

function plain(title: string): string {
  return title.trim().replace(/\*\*$/, "").trim();
}

function namesIn(text: string): string[] {
  if (NOTHING.test(text)) return [];
  const names = text.replaceAll(/\([^()]*\)/g, " ").matchAll(NAME);
  return Array.from(names, ([, name]) => name.toUpperCase())
    .filter((name) => !["AND", "GROUP", "GROUPS"].includes(name));
}

function wrong(why: string): AgentxError<"INVALID_INPUT"> {
  return new AgentxError("INVALID_INPUT", `Cannot use the plan: ${why}`, {
    details: { field: "plan", value: null },
    next: "Give a title on each line, or groups such as **Group A: Checkout**",
  });
}
