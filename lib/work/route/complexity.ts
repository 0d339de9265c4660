// The kind of an issue without a label for it: type and size by its title, its body and the files that they name (PRD
// US-1.1). The rules are one table; if none fits, the kind is unsure. Pure.

import type { Issue } from "../issue/issue.ts";
import { sizeOf, typeOf } from "../issue/labels.ts";
import { filesInTexts } from "./condition.ts";

/** The fields read of an issue; without a title, its labels alone. */
export type ReadIssue = Pick<Issue, "labels"> & Partial<Pick<Issue, "title" | "body">>;

/**
 * A rule that decides by words: the label, the part to search, the pattern (of a text, the matches count; of the files,
 * all must match), and how many have to be there (1).
 */
type Rule = readonly [
  label: `type:${string}` | "size:large",
  at: "title" | "body" | "files",
  pattern: RegExp,
  least?: number,
];

/** The first rule for a type that fits decides the type, and the first one for a size the size. */
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

/** More of a body than any rule needs. */
const MAX_BODY = 20_000;

/** As many as a reader needs. */
const MAX_WORDS = 3;

/** A rule, and its matches in an issue. */
export interface RuleFinding {
  /** Its name. */
  rule: string;
  /** The label that it stands for, such as `type:bug`. */
  label: string;
  /** The words that fit, the first three; null where it does not fit. */
  found: string[] | null;
  /** Whether it decides: it is the first that fits, and no label says otherwise. */
  decides: boolean;
}

/** The kind of an issue, by its labels, and by rules for a kind without a label. */
export interface Complexity {
  /** Its labels, and those that rules stand for. */
  labels: string[];
  /** The rules that decided, one of each kind at most. */
  decided: RuleFinding[];
}

/** The labels of an issue, with those that rules add. */
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

/** Why an issue is complex: it is large, or an epic; undefined where nothing says so. */
export function whyComplex(issue: ReadIssue): string | undefined {
  const { labels } = complexityOf(issue);
  if (sizeOf({ labels }) === "large") return "its size is large";
  return typeOf({ labels }) === "epic" ? "it is an epic" : undefined;
}

/** The findings of the rules, in the order of the table. */
export function findingsOf(issue: ReadIssue): RuleFinding[] {
  const { decided } = complexityOf(issue);
  return Object.entries(RULES).map(([name, rule]) => ({
    rule: name,
    label: rule[0],
    found: wordsFor(rule, issue),
    decides: decided.some(({ rule }) => rule === name),
  }));
}

/** The first words that fit a rule; null where too few do. */
function wordsFor([, at, pattern, least = 1]: Rule, { title = "", body = "" }: ReadIssue) {
  const texts = { title: title.trim(), body: body.slice(0, MAX_BODY) };
  const words = at === "files"
    ? allFitting(pattern, `${texts.title}\n${texts.body}`, least)
    : texts[at].match(pattern) ?? [];
  return words.length < least ? null : words.slice(0, MAX_WORDS);
}

/** Each has a dot or a slash within, so a text with few of them is not looked at any closer. */
function allFitting(pattern: RegExp, text: string, least: number): readonly string[] {
  if ((text.match(/[./]\w/g)?.length ?? 0) < least) return [];
  const files = filesInTexts(text);
  return files.every((file) => pattern.test(file)) ? files : [];
}
