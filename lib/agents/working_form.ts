// Composes the command of a coding agent at work. Unlike an agent that only answers, it changes files of its working
// tree and runs agreed commands, and does nothing else. The guard's hook judges each tool before it runs. No host gets
// an option that skips its questions. An agent without limits is refused. Pure.

import { isListOfTexts, objectOf, tryParseJson } from "../base/checks.ts";
import type { AgentxError } from "../base/errors.ts";
import { shellLine } from "../base/quote.ts";
import { sha256 } from "../base/sha256.ts";
import { type Chosen, option } from "../hosts/host.ts";
import { PASSED_VARIABLES } from "./environment.ts";
import { failedRun } from "./failed_run.ts";

/** The limits of an agent at work. */
export interface WorkLimits {
  /**
   * Patterns of the files that the agent may change; null for those in the definition of its role, or the whole tree if
   * it has none.
   */
  mayChange: readonly string[] | null;
  /**
   * Program and arguments of each allowed command. Commands that only look, commit, or ask agentx are always allowed.
   */
  commands: readonly (readonly string[])[];
}

/** Reads the limits of an agent. Throws a `TypeError` if the text has none. */
export function readLimits(text: string): WorkLimits {
  const { mayChange, commands } = objectOf(tryParseJson(text));
  const isWhole = Array.isArray(commands) && commands.every(isListOfTexts) &&
    (mayChange === null || isListOfTexts(mayChange));
  if (!isWhole) throw new TypeError(`These are no limits of an agent: ${text}`);
  return { mayChange, commands };
}

export interface WorkingFormOptions extends WorkLimits, Chosen {
  /** The words that start agentx. */
  agentx: readonly string[];
}

/** The presets that can be held to paths and commands. */
const HELD: readonly string[] = ["claude", "codex"];

/** Returns why no preset in a list can be held to paths and commands; undefined if at least one can. */
export function whyNotHeld(presets: readonly string[]): string | undefined {
  if (presets.some((preset) => HELD.includes(preset))) return undefined;
  return `${presets.join(", ")} cannot be held to paths and commands`;
}

/**
 * Time limit of a hook and of the start of a server, in seconds. If a hook is late, its tool runs anyway; if a server
 * is late, the run fails. So the limit is long enough for a busy machine.
 */
const HOOK_SECONDS = 60;

/** Time limit of a tool, in seconds: longer than the server lets a tool wait. */
const TOOL_SECONDS = 120;

/**
 * Returns the program and its arguments; the prompt goes to standard input. A string tells why there is no such
 * command.
 */
export async function workingForm(
  preset: string,
  options: WorkingFormOptions,
): Promise<string[] | string> {
  const { session, model } = options;
  if (preset === "claude") {
    const hooks = { PreToolUse: [{ hooks: [handlerFor(preset, options)] }] };
    return [
      "claude",
      "-p",
      "--output-format",
      "stream-json",
      "--verbose",
      // A tool that the hook does not allow is denied, also if the hook fails.
      "--permission-mode",
      "dontAsk",
      "--tools",
      "Bash,Edit,Glob,Grep,NotebookEdit,Read,Write",
      "--setting-sources",
      "user",
      "--strict-mcp-config",
      "--settings",
      JSON.stringify({ disableAllHooks: false, hooks }),
      ...option("--model", model),
      ...option("--resume", session),
    ];
  }
  if (preset === "codex") {
    const handler = handlerFor(preset, options);
    const command = JSON.stringify(handler.command);
    const toml = `{type="command",command=${command},timeout=${handler.timeout}}`;
    return [
      "codex",
      "exec",
      ...option("-m", model),
      "-c",
      `hooks.PreToolUse=[{hooks=[${toml}]}]`,
      "-c",
      `hooks.state=${await codexTrust(handler)}`,
      "-c",
      `mcp_servers.agentx=${codexTools(options.agentx)}`,
      ...option("resume", session),
      "--json",
      "--skip-git-repo-check",
      "-",
    ];
  }
  return whyNotHeld([preset])!;
}

/** Returns the error for a run for work without limits. */
export function unlimited(agent: string, why: string): AgentxError<"AGENT_ERROR"> {
  return failedRun(agent, `it is not run for work: ${why}`, { final: "nothing would limit it" });
}

interface Handler {
  type: "command";
  command: string;
  timeout: number;
}

function handlerFor(host: string, { agentx, mayChange, commands }: WorkingFormOptions): Handler {
  const limits: WorkLimits = { mayChange, commands };
  const words = [...agentx, "hook", "host", host, "PreToolUse", "--limits", JSON.stringify(limits)];
  return { type: "command", command: shellLine(words), timeout: HOOK_SECONDS };
}

/** Returns the setting that trusts exactly this hook: Codex silently skips a hook without a trusted hash. */
async function codexTrust({ type, command, timeout }: Handler): Promise<string> {
  const hook = { async: false, command, timeout, type }; // keys in alphabetical order
  const text = JSON.stringify({ event_name: "pre_tool_use", hooks: [hook] });
  const hash = await sha256(new TextEncoder().encode(text));
  return `{"/<session-flags>/config.toml:pre_tool_use:0:0"={trusted_hash="sha256:${hash}"}}`;
}

/**
 * Returns the setting of the server with agentx's tools. A command of Codex returns after 10 seconds, before another
 * agent has answered; a tool waits. The server is required, because Codex otherwise begins without a server that starts
 * slowly.
 */
function codexTools([command, ...args]: readonly string[]): string {
  const table = {
    command,
    args: [...args, "mcp"],
    env_vars: PASSED_VARIABLES,
    default_tools_approval_mode: "approve",
    required: true,
    startup_timeout_sec: HOOK_SECONDS,
    tool_timeout_sec: TOOL_SECONDS,
  };
  const fields = Object.entries(table).map(([key, value]) => `${key}=${JSON.stringify(value)}`);
  return `{${fields.join(",")}}`;
}
