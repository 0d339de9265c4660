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

/** A hook waits for nothing; this allows for a busy machine. */
export const HOOK_LIMIT_SECONDS = 10;

/** Copilot also runs the hooks in files of other hosts; it sets this variable. */
export const BY_COPILOT = '[ -z "$COPILOT_PROJECT_DIR" ] || exit 0; ';

/** In Copilot, the answer of a hook reaches the model only at the start and the end of its work. */
const COPILOT_EVENTS = ["sessionStart", "agentStop", "sessionEnd"];

/** The events of VS Code, which reads the files of Copilot, by Copilot's names; it has one during work, too. */
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

/** A handler in a group of its own. */
export function group(
  host: string,
  event: string,
  command: string,
  more: { timeout: number; name?: string } = { timeout: HOOK_LIMIT_SECONDS },
): JsonEntry {
  const handler = { type: "command", command, ...more };
  return { ...flat(host, event, handler), item: { hooks: [handler] } };
}

/** A handler in the list of an event. */
export function flat(host: string, event: string, item: { command: string }) {
  return {
    at: ["hooks", event],
    item,
    isOurs: ({ command }: JsonObject) => isHookLine(command, host, event),
  };
}

/** The server in a list of servers. */
export function server(list: string, value: object): JsonEntry {
  return { at: [list, "agentx"], value };
}

/** The entry that starts the program, in the form of most hosts. */
export function programEntry({ words }: HowCalled, rest: readonly string[]) {
  const [command, ...args] = [...words, ...rest];
  return { command, args };
}

/** The skill of all hosts but Claude Code, unless a host reads that of Claude Code; and AGENTS.md. */
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

/** Only a repository has AGENTS.md; for all repositories of a user there is the skill. */
export function agentsFile(repository: string | undefined): Part[] {
  if (repository === undefined) return [];
  const path = `${repository}/AGENTS.md`;
  return [{ ...part(path, markdownBlock(AGENTS_BLOCK, path)), isShared: true }];
}

/**
 * The line by which a host that reads a file of its own reads AGENTS.md; nothing where the file does so already.
 * Claude Code reads AGENTS.md itself where nobody has instructions for it alone.
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

/** The file that exists: opencode reads either. */
export function opencodeConfig(folder: string): string {
  const commented = `${folder}/opencode.jsonc`;
  return sys.lstat(commented) === undefined ? `${folder}/opencode.json` : commented;
}

/** A part for entries in a JSON file. */
export function json(
  path: string,
  entries: readonly JsonEntry[],
  options: { base?: JsonObject } = {},
): Part {
  return part(path, jsonEntries(entries, { path, ...options }));
}

/** A part for a file that no other host reads. */
export function part(path: string, format: PartFormat): Part {
  return { path, isShared: false, ...format };
}

/** A place in the home of the user. */
export function inHome(path = ""): string {
  const home = sys.env("HOME");
  return path === "" ? `${home}` : `${home}/${path}`;
}
