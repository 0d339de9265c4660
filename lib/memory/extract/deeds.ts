/**
 * What tools did, whatever was said of it: commits, and errors with the call that ended them. Pure.
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

/** Commands that only look. */
const LOOKING =
  /^(?:cd \S+ (?:&&|;) )?(?:ls|cat|head|tail|sed -n|grep|rg|find|wc|pwd|which|tree|git (?:log|show|diff|status|branch|grep|ls-files|rev-parse|blame)|echo|printf|jq|stat|file|du|env|test|for|if)\b/;

const COMMIT =
  /^(?:\[[^\]\s]+(?: \([\w-]+\))? ([0-9a-f]{7,40})\]|Commit ([0-9a-f]{7,40})) (.{8,200})$/m;

/** Tools that write files, and what others print that did. */
const EDITOR =
  /^(?:\w+_)?(?:(?:multi_?)?edit|write|(?:apply_?)?patch|create|str_?replace|replace)/i;
const WRITTEN =
  /^(?:Applied edit to \S|Success\. Updated the following files:|The file \S{2,300} has been \w+)/m;

const ANSWER =
  /^(?:\*\*Answer:?\*\*:?|Answer:|User has answered your questions?:) *(.{8,600}?)(?:\. You can now .*)?$/m;

/** An answer about the next step. */
const STEP = /\b(?:commit\w*|push\w*|proceed|ready|continue|approve\w*|merge|plan)\b/i;

/** A failing command that prints more fails for more than one reason. */
const MOST_LINES = 400;

const WEIGHT = { commit: 7, error: 9, answer: 11 };

/** The last ones tell what came of the others. */
const MOST_COMMITS = 3;

/** A subject that tells nothing. */
const POOR =
  /^(?:wip|fix(?:es|ed)?|update|merge\b.*|chore: bump deps|.*\b(?:typos?|lint|gofmt|format(?:ting)?|review|feedback|tests?))$/i;

/** A command that has more words of its own than another does something else. */
const MOST_ADDED = 2;

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

/** Answers, errors of commands that another call ended, and commits of a session that nobody summed up. */
export function deedCandidates(deeds: readonly Deed[], isSummedUp: boolean): Candidate[] {
  const commits = deeds.flatMap(({ commit, message }): Candidate[] =>
    commit === undefined
      ? []
      : [{ text: commit, category: "code-change", weight: WEIGHT.commit, message }]
  );
  const found = isSummedUp ? [] : commits.slice(-MOST_COMMITS);
  deeds.forEach((deed, at) => {
    const { error, command, message, answer } = deed;
    if (answer !== undefined && !STEP.test(answer)) {
      found.push({ text: answer, category: "decision", weight: WEIGHT.answer, message });
    }
    if (error === undefined || command === "") return;
    const ended = deeds[at + 1];
    // The same command after a change of the code is how every test goes.
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

/** Whether both commands are of one program, with a few words that only one has. */
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
