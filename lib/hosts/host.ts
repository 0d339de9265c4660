// One coding agent as data: a file for each, so that a new release of it is one diff. Pure.

import type { JsonObject } from "../base/checks.ts";

/** A coding agent: the facts of it that rooms share. What reads or edits its files is in their room. */
export interface Host {
  /** As people call it. */
  title: string;
  /** Names of its program; the first is that of its preset. */
  programs: readonly string[];
  /** The npm package of its program, and the release with which all of this was tried, as in `.ci/hosts.txt`. */
  tried?: { packageName: string; version: string };
  /** Its user's configuration; it exists once the host ran. */
  folder: (env: Variable, platform: string) => string;
  /** Its folder in a repository. */
  project: string;
  /** A step for its user after setup. */
  byHand?: string;
  /** The end of the file that needs it after a change. @default {each change} */
  byHandOn?: string;
  session?: SessionVariables;
  environment: HostEnvironment;
  hooks: HookHost;
  limits: { tool?: TimeLimit; hook?: TimeLimit };
  /** How it is run for an answer; undefined where it is not. */
  preset?: Preset;
  acp?: AcpHost;
  /** Its own sandbox, which does not start in that of agentx. At work, that of agentx always takes its place. */
  ownSandbox?: OwnSandbox;
  files: HostFiles;
}

export type Variable = (name: string) => string | undefined;

/** The variables that a host sets for the commands of its agents: observed, never a setting that a person may export. */
export interface SessionVariables {
  /** In the order of the search. */
  variables: readonly string[];
  /** The one that tells one session from another; null if there is none. */
  id: string | null;
}

/** Variables of a host and its vendor. */
export interface HostEnvironment {
  /** The prefixes of the names that its program gets in a run. */
  prefixes: readonly string[];
  /** Variables that hold the place of its configuration. */
  folders?: readonly string[];
  /** Variables that a server of agentx needs to run it: keys, endpoints, and the choice of a model. */
  models?: readonly string[];
}

/** A timeout in the configuration of a host. */
export interface TimeLimit {
  key: string;
  /** Milliseconds in one unit of the value. */
  unitMs: number;
  /** The timeout where the key is missing, in milliseconds. */
  defaultMs: number;
}

/** How a coding agent is run for an answer. The prompt goes to standard input: an argument is limited to 128 KB. */
export interface Preset {
  /** The arguments. */
  words: (chosen: Chosen) => readonly string[];
  /** Set unless the caller has set them. */
  env?: Readonly<Record<string, string>>;
  /** The account that pays, in words for a person. */
  account: string;
}

/** How a coding agent speaks the Agent Client Protocol. */
export interface AcpHost {
  /** The program, and its arguments. */
  command: readonly string[];
  /** The npm package of that program, where it is another one, and the release that was tried. */
  adapter?: NonNullable<Host["tried"]>;
  /** The mode with the most questions; absent, the mode of its start. */
  mode?: string;
  /** Set unless the caller has set them. */
  env?: Readonly<Record<string, string>>;
  /** The metadata of each new session, beside the protocol (`_meta`). */
  meta?: JsonObject;
  /** Notices of the program itself among the words of its model. */
  notices?: RegExp;
  /** The notices after which the model begins anew. */
  restarts?: RegExp;
  /** The notices after which nothing counts as an answer. */
  failures?: RegExp;
  /** Whether it tells how many tokens a whole answer took. */
  tellsUsage?: true;
  /** Whether it fails to load a session, though it says that it can. */
  cannotLoad?: true;
  /** Whether it gives a command line as the title of its tool call, and nowhere else. */
  titleIsCommand?: true;
  /** The server of tools that a call is for, by what the program says of it, never by the words of its model. */
  server?: (call: JsonObject) => unknown;
}

/** How the sandbox of a host is chosen. */
export interface OwnSandbox {
  /** The names of the option. */
  options: readonly string[];
  /** The value without a sandbox. */
  off: string;
  /** The word of a command after which the option may stand. */
  after: string;
}

/** The caller's choices for a run. */
export interface Chosen {
  /** The session to resume. */
  session?: string;
  /** Left out, the host chooses. */
  model?: string;
}

/** The files of a repository and of a home that act on a host. In a repository, a name below any folder. */
export interface HostFiles {
  /** Paths that it loads as code by itself; one that ends with `/` includes all below it. */
  starts: readonly string[];
  /** Whether it does so whatever its options say. */
  startsAlways?: true;
  /** The instruction files of its agents that other hosts do not read. */
  instructs: readonly string[];
  /** Folders of skills that it reads, in a home and in a repository. */
  skills: readonly string[];
  /** Whether a skill that is in two of them is shown twice; of other hosts, one is taken by chance. */
  showsCopies?: true;
  /** A file of a repository that it reads instead of `AGENTS.md`. */
  replacesAgentsMd?: string;
  /** Paths in a home that it needs for a start. */
  state?: readonly string[];
  /** Paths in a home that name its programs: an agent in a sandbox does not write them. */
  settings?: readonly string[];
}

/** When a hook is called, in our words; `permission` while the host asks its human whether a tool may run. */
export type Occasion = "start" | "prompt" | "tool" | "permission" | "stop" | "end";

/**
 * How a host calls hooks. An answer has the documented fields of its host and no others: a field that one host
 * ignores makes another drop the whole answer.
 */
export interface HookHost {
  /** The events that agentx answers. */
  events: Readonly<Record<string, Occasion>>;
  /** Whether a run without a terminal reports no end: each stop may be the last that is heard of it. */
  endsInSilence?: true;
  /** Exit code of a failure that the host ignores. */
  failureCode: 0 | 1;
  /** The output without an answer. */
  silence: "" | "{}";
  /** Occasions at which an answer reaches the model. */
  hears: readonly Occasion[];
  /** The unit of {@linkcode MAX_ANSWER}. */
  unit: TextUnit;
  /**
   * The path of a session's recording, for a host that does not send it; undefined without a home. Such a host
   * does not wait for its last hook either, and may still be writing.
   */
  recordingOf?: (session: string, env: Variable) => string | undefined;
  /** Text for the model, as the host takes it. */
  context: (event: string, text: string) => JsonObject;
  /** Why its agent may not stop, as the host takes it. */
  block: (event: string, reason: string) => JsonObject;
  /** The event before a tool; undefined where no hook can refuse one. */
  guard?: GuardContract;
}

/** How a hook before a tool answers. */
export interface GuardContract {
  event: string;
  /** The refusal, or the question to the human. */
  refuse: (decided: "deny" | "ask", reason: string) => JsonObject;
  /** Lets a tool run without asking anybody; left out where that is silence. */
  pass?: JsonObject;
  /** The modes that let a hook make it ask its human, as `tests/hooks/recordings/` shows. */
  prompts?: readonly unknown[];
}

/**
 * The longest answer that reaches the model whole, in the unit of its host. Claude Code makes a file of 10,000
 * UTF-16 units, and the model sees 2 KB of it; Codex counts 10,000 bytes, and cuts out the middle.
 */
export const MAX_ANSWER = 9_000;

/** In which a host limits a text. */
export type TextUnit = "characters" | "bytes";

/** Measures a text in the unit of a host's limit. */
export type Measure = (text: string) => number;

export const MEASURES: Readonly<Record<TextUnit, Measure>> = {
  characters: (text) => text.length,
  bytes: (text) => new TextEncoder().encode(text).length,
};

/** The hooks of Claude Code, which others have taken over more or less. */
export const LIKE_CLAUDE: HookHost = {
  events: {
    SessionStart: "start",
    UserPromptSubmit: "prompt",
    PermissionRequest: "permission",
    PostToolUse: "tool",
    Stop: "stop",
    SessionEnd: "end",
  },
  failureCode: 1,
  silence: "",
  hears: ["start", "prompt", "tool", "stop"],
  unit: "characters",
  context: (event, additionalContext) => specific(event, { additionalContext }),
  block: (_, reason) => ({ decision: "block", reason }),
};

/** Fields for one event. */
export function specific(event: string, fields: JsonObject): JsonObject {
  return { hookSpecificOutput: { hookEventName: event, ...fields } };
}

/** The decision of a hook before a tool, as Claude Code names it. */
export function toolDecision(
  permissionDecision: "deny" | "ask" | "allow",
  permissionDecisionReason: string,
): JsonObject {
  return { permissionDecision, permissionDecisionReason };
}

/** The hook of Claude Code before a tool. */
export const GUARD_LIKE_CLAUDE: GuardContract = {
  event: "PreToolUse",
  refuse: (decided, reason) => specific("PreToolUse", toolDecision(decided, reason)),
};

/** The vendors that supply models to programs without models of their own. */
export const MODEL_VENDORS: readonly string[] = [
  "ANTHROPIC_",
  "OPENAI_",
  "GEMINI_",
  "OPENROUTER_",
  "MISTRAL_",
  "DEEPSEEK_",
  "GROQ_",
  "XAI_",
  "OLLAMA_",
  "GOOGLE_GENERATIVE_AI_",
  "AWS_BEARER_TOKEN_BEDROCK",
  "VERTEX",
];

/** An argument that is there if its value is. */
export function option(name: string, value: string | undefined): string[] {
  return value === undefined ? [] : [name, value];
}

/** Names in a folder. */
export function below(folder: string, names: readonly string[]): string[] {
  return names.map((name) => `${folder}/${name}`);
}
