/**
 * Every host with its files: which they are, for one user and in a repository, and what is ours in them.
 * The events are those that were seen to reach the model of the host, or whose end of a session matters.
 *
 * @module
 */

import { sys } from "../../sys/mod.ts";
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
import type { HostName } from "./host_names.ts";
import type { HowCalled } from "./how_called.ts";
import type { Part } from "./part.ts";
import { WITHHELD_BY_CLAUDE, withheldByGemini } from "./passed_variables.ts";
import { tomlTable } from "./toml_table.ts";
import { wholeFile } from "./whole_file.ts";

/** Where the files of one set-up are, and how they call the program. */
export interface Place {
  /** The folder of a repository; undefined for the user's own configuration. */
  repository?: string;
  called: HowCalled;
  /** Names of the variables that reach our server where a host passes only what it is told to. */
  passed: readonly string[];
}

/** A host, and what is set up in it. */
export interface Host {
  /** As people call it. */
  title: string;
  /** Names of its program. */
  programs: readonly string[];
  /** Where its configuration of this user is; it has one once it ran. */
  folder(): string;
  /** What is ours in it, a part for each file. */
  parts(place: Place): Part[];
  /** How long it lets a tool and a hook run. */
  limits: { tool?: Limit; hook?: Limit };
  /** What its user has to do by hand, where it is not done by a file. */
  byHand?: string;
}

/** How a host is told how long something may run. */
export interface Limit {
  key: string;
  /** What one of its unit is, in milliseconds. */
  unitMs: number;
  /** What holds where nothing is said, in milliseconds. */
  defaultMs: number;
}

const SECONDS = 1_000;

const MINUTES = 60_000;

/** A tool may wait for an answer so long: less than any limit that is set here. */
const WAIT = ["mcp", "--wait", "100s"] as const;

/** The limit that is set where a host has a shorter one, and reads one from its configuration. */
const TOOL_LIMIT_SECONDS = 120;

/** Codex gives the end of a session no more, whatever its file says. */
const CODEX_END_SECONDS = 3;

/** Headless, Codex refuses a tool that may reach others; whoever sets it up agrees, for nobody else. */
const CODEX_APPROVES = { default_tools_approval_mode: "approve" };

/** Every host. */
export const HOSTS: Readonly<Record<HostName, Host>> = {
  claude: {
    title: "Claude Code",
    programs: ["claude"],
    limits: { hook: { key: "timeout", unitMs: SECONDS, defaultMs: MINUTES } },
    folder: () => sys.env("CLAUDE_CONFIG_DIR") || inHome(".claude"),
    parts({ repository, called }) {
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
          ["SessionStart", "UserPromptSubmit", "PostToolUse", "Stop", "SessionEnd"].map((event) =>
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
    parts({ repository, called, passed }) {
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
          ["SessionStart", "UserPromptSubmit", "PostToolUse", "Stop", "SessionEnd"].map((event) =>
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
    parts({ repository, called }) {
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
        copilotHooks(folder, called),
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
    parts({ repository, called, passed }) {
      const folder = repository === undefined ? this.folder() : `${repository}/.gemini`;
      return [
        json(`${folder}/settings.json`, [
          server("mcpServers", {
            ...program(called, WAIT),
            env: withheldByGemini(passed),
            timeout: TOOL_LIMIT_SECONDS * SECONDS,
          }),
          ...["SessionStart", "BeforeAgent", "AfterTool", "AfterAgent", "SessionEnd"].map((event) =>
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
    parts({ repository, called }) {
      const folder = repository === undefined ? `${this.folder()}/User` : `${repository}/.vscode`;
      const value = { type: "stdio", ...program(called, ["mcp"]) };
      return [
        json(`${folder}/mcp.json`, [server("servers", value)]),
        copilotHooks(
          repository === undefined ? inHome(".copilot") : `${repository}/.github`,
          called,
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
      const events = ["sessionStart", "beforeSubmitPrompt", "postToolUse", "stop", "sessionEnd"];
      return [
        json(`${folder}/mcp.json`, [
          server("mcpServers", { type: "stdio", ...program(called, ["mcp"]) }),
        ]),
        json(
          `${folder}/hooks.json`,
          events.map((event) =>
            flat("cursor", event, { command: called.hookLine("cursor", event) })
          ),
          { base: { version: 1 } },
        ),
        ...shared(repository),
      ];
    },
  },
};
