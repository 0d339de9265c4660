import { below, type Host, LIKE_CLAUDE, MODEL_VENDORS } from "./host.ts";

/** The facts about pi. Its sub-agents are separate processes. */
export const pi: Host = {
  title: "pi",
  programs: ["pi"],
  tried: { packageName: "@earendil-works/pi-coding-agent", version: "1.6.0" },
  folder: (env) => env("PI_CODING_AGENT_DIR") || `${env("HOME")}/.pi/agent`,
  project: ".pi",
  session: { variables: ["PI_CODING_AGENT", "PI_SESSION_ID"], id: "PI_SESSION_ID" },
  environment: { prefixes: ["PI_", ...MODEL_VENDORS], folders: ["PI_CODING_AGENT_DIR"] },
  hooks: { // called by the extension of agentx
    ...LIKE_CLAUDE,
    events: {
      session_start: "start",
      before_agent_start: "prompt",
      tool_result: "tool",
      agent_before_settle: "stop",
      session_shutdown: "end",
    },
    failureCode: 0,
    silence: "{}",
    hears: ["start", "prompt", "stop"],
    context: (_, context) => ({ context }),
    block: (_, prompt) => ({ prompt }),
  },
  limits: { tool: { key: "timeout", unitMs: 1_000, defaultMs: 60_000 } },
  acp: {
    command: ["pi-acp"],
    adapter: { packageName: "pi-acp", version: "0.0.34" },
    notices: /^(?:pi v[\d.]+\n|Retry)/,
    restarts: /^Retrying/,
    failures: /^Retrying \(attempt (\d+)\/\1,/, // pi does not report how the last attempt ended
  },
  files: {
    starts: [".pi/"],
    instructs: [],
    skills: [".pi/skills", ".agents/skills"],
    replacesAgentsMd: "AGENTS.override.md",
    state: [".pi"],
    settings: below(".pi/agent", ["settings.json", "mcp.json", "extensions"]),
  },
};
