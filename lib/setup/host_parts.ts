// Parts that several hosts share: servers, hooks, and the texts that agents read.

import { type JsonObject, objectOf } from "../base/checks.ts";
import { orElse } from "../base/errors.ts";
import { type HostName, HOSTS } from "../hosts/hosts.ts";
import { sys } from "../sys/mod.ts";
import { AGENTS_BLOCK, AGENTS_IMPORT, SKILL } from "./content.ts";
import { type HowCalled, isHookLine } from "./how_called.ts";
import { jsonEntries } from "./json_entries.ts";
import { type JsonEntry, readJson } from "./json_text.ts";
import { hasBlock, markdownBlock } from "./markdown_block.ts";
import type { Part, PartFormat } from "./part.ts";
import { wholeFile } from "./whole_file.ts";

/** Timeout of a hook. A hook waits for nothing, but the machine may be busy. */
export const HOOK_LIMIT_SECONDS = 10;

/**
 * The beginning of a hook line that does nothing in Copilot, which sets this variable. Copilot also runs the hooks in
 * files of other hosts.
 */
export const BY_COPILOT = '[ -z "$COPILOT_PROJECT_DIR" ] || exit 0; ';

/** The events of Copilot with an answer that reaches the model: only at the start and the end of its work. */
const COPILOT_EVENTS = ["sessionStart", "agentStop", "sessionEnd"];

/**
 * The events of VS Code, by the name that Copilot has for each, because VS Code reads the files of Copilot. It also has
 * an event during work.
 */
const VSCODE_EVENTS: Readonly<Record<string, string>> = {
  sessionStart: "SessionStart",
  postToolUse: "PostToolUse",
  agentStop: "Stop",
};

const COPILOT_GUARD = HOSTS.copilot.hooks.guard!.event;
const VSCODE_GUARD = HOSTS.vscode.hooks.guard!.event;

/** The hook file that Copilot and VS Code both read. */
export function copilotHooks(folder: string, called: HowCalled, hasGuard = false): Part {
  const guard = hasGuard ? [COPILOT_GUARD] : [];
  const events = new Set([...COPILOT_EVENTS, ...Object.keys(VSCODE_EVENTS), ...guard]);
  const entries = Array.from(events, (event): JsonEntry => {
    const item = {
      type: "command",
      bash: lineForBoth(event, called),
      timeoutSec: HOOK_LIMIT_SECONDS,
    };
    const isOurs = ({ bash }: JsonObject) =>
      isHookLine(bash, "copilot", event) ||
      isHookLine(bash, "vscode", VSCODE_EVENTS[event] ?? VSCODE_GUARD);
    return { at: ["hooks", event], item, isOurs };
  });
  const file = json(`${folder}/hooks/agentx.json`, entries, { base: { version: 1 } });
  return { ...file, isShared: true };
}

function lineForBoth(event: string, called: HowCalled): string {
  const isGuard = event === COPILOT_GUARD;
  const own = isGuard || COPILOT_EVENTS.includes(event)
    ? called.hookLine("copilot", event)
    : undefined;
  const other = isGuard ? VSCODE_GUARD : VSCODE_EVENTS[event];
  if (other === undefined) return own!;
  const theirs = called.hookLine("vscode", other);
  return own === undefined
    ? BY_COPILOT + theirs
    : `if [ -n "$COPILOT_PROJECT_DIR" ]; then ${own}; else ${theirs}; fi`;
}

/** Returns the entry for a handler in a group of its own. */
export function group(
  host: string,
  event: string,
  command: string,
  more: { timeout: number; name?: string } = { timeout: HOOK_LIMIT_SECONDS },
): JsonEntry {
  const handler = { type: "command", command, ...more };
  return { ...flat(host, event, handler), item: { hooks: [handler] } };
}

/** Returns the entry for a handler directly in the list of an event. */
export function flat(host: string, event: string, item: { command: string }) {
  return {
    at: ["hooks", event],
    item,
    isOurs: ({ command }: JsonObject) => isHookLine(command, host, event),
  };
}

/** Returns the entry for the server of agentx in a list of servers. */
export function server(list: string, value: object): JsonEntry {
  return { at: [list, "agentx"], value };
}

/** Returns the command that starts the program, in the form of most hosts. */
export function programEntry({ words }: HowCalled, rest: readonly string[]) {
  const [command, ...args] = [...words, ...rest];
  return { command, args };
}

/**
 * Returns the shared parts: AGENTS.md, and the skill for all hosts except Claude Code. The skill is left out for a host
 * that already reads the skill of Claude Code.
 */
export function sharedParts(name: HostName, repository: string | undefined): Part[] {
  const at = (folder: string) => `${repository ?? inHome()}/${folder}/agentx/SKILL.md`;
  const path = at(".agents/skills");
  const isThere = HOSTS[name].files.skills.some((folder) => sys.lstat(at(folder)) !== undefined);
  const isNeeded = !isThere || sys.lstat(path) !== undefined;
  return [
    ...isNeeded ? [{ ...part(path, wholeFile(SKILL)), isShared: true }] : [],
    ...agentsFile(repository),
  ];
}

/**
 * Returns the part for AGENTS.md of a repository. Without a repository there is none; the skill serves all repositories
 * of a user.
 */
export function agentsFile(repository: string | undefined): Part[] {
  if (repository === undefined) return [];
  const path = `${repository}/AGENTS.md`;
  return [{ ...part(path, markdownBlock(AGENTS_BLOCK, path)), isShared: true }];
}

/**
 * Returns the part with the line that imports AGENTS.md, for a host that reads a file of its own; none if the host
 * reads AGENTS.md anyway. Claude Code reads AGENTS.md itself if there are no instructions for it alone.
 */
export function importFile(name: "CLAUDE" | "GEMINI", repository: string | undefined): Part[] {
  if (repository === undefined) return [];
  const path = `${repository}/${name}.md`;
  const real = sys.realPath(path);
  if (real !== undefined && real === sys.realPath(`${repository}/AGENTS.md`)) return []; // a link
  const isAlone = real === undefined && sys.lstat(`${repository}/CLAUDE.local.md`) === undefined;
  if (name === "CLAUDE" ? isAlone : readsAgentsMd(`${repository}/.gemini/settings.json`)) return [];
  const isFile = real !== undefined && sys.lstat(real)?.kind === "file";
  const text = isFile ? sys.readTextFile(real) ?? "" : "";
  if (/^[ \t]*@(?:\.\/)?AGENTS\.md[ \t]*\r?$/m.test(text) && !hasBlock(text)) return [];
  return [part(path, markdownBlock(AGENTS_IMPORT, path))];
}

/** Whether a repository tells Gemini to read AGENTS.md itself. */
function readsAgentsMd(settings: string): boolean {
  return orElse(false, () => {
    const { context } = readJson(sys.readTextFile(settings) || "{}", settings);
    return [objectOf(context).fileName].flat().includes("AGENTS.md");
  });
}

/** Returns the existing configuration file of opencode, which reads both names. */
export function opencodeConfig(folder: string): string {
  const commented = `${folder}/opencode.jsonc`;
  return sys.lstat(commented) === undefined ? `${folder}/opencode.json` : commented;
}

/** Returns a part for entries in a JSON file. */
export function json(
  path: string,
  entries: readonly JsonEntry[],
  options: { base?: JsonObject } = {},
): Part {
  return part(path, jsonEntries(entries, { path, ...options }));
}

/** Returns a part for a file that no other host reads. */
export function part(path: string, format: PartFormat): Part {
  return { path, isShared: false, ...format };
}

/** Returns a path in the user's home folder. */
export function inHome(path = ""): string {
  const home = sys.env("HOME");
  return path === "" ? `${home}` : `${home}/${path}`;
}
