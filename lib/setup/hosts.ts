// The files that setup writes for each host, for one user or in a repository. It includes the hook events with an
// answer that was seen to reach the model, and the events that end a session.

import { sys } from "../sys/mod.ts";
import { opencodePlugin, piExtension, SKILL } from "./content.ts";
import {
  agentsFile,
  BY_COPILOT,
  copilotHooks,
  flat,
  group,
  HOOK_LIMIT_SECONDS,
  importFile,
  inHome,
  json,
  opencodeConfig,
  part,
  programEntry,
  server,
  sharedParts,
} from "./host_parts.ts";
import { type HostName, HOSTS } from "../hosts/hosts.ts";
import type { HowCalled } from "./how_called.ts";
import type { Part } from "./part.ts";
import { WITHHELD_BY_CLAUDE, withheldByGemini } from "./passed_variables.ts";
import { tomlTable } from "./toml_table.ts";
import { wholeFile } from "./whole_file.ts";

/** The place into which setup writes, and the way that the files call agentx. */
export interface SetupPlace {
  /** The folder of a repository; undefined for the user's own configuration. */
  repository?: string;
  called: HowCalled;
  /** Whether agentx judges each tool call, in hosts with hooks that can refuse one. */
  hasGuard?: boolean;
  /** Names of the variables to pass to the server of agentx, for hosts that pass only named ones. */
  passed: readonly string[];
}

/** Time that a tool may wait for an answer; shorter than each timeout below. */
const WAIT = ["mcp", "--wait", "100s"] as const;

/** Timeout for tools of hosts with a shorter default that their configuration can raise. */
const TOOL_LIMIT_SECONDS = 120;

/** Maximum timeout that Codex gives a SessionEnd hook, even if its file asks for more. */
const CODEX_END_SECONDS = 3;

/** Tools that read, ask, answer, note or claim. Setup for a user allows them without a question, for that user only. */
const APPROVED_TOOLS = [
  "clarify_ask",
  "clarify_answer",
  "clarify_list",
  "ask_user",
  "memory_search",
  "memory_get",
  "memory_note",
  "ready",
];

/** The permissions for Claude Code, which asks before every tool that is not allowed. */
const CLAUDE_ALLOWS = APPROVED_TOOLS.map((name) => ({
  at: ["permissions", "allow"],
  word: `mcp__agentx__${name}`,
}));

/** The policy for Gemini of one user. Without it, a headless Gemini refuses calls that it would ask about. */
const GEMINI_ALLOWS = `# Written by agentx setup v1, which replaces this file.
[[rule]]
mcpName = "agentx"
toolName = ${JSON.stringify(APPROVED_TOOLS)}
decision = "allow"
priority = 100
`;

/** The approvals for Codex. It asks before every other tool; a headless Codex cannot ask, and refuses them. */
const CODEX_APPROVES = {
  default_tools_approval_mode: "prompt",
  tools: Object.fromEntries(APPROVED_TOOLS.map((name) => [name, { approval_mode: "approve" }])),
};

/** The data from which the parts of a host are made. */
interface Making extends SetupPlace {
  /** The folder of the host, in the user's home or in the repository. */
  folder: string;
  /** The events with a hook of agentx. */
  events: readonly string[];
}

const PARTS: Readonly<Record<HostName, (making: Making) => Part[]>> = {
  claude({ repository, called, folder, events }) {
    const own = sys.env("CLAUDE_CONFIG_DIR");
    const servers = repository === undefined
      ? `${own || inHome()}/.claude.json`
      : `${repository}/.mcp.json`;
    const guard = repository === undefined ? "" : BY_COPILOT;
    return [
      json(servers, [
        server("mcpServers", {
          type: "stdio",
          ...programEntry(called, WAIT),
          env: WITHHELD_BY_CLAUDE,
        }),
      ]),
      json(
        `${folder}/settings.json`,
        [
          ...events.map((event) =>
            group("claude", event, guard + called.hookLine("claude", event))
          ),
          ...repository === undefined ? CLAUDE_ALLOWS : [],
        ],
      ),
      part(`${folder}/skills/agentx/SKILL.md`, wholeFile(SKILL)),
      ...agentsFile(repository),
      ...importFile("CLAUDE", repository),
    ];
  },
  codex({ repository, called, passed, folder, events }) {
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
        events.map((event) =>
          group("codex", event, called.hookLine("codex", event), {
            timeout: event === "SessionEnd" ? CODEX_END_SECONDS : HOOK_LIMIT_SECONDS,
          })
        ),
      ),
      ...sharedParts("codex", repository),
    ];
  },
  copilot({ repository, called, hasGuard, folder }) {
    const servers = repository === undefined ? "mcp-config.json" : "mcp.json";
    const value = {
      type: "local",
      ...programEntry(called, WAIT),
      tools: ["*"],
      timeout: TOOL_LIMIT_SECONDS * 1_000,
    };
    return [
      json(`${folder}/${servers}`, [server("mcpServers", value)]),
      copilotHooks(folder, called, hasGuard),
      ...sharedParts("copilot", repository),
    ];
  },
  gemini({ repository, called, passed, folder, events }) {
    return [
      json(`${folder}/settings.json`, [
        server("mcpServers", {
          ...programEntry(called, WAIT),
          env: withheldByGemini(passed),
          timeout: TOOL_LIMIT_SECONDS * 1_000,
        }),
        ...events.map((event) =>
          group("gemini", event, called.hookLine("gemini", event), {
            name: `agentx-${event}`,
            timeout: HOOK_LIMIT_SECONDS * 1_000,
          })
        ),
      ]),
      ...repository === undefined
        ? [part(`${folder}/policies/agentx.toml`, wholeFile(GEMINI_ALLOWS))]
        : [],
      ...sharedParts("gemini", repository),
      ...importFile("GEMINI", repository),
    ];
  },
  opencode({ repository, called, folder }) {
    const command = [...called.words, ...WAIT];
    const timeout = TOOL_LIMIT_SECONDS * 1_000;
    return [
      json(opencodeConfig(repository ?? folder), [
        { at: ["mcp", "agentx"], value: { type: "local", command, enabled: true, timeout } },
      ]),
      part(`${folder}/plugins/agentx.js`, wholeFile(opencodePlugin(called.words))),
      ...sharedParts("opencode", repository),
    ];
  },
  qwen({ repository, called, folder, events }) {
    return [
      json(`${folder}/settings.json`, [
        server("mcpServers", {
          ...programEntry(called, WAIT),
          timeout: TOOL_LIMIT_SECONDS * 1_000,
        }),
        ...events.map((event) => group("qwen", event, called.hookLine("qwen", event))),
      ]),
      ...sharedParts("qwen", repository),
    ];
  },
  pi({ repository, called, folder }) {
    const value = {
      ...programEntry(called, WAIT),
      timeout: TOOL_LIMIT_SECONDS,
      exposure: "direct", // otherwise the model does not see the tools
    };
    return [
      json(`${folder}/mcp.json`, [server("mcpServers", value)]),
      part(`${folder}/extensions/agentx.js`, wholeFile(piExtension(called.words))),
      ...sharedParts("pi", repository),
    ];
  },
  cline({ repository, called, folder }) {
    const transport = { type: "stdio", ...programEntry(called, ["mcp"]) };
    const own = json(`${folder}/data/settings/cline_mcp_settings.json`, [
      server("mcpServers", { transport }),
    ]);
    return [...repository === undefined ? [own] : [], ...sharedParts("cline", repository)];
  },
  vscode({ repository, called, hasGuard, folder }) {
    const value = { type: "stdio", ...programEntry(called, ["mcp"]) };
    return [
      json(`${folder}${repository === undefined ? "/User" : ""}/mcp.json`, [
        server("servers", value),
      ]),
      copilotHooks(
        repository === undefined ? inHome(".copilot") : `${repository}/.github`,
        called,
        hasGuard,
      ),
      ...sharedParts("vscode", repository),
    ];
  },
  cursor({ repository, called, folder, events }) {
    return [
      json(`${folder}/mcp.json`, [
        server("mcpServers", { type: "stdio", ...programEntry(called, ["mcp"]) }),
      ]),
      json(
        `${folder}/hooks.json`,
        events.map((event) => flat("cursor", event, { command: called.hookLine("cursor", event) })),
        { base: { version: 1 } },
      ),
      ...sharedParts("cursor", repository),
    ];
  },
};

/** Returns the parts of a host in a place. */
export function hostParts(name: HostName, place: SetupPlace): Part[] {
  const { repository, hasGuard } = place;
  const { hooks: { events, guard }, project } = HOSTS[name];
  return PARTS[name]({
    ...place,
    folder: repository === undefined ? userFolder(name) : `${repository}/${project}`,
    events: [
      // Only the records of the guard need the outcome of a failed command.
      ...Object.keys(events).filter((event) => hasGuard || event !== "PostToolUseFailure"),
      ...hasGuard && guard ? [guard.event] : [],
    ],
  });
}

/** Returns the user's configuration folder of a host; it exists only after the host has run. */
export function userFolder(name: HostName): string {
  return HOSTS[name].folder((variable) => sys.env(variable), sys.platform);
}
