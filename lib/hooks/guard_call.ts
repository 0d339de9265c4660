// The calls of hosts before a tool runs, and the refusals of hooks, host by host. If a hook prints nothing, the host
// decides as it would without it. Pure.

import { isObject, type JsonObject, tryParseJson } from "../base/checks.ts";
import { shellLine } from "../base/quote.ts";
import { type HostName, HOSTS, isHost } from "../hosts/hosts.ts";
import type { CommandEnd } from "./hook_call.ts";

/** A hook before a tool. */
export interface GuardHook {
  host: HostName;
  event: string;
  /** The limits of an agent that agentx has started, as JSON. */
  limits?: string;
}

/** The guard hook that the words after `hook host` call; undefined for any other words. */
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

/** The use of a tool by the name of its server alone, as agents ask for it over ACP. */
export interface ServerUse {
  server: string;
}

/** Names of tools that run commands; a slash command is a prompt. */
const SHELL_TOOL =
  /^(?!.*slash)(.*_)?(bash|shell|sh|exec|execute|terminal|command|cmd|run|powershell|pwsh|stdin)(_|$)/;

/** Names of tools that only read, unless a word of the other kind is in it. */
const READS = /^(read|view|cat|grep|glob|search|find|list|ls|get|open)$/;
const WRITES = /^(replace|edit|write|create|update|delete|insert|patch|move|rename|remove)$/;

/** Where tools name a file, or several. */
const PATHS = ["file_path", "filePath", "path", "paths", "files", "notebook_path", "notebookPath"]
  .concat("absolute_path", "filename", "dir_path", "include");

/** The fields with the command of a shell tool, or with the input for a running shell. */
const COMMANDS = ["command", "cmd", "script", "chars", "input"];

/** Where they name its folder. */
const FOLDERS = ["workdir", "cwd", "directory", "dir_path", "working_directory"];

/** The use of a tool, by the host's payload; undefined if it is neither a command nor about a file. */
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

/** How the command of a tool ended, by what the host sent after it; undefined if it ran none. */
export function endOf(payload: JsonObject): CommandEnd | undefined {
  const use = toolUseOf(payload);
  if (use === undefined || !("command" in use)) return undefined;
  const { duration_ms: took } = payload;
  const durationMs = typeof took === "number" ? took : null;
  return { command: use.command, exitCode: exitCodeOf(payload), durationMs };
}

/** Claude Code says it of what failed, Gemini behind the output. Codex says none. */
function exitCodeOf({ error, tool_response: response }: JsonObject): number | null {
  const failed = typeof error === "string" ? /^Exit code (\d+)/.exec(error)?.[1] : undefined;
  if (failed !== undefined) return Number(failed);
  if (!isObject(response)) return null;
  if (response.interrupted === false && response.backgroundTaskId === undefined) return 0;
  const { llmContent: text, returnDisplay: output } = response;
  if (typeof text !== "string" || typeof output !== "string") return null;
  // The output may say anything.
  const [, after] = text.split(`Output: ${output}\n`);
  return after === undefined ? null : Number(/^Exit Code: (\d+)$/m.exec(after)?.[1] ?? 0);
}

/** Whether the host would ask its human, if one is there. */
export function hasPrompt(host: HostName, { permission_mode: mode }: JsonObject): boolean {
  return HOSTS[host].hooks.guard?.prompts?.includes(mode) ?? false;
}

/** Some models of Codex have no tool for patches: they write the command that Codex takes as one. */
function patchIn(text: unknown): string | undefined {
  if (typeof text !== "string") return undefined;
  const [, end, patch] = /^apply_patch <<'(\w+)'\n([^]*)\n\1\s*$/.exec(text) ?? [];
  return patch?.split("\n").includes(end) ? undefined : patch; // a command would follow
}

function parsed(text: string): unknown {
  return tryParseJson(text) ?? { command: text }; // Copilot sends the arguments of some tools as they are
}
