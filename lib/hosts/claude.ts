import { objectOf } from "../base/checks.ts";
import {
  below,
  GUARD_LIKE_CLAUDE,
  type Host,
  LIKE_CLAUDE,
  option,
  specific,
  toolDecision,
} from "./host.ts";

export const claude: Host = {
  title: "Claude Code",
  programs: ["claude"],
  tried: { packageName: "@anthropic-ai/claude-code", version: "2.1.332" },
  folder: (env) => env("CLAUDE_CONFIG_DIR") || `${env("HOME")}/.claude`,
  project: ".claude",
  session: { variables: ["CLAUDECODE", "CLAUDE_CODE_SESSION_ID"], id: "CLAUDE_CODE_SESSION_ID" },
  environment: {
    prefixes: ["ANTHROPIC_", "CLAUDE_"],
    folders: ["CLAUDE_CONFIG_DIR"],
    models: [
      "ANTHROPIC_API_KEY",
      "ANTHROPIC_AUTH_TOKEN",
      "ANTHROPIC_BASE_URL",
      "ANTHROPIC_MODEL",
      "CLAUDE_CODE_OAUTH_TOKEN",
      "CLAUDE_CODE_USE_BEDROCK",
      "CLAUDE_CODE_USE_VERTEX",
    ],
  },
  hooks: {
    ...LIKE_CLAUDE,
    events: { ...LIKE_CLAUDE.events, PostToolUseFailure: "tool" },
    guard: {
      ...GUARD_LIKE_CLAUDE,
      pass: specific(GUARD_LIKE_CLAUDE.event, toolDecision("allow", "agentx allows it")),
      prompts: ["default", "acceptEdits", "plan", "auto", "dontAsk"],
    },
  },
  limits: { hook: { key: "timeout", unitMs: 1_000, defaultMs: 60_000 } },
  preset: {
    words: ({ session, model }) => [
      "-p",
      "--output-format",
      "json",
      "--permission-mode",
      "dontAsk",
      "--disallowedTools",
      "Edit,Write,NotebookEdit",
      // Ignores hooks and servers that the repository's own settings name.
      "--setting-sources",
      "user",
      "--strict-mcp-config",
      ...option("--model", model),
      ...option("--resume", session),
    ],
    env: { CLAUDE_CODE_MAX_RETRIES: "2" }, // otherwise it retries for minutes
    account: "your account with Anthropic",
  },
  login: {
    status: ["auth", "status"],
    loggedOut: /"loggedIn": ?false/,
    command: "claude auth login",
  },
  acp: {
    command: ["claude-agent-acp"],
    adapter: { packageName: "@agentclientprotocol/claude-agent-acp", version: "0.101.0" },
    mode: "default",
    tellsUsage: true,
    server: ({ _meta }) => objectOf(objectOf(objectOf(_meta).claudeCode).mcpServer).name,
    meta: {
      claudeCode: {
        options: {
          // Ignores hooks and servers that the repository's own settings name.
          settingSources: ["user"],
          strictMcpConfig: true,
          allowDangerouslySkipPermissions: false,
        },
      },
    },
  },
  files: {
    starts: [".claude/", ".claude-plugin/", ".mcp.json"],
    instructs: [
      "CLAUDE.md",
      "CLAUDE.local.md",
      ...below(".claude", ["agents/", "commands/", "output-styles/", "rules/", "skills/"]),
    ],
    skills: [".claude/skills"],
    state: [".claude", ".claude.json"],
    settings: [".claude/settings.json"],
  },
};
