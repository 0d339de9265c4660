// The form of a coding agent at work, in contrast to one that only answers: it changes files of its working tree and runs
// agreed commands, and nothing else. The guard's hook judges each tool before it runs. No host gets an option that skips
// its questions; an agent without limits is refused. Pure.

import { isListOfTexts, objectOf, tryParseJson } from "../base/checks.ts";
import type { AgentxError } from "../base/errors.ts";
import { shellLine } from "../base/quote.ts";
import { sha256 } from "../base/sha256.ts";
import { type Chosen, option } from "../hosts/host.ts";
import { PASSED_VARIABLES } from "./environment.ts";
import { failedRun } from "./failed_run.ts";

/** The limits of an agent at work. */
export interface WorkLimits {
  /** Patterns, as in the definition of a role; null for what that says, else the whole tree. */
  mayChange: readonly string[] | null;
  /** Program and arguments of each command, besides those that only look, commit, or ask agentx. */
  commands: readonly (readonly string[])[];
}

/** Throws a `TypeError` if a text holds no limits. */
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

/** Why none of some presets can be held; undefined where one can. */
export function whyNotHeld(presets: readonly string[]): string | undefined {
  if (presets.some((preset) => HELD.includes(preset))) return undefined;
  return `${presets.join(", ")} cannot be held to paths and commands`;
}

/** A tool runs where its hook is late, and a server that is late fails the run: long enough for a busy machine. */
const HOOK_SECONDS = 60;

/** Longer than the server lets a tool wait. */
const TOOL_SECONDS = 120;

/** Program and arguments, with the prompt on standard input; a text says why there are none. */
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
      // What the hook does not allow is denied, also where the hook fails.
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

/** The failure of a run for work that nothing would limit. */
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

/** Codex skips a hook in silence unless its hash is trusted: that of exactly this one is. */
async function codexTrust({ type, command, timeout }: Handler): Promise<string> {
  const hook = { async: false, command, timeout, type }; // its keys in the order of the alphabet
  const text = JSON.stringify({ event_name: "pre_tool_use", hooks: [hook] });
  const hash = await sha256(new TextEncoder().encode(text));
  return `{"/<session-flags>/config.toml:pre_tool_use:0:0"={trusted_hash="sha256:${hash}"}}`;
}

/**
 * A command of Codex returns after 10 seconds, before another agent has answered; a tool waits. Codex begins without a
 * server that starts slowly, unless it is required.
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
