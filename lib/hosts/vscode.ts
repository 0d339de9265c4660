import { GUARD_LIKE_CLAUDE, type Host, LIKE_CLAUDE, specific } from "./host.ts";

/** The facts about VS Code, from its documentation only: it was not run. */
export const vscode: Host = {
  title: "VS Code",
  programs: ["code"],
  folder: (env, platform) =>
    platform === "darwin"
      ? `${env("HOME")}/Library/Application Support/Code`
      : `${env("XDG_CONFIG_HOME") || `${env("HOME")}/.config`}/Code`,
  project: ".vscode",
  environment: { prefixes: [] },
  hooks: {
    ...LIKE_CLAUDE,
    events: {
      SessionStart: "start",
      UserPromptSubmit: "prompt",
      PostToolUse: "tool",
      Stop: "stop",
    },
    hears: ["start", "tool", "stop"],
    block: (event, reason) => specific(event, { decision: "block", reason }),
    guard: GUARD_LIKE_CLAUDE,
  },
  limits: { hook: { key: "timeoutSec", unitMs: 1_000, defaultMs: 30_000 } },
  files: {
    starts: [],
    instructs: [],
    skills: [".github/skills", ".claude/skills", ".agents/skills"],
  },
};
