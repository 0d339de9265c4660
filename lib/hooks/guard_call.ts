// Reads the calls of hosts before a tool runs, and after it. If a hook prints nothing, the host decides as it would
// without the hook. Pure.

import { isObject, type JsonObject, tryParseJson } from "../base/checks.ts";
import { shellLine } from "../base/quote.ts";
import { type HostName, HOSTS, isHost } from "../hosts/hosts.ts";
import type { CommandEnd } from "./hook_call.ts";

/** A call of a hook before a tool runs. */
export interface GuardHook {
  host: HostName;
  event: string;
  /** The limits of an agent that agentx has started, as JSON. */
  limits?: string;
}

/** Returns the guard hook that the words after `hook host` call; undefined for any other words. */
export function guardHookIn(words: readonly string[]): GuardHook | undefined {
  const [name, event, flag, limits, ...more] = words;
  const isWhole = words.length === 2 ||
    flag === "--limits" && limits !== undefined && more.length === 0;
  if (!isWhole || !isHost(name) || HOSTS[name].hooks.guard?.event !== event) return undefined;
  return { host: name, event, limits };
}

/** A use of a tool that is about to begin. */
export type ToolUse =
  | { command: string; shell: "bash" | "pwsh"; cwd: string | undefined }
  | { paths: string[]; isRead: boolean };

/** A use of a tool, known only by the name of its server. Agents ask for such a use over ACP. */
export interface ServerUse {
  server: string;
}

/** Names of tools that run commands. A slash command is only a prompt, so names with "slash" are excluded. */
const SHELL_TOOL =
  /^(?!.*slash)(.*_)?(bash|shell|sh|exec|execute|terminal|command|cmd|run|powershell|pwsh|stdin)(_|$)/;

/** Words in the names of tools that only read, unless the name also contains a word of `WRITES`. */
const READS = /^(read|view|cat|grep|glob|search|find|list|ls|get|open)$/;
const WRITES = /^(replace|edit|write|create|update|delete|insert|patch|move|rename|remove)$/;

/** The fields with the path of a file, or of several files. */
const PATHS = ["file_path", "filePath", "path", "paths", "files", "notebook_path", "notebookPath"]
  .concat("absolute_path", "filename", "dir_path", "include");

/** The fields with the command of a shell tool, or with the input for a running shell. */
const COMMANDS = ["command", "cmd", "script", "chars", "input"];

/** The fields with the folder of a command. */
const FOLDERS = ["workdir", "cwd", "directory", "dir_path", "working_directory"];

/**
 * Returns the use of a tool from the host's payload; undefined if the tool neither runs a command nor handles a file.
 */
export function toolUseOf(payload: JsonObject): ToolUse | undefined {
  const name = payload.tool_name ?? payload.toolName;
  const given = payload.tool_input ?? payload.toolArgs;
  const input = typeof given === "string" ? parsed(given) : given;
  if (typeof name !== "string" || !isObject(input)) return undefined;
  const find = (keys: readonly string[]) =>
    keys.map((key) => input[key]).find((value) =>
      typeof value === "string" || Array.isArray(value)
    );
  const text = find(COMMANDS);
  const patch = name === "apply_patch" ? String(text ?? input.patch ?? "") : patchIn(text);
  if (patch !== undefined) {
    const found = patch.matchAll(/^[ \t]*\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+)$/gm);
    return { paths: Array.from(found, ([, path]) => path.trim()), isRead: false };
  }
  const called = name.replace(/([a-z])([A-Z])/g, "$1_$2").toLowerCase();
  if (text !== undefined && SHELL_TOOL.test(called)) {
    const command = Array.isArray(text) ? shellLine(text.map(String)) : String(text);
    const folder = find(FOLDERS);
    const cwd = typeof folder === "string" ? folder : undefined;
    return { command, shell: /powershell|pwsh/.test(called) ? "pwsh" : "bash", cwd };
  }
  const paths = PATHS.flatMap((key) => input[key] ?? [])
    .filter((each): each is string => typeof each === "string");
  if (paths.length === 0) return undefined;
  // Some editing tools take their action, `view` or `create`, as their command.
  const words = (typeof input.command === "string" ? input.command : called).split(/[^a-z]+/);
  const isRead = words.some((word) => READS.test(word)) && !words.some((word) => WRITES.test(word));
  return { paths, isRead };
}

/** Returns how the command of a tool ended, from the host's payload after it; undefined if the tool ran no command. */
export function endOf(payload: JsonObject): CommandEnd | undefined {
  const use = toolUseOf(payload);
  if (use === undefined || !("command" in use)) return undefined;
  const { duration_ms: took } = payload;
  const durationMs = typeof took === "number" ? took : null;
  return { command: use.command, exitCode: exitCodeOf(payload), durationMs };
}

/**
 * Returns the exit code. Claude Code states it in the error of a failed command, and Gemini after the output. Codex
 * does not state it.
 */
function exitCodeOf({ error, tool_response: response }: JsonObject): number | null {
  const failed = typeof error === "string" ? /^Exit code (\d+)/.exec(error)?.[1] : undefined;
  if (failed !== undefined) return Number(failed);
  if (!isObject(response)) return null;
  if (response.interrupted === false && response.backgroundTaskId === undefined) return 0;
  const { llmContent: text, returnDisplay: output } = response;
  if (typeof text !== "string" || typeof output !== "string") return null;
  // The output may contain a text like an exit code, so only the text after the output is searched.
  const [, after] = text.split(`Output: ${output}\n`);
  return after === undefined ? null : Number(/^Exit Code: (\d+)$/m.exec(after)?.[1] ?? 0);
}

/** Whether the host would ask its human if one is present. */
export function hasPrompt(host: HostName, { permission_mode: mode }: JsonObject): boolean {
  return HOSTS[host].hooks.guard?.prompts?.includes(mode) ?? false;
}

/**
 * Returns the patch in a command. Some models of Codex have no tool for patches, so they write a command that Codex
 * takes as a patch.
 */
function patchIn(text: unknown): string | undefined {
  if (typeof text !== "string") return undefined;
  const [, end, patch] = /^apply_patch <<'(\w+)'\n([^]*)\n\1\s*$/.exec(text) ?? [];
  return patch?.split("\n").includes(end) ? undefined : patch; // a command follows the patch
}

function parsed(text: string): unknown {
  // Copilot sends the arguments of some tools as plain text.
  return tryParseJson(text) ?? { command: text };
}
