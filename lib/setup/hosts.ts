// The hosts, and the files that setup writes for each: for one user, or in a repository. The hook events are
// those whose answer was seen to reach the model, and those that end a session.

import { sys } from "../sys/mod.ts";
import { opencodePlugin, SKILL } from "./content.ts";
import {
  agentsFile,
  BY_COPILOT,
  claudeFile,
  copilotHooks,
  flat,
  group,
  HOOK_LIMIT_SECONDS,
  inHome,
  json,
  opencodeConfig,
  part,
  program,
  server,
  shared,
} from "./host_parts.ts";
import { type HostName, HOSTS as HOOKS } from "../hooks/hosts.ts";
import type { HowCalled } from "./how_called.ts";
import type { Part } from "./part.ts";
import { WITHHELD_BY_CLAUDE, withheldByGemini } from "./passed_variables.ts";
import { tomlTable } from "./toml_table.ts";
import { wholeFile } from "./whole_file.ts";

/** Where setup writes, and how the files call agentx. */
export interface Place {
  /** The folder of a repository; undefined for the user's own configuration. */
  repository?: string;
  called: HowCalled;
  /** Let agentx judge each tool call, in hosts whose hooks can refuse one. */
  hasGuard?: boolean;
  /** Variables that a host passes to the server of agentx by name, where it passes no others. */
  passed: readonly string[];
}

export interface Host {
  /** As people call it. */
  title: string;
  programs: readonly string[];
  /** The user's configuration folder of the host; it exists once the host ran. */
  folder(): string;
  parts(place: Place): Part[];
  limits: { tool?: Limit; hook?: Limit };
  /** A step for the user. */
  byHand?: string;
}

/** A timeout in the configuration of a host. */
export interface Limit {
  key: string;
  /** Milliseconds in one unit of the value. */
  unitMs: number;
  /** The timeout where the key is missing, in milliseconds. */
  defaultMs: number;
}

const SECONDS = 1_000;

const MINUTES = 60_000;

/** How long a tool may wait for an answer: less than each timeout below. */
const WAIT = ["mcp", "--wait", "100s"] as const;

/**
 * The timeout for tools, where the default of a host is shorter and its configuration can raise it.
 */
const TOOL_LIMIT_SECONDS = 120;

/** Codex gives the hook of SessionEnd no more, even if its file says so. */
const CODEX_END_SECONDS = 3;

/** Tools that read, ask, answer, note or claim: the user who runs setup allows them, for themselves only. */
const APPROVED_TOOLS = [
  ...["clarify_ask", "clarify_answer", "clarify_list", "ask_user"],
  ...["memory_search", "memory_get", "memory_note", "ready"],
];

/** Codex asks before every other tool; headless, where it cannot ask, it refuses them. */
const CODEX_APPROVES = {
  default_tools_approval_mode: "prompt",
  tools: Object.fromEntries(APPROVED_TOOLS.map((name) => [name, { approval_mode: "approve" }])),
};

/** Of Claude Code and Codex. */
const EVENTS = Object.keys(HOOKS.codex.events);

export const HOSTS: Readonly<Record<HostName, Host>> = {
  claude: {
    title: "Claude Code",
    programs: ["claude"],
    limits: { hook: { key: "timeout", unitMs: SECONDS, defaultMs: MINUTES } },
    folder: () => sys.env("CLAUDE_CONFIG_DIR") || inHome(".claude"),
    parts({ repository, called, hasGuard }) {
      const own = sys.env("CLAUDE_CONFIG_DIR");
      const folder = repository === undefined ? this.folder() : `${repository}/.claude`;
      const servers = repository === undefined
        ? `${own || inHome()}/.claude.json`
        : `${repository}/.mcp.json`;
      const guard = repository === undefined ? "" : BY_COPILOT;
      return [
        json(servers, [
          server("mcpServers", {
            type: "stdio",
            ...program(called, WAIT),
            env: WITHHELD_BY_CLAUDE,
          }),
        ]),
        json(
          `${folder}/settings.json`,
          [...EVENTS, ...hasGuard ? ["PreToolUse", "PostToolUseFailure"] : []].map((event) =>
            group("claude", event, {
              type: "command",
              command: guard + called.hookLine("claude", event),
              timeout: HOOK_LIMIT_SECONDS,
            })
          ),
        ),
        part(`${folder}/skills/agentx/SKILL.md`, wholeFile(SKILL)),
        ...agentsFile(repository),
        ...claudeFile(repository),
      ];
    },
  },
  codex: {
    title: "Codex",
    programs: ["codex"],
    limits: {
      tool: { key: "tool_timeout_sec", unitMs: SECONDS, defaultMs: MINUTES },
      hook: { key: "timeout", unitMs: SECONDS, defaultMs: 10 * MINUTES },
    },
    folder: () => sys.env("CODEX_HOME") || inHome(".codex"),
    parts({ repository, called, passed, hasGuard }) {
      const folder = repository === undefined ? this.folder() : `${repository}/.codex`;
      const [command, ...args] = [...called.words, ...WAIT];
      const path = `${folder}/config.toml`;
      const values = {
        command,
        args,
        env_vars: passed,
        tool_timeout_sec: TOOL_LIMIT_SECONDS,
        ...repository === undefined ? CODEX_APPROVES : {},
      };
      return [
        part(path, tomlTable(values, { path, name: ["mcp_servers", "agentx"] })),
        json(
          `${folder}/hooks.json`,
          [...EVENTS, ...hasGuard ? ["PreToolUse"] : []].map((event) =>
            group("codex", event, {
              type: "command",
              command: called.hookLine("codex", event),
              timeout: event === "SessionEnd" ? CODEX_END_SECONDS : HOOK_LIMIT_SECONDS,
            })
          ),
        ),
        ...shared(repository),
      ];
    },
    byHand:
      "Codex skips a hook until you trust it: start codex, enter /hooks, and trust those of agentx",
  },
  copilot: {
    title: "Copilot CLI",
    programs: ["copilot"],
    limits: {
      tool: { key: "timeout", unitMs: 1, defaultMs: MINUTES },
      hook: { key: "timeoutSec", unitMs: SECONDS, defaultMs: 30 * SECONDS },
    },
    folder: () => sys.env("COPILOT_HOME") || inHome(".copilot"),
    parts({ repository, called, hasGuard }) {
      const folder = repository === undefined ? this.folder() : `${repository}/.github`;
      const servers = repository === undefined ? "mcp-config.json" : "mcp.json";
      const value = {
        type: "local",
        ...program(called, WAIT),
        tools: ["*"],
        timeout: TOOL_LIMIT_SECONDS * SECONDS,
      };
      return [
        json(`${folder}/${servers}`, [server("mcpServers", value)]),
        copilotHooks(folder, called, hasGuard),
        ...shared(repository),
      ];
    },
  },
  gemini: {
    title: "Gemini CLI",
    programs: ["gemini"],
    limits: {
      tool: { key: "timeout", unitMs: 1, defaultMs: 10 * MINUTES },
      hook: { key: "timeout", unitMs: 1, defaultMs: MINUTES },
    },
    folder: () => `${sys.env("GEMINI_CLI_HOME") || inHome()}/.gemini`,
    parts({ repository, called, passed, hasGuard }) {
      const folder = repository === undefined ? this.folder() : `${repository}/.gemini`;
      return [
        json(`${folder}/settings.json`, [
          server("mcpServers", {
            ...program(called, WAIT),
            env: withheldByGemini(passed),
            timeout: TOOL_LIMIT_SECONDS * SECONDS,
          }),
          ...[...Object.keys(HOOKS.gemini.events), ...hasGuard ? ["BeforeTool"] : []].map((event) =>
            group("gemini", event, {
              type: "command",
              name: `agentx-${event}`,
              command: called.hookLine("gemini", event),
              timeout: HOOK_LIMIT_SECONDS * SECONDS,
            })
          ),
        ]),
        ...shared(repository),
      ];
    },
  },
  opencode: {
    title: "opencode",
    programs: ["opencode"],
    limits: { tool: { key: "timeout", unitMs: 1, defaultMs: 5 * SECONDS } },
    folder: () =>
      sys.env("OPENCODE_CONFIG_DIR") ||
      `${sys.env("XDG_CONFIG_HOME") || inHome(".config")}/opencode`,
    parts({ repository, called }) {
      const folder = repository === undefined ? this.folder() : `${repository}/.opencode`;
      const command = [...called.words, ...WAIT];
      const timeout = TOOL_LIMIT_SECONDS * SECONDS;
      return [
        json(opencodeConfig(repository ?? this.folder()), [
          { at: ["mcp", "agentx"], value: { type: "local", command, enabled: true, timeout } },
        ]),
        part(`${folder}/plugins/agentx.js`, wholeFile(opencodePlugin(called.words))),
        ...shared(repository),
      ];
    },
  },
  vscode: {
    title: "VS Code",
    programs: ["code"],
    limits: { hook: { key: "timeoutSec", unitMs: SECONDS, defaultMs: 30 * SECONDS } },
    folder: () =>
      sys.platform === "darwin"
        ? inHome("Library/Application Support/Code")
        : `${sys.env("XDG_CONFIG_HOME") || inHome(".config")}/Code`,
    parts({ repository, called, hasGuard }) {
      const folder = repository === undefined ? `${this.folder()}/User` : `${repository}/.vscode`;
      const value = { type: "stdio", ...program(called, ["mcp"]) };
      return [
        json(`${folder}/mcp.json`, [server("servers", value)]),
        copilotHooks(
          repository === undefined ? inHome(".copilot") : `${repository}/.github`,
          called,
          hasGuard,
        ),
        ...shared(repository),
      ];
    },
  },
  cursor: {
    title: "Cursor",
    programs: ["cursor", "cursor-agent"],
    limits: {},
    folder: () => inHome(".cursor"),
    parts({ repository, called }) {
      const folder = repository === undefined ? this.folder() : `${repository}/.cursor`;
      return [
        json(`${folder}/mcp.json`, [
          server("mcpServers", { type: "stdio", ...program(called, ["mcp"]) }),
        ]),
        json(
          `${folder}/hooks.json`,
          Object.keys(HOOKS.cursor.events).map((event) =>
            flat("cursor", event, { command: called.hookLine("cursor", event) })
          ),
          { base: { version: 1 } },
        ),
        ...shared(repository),
      ];
    },
  },
};
