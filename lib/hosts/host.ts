// One coding agent as data. Each has a file of its own, so that a new release of an agent is one diff. Pure.

import type { JsonObject } from "../base/checks.ts";

/**
 * The facts about a coding agent that several modules share. Code that reads or edits its files is in those modules.
 */
export interface Host {
  /** The name that people use. */
  title: string;
  /** The names of the program; the preset runs the first one. */
  programs: readonly string[];
  /** The npm package of the program, and the release with which all these facts were tried, as in `.ci/hosts.txt`. */
  tried?: { packageName: string; version: string };
  /** Returns the folder of the user's configuration; it exists only after the host has run. */
  folder: (env: Variable, platform: string) => string;
  /** The folder of the host in a repository. */
  project: string;
  /** A step that the user must do after setup. */
  byHand?: string;
  /** The end of the path of a file; a change of that file requires the step. @default {each change} */
  byHandOn?: string;
  session?: SessionVariables;
  environment: HostEnvironment;
  hooks: HookHost;
  limits: { tool?: TimeLimit; hook?: TimeLimit };
  /** How to run the host for an answer; undefined if agentx does not run it. */
  preset?: Preset;
  acp?: AcpHost;
  /** How the host tells whether its user is logged in; absent if no command tells it at once, without the network. */
  login?: Login;
  /**
   * The host's own sandbox, which does not start inside the sandbox of agentx. At work, the sandbox of agentx always
   * replaces it.
   */
  ownSandbox?: OwnSandbox;
  files: HostFiles;
}

export type Variable = (name: string) => string | undefined;

/**
 * The variables that a host sets for the commands of its agents. They were observed; none is a setting that a person
 * may export.
 */
export interface SessionVariables {
  /** The variables, in the order of the search. */
  variables: readonly string[];
  /** The variable that distinguishes sessions; null if there is none. */
  id: string | null;
}

/** The environment variables of a host and its vendor. */
export interface HostEnvironment {
  /** Prefixes of the variables that its program gets in a run. */
  prefixes: readonly string[];
  /** Variables with the place of its configuration. */
  folders?: readonly string[];
  /** Variables that a server of agentx needs to run the host: keys, endpoints, and the choice of a model. */
  models?: readonly string[];
}

/** A timeout in the configuration of a host. */
export interface TimeLimit {
  key: string;
  /** Milliseconds in one unit of the value. */
  unitMs: number;
  /** The timeout if the key is missing, in milliseconds. */
  defaultMs: number;
}

/**
 * How a coding agent is run for an answer. The prompt goes to standard input, because an argument is limited to 128 KB.
 */
export interface Preset {
  /** Returns the arguments. */
  words: (chosen: Chosen) => readonly string[];
  /** Variables to set unless the caller has set them. */
  env?: Readonly<Record<string, string>>;
  /** The account that pays, in words for a person. */
  account: string;
}

/** How a coding agent uses the Agent Client Protocol. */
export interface AcpHost {
  /** The program and its arguments. */
  command: readonly string[];
  /** The npm package and the tried release of that program, if it differs from the host's own. */
  adapter?: NonNullable<Host["tried"]>;
  /** The mode that asks most questions; if absent, the mode at the start of the program. */
  mode?: string;
  /** Variables to set unless the caller has set them. */
  env?: Readonly<Record<string, string>>;
  /** Additional metadata of each new session (`_meta`). */
  meta?: JsonObject;
  /** Matches notices of the program among the words of its model. */
  notices?: RegExp;
  /** Matches the notices after which the model starts over. */
  restarts?: RegExp;
  /** Matches the notices after which nothing counts as an answer. */
  failures?: RegExp;
  /** Whether the program reports how many tokens a whole answer took. */
  tellsUsage?: true;
  /** Whether the program fails to load a session, although it claims to support that. */
  cannotLoad?: true;
  /** Whether the program gives a command line only as the title of its tool call. */
  titleIsCommand?: true;
  /** Returns the tool server of a call, according to the program and never to the words of its model. */
  server?: (call: JsonObject) => unknown;
}

/** How a host tells whether its user is logged in. */
export interface Login {
  /** The arguments of its program. */
  status: readonly string[];
  /** Matches the output if nobody is logged in. */
  loggedOut: RegExp;
  /** The command that logs its user in. */
  command: string;
  /** What replaces a login without the program saying so: a variable, or a line of its configuration. */
  instead?: { variable: string; file: string; line: RegExp };
}

/** How to choose the sandbox of a host. */
export interface OwnSandbox {
  /** The names of the option. */
  options: readonly string[];
  /** The value that turns the sandbox off. */
  off: string;
  /** The word of a command line after which the option may stand. */
  after: string;
}

/** The caller's choices for a run. */
export interface Chosen {
  /** The session to resume. */
  session?: string;
  /** The model; if absent, the host chooses. */
  model?: string;
}

/** The files in a repository and in a home that affect a host. A name in a repository counts below any folder. */
export interface HostFiles {
  /** Paths that the host loads as code by itself; a path that ends with `/` includes everything below it. */
  starts: readonly string[];
  /** Whether the host loads these paths whatever its options are. */
  startsAlways?: true;
  /** The instruction files that only the agents of this host read. */
  instructs: readonly string[];
  /** Folders of skills that the host reads, in a home and in a repository. */
  skills: readonly string[];
  /** Whether the host shows a skill twice if two folders contain it; other hosts load one copy at random. */
  showsCopies?: true;
  /** A file of a repository that the host reads instead of `AGENTS.md`. */
  replacesAgentsMd?: string;
  /** Paths in a home that the host needs to start. */
  state?: readonly string[];
  /** Paths in a home that name programs of the host; an agent in a sandbox cannot write them. */
  settings?: readonly string[];
}

/**
 * The occasions for hooks, in words of agentx; `permission` is the moment when the host asks its human whether a tool
 * may run.
 */
export type Occasion = "start" | "prompt" | "tool" | "permission" | "stop" | "end";

/**
 * How a host calls hooks. An answer has only the documented fields of its host, because a field that one host ignores
 * makes another host drop the whole answer.
 */
export interface HookHost {
  /** The events that agentx answers, each with its occasion. */
  events: Readonly<Record<string, Occasion>>;
  /** Whether a run without a terminal does not report its end. Each stop may then be its last event. */
  endsInSilence?: true;
  /** Exit code of a failure that the host ignores. */
  failureCode: 0 | 1;
  /** The output if there is no answer. */
  silence: "" | "{}";
  /** The occasions at which an answer reaches the model. */
  hears: readonly Occasion[];
  /** The unit of {@linkcode MAX_ANSWER}. */
  unit: TextUnit;
  /**
   * Returns the path of a session's recording, for a host that does not send it; undefined without a home. Such a host
   * does not wait for its last hook either, and may still be writing the file.
   */
  recordingOf?: (session: string, env: Variable) => string | undefined;
  /** Returns a text for the model in the form of the host. */
  context: (event: string, text: string) => JsonObject;
  /** Returns the reason why the agent may not stop, in the form of the host. */
  block: (event: string, reason: string) => JsonObject;
  /** The hook before a tool; undefined if no hook can refuse a tool. */
  guard?: GuardContract;
}

/** How a hook before a tool answers. */
export interface GuardContract {
  event: string;
  /** Returns a refusal, or a question to the human. */
  refuse: (decided: "deny" | "ask", reason: string) => JsonObject;
  /** The answer that lets a tool run without asking anybody; absent if no answer is needed for that. */
  pass?: JsonObject;
  /** The permission modes that let a hook make the host ask its human, as `tests/hooks/recordings/` shows. */
  prompts?: readonly unknown[];
}

/**
 * Maximum length of an answer that reaches the model whole, in the unit of its host. Claude Code turns 10,000 UTF-16
 * units into a file, and the model sees 2 KB of it; Codex counts 10,000 bytes, and cuts out the middle.
 */
export const MAX_ANSWER = 9_000;

/** The unit of a host's limit for texts. */
export type TextUnit = "characters" | "bytes";

/** Measures a text in the unit of a host's limit. */
export type Measure = (text: string) => number;

export const MEASURES: Readonly<Record<TextUnit, Measure>> = {
  characters: (text) => text.length,
  bytes: (text) => new TextEncoder().encode(text).length,
};

/** The hooks of Claude Code, which other hosts have adopted with few changes. */
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

/** Returns an answer with fields for one event. */
export function specific(event: string, fields: JsonObject): JsonObject {
  return { hookSpecificOutput: { hookEventName: event, ...fields } };
}

/** Returns the decision of a hook before a tool, in the form of Claude Code. */
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

/** Prefixes of the variables of vendors that supply models to programs without models of their own. */
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

/** Returns an option with its value; nothing if the value is undefined. */
export function option(name: string, value: string | undefined): string[] {
  return value === undefined ? [] : [name, value];
}

/** Returns paths of names in a folder. */
export function below(folder: string, names: readonly string[]): string[] {
  return names.map((name) => `${folder}/${name}`);
}
