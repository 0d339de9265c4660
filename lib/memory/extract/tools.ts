/**
 * What tools report: files that were changed, commits, errors. Pure.
 *
 * @module
 */

import type { Candidate } from "./candidates.ts";
import { isJunk, LOG_LINE, NOTHING_WRONG } from "./junk.ts";

/** What an editing tool of some host says of the file that it has changed. */
const CHANGED_FILE = new RegExp(
  [
    String.raw`Applied edit to \S+`,
    String.raw`The file \S+ has been (?:updated|created)`,
    String.raw`File created successfully at: \S+`,
    String
      .raw`Successfully (?:modified|created|created and wrote to new|overwrote|edited) (?:the )?file:? \S+`,
    String.raw`File \S+ (?:updated|created) with (?:changes|content)`,
    String.raw`Created file \S+`,
  ].map((form) => `^${form}`).join("|"),
);

/** Before a list of `M path`. */
const PATCHED = /^Success\. Updated the following files:/;

const PATCHED_FILE = /^[MAD] \S+$/;

/** `[branch abc1234] subject` of git, `Commit abc1234 subject` of aider; hash and subject are captured. */
const COMMIT =
  /^(?:\[[\w./@-]{1,80}(?: \(root-commit\))? ([0-9a-f]{7,40})\]|Commit ([0-9a-f]{7,40})) (.{8,200})$/;

/** A line that names an error: its class or code, and what it says. */
const ERROR = new RegExp(
  [
    String
      .raw`(?:Uncaught |Unhandled |fatal: |E +)?(?:[A-Z]\w{0,60}(?:Error|Exception)|Error|error|fatal|panic|ERROR)(?: ?\[\w+\]|\[E\d+\])?: \S.{10,}`,
    String.raw`\S{1,200}(?:\(\d+,\d+\)|:\d+:\d+):? (?:-? ?)?error(?: [A-Z]{1,4}\d+)?: \S.{10,}`,
    String.raw`error(?: [A-Z]{1,4}\d+|\[E\d+\])?: \S.{10,}`,
    String.raw`.{0,80}\bE[A-Z]{4,12}: \S.{8,}`,
  ].map((form) => `^(?:${form})$`).join("|"),
);

/** A tool that shows what others wrote, at some time. */
const READER =
  /^(?!.*replace)(?:[\w-]*_)?(?:read|grep|glob|ls$|list|search|find|fetch|view|web|todo)/i;

const MAX_ERRORS_PER_RESULT = 2;

const LONGEST_LINE = 400;

const WEIGHTS = { commit: 6, error: 5, file: 4 };

/** The lines that tell something in the redacted result of a tool. */
export function toolCandidates(
  text: string,
  { message, tool = "" }: { message: number; tool?: string },
): Candidate[] {
  const found: Candidate[] = [];
  if (READER.test(tool)) return found;
  let errors = 0;
  let patch: Candidate | undefined;
  for (const written of text.split("\n")) {
    if (written.length > LONGEST_LINE) continue;
    const line = written.trim();
    const commit = COMMIT.exec(line);
    const file = CHANGED_FILE.exec(line)?.[0];
    if (commit !== null) {
      if (isJunk(commit[3])) continue;
      const said = `Commit ${commit[1] ?? commit[2]} ${commit[3]}`;
      found.push({ text: said, category: "code-change", weight: WEIGHTS.commit, message });
    } else if (file !== undefined) {
      found.push({ ...changed(file, message), file: nameIn(file) });
    } else if (PATCHED.test(line)) {
      patch = changed(line, message);
      found.push(patch);
    } else if (patch !== undefined && PATCHED_FILE.test(line)) {
      patch.file = patch.text.endsWith(":") ? nameIn(line) : undefined;
      patch.text += ` ${line}`;
    } else if (errors < MAX_ERRORS_PER_RESULT && isError(line)) {
      errors++;
      found.push({ text: line, category: "error", weight: WEIGHTS.error, message });
    }
  }
  return found;
}

function changed(text: string, message: number): Candidate {
  return { text, category: "code-change", weight: WEIGHTS.file, message };
}

/** The last part of the path in a line that ends in it, or names it before `has been`. */
function nameIn(line: string): string | undefined {
  return /([^\s/\\]+\.\w{1,8})(?=\W*$| has been| updated| created)/.exec(line)?.[1];
}

function isError(line: string): boolean {
  return ERROR.test(line) && !line.includes("AssertionError") && !NOTHING_WRONG.test(line) &&
    !LOG_LINE.test(line);
}
