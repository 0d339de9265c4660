import { below, type Host, LIKE_CLAUDE, MODEL_VENDORS, option } from "./host.ts";

export const opencode: Host = {
  title: "opencode",
  programs: ["opencode"],
  tried: { packageName: "opencode-ai", version: "1.18.33" },
  folder: (env) =>
    env("OPENCODE_CONFIG_DIR") || `${env("XDG_CONFIG_HOME") || `${env("HOME")}/.config`}/opencode`,
  project: ".opencode",
  session: { variables: ["OPENCODE"], id: null },
  environment: {
    prefixes: ["OPENCODE_", ...MODEL_VENDORS],
    folders: ["OPENCODE_CONFIG", "OPENCODE_CONFIG_DIR"],
  },
  hooks: { // called by the plugin of agentx
    ...LIKE_CLAUDE,
    events: {
      "session.created": "start",
      "chat.message": "prompt",
      "tool.execute.after": "tool",
      "session.idle": "stop",
      dispose: "end",
      "session.deleted": "end",
    },
    failureCode: 0,
    silence: "{}",
    hears: ["start", "stop"], // an answer during work makes opencode hang
    context: (_, context) => ({ context }),
    block: (_, prompt) => ({ prompt }),
  },
  limits: { tool: { key: "timeout", unitMs: 1, defaultMs: 5_000 } },
  preset: {
    words: ({ session, model }) => [
      "run",
      "--format",
      "json",
      "--pure",
      ...option("-m", model),
      ...option("--session", session),
    ],
    env: {
      OPENCODE_PERMISSION: '{"edit":"deny","bash":"deny"}',
      OPENCODE_DISABLE_PROJECT_CONFIG: "1",
    },
    account: "the account that opencode is set to",
  },
  acp: {
    command: ["opencode", "acp"],
    env: {
      OPENCODE_PERMISSION: '{"edit":"ask","bash":"ask","external_directory":"ask"}',
      OPENCODE_DISABLE_PROJECT_CONFIG: "1",
    },
  },
  files: {
    starts: [".opencode/", "opencode.json", "opencode.jsonc"],
    startsAlways: true,
    instructs: below(".opencode", [
      "agent/",
      "agents/",
      "command/",
      "commands/",
      "skill/",
      "skills/",
    ]),
    skills: [".opencode/skills", ".claude/skills", ".agents/skills"],
    state: [".local/share/opencode", ".local/state/opencode", ".cache/opencode"],
  },
};
