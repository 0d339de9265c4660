// The meaning of issue labels: type, priority, size and others. Unknown labels are left alone. Pure.

import { AgentxError } from "../../base/errors.ts";
import { checkText } from "../../base/input_checks.ts";
import { quote } from "../../base/quote.ts";
import { nearest } from "../../text/nearest.ts";

/** An object with labels. */
export interface Labelled {
  /** Such as `type:bug`. */
  labels: readonly string[];
}

/** How urgent an issue is, `p0` first. */
export type Priority = "p0" | "p1" | "p2" | "p3";

/** How much work an issue is. */
export type Size = "small" | "medium" | "large";

/** The issue types of the documents (PRD "Issue-First Development Workflow"). */
export const ISSUE_TYPES: readonly string[] = [
  "epic",
  "feature",
  "story",
  "bug",
  "spike",
  "docs",
  "devops",
];

/** The label that sends an issue back after a review. */
export const NEEDS_CHANGES = "needs:changes";

/** The label that extends the iterative loop of an issue. */
export const NEEDS_ITERATION = "needs:iteration";

const PRIORITY = /^(?:priority:)?(p[0-3])$/i;
const MAX_LABEL = 100;

/** The maximum number of labels, as on GitHub. */
const MAX_LABELS = 100;

const SIZES: Record<string, Size> = {
  xs: "small",
  s: "small",
  small: "small",
  m: "medium",
  medium: "medium",
  l: "large",
  large: "large",
  xl: "large",
};

/** An issue has at most one label of each of these kinds. */
const SINGLE_KINDS = [
  { kind: "type", pattern: /^type:/i, form: /^type:[a-z][a-z0-9-]{0,39}$/, rule: "type:bug" },
  { kind: "priority", pattern: /^(?:priority:|p\d+$)/i, form: PRIORITY, rule: "p0 to p3" },
  {
    kind: "size",
    pattern: /^size:/i,
    form: /^size:(?:xs|s|m|l|xl|small|medium|large)$/,
    rule: "size:small, size:medium or size:large",
  },
];

const LINK = {
  pattern: /^(?:blocked[_-]by|blocks):/i,
  form: /^(?:[a-z_-]+:#?|blocked[_-]by:[a-z0-9][\w.-]*(?:\/[a-z0-9][\w.-]*)?#)[1-9]\d{0,8}$/i,
};

const NOT_BEFORE = /^not-before:(\d{4}-\d\d-\d\d)$/;

const KEYS = [
  "type",
  "priority",
  "size",
  "blocked_by",
  "blocked-by",
  "blocks",
  "needs",
  "not-before",
];

/** Guesses the known label that a label with a mistyped key meant. `types` are the types of this workspace. */
export function meantLabel(label: string, types: readonly string[]): string | undefined {
  const [, key = "", value] = /^([^:]+):(.+)$/.exec(label) ?? [];
  const meant = nearest(key.toLowerCase(), KEYS);
  if (meant === undefined || meant === key.toLowerCase()) return undefined;
  const other = `${meant}:${value}`;
  const isOurs = meant === "type"
    ? types.includes(value)
    : [NEEDS_CHANGES, NEEDS_ITERATION].includes(other) || NOT_BEFORE.test(other) ||
      [...SINGLE_KINDS, LINK].some(({ form }) => form.test(other));
  return isOurs ? other : undefined;
}

/** Returns the label that holds an issue back until the day of an ISO-8601 time. */
export function notBeforeLabel(time: string): string {
  return `not-before:${time.slice(0, "2026-12-24".length)}`;
}

/**
 * Returns the latest day, such as `2026-12-24`, until which a label holds an issue back; undefined if there is none.
 */
export function notBeforeOf({ labels }: Labelled): string | undefined {
  return labels.flatMap((label) => NOT_BEFORE.exec(label)?.[1] ?? []).sort().at(-1);
}

/** Returns the type from the `type:` label. The type selects the workflow. */
export function typeOf(issue: Labelled | undefined): string | undefined {
  return issue?.labels.find((label) => label.startsWith("type:"))?.slice("type:".length);
}

/** Returns the most urgent priority among the labels; null if there is none. */
export function priorityOf({ labels }: Labelled): Priority | null {
  const named = labels.flatMap((label) => PRIORITY.exec(label)?.[1].toLowerCase() ?? []);
  return named.sort()[0] as Priority | undefined ?? null;
}

/** Returns the size among the labels; null if there is none. */
export function sizeOf({ labels }: Labelled): Size | null {
  const names = labels.map((label) => /^size:(.+)$/i.exec(label)?.[1].toLowerCase() ?? "");
  const known = names.find((name) => Object.hasOwn(SIZES, name));
  return known === undefined ? null : SIZES[known];
}

/**
 * Checks labels, and returns them trimmed and without duplicates.
 *
 * @throws {AgentxError} `INVALID_INPUT` if a label is blank, too long, contains a comma, or breaks the rules of a
 * known kind; if an issue may have only one label of a kind and there are two; or if there are more than 100 labels
 */
export function checkLabels(labels: readonly unknown[]): string[] {
  if (labels.length > MAX_LABELS) {
    throw invalid(String(labels[MAX_LABELS]), `an issue has at most ${MAX_LABELS} labels`);
  }
  const checked = new Set(labels.map(checkLabel));
  for (const { kind, pattern } of SINGLE_KINDS) {
    const [first, second] = [...checked].filter((label) => pattern.test(label));
    if (second !== undefined) {
      throw invalid(second, `an issue has one ${kind}, and "${first}" is already set`);
    }
  }
  return [...checked];
}

/** Options of {@linkcode withLabels}. */
export interface LabelChange {
  /** Labels to add. A type, priority or size replaces the present label of that kind. */
  add: readonly string[];
  /** Labels to remove. A label that the issue does not have is ignored. */
  remove: readonly string[];
}

/** Applies checked changes to labels. */
export function withLabels(labels: readonly string[], { add, remove }: LabelChange): string[] {
  const replaced = SINGLE_KINDS.filter(({ pattern }) => add.some((label) => pattern.test(label)));
  const kept = labels.filter((label) =>
    !remove.includes(label) && !replaced.some(({ pattern }) => pattern.test(label))
  );
  return [...new Set([...kept, ...add])];
}

function checkLabel(value: unknown): string {
  const label = checkText("label", value, MAX_LABEL).trim();
  if (/[,\p{Cc}]/u.test(label)) throw invalid(label, "it must be one line without a comma");
  const single = SINGLE_KINDS.find(({ pattern }) => pattern.test(label));
  if (single !== undefined && !single.form.test(label)) {
    throw invalid(label, `a ${single.kind} must be ${single.rule}`);
  }
  if (LINK.pattern.test(label) && !LINK.form.test(label)) {
    throw invalid(label, "it must name one issue, such as #12");
  }
  return label;
}

function invalid(label: string, why: string): AgentxError<"INVALID_INPUT"> {
  return new AgentxError("INVALID_INPUT", `Cannot use ${quote(label)} as a label: ${why}`, {
    details: { field: "label", value: label },
    next: "Correct it and try again",
  });
}
