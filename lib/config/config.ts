// The settings of a workspace, as `config.schema.json` describes them to editors, too.

/** The settings of a workspace (DESIGN section 4). */
export interface Config {
  /** Where issues live. @default {"local"} */
  mode: "local" | "github";
  /** Workflow of an issue that has no `type:` label. @default {"feature"} */
  defaultWorkflow: string;
  /** How to run each agent, by role; `default`, of the user's own, for every role without. @default {{}} */
  agents: Record<string, AgentConfig>;
  /** Clarifications. */
  clarify: {
    /** Time before the one retry of an agent that failed to answer. @default {30} */
    retryDelaySeconds: number;
    /** Questions and answers that agents write on one issue before a human is asked. @default {40} */
    maxTurns: number;
    /** Runs of agents that questions may start in a day (UTC). @default {200} */
    maxRunsPerDay: number;
  };
  /** Memory across sessions. */
  memory: {
    /** Whether observations are captured and recalled. @default {true} */
    enabled: boolean;
    /** Whether a session is asked for notes before it stops, which costs one more turn. @default {"off"} */
    ask: "off" | "stop";
    /** Token budget for the recall at the start of a session. @default {600} */
    startTokens: number;
    /** Most tokens of any recall; 0 for no recall. @default {20000} */
    maxTokens: number;
  };
  /** Questions to humans. */
  gate: {
    /** How long a question to a human stays open: `90s`, `5m`, `2h` or `never`. @default {"5m"} */
    timeout: string;
    /** Topics that a human is asked about, whatever the blocker, phase and session. @default {[]} */
    alwaysAsk: string[];
    /** Topics that agents decide by themselves. @default {[]} */
    neverAsk: string[];
  };
  /** The inbox of the human. A repository has no say in it. */
  inbox: {
    /** Program and arguments that tell the human, with what waits as JSON on its input. @default {[]} */
    notify: string[];
    /** Seconds that an entry waits before the human gets a notice. @default {60} */
    notifyAfterSeconds: number;
  };
  /**
   * The git remote over which machines work together, by the path of a repository. A repository has no say in
   * it. @default {{}}
   */
  remotes: Record<string, string>;
  /** The commands by which workflows check work. A repository has no say in it. */
  evidence: {
    /** Folders that they may write besides the working tree, such as `~/.npm`. @default {[]} */
    caches: string[];
  };
  /** Plans that cut an issue into parts. */
  plan: {
    /** Whether one that an agent made waits for a person before it becomes issues. @default {true} */
    approve: boolean;
  };
  /** The steps of an issue. */
  pipeline: {
    /** The issues that refuse a status without a validated step. @default {"begun"} */
    enforce: "off" | "begun" | "all";
  };
  /** The iterative loop of an issue. */
  loop: {
    /** Whether work is handed over only after its loop is complete. @default {false} */
    required: boolean;
  };
  /** Mode `github`. */
  github: {
    /** Repository of the issues, as `owner/name`. @default {null} */
    repository: string | null;
    /** The posts on issues; only the user's own setting counts. @default {"escalations"} */
    post: PostLevel;
    /** Logins that decide there, and are mentioned; only the user's own setting counts. @default {[]} */
    deciders: string[];
  };
}

/** The amount of posts: every entry of a thread, questions to a human, or none. */
export type PostLevel = "threads" | "escalations" | "none";

/** How to run an agent: by its `command`, else by its `preset`; without both, it is not run. */
export interface AgentConfig {
  /** Program and arguments, without a shell. @default {null} */
  command: string[] | null;
  /**
   * Coding agents that the toolkit knows how to run, or `http`; of a list, the next one runs where one is
   * missing, rate-limited or fails.
   */
  preset: string | string[] | null;
  /** The program of the preset `acp` and its arguments, such as `["qwen", "--acp"]`. @default {null} */
  acp: string[] | null;
  /** The endpoint of the preset `http`. @default {null} */
  http: HttpConfig | null;
  /** Time for one run. @default {300} */
  timeoutSeconds: number;
  /** Names of variables to pass on, besides those of its own vendor. @default {[]} */
  passEnv: string[];
  /** Variables to set for it, by name. @default {{}} */
  env: Record<string, string>;
  /** Its write access: none, or the working tree; null if nothing confines it. @default {null} */
  sandbox: "read-only" | "workspace" | null;
  /** Whether it reaches the network from its sandbox. @default {true} */
  network: boolean;
}

/** A model behind HTTP. */
export interface HttpConfig {
  /** The interface of the endpoint. @default {"openai"} */
  api: "openai" | "anthropic";
  /** Base address, such as `https://api.openai.com/v1`. @default {null} */
  url: string | null;
  /** Name of the model. @default {null} */
  model: string | null;
  /** Name of the variable that holds the key; null where none is needed. @default {null} */
  keyEnv: string | null;
  /** Longest reply, in tokens; null for 4096, or the limit of an OpenAI-compatible endpoint. @default {null} */
  maxTokens: number | null;
}
