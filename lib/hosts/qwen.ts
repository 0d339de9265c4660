import { objectOf } from "../base/checks.ts";
import { below, GUARD_LIKE_CLAUDE, type Host, LIKE_CLAUDE } from "./host.ts";

/**
 * The facts about Qwen Code, which is derived from Gemini CLI and has the hooks of Claude Code. Its model finds tools
 * of servers by a search.
 */
export const qwen: Host = {
  title: "Qwen Code",
  programs: ["qwen"],
  tried: { packageName: "@qwen-code/qwen-code", version: "0.24.4" },
  folder: (env) => env("QWEN_HOME") || `${env("HOME")}/.qwen`,
  project: ".qwen",
  session: { variables: ["QWEN_CODE", "QWEN_CODE_SESSION_ID"], id: "QWEN_CODE_SESSION_ID" },
  environment: {
    prefixes: ["QWEN_", "OPENAI_", "DASHSCOPE_", "BAILIAN_"],
    folders: ["QWEN_HOME"],
  },
  hooks: {
    ...LIKE_CLAUDE,
    events: { ...LIKE_CLAUDE.events, PostToolUseFailure: "tool" },
    endsInSilence: true,
    guard: GUARD_LIKE_CLAUDE,
  },
  limits: {
    tool: { key: "timeout", unitMs: 1, defaultMs: 600_000 },
    hook: { key: "timeout", unitMs: 1_000, defaultMs: 60_000 },
  },
  acp: {
    command: ["qwen", "--acp"],
    mode: "default",
    server: ({ _meta }) => objectOf(_meta).serverId,
  },
  files: {
    starts: [".qwen/"],
    instructs: ["QWEN.md", ...below(".qwen", ["agents/", "commands/", "skills/"])],
    skills: [".qwen/skills", ".agents/skills"],
    state: [".qwen"],
    settings: [".qwen/settings.json"],
  },
};
