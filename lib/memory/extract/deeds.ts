/**
 * What tools did, whatever was said of it: files changed, commits, and errors with the call that ended
 * them. Pure.
 *
 * @module
 */

import type { TranscriptMessage } from "../../transcripts/transcript.ts";
import type { Candidate } from "./select.ts";
import { errorIn } from "./tool_errors.ts";

/** What a call did. */
export interface Deed {
  /** Which message it is, from 0. */
  message: number;
  /** The first line of the command, if it ran one. */
  command: string;
  /** Files that it wrote, as it names them. */
  files: string[];
  /** The subject and the short hash of a commit. */
  commit?: string;
  /** The first error that it printed. */
  error?: string;
  /** What a person answered to a question that the agent asked through a tool. */
  answer?: string;
}

/** Tools whose results show what is in files, which others wrote. */
const READER =
  /^(?!.*replace)(?:[\w-]*_)?(?:read|grep|glob|ls$|list|search|find|fetch|view|web|todo|task)/i;

/** Commands that only look. */
const LOOKING =
  /^(?:cd \S+ (?:&&|;) )?(?:ls|cat|head|tail|sed -n|grep|rg|find|wc|pwd|which|tree|git (?:log|show|diff|status|branch|grep|ls-files|rev-parse|blame)|echo|printf|jq|stat|file|du|env|test|for|if)\b/;

const COMMIT =
  /^(?:\[[^\]\s]+(?: \([\w-]+\))? ([0-9a-f]{7,40})\]|Commit ([0-9a-f]{7,40})) (.{8,200})$/m;

/** How tools name a file that they wrote. */
const WRITTEN = new RegExp(
  [
    String
      .raw`^(?:Applied edit to|File created successfully at:|Wrote|Edited|Created file|Successfully (?:modified file:|created and wrote to new file:|edited|wrote to)) ([^\s,(]{2,300})`,
    String.raw`^The file (\S{2,300}) has been (?:updated|created|written)`,
    String.raw`^[AMD] (\S{2,300})$`,
  ].join("|"),
  "gm",
);

const ANSWER = /^(?:\*\*Answer:?\*\*:?|Answer:|User has answered your questions?:) *(.{8,600})$/m;

const PATCHED = /^Success\. Updated the following files:/m;

/** A failing command that prints more fails for more than one reason. */
const MOST_LINES = 400;

const WEIGHT = { commit: 7, error: 9, files: 6, answer: 11 };

/** The last ones tell what came of the others. */
const MOST_COMMITS = 3;

/** A subject that tells nothing. */
const POOR = /^(?:wip|fix(?:es|ed)?(?: (?:typo|tests?|lint))?|update|merge\b.*|chore: bump deps)$/i;

const MAX_FILES = 12;

/** What a redacted message of a tool did; undefined for one that only looked. */
export function deedOf(
  { text: written, tool: named, command: known }: TranscriptMessage,
  message: number,
): Deed | undefined {
  const call = readExportedCall(written);
  const tool = named ?? call.tool ?? "";
  const command = known ?? call.command ?? "";
  if (READER.test(tool)) return undefined;
  const { text } = call;
  const isLooking = LOOKING.test(command);
  const commit = isLooking ? null : COMMIT.exec(text);
  const error = isLooking ? undefined : firstErrorIn(text);
  const isPatch = PATCHED.test(text);
  const files = isLooking
    ? []
    : Array.from(text.matchAll(WRITTEN), ([whole, a, b, c]) =>
      c !== undefined && !isPatch ? "" : c !== undefined ? whole : a ?? b).filter((file) =>
        file !== ""
      );
  const answer = ANSWER.exec(text)?.[1];
  return {
    message,
    command,
    files,
    ...(answer === undefined ? {} : { answer }),
    ...(commit === null || POOR.test(commit[3])
      ? {}
      : { commit: `Commit ${commit[1] ?? commit[2]}: ${commit[3].trim()}` }),
    ...(error === undefined ? {} : { error }),
  };
}

function firstErrorIn(text: string): string | undefined {
  let before = "";
  for (const line of text.split("\n", MOST_LINES)) {
    const error = errorIn(line.trim(), before);
    if (error !== undefined) return error;
    if (line.trim() !== "") before = line;
  }
  return undefined;
}

/** Commits; errors of commands that another call ended; and of a session that nobody summed up, its files. */
export function deedCandidates(deeds: readonly Deed[], isSummedUp: boolean): Candidate[] {
  const found: Candidate[] = deeds.flatMap(({ commit, message }): Candidate[] =>
    commit === undefined
      ? []
      : [{ text: commit, category: "code-change", weight: WEIGHT.commit, message }]
  ).slice(-MOST_COMMITS);
  deeds.forEach((deed, at) => {
    const { error, command, message, answer } = deed;
    if (answer !== undefined) {
      found.push({ text: answer, category: "decision", weight: WEIGHT.answer, message });
    }
    if (error === undefined || command === "") return;
    const ended = deeds.slice(at + 1).find((later) =>
      later.error === undefined && programOf(later.command) === programOf(command)
    );
    // The same command after a change of the code is how every test goes.
    if (ended === undefined || ended.command === command) return;
    const text = `\`${command}\` failed: ${
      error.replace(/[.;]$/, "")
    }. \`${ended.command}\` worked.`;
    found.push({ text, category: "error", weight: WEIGHT.error, message });
  });
  if (!isSummedUp) {
    const files = [...new Set(deeds.flatMap((deed) => deed.files))];
    const last = deeds.findLast((deed) => deed.files.length > 0);
    if (last !== undefined) {
      const more = files.length > MAX_FILES ? ` and ${files.length - MAX_FILES} more` : "";
      const text = `Files changed: ${files.slice(0, MAX_FILES).join(", ")}${more}`;
      found.push({ text, category: "code-change", weight: WEIGHT.files, message: last.message });
    }
  }
  return found;
}

/** The first words of a command, without the folder it runs in: `npm test`, `bun add`. */
function programOf(command: string): string {
  return command.replace(/^cd \S+ (?:&&|;) /, "").split(/\s+/, 2).join(" ");
}

/** A result, and the call it answers. */
export interface ExportedResult {
  /** The name of the tool; undefined where the text does not begin with a call. */
  tool?: string;
  /** The command line, if there is one. */
  command?: string;
  /** The result. */
  text: string;
}

const CALL =
  /^(?:Tool(?: use)?: ?\*\*|\*\*Tool:\*\* ?)([\w.:-]{1,60})(?:\*\*)?[ \t]*([^\n]{0,300})\n?/;

/** A line that is a command in whole. */
const COMMAND = /^`([^`\n]{2,300})`\s*$/m;

const FENCE = /^\s*(?:`{3,}|~{3,})/m;

/** Reads the call above a result, if there is one. */
function readExportedCall(text: string): ExportedResult {
  const call = CALL.exec(text);
  if (call === null) return { text };
  const rest = text.slice(call[0].length);
  const head = rest.slice(0, FENCE.exec(rest)?.index ?? 600);
  return {
    tool: call[1],
    command: COMMAND.exec(`${call[2]}\n${head}`)?.[1],
    text: rest,
  };
}
