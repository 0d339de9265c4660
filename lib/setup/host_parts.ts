// Parts that several hosts share: servers, hooks, and the texts that agents read.

import type { JsonObject } from "../base/checks.ts";
import { GUARD_EVENTS } from "../hooks/guard_call.ts";
import { sys } from "../sys/mod.ts";
import { AGENTS_BLOCK, CLAUDE_IMPORT, SKILL } from "./content.ts";
import { type HowCalled, isHookLine } from "./how_called.ts";
import { jsonEntries } from "./json_entries.ts";
import type { JsonEntry } from "./json_text.ts";
import { hasBlock, markdownBlock } from "./markdown_block.ts";
import type { Format, Part } from "./part.ts";
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

/** The hook file that Copilot and VS Code both read. */
export function copilotHooks(folder: string, called: HowCalled, hasGuard = false): Part {
  const guard = hasGuard ? ["preToolUse"] : [];
  const events = new Set([...COPILOT_EVENTS, ...Object.keys(VSCODE_EVENTS), ...guard]);
  const entries = Array.from(events, (event): JsonEntry => {
    const item = {
      type: "command",
      bash: lineForBoth(event, called),
      timeoutSec: HOOK_LIMIT_SECONDS,
    };
    const isOurs = ({ bash }: JsonObject) =>
      isHookLine(bash, "copilot", event) ||
      isHookLine(bash, "vscode", VSCODE_EVENTS[event] ?? GUARD_EVENTS.vscode!);
    return { at: ["hooks", event], item, isOurs };
  });
  const file = json(`${folder}/hooks/agentx.json`, entries, { base: { version: 1 } });
  return { ...file, isShared: true };
}

function lineForBoth(event: string, called: HowCalled): string {
  const isGuard = event === GUARD_EVENTS.copilot;
  const own = isGuard || COPILOT_EVENTS.includes(event)
    ? called.hookLine("copilot", event)
    : undefined;
  const other = isGuard ? GUARD_EVENTS.vscode : VSCODE_EVENTS[event];
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

/** What starts the program, as most hosts have it. */
export function program({ words }: HowCalled, rest: readonly string[]) {
  const [command, ...args] = [...words, ...rest];
  return { command, args };
}

/** The files that all hosts but Claude Code read. */
export function shared(repository: string | undefined): Part[] {
  const folder = repository ?? inHome();
  const skill = part(`${folder}/.agents/skills/agentx/SKILL.md`, wholeFile(SKILL));
  return [{ ...skill, isShared: true }, ...agentsFile(repository)];
}

/** Only a repository has AGENTS.md; for all repositories of a user there is the skill. */
export function agentsFile(repository: string | undefined): Part[] {
  if (repository === undefined) return [];
  const path = `${repository}/AGENTS.md`;
  return [{ ...part(path, markdownBlock(AGENTS_BLOCK, path)), isShared: true }];
}

/** The line that makes Claude Code read AGENTS.md; nothing where the file does so already. */
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
export function part(path: string, format: Format): Part {
  return { path, isShared: false, ...format };
}

/** A place in the home of the user. */
export function inHome(path = ""): string {
  const home = sys.env("HOME");
  return path === "" ? `${home}` : `${home}/${path}`;
}
