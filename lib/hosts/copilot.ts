import { below, type Host, LIKE_CLAUDE, option, toolDecision } from "./host.ts";

export const copilot: Host = {
  title: "Copilot CLI",
  programs: ["copilot"],
  tried: { packageName: "@github/copilot", version: "1.0.102" },
  folder: (env) => env("COPILOT_HOME") || `${env("HOME")}/.copilot`,
  project: ".github",
  session: {
    variables: ["COPILOT_CLI", "COPILOT_AGENT_SESSION_ID"],
    id: "COPILOT_AGENT_SESSION_ID",
  },
  environment: {
    prefixes: ["COPILOT_", "GH_", "GITHUB_TOKEN"],
    folders: ["COPILOT_HOME"],
    models: [
      "COPILOT_GITHUB_TOKEN",
      "GH_TOKEN",
      "GITHUB_TOKEN",
      "COPILOT_MODEL",
      "COPILOT_OFFLINE",
      "COPILOT_PROVIDER_BASE_URL",
      "COPILOT_PROVIDER_API_KEY",
    ],
  },
  hooks: {
    ...LIKE_CLAUDE,
    events: {
      sessionStart: "start",
      userPromptSubmitted: "prompt",
      postToolUse: "tool",
      agentStop: "stop",
      sessionEnd: "end",
    },
    failureCode: 0, // for some events, a failing hook blocks the action
    hears: ["start", "stop"],
    recordingOf: (session, env) =>
      env("COPILOT_HOME") || env("HOME")
        ? `${copilot.folder(env, "")}/session-state/${session}/events.jsonl`
        : undefined,
    context: (_, additionalContext) => ({ additionalContext }),
    guard: { event: "preToolUse", refuse: toolDecision },
  },
  limits: {
    tool: { key: "timeout", unitMs: 1, defaultMs: 60_000 },
    hook: { key: "timeoutSec", unitMs: 1_000, defaultMs: 30_000 },
  },
  preset: {
    words: ({ session, model }) => [
      "-s",
      "--output-format",
      "json",
      "--no-ask-user",
      "--no-auto-update",
      "--allow-all-tools",
      "--deny-tool=write",
      "--deny-tool=shell",
      ...option("--model", model),
      ...(session === undefined ? [] : [`--resume=${session}`]),
    ],
    account: "your account with GitHub",
  },
  acp: {
    command: ["copilot", "--acp"],
    notices: /^(?:Info|Warning|Error): /,
    failures: /^Error: /,
  },
  files: {
    starts: [
      ".claude/",
      ".claude-plugin/",
      ".mcp.json",
      ...below(".github", ["copilot/", "extensions/", "hooks/", "mcp.json"]),
      ".copilot/",
      ".vscode/mcp.json",
    ],
    instructs: below(".github", [
      "agents/",
      "copilot-instructions.md",
      "instructions/",
      "prompts/",
      "skills/",
    ]),
    skills: [".github/skills", ".claude/skills", ".agents/skills"],
    state: [".copilot", ".cache/copilot"],
    settings: [".copilot/config.json"],
  },
};
