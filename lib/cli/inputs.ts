// Parts of input that several commands share. Pure.

import { isAgentName, nameRule, parseAgentName } from "../base/agent_names.ts";
import { quote } from "../base/quote.ts";
import { parseDuration } from "../base/time.ts";
import { argument, optional, rule, type Spec, word } from "./spec.ts";

/** Reads `42` or `#42`: a positive whole number in plain digits, without sign or leading zero. */
export const issueNumber: Spec<number> = {
  ...rule(/^#?[1-9][0-9]{0,8}$/, "be a whole number from 1 to 999999999"),
  description: "Number of the issue",
  short: "i",
  placeholder: "N",
  values: "issue",
  json: { type: "integer", minimum: 1 },
  read: (text) => Number(text.replace("#", "")),
};

/** Reads `42`, `#42`, or `42~b3f1` for an issue that shares its number with another one. */
export const issueName: Spec<string> = {
  ...rule(
    /^#?[1-9][0-9]{0,8}(?:~\w{1,8})?$/,
    "be the number of an issue, or its name in the list such as 2~b3f1",
  ),
  description: "Number of the issue",
  short: "i",
  placeholder: "N",
  values: "issue",
  read: (text) => text.replace("#", ""),
};

/** Reads `1500ms`, `90s`, `5m` or `2h` as milliseconds. */
export const durationMs: Spec<number> = {
  ...rule(
    (text) => parseDuration(text) !== undefined,
    "be a duration such as 1500ms, 90s, 5m or 2h",
  ),
  description: "A duration such as 90s or 5m",
  placeholder: "TIME",
  read: (text) => parseDuration(text)!,
};

const MAX_PERSON = 100;

/** Reads a text that is not blank, with a maximum number of Unicode characters; `-` means standard input. */
export function text(maxCharacters: number): Spec<string> {
  const must = `must have 1 to ${maxCharacters} characters`;
  return {
    ...word,
    description: `1 to ${maxCharacters} characters`,
    placeholder: "TEXT",
    readsStdin: true,
    json: { type: "string", maxLength: maxCharacters },
    refuse(text) {
      const count = [...text].length;
      if (text.trim() === "") return `${must}, and is blank`;
      return count <= maxCharacters ? undefined : `${must}, not ${count}`;
    },
  };
}

/** Reads the name of an agent, such as `architect`, `pm` or `engineer@2`. */
export function agentName(description: string): Spec<string> {
  return {
    ...word,
    description,
    placeholder: "AGENT",
    values: "agent",
    refuse: (text) => isAgentName(text) ? undefined : `cannot be ${quote(text)}: ${nameRule(text)}`,
    read: parseAgentName,
  };
}

/** Reads the name of an agent, or of a person as another tracker spells it. */
export function anyName(description: string): Spec<string> {
  const read = (name: string) => isAgentName(name) ? parseAgentName(name) : name;
  return { ...text(MAX_PERSON), description, placeholder: "NAME", values: "agent", read };
}

/** The flag `--as`. */
export const asAgent: Spec<string | undefined> = optional(
  agentName(
    "Who acts: an agent, or human (default: the agent or session that runs this, else human)",
  ),
);

/** The type of a workflow. */
export const workflowType: Spec<string> = argument(word, "Type of the workflow", {
  placeholder: "TYPE",
  values: "workflow",
});

/** Default number of rows in a list. It is low because models read lists, too. */
const MAX_ROWS = 20;

/** The flag `--limit` of a list. */
export const rowLimit: Spec<number | undefined> = optional(
  {
    ...rule(/^[1-9][0-9]{0,6}$/, "be a whole number from 1 to 9999999"),
    placeholder: "N",
    json: { type: "integer", minimum: 1 },
    read: Number,
  },
  `Rows to list (default: ${MAX_ROWS})`,
);

/** Returns the first rows, and the number of the others. */
export function firstRows<Row>(
  rows: readonly Row[],
  limit: number = MAX_ROWS,
): { rows: Row[]; more: number } {
  return { rows: rows.slice(0, limit), more: Math.max(0, rows.length - limit) };
}
