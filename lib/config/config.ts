// The settings of a workspace. `config.schema.json` describes the same settings to editors.

/** The settings of a workspace (DESIGN section 4). */
export interface Config {
  /** Where issues are stored. @default {"local"} */
  mode: "local" | "github";
  /** Workflow of an issue that has no `type:` label. @default {"feature"} */
  defaultWorkflow: string;
  /** How to run each agent, by role. The user's own `default` serves every role without an entry. @default {{}} */
  agents: Record<string, AgentConfig>;
  /** Clarifications. */
  clarify: {
    /** Time before the one retry of an agent that failed to answer. @default {30} */
    retryDelaySeconds: number;
    /** Number of questions and answers that agents write on one issue before a human is asked. @default {40} */
    maxTurns: number;
    /** Number of agent runs that questions may start in a day (UTC). @default {200} */
    maxRunsPerDay: number;
  };
  /** Memory across sessions. */
  memory: {
    /** Whether observations are captured and recalled. @default {true} */
    enabled: boolean;
    /** Whether a session is asked for notes before it stops; this costs one more turn. @default {"off"} */
    ask: "off" | "stop";
    /** Token budget for the recall at the start of a session. @default {600} */
    startTokens: number;
    /** Maximum number of tokens of any recall; 0 for no recall. @default {20000} */
    maxTokens: number;
  };
  /** Questions to humans. */
  gate: {
    /** How long a question to a human stays open: `90s`, `5m`, `2h` or `never`. @default {"5m"} */
    timeout: string;
    /** Topics on which a human is always asked, in every phase and session. @default {[]} */
    alwaysAsk: string[];
    /** Topics that agents decide by themselves. @default {[]} */
    neverAsk: string[];
  };
  /** The inbox of the human. A repository cannot set it. */
  inbox: {
    /**
     * Program and arguments of the command that notifies the human. It gets the waiting entries as JSON on its input.
     * @default {[]}
     */
    notify: string[];
    /** Seconds that an entry waits before the human gets a notice. @default {60} */
    notifyAfterSeconds: number;
  };
  /**
   * The git remote through which machines work together, by the path of a repository. A repository cannot set it.
   * @default {{}}
   */
  remotes: Record<string, string>;
  /** Settings for the commands that workflows use to check work. A repository cannot set them. */
  evidence: {
    /** Folders that these commands may write besides the working tree, such as `~/.npm`. @default {[]} */
    caches: string[];
  };
  /** Plans that cut an issue into parts. */
  plan: {
    /** Whether a plan of an agent must be approved by a person before it becomes issues. @default {true} */
    approve: boolean;
  };
  /** The steps of an issue. */
  pipeline: {
    /** The issues for which a status is refused as long as its step is not validated. @default {"begun"} */
    enforce: "off" | "begun" | "all";
  };
  /** The iterative loop of an issue. */
  loop: {
    /** Whether work can be handed over only after its loop is complete. @default {false} */
    required: boolean;
  };
  /** Settings of mode `github`. */
  github: {
    /** Repository of the issues, as `owner/name`. @default {null} */
    repository: string | null;
    /** The entries that agentx posts on issues; only the user's own setting counts. @default {"escalations"} */
    post: PostLevel;
    /** Logins that are mentioned and may decide on GitHub; only the user's own setting counts. @default {[]} */
    deciders: string[];
  };
}

/** The entries to post: every entry of a thread, questions to a human, or none. */
export type PostLevel = "threads" | "escalations" | "none";

/** How to run an agent: by its `command`, else by its `preset`. Without both, the agent is not run. */
export interface AgentConfig {
  /** Program and arguments, without a shell. @default {null} */
  command: string[] | null;
  /**
   * Coding agents that the toolkit knows how to run, or `http`. In a list, the next agent runs if the one before it
   * is missing, is rate-limited or fails.
   */
  preset: string | string[] | null;
  /** The program of the preset `acp` and its arguments, such as `["qwen", "--acp"]`. @default {null} */
  acp: string[] | null;
  /** The endpoint of the preset `http`. @default {null} */
  http: HttpConfig | null;
  /** Time limit of one run. @default {300} */
  timeoutSeconds: number;
  /** Names of variables to pass on, besides the variables of the agent's own vendor. @default {[]} */
  passEnv: string[];
  /** Variables to set for the agent, by name. @default {{}} */
  env: Record<string, string>;
  /** The agent's write access: none, or the working tree; null if nothing confines the agent. @default {null} */
  sandbox: "read-only" | "workspace" | null;
  /** Whether the agent can use the network from its sandbox. @default {true} */
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
  /** Name of the variable that holds the key; null if no key is needed. @default {null} */
  keyEnv: string | null;
  /**
   * Longest reply in tokens. For null, 4096 with `anthropic`, and the endpoint's own limit with `openai`.
   * @default {null}
   */
  maxTokens: number | null;
}
