// How the coding agents are run for an answer: one row for each. They may read the repository and
// change nothing, ask nobody, run nothing that the repository has configured for them unless the
// user trusts it, and print JSON. The prompt goes to standard input: an argument has a limit of 128
// KB. Pure.
//
// What each gets of the environment is in `environment.ts`, by the name of its program.

import {
  readClaude,
  readCodex,
  readCopilot,
  readGemini,
  readOpencode,
  type ReadReply,
} from "./host_reply.ts";
import { type Chosen, option } from "./working_form.ts";

/** A coding agent, under the name of its program. */
export interface Preset {
  /** The arguments, which name a model and resume a session where there is one. */
  words: (chosen: Chosen) => readonly string[];
  /** Finds the answer in what it printed. */
  read: ReadReply;
  packageName: string;
  /** Set unless the caller has set them. */
  env?: Readonly<Record<string, string>>;
}

/** Every line was run with the version that `.ci/hosts.txt` names. */
export const PRESETS: Readonly<Record<string, Preset>> = {
  claude: {
    words: ({ session, model }) => [
      ...["-p", "--output-format", "json", "--permission-mode", "dontAsk"],
      ...["--disallowedTools", "Edit,Write,NotebookEdit"],
      // Without hooks and servers that the repository's own settings name.
      ...["--setting-sources", "user", "--strict-mcp-config"],
      ...option("--model", model),
      ...option("--resume", session),
    ],
    read: readClaude,
    packageName: "@anthropic-ai/claude-code",
    env: { CLAUDE_CODE_MAX_RETRIES: "2" }, // it would try for minutes
  },
  codex: {
    words: ({ session, model }) => [
      ...["exec", "-s", "read-only", ...option("-m", model), ...option("resume", session)],
      ...["--json", "--skip-git-repo-check", "-"],
    ],
    read: readCodex,
    packageName: "@openai/codex",
  },
  gemini: {
    words: ({ session, model }) => [
      ...["--skip-trust", "--approval-mode", "default", "-o", "json"],
      ...option("-m", model),
      ...option("--resume", session),
      ...["-p", ""],
    ],
    read: readGemini,
    packageName: "@google/gemini-cli",
  },
  copilot: {
    words: ({ session, model }) => [
      ...["-s", "--output-format", "json", "--no-ask-user", "--no-auto-update"],
      ...["--allow-all-tools", "--deny-tool=write", "--deny-tool=shell"],
      ...option("--model", model),
      ...(session === undefined ? [] : [`--resume=${session}`]),
    ],
    read: readCopilot,
    packageName: "@github/copilot",
  },
  opencode: {
    words: ({ session, model }) => [
      ...["run", "--format", "json", "--pure"],
      ...option("-m", model),
      ...option("--session", session),
    ],
    read: readOpencode,
    packageName: "opencode-ai",
    env: {
      OPENCODE_PERMISSION: '{"edit":"deny","bash":"deny"}',
      OPENCODE_DISABLE_PROJECT_CONFIG: "1",
    },
  },
};
