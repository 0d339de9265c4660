/**
 * What each host sends to a hook and takes from it: a decoder and an encoder per host, in one table.
 *
 * An answer has the documented fields of its host and no others: what one host ignores, another drops
 * the whole answer for. The contracts were read out of Claude Code 2.1.197, Codex 0.169.0, Gemini CLI
 * 0.61.0 and Copilot CLI 1.0.102; those of Cursor and VS Code are from their documentation. What a plugin
 * of opencode sends and takes is our own. Pure.
 *
 * @module
 */

import type { JsonObject } from "../../checks.ts";

/** When a hook is called, whatever the host calls it. */
export type Occasion = "start" | "prompt" | "tool" | "stop" | "end";

/** What a hook answers: something to read, or why the agent goes on. */
export type Answer = { context: string } | { block: string };

/** The names of the hosts. */
export const HOST_NAMES = [
  "claude",
  "codex",
  "copilot",
  "gemini",
  "cursor",
  "vscode",
  "opencode",
] as const;

/** A program in which agents work. */
export type HostName = typeof HOST_NAMES[number];

/** What a host sent, in our words. */
export interface HookCall {
  /** Names the session at its host. */
  session: string;
  /** Where the session works; undefined where the host does not say. */
  cwd: string | undefined;
  /** The recording of the session; undefined where there is none. */
  transcript: string | undefined;
  /** What it holds, where the host keeps no file of it; undefined otherwise. */
  recording: string | undefined;
  /** Tells this event from others of its kind in the session, as far as the host does. */
  turn: string;
  /** Whether the agent goes on already since a hook said so. */
  isContinued: boolean;
  /** Whether its user, or an error, broke the turn off: it is not gone on with. */
  isBrokenOff: boolean;
  /** Whether it is about an agent that the session's own agent runs. */
  isSubagent: boolean;
  /** Whether it says when it was sent. */
  hasTime: boolean;
  /** The clarifications whose answers the tool has just given, as `clarify_ask` and `clarify_list` do. */
  given: readonly string[];
  /** The agent that the host says it is; undefined where it does not say. */
  agent: string | undefined;
}

/** How a host calls hooks. */
export interface HookHost {
  /** Its events that mean something to us. */
  events: Readonly<Record<string, Occasion>>;
  /** The most characters of one answer that reach the model whole. */
  maxCharacters: number;
  /** Exit code of a failure at which the host goes on as if there were no hook. */
  failureCode: 0 | 1;
  /** What is printed where there is nothing to say. */
  silence: "" | "{}";
  /** Occasions at which an answer reaches the model. */
  hears: readonly Occasion[];
  /**
   * Where the recording of a session is, below the home of the user, where the host does not say it. Such
   * a host does not wait for its last hook either, and writes on meanwhile.
   */
  recordingOf?: (session: string) => string;
  /** @returns the object that the host takes */
  encode(event: string, answer: Answer): JsonObject;
}

/** A longer answer of Claude Code becomes a file, of which the model sees 2 KB. */
const CLAUDE_CHARACTERS = 9_000;

/** Codex counts 2,500 tokens, as a quarter of the bytes. */
const CODEX_CHARACTERS = 9_000;

const ALL: readonly Occasion[] = ["start", "prompt", "tool", "stop"];

const CLAUDE_EVENTS: Readonly<Record<string, Occasion>> = {
  SessionStart: "start",
  UserPromptSubmit: "prompt",
  PostToolUse: "tool",
  Stop: "stop",
  SessionEnd: "end",
};

/** Every host with its contract. */
export const HOSTS: Readonly<Record<HostName, HookHost>> = {
  claude: {
    events: CLAUDE_EVENTS,
    maxCharacters: CLAUDE_CHARACTERS,
    failureCode: 1,
    silence: "",
    hears: ALL,
    encode: decisionOrContext,
  },
  codex: {
    events: CLAUDE_EVENTS,
    maxCharacters: CODEX_CHARACTERS,
    failureCode: 1,
    silence: "",
    hears: ALL,
    encode: decisionOrContext,
  },
  copilot: {
    events: {
      sessionStart: "start",
      userPromptSubmitted: "prompt",
      postToolUse: "tool",
      agentStop: "stop",
      sessionEnd: "end",
    },
    maxCharacters: CLAUDE_CHARACTERS,
    failureCode: 0, // some of its events refuse what they are about where a hook fails
    silence: "",
    hears: ["start", "stop"],
    recordingOf: (session) => `.copilot/session-state/${session}/events.jsonl`,
    encode: (_, answer) =>
      "block" in answer
        ? { decision: "block", reason: answer.block }
        : { additionalContext: answer.context },
  },
  gemini: {
    events: {
      SessionStart: "start",
      BeforeAgent: "prompt",
      AfterTool: "tool",
      AfterAgent: "stop",
      SessionEnd: "end",
    },
    maxCharacters: CLAUDE_CHARACTERS,
    failureCode: 1,
    silence: "{}",
    hears: ALL,
    encode: (event, answer) =>
      "block" in answer
        ? { decision: "deny", reason: answer.block }
        : specific(event, { additionalContext: answer.context }),
  },
  cursor: {
    events: {
      sessionStart: "start",
      beforeSubmitPrompt: "prompt",
      postToolUse: "tool",
      stop: "stop",
      sessionEnd: "end",
    },
    maxCharacters: CLAUDE_CHARACTERS,
    failureCode: 1,
    silence: "{}",
    hears: ["start", "tool", "stop"],
    encode: (_, answer) =>
      "block" in answer
        ? { followup_message: answer.block }
        : { additional_context: answer.context },
  },
  vscode: {
    events: {
      SessionStart: "start",
      UserPromptSubmit: "prompt",
      PostToolUse: "tool",
      Stop: "stop",
    },
    maxCharacters: CLAUDE_CHARACTERS,
    failureCode: 1,
    silence: "",
    hears: ["start", "tool", "stop"],
    encode: (event, answer) =>
      specific(
        event,
        "block" in answer
          ? { decision: "block", reason: answer.block }
          : { additionalContext: answer.context },
      ),
  },
  opencode: {
    events: {
      "session.created": "start",
      "chat.message": "prompt",
      "tool.execute.after": "tool",
      "session.idle": "stop",
      dispose: "end",
      "session.deleted": "end",
    },
    maxCharacters: CLAUDE_CHARACTERS,
    failureCode: 0,
    silence: "{}",
    hears: ["start", "stop"], // delivered while it works, it is wedged
    encode: (_, answer) =>
      "block" in answer ? { prompt: answer.block } : { context: answer.context },
  },
};

/**
 * Copilot and VS Code run the hooks of Claude Code, too, with a time in what they send, and each takes an
 * answer in its own form: Copilot 1.0.102 was seen to ignore that of Claude Code.
 */
const BORROWED: HookHost = {
  ...HOSTS.claude,
  failureCode: 0,
  hears: ["start", "stop"],
  recordingOf: HOSTS.copilot.recordingOf,
  encode: (event, answer) => ({
    ...HOSTS.copilot.encode(event, answer),
    ...HOSTS.vscode.encode(event, answer),
  }),
};

/**
 * @param name whose hook was called
 * @param call what was sent
 * @returns the contract of whoever called it
 */
export function callerOf(name: HostName, { hasTime }: HookCall): HookHost {
  return name === "claude" && hasTime ? BORROWED : HOSTS[name];
}

function decisionOrContext(event: string, answer: Answer): JsonObject {
  return "block" in answer
    ? { decision: "block", reason: answer.block }
    : specific(event, { additionalContext: answer.context });
}

function specific(event: string, fields: JsonObject): JsonObject {
  return { hookSpecificOutput: { hookEventName: event, ...fields } };
}
