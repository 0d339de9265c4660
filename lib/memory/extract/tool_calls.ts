// Reads the effect of a tool call: whether it changed files or committed, and the answer that a person gave through it.
// Pure.

import type { TranscriptMessage } from "../../transcripts/transcript.ts";

/** The effect of a call. */
export interface ToolEffect {
  /** Whether it wrote files. */
  isChange: boolean;
  isCommit: boolean;
  /** The answer of a person to a question that the agent asked through a tool. */
  answer?: string;
}

/** Commands that change nothing, whatever they print. */
const LOOKING =
  /^(?:cd \S+ (?:&&|;) )?(?:ls|cat|head|tail|sed -n|grep|rg|find|wc|pwd|which|tree|git (?:log|show|diff|status|branch|grep|ls-files|rev-parse|blame)|echo|printf|jq|stat|file|du|env|test|for|if)\b/;

/** Tools that only show the content of files. */
const READER =
  /^(?!.*replace)(?:[\w-]*_)?(?:read|grep|glob|ls$|list|search|find|fetch|view|web|todo|task)/i;

const COMMIT = /^(?:\[[^\]\s]+(?: \([\w-]+\))? [0-9a-f]{7,40}\]|Commit [0-9a-f]{7,40}) .{8,200}$/m;

/** Tools that write files, and the words that a tool prints after a write. */
const EDITOR =
  /^(?:\w+_)?(?:(?:multi_?)?edit|write|(?:apply_?)?patch|create|str_?replace|replace)/i;
const WRITTEN =
  /^(?:Applied edit to \S|Success\. Updated the following files:|The file \S{2,300} has been \w+)/m;

const ANSWER =
  /^(?:\*\*Answer:?\*\*:?|Answer:|User has answered your questions?:) *(.{8,600}?)(?:\. You can now .*)?$/m;

/** Matches an answer about the next step, which is not worth keeping. */
const STEP = /\b(?:commit\w*|push\w*|proceed|ready|continue|approve\w*|merge|plan)\b/i;

/** Matches the call above a result, as exports write it: the tool, and maybe the command. */
const EXPORTED =
  /^(?:Tool(?: use)?: ?\*\*|\*\*Tool:\*\* ?)([\w.:-]{1,60})(?:\*\*)?[ \t]*`?([^\n`]{0,300})/;

/** Returns the effect of a call, read from its message. */
export function toolCallOf({ text, tool, command }: TranscriptMessage): ToolEffect {
  const exported = EXPORTED.exec(text);
  const name = tool ?? exported?.[1] ?? "";
  const isLooking = READER.test(name) || LOOKING.test(command ?? exported?.[2] ?? "");
  const answer = READER.test(name) ? undefined : ANSWER.exec(text)?.[1];
  return {
    isChange: EDITOR.test(name) || (!isLooking && WRITTEN.test(text)),
    isCommit: !isLooking && COMMIT.test(text),
    ...(answer === undefined || STEP.test(answer) ? {} : { answer }),
  };
}
