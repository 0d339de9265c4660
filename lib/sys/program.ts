// The arguments this program was started with, and its end.

import { builtin, isTerminal, process } from "./builtin.ts";

export interface Program {
  /** The words that start it again from a shell, up to its arguments. */
  readonly commandLine: readonly string[];
  /** The arguments after the name of the program. */
  readonly args: readonly string[];
  /** Ends the program at once. */
  exit(code: number): never;
}

const { accessSync, constants, realpathSync } = builtin("node:fs");
const isDeno = "Deno" in globalThis;
const terminals = [0, 1, 2].filter(isTerminal);

export const program: Program = {
  get commandLine() {
    if (isDeno) return denoCommandLine();
    const { argv: [runtime, module = ""], env: { PATH = "" } } = process;
    return process.versions.bun === undefined
      ? nodeCommandLine([runtime, module], PATH)
      : bunCommandLine(module, PATH);
  },
  args: isDeno ? Deno.args : process.argv.slice(2),
  exit(code) {
    // Node puts terminals back as they were, and aborts where one was closed meanwhile.
    const isClosed = !isDeno && terminals.some((stream) => !isTerminal(stream));
    if (isClosed) process.kill(process.pid, "SIGHUP");
    return process.exit(code);
  },
};

/** An installed program is started by its name; otherwise the runtime runs the main module. */
function nodeCommandLine(words: string[], path: string): string[] {
  const [, module] = words;
  const folder = module.slice(0, module.lastIndexOf("/"));
  const isOnPath = folder !== "" && path.split(":").includes(folder);
  return isOnPath ? [module.slice(folder.length + 1)] : words;
}

/**
 * Bun loads settings of its working folder and runs the programs that they name before our first line. In a clone these
 * are a stranger's. `tsconfig.json` alone can lead to another main module.
 */
export const BUN_OPTIONS = ["--config=/dev/null", "--no-env-file", "--tsconfig-override=/dev/null"];

/** Node, if there is one. A `node` that leads to Bun, as Bun and its images put it on the PATH, does not count. */
function bunCommandLine(module: string, path: string): string[] {
  const node = path.split(":").filter((folder) => folder.startsWith("/"))
    .map((folder) => `${folder}/node`)
    .find((program) => {
      try {
        accessSync(program, constants.X_OK);
        return realpathSync(program) !== realpathSync(process.execPath);
      } catch {
        return false; // there is none in this folder
      }
    });
  const main = realpathSync(module);
  return node === undefined ? [process.execPath, ...BUN_OPTIONS, main] : [node, main];
}

/** A compiled binary is its own command; otherwise the runtime runs the main module. */
function denoCommandLine(): string[] {
  const path = Deno.execPath();
  const folder = path.slice(0, path.lastIndexOf("/"));
  const isOnPath = (Deno.env.get("PATH") ?? "").split(":").includes(folder);
  const name = isOnPath ? path.slice(folder.length + 1) : path;
  if (Deno.build.standalone) return [name];
  return [name, "run", "-A", Deno.mainModule.replace(/^file:\/\//, "")];
}
