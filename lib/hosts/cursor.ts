import { below, type Host, LIKE_CLAUDE } from "./host.ts";

/** The facts about Cursor, from its documentation only: it was not run. */
export const cursor: Host = {
  title: "Cursor",
  programs: ["cursor", "cursor-agent"],
  folder: (env) => `${env("HOME")}/.cursor`,
  project: ".cursor",
  environment: { prefixes: ["CURSOR_"] },
  hooks: {
    ...LIKE_CLAUDE,
    events: {
      sessionStart: "start",
      beforeSubmitPrompt: "prompt",
      postToolUse: "tool",
      stop: "stop",
      sessionEnd: "end",
    },
    silence: "{}",
    hears: ["start", "tool", "stop"],
    context: (_, additional_context) => ({ additional_context }),
    block: (_, followup_message) => ({ followup_message }),
  },
  limits: {},
  files: {
    starts: [".cursor/"],
    instructs: [".cursorrules", ...below(".cursor", ["commands/", "rules/"])],
    skills: [".cursor/skills", ".claude/skills", ".agents/skills"],
  },
};
