import { below, type Host, LIKE_CLAUDE, option } from "./host.ts";

export const gemini: Host = {
  title: "Gemini CLI",
  programs: ["gemini"],
  tried: { packageName: "@google/gemini-cli", version: "0.61.0" },
  folder: (env) => `${env("GEMINI_CLI_HOME") || env("HOME")}/.gemini`,
  project: ".gemini",
  session: { variables: ["GEMINI_CLI"], id: null },
  environment: {
    prefixes: ["GEMINI_", "GOOGLE_"],
    folders: ["GEMINI_CLI_HOME"],
    models: ["GEMINI_API_KEY", "GEMINI_MODEL", "GOOGLE_API_KEY", "GOOGLE_GEMINI_BASE_URL"],
  },
  hooks: {
    ...LIKE_CLAUDE,
    events: {
      SessionStart: "start",
      BeforeAgent: "prompt",
      AfterTool: "tool",
      AfterAgent: "stop",
      SessionEnd: "end",
    },
    silence: "{}",
    block: (_, reason) => ({ decision: "deny", reason }),
    guard: { event: "BeforeTool", refuse: (decision, reason) => ({ decision, reason }) },
  },
  limits: {
    tool: { key: "timeout", unitMs: 1, defaultMs: 600_000 },
    hook: { key: "timeout", unitMs: 1, defaultMs: 60_000 },
  },
  preset: {
    words: ({ session, model }) => [
      "--skip-trust",
      "--approval-mode",
      "default",
      "-o",
      "json",
      ...option("-m", model),
      ...option("--resume", session),
      "-p",
      "",
    ],
    account: "your account with Google",
  },
  acp: {
    command: ["gemini", "--acp"],
    mode: "default",
    tellsUsage: true,
    cannotLoad: true,
    titleIsCommand: true,
    server: ({ toolCallId }) => /^mcp_([^_]+)_/.exec(String(toolCallId))?.[1],
  },
  files: {
    starts: [".gemini/", "gemini-extension.json"],
    instructs: ["GEMINI.md", ...below(".gemini", ["agents/", "commands/", "skills/"])],
    skills: [".gemini/skills", ".agents/skills"],
    state: [".gemini"],
    settings: [".gemini/settings.json"],
  },
};
