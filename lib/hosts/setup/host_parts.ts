/**
 * What the files of several hosts have in common: servers, hooks, and what agents read.
 *
 * @module
 */

import type { JsonObject } from "../../checks.ts";
import { sys } from "../../sys/mod.ts";
import { AGENTS_BLOCK, CLAUDE_IMPORT, SKILL } from "./content.ts";
import { type HowCalled, isHookLine } from "./how_called.ts";
import { jsonEntries } from "./json_entries.ts";
import type { JsonEntry } from "./json_text.ts";
import { hasBlock, markdownBlock } from "./markdown_block.ts";
import type { Format, Part } from "./part.ts";
import { wholeFile } from "./whole_file.ts";

/** A hook waits for nothing; this is for a busy machine. */
export const HOOK_LIMIT_SECONDS = 10;

/** Copilot runs what others read as well, and says so by this variable. */
export const BY_COPILOT = '[ -z "$COPILOT_PROJECT_DIR" ] || exit 0; ';

/** In Copilot, an answer reaches the model at the start and at the end of its work only. */
const COPILOT_EVENTS = ["sessionStart", "agentStop", "sessionEnd"];

/** By the names of Copilot: those of VS Code, which reads its files, and hears while it works, too. */
const VSCODE_EVENTS: Readonly<Record<string, string>> = {
  sessionStart: "SessionStart",
  postToolUse: "PostToolUse",
  agentStop: "Stop",
};

/** @returns the hooks of a user or a repository, read by Copilot and by VS Code */
export function copilotHooks(folder: string, called: HowCalled): Part {
  const events = new Set([...COPILOT_EVENTS, ...Object.keys(VSCODE_EVENTS)]);
  const entries = Array.from(events, (event): JsonEntry => {
    const item = {
      type: "command",
      bash: lineForBoth(event, called),
      timeoutSec: HOOK_LIMIT_SECONDS,
    };
    const isOurs = ({ bash }: JsonObject) =>
      isHookLine(bash, "copilot", event) || isHookLine(bash, "vscode", VSCODE_EVENTS[event] ?? "");
    return { at: ["hooks", event], item, isOurs };
  });
  const file = json(`${folder}/hooks/agentx.json`, entries, { base: { version: 1 } });
  return { ...file, isShared: true };
}

function lineForBoth(event: string, called: HowCalled): string {
  const own = COPILOT_EVENTS.includes(event) ? called.hookLine("copilot", event) : undefined;
  const other = VSCODE_EVENTS[event];
  if (other === undefined) return own!;
  const theirs = called.hookLine("vscode", other);
  return own === undefined
    ? BY_COPILOT + theirs
    : `if [ -n "$COPILOT_PROJECT_DIR" ]; then ${own}; else ${theirs}; fi`;
}

/** A handler in a group of its own. */
export function group(
  host: string,
  event: string,
  handler: { type: string; command: string; timeout: number; name?: string },
): JsonEntry {
  return { ...flat(host, event, handler), item: { hooks: [handler] } };
}

/** @returns a handler in the list of an event */
export function flat(host: string, event: string, item: { command: string }) {
  return {
    at: ["hooks", event],
    item,
    isOurs: ({ command }: JsonObject) => isHookLine(command, host, event),
  };
}

/** @returns the server in a list of servers */
export function server(list: string, value: object): JsonEntry {
  return { at: [list, "agentx"], value };
}

/** @returns what starts the program, as most hosts have it */
export function program({ words }: HowCalled, rest: readonly string[]) {
  const [command, ...args] = [...words, ...rest];
  return { command, args };
}

/** What the hosts besides Claude Code read together. */
export function shared(repository: string | undefined): Part[] {
  const folder = repository ?? inHome();
  const skill = part(`${folder}/.agents/skills/agentx/SKILL.md`, wholeFile(SKILL));
  return [{ ...skill, isShared: true }, ...agentsFile(repository)];
}

/** A repository has one; what holds for all repositories of a user is the skill's to say. */
export function agentsFile(repository: string | undefined): Part[] {
  if (repository === undefined) return [];
  const path = `${repository}/AGENTS.md`;
  return [{ ...part(path, markdownBlock(AGENTS_BLOCK, path)), isShared: true }];
}

/** @returns what has Claude Code read AGENTS.md; nothing where something foreign does so already */
export function claudeFile(repository: string | undefined): Part[] {
  if (repository === undefined) return [];
  const path = `${repository}/CLAUDE.md`;
  const real = sys.realPath(path);
  if (real !== undefined && real === sys.realPath(`${repository}/AGENTS.md`)) return []; // a link
  const isFile = real !== undefined && sys.lstat(real)?.kind === "file";
  const text = isFile ? sys.readTextFile(real) ?? "" : "";
  if (/^[ \t]*@(?:\.\/)?AGENTS\.md[ \t]*\r?$/m.test(text) && !hasBlock(text)) return [];
  return [part(path, markdownBlock(CLAUDE_IMPORT, path))];
}

/** The file that is there, with comments or without. */
export function opencodeConfig(folder: string): string {
  const commented = `${folder}/opencode.jsonc`;
  return sys.lstat(commented) === undefined ? `${folder}/opencode.json` : commented;
}

/** @returns what is ours in a file of JSON */
export function json(
  path: string,
  entries: readonly JsonEntry[],
  options: { base?: JsonObject } = {},
): Part {
  return part(path, jsonEntries(entries, { path, ...options }));
}

/** @returns what is ours in a file that no other host shares */
export function part(path: string, format: Format): Part {
  return { path, isShared: false, ...format };
}

/** @returns a place in the home of the user */
export function inHome(path = ""): string {
  const home = sys.env("HOME");
  return path === "" ? `${home}` : `${home}/${path}`;
}
