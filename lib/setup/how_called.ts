// How a host calls agentx. Files of a user name it by an absolute path, because the host may have another PATH. Files
// of a repository name it by its name, and their hooks do nothing if it is not installed.

import { findProgram } from "../sys/find_program.ts";
import { sys } from "../sys/mod.ts";
import { program } from "../sys/program.ts";
import { shellLine, shellWord } from "../base/quote.ts";

/** The command lines for the configuration of a host. */
export interface HowCalled {
  /** The words that start the program, without a shell. */
  words: readonly string[];
  /** The line of a hook, for a shell. */
  hookLine(host: string, event: string): string;
}

const NAME = "agentx";

/** The command that installs agentx from a clone of the toolkit. */
export const INSTALL = "npx -y deno@2.9.6 task install";

/** Says how to install agentx, for messages. This changes once agentx is published on npm. */
export const HOW_INSTALLED = `${INSTALL}, in a clone of the toolkit`;

/** Maximum size to read. Scripts that only start a program are shorter. */
const MAX_SCRIPT_BYTES = 4_096;

/**
 * Whether a line is a hook of agentx. Only its end is compared, because guards and the path of the program come before
 * it.
 */
export function isHookLine(line: unknown, host: string, event: string): boolean {
  if (typeof line !== "string") return false;
  return line.replace(/; fi$/, "").endsWith(` hook host ${host} ${event}`);
}

/** Returns how the hooks of one user call the running program. */
export function calledByUser(): HowCalled {
  const words = absoluteWords();
  const line = shellLine(words);
  const files = words.filter((word) => word.startsWith("/"));
  const areThere = files.map((path) => `[ -e ${shellWord(path)} ]`).join(" && ");
  const guard = files.length === 0 ? "" : `${areThere} || exit 0; `;
  return { words, hookLine: (host, event) => `${guard}${line} hook host ${host} ${event}` };
}

/** Returns a word that may soon be gone: a path in a cache, or in the repository. */
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

/** Returns how the files of a repository call the agentx that each user has installed. */
export function calledByName(): HowCalled {
  return {
    words: [NAME],
    hookLine: (host, event) => `${IF_INSTALLED}; ${NAME} hook host ${host} ${event}`,
  };
}

/** Ends a hook without an error if agentx is not installed. */
const IF_INSTALLED = `command -v ${NAME} >/dev/null 2>&1 || exit 0`;

/** Returns the path of the installed program; otherwise the runtime and the main module. */
function absoluteWords(): string[] {
  const [name, ...rest] = program.commandLine;
  const module = rest.at(-1);
  const installed = module === undefined ? undefined : findProgram(NAME);
  if (installed !== undefined && startsModule(installed, module!)) return [installed];
  return [name.startsWith("/") ? name : findProgram(name) ?? name, ...rest];
}

/** Whether a file is a script of `deno install` that starts the module. */
function startsModule(path: string, module: string): boolean {
  const part = sys.readPart(sys.realPath(path) ?? path, 0, MAX_SCRIPT_BYTES);
  return part !== undefined && new TextDecoder().decode(part.bytes).includes(module);
}
