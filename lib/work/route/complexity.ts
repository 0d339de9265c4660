// Guesses the type and size of an issue that has no label for them, from its title, its body and the files that they
// name (PRD US-1.1). The rules are in one table. If no rule matches, the type or size stays unknown. Pure.

import type { Issue } from "../issue/issue.ts";
import { sizeOf, typeOf } from "../issue/labels.ts";
import { filesInTexts } from "./condition.ts";

/** The fields of an issue that the rules read. If there is no title, only labels are used. */
export type ReadIssue = Pick<Issue, "labels"> & Partial<Pick<Issue, "title" | "body">>;

/**
 * A rule that matches words: the label to add, the part to search, the pattern, and the minimum number of matches
 * (default 1). In a text, the matches are counted. For files, every file must match.
 */
type Rule = readonly [
  label: `type:${string}` | "size:large",
  at: "title" | "body" | "files",
  pattern: RegExp,
  least?: number,
];

/** The first matching rule for a type sets the type, and the first matching rule for a size sets the size. */
const RULES: Readonly<Record<string, Rule>> = {
  epic: ["type:epic", "title", /^epic\b/gi],
  research: ["type:spike", "title", /^(?:spike|research|compare|evaluate)\b/gi],
  wording: [
    "type:docs",
    "title",
    /\b(?:typos?|spelling|grammar|wording|docs?|documentation|readme|\w+\.(?:md|mdx|rst|adoc)|guides?|tutorials?|examples?|mention|badges?)(?![\w-])|^(?:clarify|document (?:the|how|what|when|why|that)|explain|note that|add (?:a )?note)\b/gi,
  ],
  delivery: [
    "type:devops",
    "title",
    /^bump\b|\b(?:ci(?:\/cd)?|github actions?|workflows?|docker(?:file)?|nightly|helm|(?:build|deploy(?:ment)?|release) (?:jobs?|pipelines?|scripts?))\b/gi,
  ],
  defect: [
    "type:bug",
    "title",
    /\b(?:fix(?:es|ed)?|bugs?|crash(?:es|ed|ing)?|errors?|fail(?:s|ed|ing|ures?)?|broken|breaks?|wrong(?:ly)?|(?:in)?correct(?:ly)?|properly|regressions?|leak(?:s|ing)?|panics?|hangs?|stuck|deadlock|race conditions?|miss(?:ing|ed)|lose[sd]?|lost|loss|lint|invalid|undefined|null|unexpected(?:ly)?|cannot|can't|doesn't|do(?:es)? not|don't|not \w+(?:ed|ing)|should not|twice|duplicated?|mismatch|(?:in)?consistent|inconsistency)\b/gi,
  ],
  correction: [
    "type:bug",
    "title",
    /^(?:ensure|prevent|avoid|preserve|handle|close|pin|keep|respect|resolve|restore|remove|revert|skip|catch)\b/gi,
  ],
  report: [
    "type:bug",
    "body",
    /\b(?:steps to reproduce|(?:expected|actual) behaviou?r|stack trace|traceback)\b/gi,
  ],
  addition: [
    "type:feature",
    "title",
    /^(?:add|support|allow|implement|introduce|enable|provide|expose|create|build|new|let|offer|integrate)\b|\bsupport for\b/gi,
  ],
  documents: ["type:docs", "files", /^docs\/|\.(?:md|mdx|rst|adoc)$/i],
  rebuild: [
    "size:large",
    "title",
    /^(?:rewrite|redesign|rebuild|migrate|port|overhaul)\b|\bfrom scratch\b/gi,
  ],
  "many tasks": ["size:large", "body", /^[ \t]*[-*+] \[[ x]\]/gim, 10],
  "many files": ["size:large", "files", /./, 10],
};

/** Maximum number of characters of a body to search. No rule needs more. */
const MAX_BODY = 20_000;

/** Maximum number of matched words to report. */
const MAX_WORDS = 3;

/** A rule, and the words that it matched in an issue. */
export interface RuleFinding {
  /** Name of the rule. */
  rule: string;
  /** The label that the rule adds, such as `type:bug`. */
  label: string;
  /** The first three matching words; null if the rule does not match. */
  found: string[] | null;
  /** Whether the rule sets the label: it is the first matching rule, and no label of that kind exists. */
  decides: boolean;
}

/** The labels of an issue, including those from rules. */
export interface Complexity {
  /** The issue's own labels, then those that rules added. */
  labels: string[];
  /** The rules that added a label: at most one for the type and one for the size. */
  decided: RuleFinding[];
}

/** Returns the labels of an issue, including those that rules add. */
export function complexityOf(issue: ReadIssue): Complexity {
  const decided = ["type:", "size:"].flatMap((kind): RuleFinding[] => {
    if (issue.labels.some((label) => label.toLowerCase().startsWith(kind))) return [];
    for (const [name, rule] of Object.entries(RULES)) {
      const [label] = rule;
      const found = label.startsWith(kind) ? wordsFor(rule, issue) : null;
      if (found !== null) return [{ rule: name, label, found, decides: true }];
    }
    return [];
  });
  return { labels: [...issue.labels, ...decided.map(({ label }) => label)], decided };
}

/** Returns why an issue is complex (large, or an epic); undefined if it is not. */
export function whyComplex(issue: ReadIssue): string | undefined {
  const { labels } = complexityOf(issue);
  if (sizeOf({ labels }) === "large") return "its size is large";
  return typeOf({ labels }) === "epic" ? "it is an epic" : undefined;
}

/** Returns the finding of each rule, in the order of the table. */
export function findingsOf(issue: ReadIssue): RuleFinding[] {
  const { decided } = complexityOf(issue);
  return Object.entries(RULES).map(([name, rule]) => ({
    rule: name,
    label: rule[0],
    found: wordsFor(rule, issue),
    decides: decided.some(({ rule }) => rule === name),
  }));
}

/** Returns the first words that match a rule; null if there are too few matches. */
function wordsFor([, at, pattern, least = 1]: Rule, { title = "", body = "" }: ReadIssue) {
  const texts = { title: title.trim(), body: body.slice(0, MAX_BODY) };
  const words = at === "files"
    ? allFitting(pattern, `${texts.title}\n${texts.body}`, least)
    : texts[at].match(pattern) ?? [];
  return words.length < least ? null : words.slice(0, MAX_WORDS);
}

/**
 * Returns the files in a text if all match. A file name contains a dot or a slash, so a text with few of these is
 * not searched.
 */
function allFitting(pattern: RegExp, text: string, least: number): readonly string[] {
  if ((text.match(/[./]\w/g)?.length ?? 0) < least) return [];
  const files = filesInTexts(text);
  return files.every((file) => pattern.test(file)) ? files : [];
}
