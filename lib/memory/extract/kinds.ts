/**
 * What a sentence tells - a decision, a change, an error or a fact - by rules with examples. Pure.
 *
 * @module
 */

import type { ObservationCategory } from "../schema.ts";
import { TECHNICAL } from "./cues.ts";
import { NOTHING_WRONG } from "./junk.ts";
import { ADJECTIVE, CHANGED, CHOSEN, NO_VERB, NOW, TO_CHANGE } from "./verbs.ts";
import { anyWord, straight } from "./words.ts";

/** A way to tell something, and sentences that do, or only sound like it. */
export interface Kind {
  category: ObservationCategory;
  pattern: RegExp;
  /** Where it does not count although it matches. */
  unless?: RegExp;
  /** Sentences of this kind, if no rule above takes them. */
  examples: readonly string[];
  /** Sentences that this rule does not match. */
  ordinary: readonly string[];
}

/** What is ticked off is in order. */
const TICK = "[\\u2713\\u2714\\u2705\\u2611]";

/** A tick or a cross before a statement. */
const MARK = /^(?:[\u2713\u2714\u2705\u2611]|([\u2717\u2718\u274c\u2716]))\ufe0f?\s+/;

/** A cross behind one. */
const CROSSED = /[\u2717\u2718\u274c\u2716]\ufe0f?$/;

/** An agent repeats what it was told. */
const HEARD =
  /^(?:(?:got it|understood|agreed|noted|makes sense|will do)\b[^:;,.\u2013\u2014-]{0,40}[:;,\u2013\u2014-]|ok(?:ay)? ?[:\u2013\u2014-])+ *(?=\S.{14})/i;

/** The more certain ones first: the first that matches counts. */
export const KINDS: readonly Kind[] = [
  {
    category: "key-fact",
    pattern: new RegExp(
      [
        String
          .raw`\b(?:tests?|build|script|output|linter|errors?|checks?|compilation|issue)\b.{0,40}\b(?:pass(?:es|ed)?|succeeds?|succeeded|completes?|(?:is|are|has been) (?:now )?(?:fixed|resolved|gone|confirmed)|changed from|works? now)\b`,
        String
          .raw`\balready (?:\w+ ){0,2}(?:contains?|exists?|has|have|set|in place|configured|includes?|included|uses?|supports?)\b`,
        String.raw`\bdeprecated\b`,
        String.raw`\btests?\b:? (?:(?:are|were|was|have) )?(?:not|never) (?:been |yet )?run\b`,
        String.raw`^No (?:existing\b|[\w/ .-]{3,80} (?:exists?|found)\b)`,
        String
          .raw`\b(?:is|are) (?:defined|located|implemented|declared|consumed) (?:in|at|by|under)\b`,
      ].join("|"),
      "i",
    ),
    unless:
      /^(?:\W*(?:fixed|resolved|added|removed|root cause)\b|I (?:fixed|added|removed|changed))|\b(?:because|so that)\b|\bnot pass\b/i,
    examples: [
      "The output has changed from 344 to 345.",
      "The `App.css` file already contains the styles for dark mode.",
      "The class is defined in `src/parser.ts`.",
      "Tests not run (documentation only).",
      "No existing helper for human-readable sizes - I'll add one.",
    ],
    ordinary: ["Fixed the build, which passes `--strict` now."],
  },
  {
    category: "decision",
    pattern: HEARD,
    examples: ["Got it: one JSON file, written by the server."],
    ordinary: ["Understood.", "Agreed, thanks.", "Okay, the input files are read now."],
  },
  {
    category: "decision",
    pattern: anyWord(
      "decided cho(?:se|osing|sen) opted (?:went|going|go)_with settled_on agreed instead_of",
      "in_favou?r_of over_the_alternative on_purpose deliberate(?:ly)?",
      "intentional(?:ly)? by_design sticking_(?:with|to) preferred prefer the_plan_is (?:I|we)_(?:won't|will_not)",
      "ruled_out rejected (?:we|I)(?:'ll|_will)?_(?:keep|kept|use|stay|stick|leave|left|avoid(?:ed)?)",
    ),
    unless: new RegExp(
      `^(?:Now |Then |Also )?,? ?(?:I|We|I've|We've)(?: have)? (?:also |now )?(?:${CHANGED})\\b|\\bthe error\\b|\\b(?:doesn't|does not) work\\b`,
      "i",
    ),
    examples: ["We went with one file per issue.", "The cache is kept in memory by design."],
    ordinary: [
      "The queue holds 500 waiters.",
      "I changed dragging to use the whole card instead of the strip.",
    ],
  },
  {
    category: "code-change",
    pattern: new RegExp(
      [
        String.raw`^(?:Done [\u2013\u2014-] )?[*_]{0,2}(?:${CHANGED})\b`,
        String
          .raw`^(?:feat|fix|docs|chore|refactor|test|style|perf|build|ci)(?:\([\w-]+\))?!?: \S`,
        String
          .raw`^(?:(?:Done|Agreed|Fixed|Perfect|Great|OK|Now|All set)(?:[,.!]| [\u2013\u2014-])? )?(?:I|We|I've|We've|I have|This|It|The \w+|Also|Then|And|Now),? (?:also |now |have |then |just )*(?:${CHANGED})\b`,
        String.raw`\b(?:is|are|was|were|has been|have been) now\b`,
        String.raw`\bnow (?:\w+ly )?(?:${NOW}|(?!${NO_VERB})[a-z]{3,}s)\b`,
        String.raw`^(?!${ADJECTIVE})[A-Z][a-z]+ed (?:the|an?|all|every|each|both|its|\x60)`,
        String
          .raw`^(?:This|These changes|The changes?|This change) (?:will |would )?(?:add|remove|update|fix|create|replace|rename)s?\b`,
        String.raw`\b(?:has|have) been (?:\w+ly )?(?:${CHANGED})\b`,
        String
          .raw`^(?:\w+ ){1,4}(?:written|saved|moved|committed|pushed|added) (?:to|in|into|as) \S*\w[./]\w`,
        String.raw`^git commit\b.{0,30} -\w*m\b`,
        String.raw`^\W*commit(?: hash)?\W+[0-9a-f]{7,40}\b`,
        String
          .raw`^[^,;]{4,100}\b(?:added|created|updated|removed|written|moved|deleted|renamed|committed|pushed)(?: successfully\b|[.!]?$)`,
        String.raw`\bI(?:'ve| have)? (?:also |now |just |successfully )*(?:${CHANGED})\b`,
        String
          .raw`\b(?:let's|let me|I'll|I will) (?:now |also |just )?(?:remove|delete|clean up) (?:the )?\S*\w\.\w{1,5}\b`,
      ].join("|"),
      "i",
    ),
    unless: /^Add\b|\b(?:changed|updated) (?:since|from \d)/,
    examples: [
      "Added `await` to `repo.find()` in document-service.ts.",
      "The code has been updated to use the `round` function.",
      "I've written `docs/plan.md`.",
      "Great \u2014 I scaffolded the window and wired it to the core.",
      "docs: link the guide from the README",
      "The plan template now spells out the gates.",
      "Codified the governance: five principles.",
      "This will add the new `Scorer` class.",
      "`/specs/reference.md`: the page of formats created",
      "Design written to `docs/plan.md`.",
      '**Commit**: `5a01806` - "Run every tool by uv"',
    ],
    ordinary: [
      "The pool needs five connections.",
      "Let us now discuss the pool.",
      "Need the key of the account.",
    ],
  },
  {
    category: "decision",
    pattern: new RegExp(
      String
        .raw`\b(?:let me|let's|I'll|I will|(?:I|we) need to) (?:now |also )?(?:fix|correct|resolve|address|handle|solve)\b.{0,120}\bby (?:\w+ly )?\w+ing\b`,
      "i",
    ),
    examples: [
      "Let me fix the linter errors by making `read()` public.",
      "Let me fix that by skipping the loop divider for the last provider.",
    ],
    ordinary: ["Let me fix the linter errors."],
  },
  {
    category: "error",
    pattern: anyWord(
      "errors? exception fail(?:s|ed|ing|ures?)? crash(?:es|ed|ing)? bugs? regression root_cause",
      "caused_by culprit broke broken panic(?:s|ked)? deadlock\\w* race leak(?:s|ed|ing)? time[sd]_out",
      "timeout flaky throws threw refused refuses rejects corrupt\\w* stale off[-_]by[-_]one",
      "incorrect(?:ly)? never_(?:closed|released|awaited|called) undefined null_pointer segfault",
      "the_(?:problem|issue|reason)_(?:is|was) mismatch overflow\\w* exhaust(?:s|ed) hangs stuck",
      "overwrote misspelt too_many not_found blocked \\w{3,}(?:Error|Exception)",
      "E(?:MFILE|NOENT|ACCES|EXIST|PIPE|PERM|AGAIN|BUSY|NOSPC|INVAL|ADDRINUSE|TIMEDOUT|CONN[A-Z]+)",
      "misses truncated unable_to wrongly over-scoped out_of_bounds in_a_row conflicts?",
      "do(?:es)?(?:_not|n't)_(?:match_the|work|exist|apply|compile) did(?:_not|n't)_(?:match|work|apply)",
      "no_exact_match not_an_exact_match contradict\\w* inconsisten\\w* brittle fragile ineffective",
      "too_(?:late|early|slow|lazily|coarsely|broad|narrow|strict) laggy (?:the|a)_(?:\\w+_)?cause",
      "(?:is|are|was|were)(?:_\\w+)?_missing not_\\w+_as_(?:intended|expected)",
      "there(?:'s|_is|_are|_was)_(?:an?_)?(?:problem|issue|bug)s? prevent(?:s|ed|ing)_the",
      "misconfigured mistaken(?:ly)? leftover typo placeholder (?:problem|issue)s?:",
      "(?:is|are|was|were)(?:_not|n't)_(?:closed|set|called|imported|defined|exported|handled|applied)",
      "(?:is|are|was|were)(?:_not|n't)_(?:awaited|registered|updated|saved|loaded|installed|blocked)",
    ),
    unless: new RegExp(`${NOTHING_WRONG.source}|${TICK}`, "i"),
    examples: [
      "The single-provider path misses the divider.",
      "The `old_str` I provided does not match the exact code in the file.",
      "There are contradictory entries in the `allow` list.",
      "The tuple of `prep()` isn't closed.",
      "The shim in `main.tsx` runs too late.",
      "The error shows that `--extra` doesn't work with groups instead of extras.",
      "There's an issue with the installation.",
      "I found the cause: every part of the node is an input.",
    ],
    ordinary: ["The class is defined in `src/parser.ts`."],
  },
  {
    category: "key-fact",
    pattern:
      /\bI (?:can |now )?see (?:that|how|why)\b|\b(?:it|this) (?:seems|appears|looks like|turns out)\b|\bturns out\b/i,
    examples: ["I see that `settings.local.json` is ignored by git."],
    ordinary: ["I'll see to it."],
  },
  {
    category: "decision",
    pattern: new RegExp(
      [
        String
          .raw`\b(?:I'll|I will|I'm going to|let me|let's|we'll|we will|we should|you should|you can|(?:I|we) need to|I should|I want to|we can|it should) (?:now |also |just |then |instead |simply |only |always |never |try to |not )*(?:${TO_CHANGE})\b`,
        String
          .raw`\b(?:by|I'm|am|and) (?:now )?(?:skipping|replacing|removing|splitting|dropping|rewriting|keeping|rounding|switching)\b`,
        String
          .raw`^(?:\*\*)?(?:${TO_CHANGE}|require|describe|capture|represent|attach|fallback|fall back)\b(?!ed|s\b)`,
        String
          .raw`\b(?:best|strongest|cleanest|recommended) (?:\w+ ){0,2}(?:fit|option|choice|path|approach|envelope|default)\b`,
        String
          .raw`\bwe need (?:an?|the) \w|\b(?:natural fit|(?:great|good) idea|mak(?:es|ing) (?:\w+ )?sense|best (?:handled|done|kept)|idiomatic|can (?:remain|stay))\b`,
        String
          .raw`\b(?:recommend\w*|my (?:take|pick|suggestion)|primary|should (?:be|only|never|always))\b`,
      ].join("|"),
      "i",
    ),
    unless: /\byour\b/i,
    examples: [
      "I'll skip the divider for the last provider.",
      "Replace hardcoded values with constants or configuration parameters.",
      "Best direct fit: Agent Trace.",
      "Making `Wheel` a `Marker2D` is a natural fit for it.",
      "The other components can remain plain classes.",
    ],
    ordinary: ["I'll look at `src/pool.ts` first.", "Replace `KEY` with your actual key."],
  },
  {
    category: "decision",
    pattern: new RegExp(
      [
        String
          .raw`\b(?:is|are|be|stays?|stay) ${CHOSEN} (?:[\w./:-]+ ){0,8}?(?:because|since|so that)\b`,
        String.raw`\b(?:is|are|be|stays?) ${CHOSEN} [^.;]{3,60}, (?:not|no|never) \w`,
        String.raw`\bonly in \w|^only \w|\b(?:is|are) (?:never|always) \w+ed\b`,
        String.raw`\bno (?:silent )?fallback`,
      ].join("|"),
      "i",
    ),
    examples: ["The lock file is kept in the folder because it has to move with it."],
    ordinary: ["The lock file is in the folder."],
  },
  {
    category: "key-fact",
    pattern:
      /\b(?:because|since|so that|therefore|otherwise|which means|due to|that is why)\b|, so \w/i,
    examples: ["It is slow, so tests take longer."],
    ordinary: ["Nobody knows."],
  },
];

/** What comes after it is the news of a sentence. */
const CONTRAST = /[,;] but (?=\S)/;

const FACT = anyWord(
  "note because since requires? needs? must only always never means depends limit(?:s|ed)? defaults?",
  "turns?_out in_fact works?_(?:only|with) supports? does(?:_not|n't) do(?:_not|n't) can(?:_?not|'t)",
  "assumes? expects? returns? stores? lives?_in located runs?_on versions? measured faster slower",
  "takes? uses? handles? contains? holds? reads? writes? is are was were has have had went goes",
  "dropped grew fell rose came comes gives? gave adds? makes? costs? needed took found exists? consumed",
);

/** What a sentence tells; undefined if no word says so. */
export function categoryOf(text: string): ObservationCategory | undefined {
  const mark = MARK.exec(text);
  const said = straight(mark === null ? text : text.slice(mark[0].length));
  if (kindOf(said)?.category !== "code-change" && (mark?.[1] ?? CROSSED.exec(said)) != null) {
    return "error";
  }
  const contrast = CONTRAST.exec(said);
  if (contrast !== null && kindOf(said.slice(contrast.index))?.category === "error") return "error";
  const kind = kindOf(said);
  if (kind !== undefined) return kind.category;
  return FACT.test(said) && TECHNICAL.test(said) ? "key-fact" : undefined;
}

function kindOf(said: string): Kind | undefined {
  return KINDS.find(({ pattern, unless }) => pattern.test(said) && !unless?.test(said));
}
