// What tool calls did, independent of what the agent says about them: commits, and errors with the call that
// fixed them. Pure.

import type { TranscriptMessage } from "../../transcripts/transcript.ts";
import type { Candidate } from "./select.ts";
import { errorIn } from "./tool_errors.ts";

/** What a call did. */
export interface ToolCall {
  /** Which message it is, from 0. */
  message: number;
  /** The first line of the command, if it ran one. */
  command: string;
  /** Whether it wrote files. */
  isChange: boolean;
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

/** Commands that change nothing. */
const LOOKING =
  /^(?:cd \S+ (?:&&|;) )?(?:ls|cat|head|tail|sed -n|grep|rg|find|wc|pwd|which|tree|git (?:log|show|diff|status|branch|grep|ls-files|rev-parse|blame)|echo|printf|jq|stat|file|du|env|test|for|if)\b/;

const COMMIT =
  /^(?:\[[^\]\s]+(?: \([\w-]+\))? ([0-9a-f]{7,40})\]|Commit ([0-9a-f]{7,40})) (.{8,200})$/m;

/** Tools that write files, and what a tool prints once it has written one. */
const EDITOR =
  /^(?:\w+_)?(?:(?:multi_?)?edit|write|(?:apply_?)?patch|create|str_?replace|replace)/i;
const WRITTEN =
  /^(?:Applied edit to \S|Success\. Updated the following files:|The file \S{2,300} has been \w+)/m;

const ANSWER =
  /^(?:\*\*Answer:?\*\*:?|Answer:|User has answered your questions?:) *(.{8,600}?)(?:\. You can now .*)?$/m;

/** An answer about the next step. */
const STEP = /\b(?:commit\w*|push\w*|proceed|ready|continue|approve\w*|merge|plan)\b/i;

/** A failing command that prints more than this has failed for several reasons. */
const MOST_LINES = 400;

const WEIGHT = { commit: 7, error: 9, answer: 11 };

/** Later commits make the earlier ones redundant. */
const MOST_COMMITS = 3;

/** Subjects without information. */
const POOR =
  /^(?:wip|fix(?:es|ed)?|update|merge\b.*|chore: bump deps|.*\b(?:typos?|lint|gofmt|format(?:ting)?|review|feedback|tests?))$/i;

/** Two commands that differ in more words than this do different things. */
const MOST_ADDED = 2;

/** What a tool call did, read from its redacted message; undefined if it changed nothing. */
export function toolCallOf(
  { text: written, tool: named, command: known }: TranscriptMessage,
  message: number,
): ToolCall | undefined {
  const call = readExportedCall(written);
  const tool = named ?? call.tool ?? "";
  const command = known ?? call.command ?? "";
  if (READER.test(tool)) return undefined;
  const { text } = call;
  const isLooking = LOOKING.test(command);
  const commit = isLooking ? null : COMMIT.exec(text);
  const error = isLooking ? undefined : firstErrorIn(text);
  const isChange = EDITOR.test(tool) || (!isLooking && WRITTEN.test(text));
  const answer = ANSWER.exec(text)?.[1];
  return {
    message,
    command,
    isChange,
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

/** Answers, errors that a later call fixed, and commits of a session without a summary. */
export function callCandidates(calls: readonly ToolCall[], isSummedUp: boolean): Candidate[] {
  const commits = calls.flatMap(({ commit, message }): Candidate[] =>
    commit === undefined
      ? []
      : [{ text: commit, category: "code-change", weight: WEIGHT.commit, message }]
  );
  const found = isSummedUp ? [] : commits.slice(-MOST_COMMITS);
  calls.forEach((call, at) => {
    const { error, command, message, answer } = call;
    if (answer !== undefined && !STEP.test(answer)) {
      found.push({ text: answer, category: "decision", weight: WEIGHT.answer, message });
    }
    if (error === undefined || command === "") return;
    const ended = calls[at + 1];
    // Running the same command again after an edit is ordinary testing, and not worth remembering.
    if (ended === undefined || ended.error !== undefined || !isVariant(ended.command, command)) {
      return;
    }
    const text = `\`${command}\` failed: ${
      error.replace(/[.;]$/, "")
    }. \`${ended.command}\` worked.`;
    found.push({ text, category: "error", weight: WEIGHT.error, message });
  });
  return found;
}

/** Whether both commands run the same program with nearly the same words. */
function isVariant(command: string, other: string): boolean {
  const [words, others] = [command, other].map((each) => each.replace(/=\S*/g, "").split(/\s+/));
  const added = (some: string[], less: string[]) =>
    some.filter((word) => !less.includes(word)).length;
  const isPlain = ![command, other].some((each) => /[|;&<>]|\b(?:git|gh|test)\b/.test(each));
  return isPlain && command !== other && words.slice(0, 2).join() === others.slice(0, 2).join() &&
    Math.max(added(words, others), added(others, words)) <= MOST_ADDED;
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
