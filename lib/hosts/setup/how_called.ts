/**
 * How a host calls this program: for its user by an absolute path, since the host may know another PATH;
 * in files that others share by its name alone, and in silence where it is not installed.
 *
 * @module
 */

import { sys } from "../../sys/mod.ts";
import { program } from "../../sys/program.ts";
import { shellWord } from "../../text/quote.ts";

/** What stands in the configuration of a host. */
export interface HowCalled {
  /** The words that start the program, without a shell. */
  words: readonly string[];
  /** The line of a hook, for a shell. */
  hookLine(host: string, event: string): string;
}

const NAME = "agentx";

/** A script that only starts a program is shorter. */
const MAX_SCRIPT_BYTES = 4_096;

/** A line that ends like this is ours, whatever stands before it. */
export function isHookLine(line: unknown, host: string, event: string): boolean {
  if (typeof line !== "string") return false;
  return line.replace(/; fi$/, "").endsWith(` hook host ${host} ${event}`);
}

/** @returns how the hooks of one user call the program that runs now */
export function calledByUser(): HowCalled {
  const words = absoluteWords();
  const line = words.map(shellWord).join(" ");
  return { words, hookLine: (host, event) => `${line} hook host ${host} ${event}` };
}

/** @returns what of these words may be gone tomorrow: a cache, or a file of the repository */
export function transientWord(
  { words }: HowCalled,
  repository: string | undefined,
): string | undefined {
  return words.find((word) => {
    const path = word.startsWith("/") ? sys.realPath(word) ?? word : "";
    return /\/_npx\/|\/bunx-/.test(path) ||
      repository !== undefined && path.startsWith(`${repository}/`);
  });
}

/** @returns how a file that others share calls whatever they have installed */
export function calledByName(): HowCalled {
  return {
    words: [NAME],
    hookLine: (host, event) => `${IF_INSTALLED}; ${NAME} hook host ${host} ${event}`,
  };
}

/** Where it is missing, a hook has nothing to say. */
const IF_INSTALLED = `command -v ${NAME} >/dev/null 2>&1 || exit 0`;

/** The folders in which the shell of this user finds programs. */
function searchPath(): string[] {
  return (sys.env("PATH") ?? "").split(":").filter((folder) => folder.startsWith("/"));
}

/** @returns where a program is found; undefined where it is not */
export function findProgram(name: string): string | undefined {
  return searchPath().map((folder) => `${folder}/${name}`).find((path) => sys.isExecutable(path));
}

/** An installed program by where it is installed; otherwise what runs it, and its main module. */
function absoluteWords(): string[] {
  const [name, ...rest] = program.commandLine;
  const module = rest.at(-1);
  const installed = module === undefined ? undefined : findProgram(NAME);
  if (installed !== undefined && startsModule(installed, module!)) return [installed];
  return [name.startsWith("/") ? name : findProgram(name) ?? name, ...rest];
}

/** What `deno install` makes is a script that names the module. */
function startsModule(path: string, module: string): boolean {
  const part = sys.readPart(sys.realPath(path) ?? path, 0, MAX_SCRIPT_BYTES);
  return part !== undefined && new TextDecoder().decode(part.bytes).includes(module);
}
