import { objectOf } from "../base/checks.ts";
import { below, GUARD_LIKE_CLAUDE, type Host, LIKE_CLAUDE, option } from "./host.ts";

export const codex: Host = {
  title: "Codex",
  programs: ["codex"],
  tried: { packageName: "@openai/codex", version: "0.171.0" },
  folder: (env) => env("CODEX_HOME") || `${env("HOME")}/.codex`,
  project: ".codex",
  session: {
    variables: ["CODEX_CI", "CODEX_SESSION_ID", "CODEX_THREAD_ID"],
    id: "CODEX_SESSION_ID",
  },
  environment: {
    prefixes: ["OPENAI_", "CODEX_"],
    folders: ["CODEX_HOME"],
    models: ["OPENAI_API_KEY", "OPENAI_BASE_URL", "CODEX_API_KEY"],
  },
  hooks: {
    ...LIKE_CLAUDE,
    unit: "bytes",
    guard: GUARD_LIKE_CLAUDE,
  },
  byHand:
    "Codex skips a hook until you trust it: start codex, enter /hooks, and trust those of agentx",
  byHandOn: "/hooks.json",
  limits: {
    tool: { key: "tool_timeout_sec", unitMs: 1_000, defaultMs: 60_000 },
    hook: { key: "timeout", unitMs: 1_000, defaultMs: 600_000 },
  },
  preset: {
    words: ({ session, model }) => [
      "exec",
      "-s",
      "read-only",
      ...option("-m", model),
      ...option("resume", session),
      "--json",
      "--skip-git-repo-check",
      "-",
    ],
    account: "your account with OpenAI",
  },
  login: {
    status: ["login", "status"],
    loggedOut: /^Not logged in/m,
    command: "codex login",
    instead: { variable: "CODEX_API_KEY", file: "config.toml", line: /^\s*model_provider\s*=/m },
  },
  acp: {
    command: ["codex-acp"],
    adapter: { packageName: "@agentclientprotocol/codex-acp", version: "2.6.0" },
    mode: "read-only",
    tellsUsage: true,
    notices: /^Warning: /,
    server: ({ _meta, rawInput }) =>
      objectOf(_meta).is_mcp_tool_call === true ? objectOf(rawInput).server : undefined,
  },
  ownSandbox: { options: ["-s", "--sandbox"], off: "danger-full-access", after: "exec" },
  files: {
    starts: [".codex/", ".codex-plugin/"],
    instructs: ["AGENTS.override.md", ...below(".codex", ["prompts/", "skills/"])],
    skills: [".codex/skills", ".agents/skills"],
    showsCopies: true,
    replacesAgentsMd: "AGENTS.override.md",
    state: [".codex"],
    settings: below(".codex", ["config.toml", "hooks.json", "rules"]),
  },
};
