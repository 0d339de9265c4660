/**
 * What tools report: files that were changed, commits, errors. Pure.
 *
 * @module
 */

import type { Candidate } from "./candidates.ts";
import { TECHNICAL } from "./cues.ts";
import { readExportedCall } from "./exported_call.ts";
import { isJunk } from "./junk.ts";
import { errorIn } from "./tool_errors.ts";

/** What an editing tool of some host says of the file that it has changed. */
const CHANGED_FILE = new RegExp(
  [
    String.raw`Applied edit to \S+`,
    String.raw`The file \S+ has been (?:updated|created|edited|written)`,
    String.raw`File created successfully at: \S+`,
    String
      .raw`Successfully (?:modified|created|created and wrote to new|overwrote|edited) (?:the )?file:? \S+`,
    String.raw`File \S+ (?:updated|created) with (?:changes|content)`,
    String.raw`Created file \S+`,
    String.raw`Applied \d+ edits? to \S+?(?=:?$)`,
    String.raw`\*\*(?:Add|Update|Delete): \x60?[^\s\x60]+\x60?\*\*`,
  ].map((form) => `^${form}`).join("|"),
);

/** Before a list of `M path`. */
const PATCHED = /^Success\. Updated the following files:/;

const PATCHED_FILE = /^[MAD] \S+$/;

/** `[branch abc1234] subject` of git, `Commit abc1234 subject` of aider; hash and subject are captured. */
const COMMIT =
  /^(?:\[[\w./@-]{1,80}(?: \(root-commit\))? ([0-9a-f]{7,40})\]|Commit ([0-9a-f]{7,40})) (.{8,200})$/;

/** A commit on a command line. */
const COMMITTED = /\bgit commit (?:-[a-z]+ )*-\w*m ["']([^"\n]{8,200})["']/;

/** What was tried and dropped, as aider and git say it. */
const DROPPED =
  /^(?:Commit `?[0-9a-f]{7,40}`? was reset and removed from git|HEAD is now at [0-9a-f]{7,40} .{8,200}|\[[\w./@-]{1,80} [0-9a-f]{7,40}\] Revert ".{8,200}")/;

/** A tool that shows what others wrote, at some time. */
const READER =
  /^(?!.*replace)(?:[\w-]*_)?(?:read|grep|glob|ls$|list|search|find|fetch|view|web|todo)/i;

/** What a person answered to a question that the agent asked through a tool. */
const ANSWER = /^(?:\*\*Answer:?\*\*:?|Answer:|User has answered your questions?:) *(.{8,600})$/;

/** A person refused what the agent was about to do. */
const REFUSED = /^(The user doesn't want to (?:proceed|take this action)[^.]{0,60}\.)/;

/** A check went well: the command that was run makes it a statement. */
const PASSED =
  /^(?:0 (?:issues|errors|problems|warnings|vulnerabilities)\b.{0,40}|found 0 (?:issues|errors|problems|vulnerabilities)\b.{0,40}|all (?:checks|tests|files)\b.{0,40}(?:pass|ok)\w*\.?|(?:build|compilation) (?:succeeded|successful|complete\w*)\b.{0,60}|tests?:? .{0,40}\b\d+ pass(?:ed|ing)\b.{0,60}|=* ?\d+ passed\b.{0,60})$/i;

const MAX_ERRORS_PER_RESULT = 3;

/** What a longer line tells, its beginning tells. */
const LONGEST_LINE = 2_000;

const WEIGHTS = { commit: 10, error: 11, file: 8, answer: 13, refusal: 10, check: 10 };

/** The lines that tell something in the redacted result of a tool. */
export function toolCandidates(
  text: string,
  { message, tool: named, command: known }: { message: number; tool?: string; command?: string },
): Candidate[] {
  const call = readExportedCall(text);
  const tool = named ?? call.tool ?? "";
  const command = known ?? call.command;
  if (READER.test(tool)) return [];
  const found: Candidate[] = [];
  const add = (category: Candidate["category"], weight: number, said: string) => {
    found.push({ text: said, category, weight, message });
  };
  let errors = 0;
  let patch: Candidate | undefined;
  let passed: Candidate | undefined;
  let before = "";
  for (const written of call.text.split("\n")) {
    const line = written.slice(0, LONGEST_LINE).trim();
    const commit = COMMIT.exec(line);
    const dropped = DROPPED.exec(line)?.[0];
    const committed = COMMITTED.exec(line)?.[1];
    const file = CHANGED_FILE.exec(line)?.[0];
    const answer = ANSWER.exec(line)?.[1];
    const refused = REFUSED.exec(line)?.[1];
    const error = errors < MAX_ERRORS_PER_RESULT ? errorIn(line, before) : undefined;
    if (dropped !== undefined) {
      add("decision", WEIGHTS.commit, dropped);
    } else if (commit !== null) {
      if (!isJunk(commit[3])) {
        add("code-change", WEIGHTS.commit, `Commit ${commit[1] ?? commit[2]} ${commit[3]}`);
      }
    } else if (committed !== undefined) {
      if (!isJunk(committed)) add("code-change", WEIGHTS.commit, `git commit: ${committed}`);
    } else if (file !== undefined) {
      const name = nameIn(file);
      const path = name && file.split(" ").find((part) => part.includes(name));
      found.push({ ...changed(file, message), file: name, path });
    } else if (PATCHED.test(line)) {
      patch = changed(line, message);
      found.push(patch);
    } else if (patch !== undefined && PATCHED_FILE.test(line)) {
      patch.file = patch.text.endsWith(":") ? nameIn(line) : undefined;
      patch.path = patch.file === undefined ? undefined : line;
      patch.text += ` ${line}`;
    } else if (answer !== undefined) {
      add("decision", WEIGHTS.answer, answer);
    } else if (refused !== undefined) {
      const what = [tool, call.about].filter((part) => part !== "").join(" ");
      add("key-fact", WEIGHTS.refusal, what === "" ? refused : `${what}: ${refused}`);
    } else if (command !== undefined && PASSED.test(line)) {
      const said = `${command}: ${line.replace(/^[=\s]+|[=\s]+$/g, "")}`;
      passed = { text: said, category: "key-fact", weight: WEIGHTS.check, message, check: command };
    } else if (error !== undefined) {
      errors++;
      const subject = command ?? call.about;
      const isWhole = subject === "" || TECHNICAL.test(error);
      add("error", WEIGHTS.error, isWhole ? error : `${subject}: ${error}`);
    }
    if (line !== "") before = line;
  }
  return passed === undefined ? found : [...found, passed];
}

function changed(text: string, message: number): Candidate {
  return { text, category: "code-change", weight: WEIGHTS.file, message };
}

/** The last part of the path in a line that ends in it, or names it before `has been`. */
function nameIn(line: string): string | undefined {
  return /([^\s/\\]+\.\w{1,8})(?=\W*$| has been| updated| created)/.exec(line)?.[1];
}
