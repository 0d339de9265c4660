// The arguments that this program was started with, and a function that ends it.

import { builtin, isTerminal, process } from "./builtin.ts";

export interface Program {
  /** The words that start this program from a shell, without its arguments. */
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
    // Node restores terminals when it ends, and aborts if one was closed in the meantime.
    const isClosed = !isDeno && terminals.some((stream) => !isTerminal(stream));
    if (isClosed) process.kill(process.pid, "SIGHUP");
    return process.exit(code);
  },
};

/** Returns the name of an installed program; otherwise the runtime and the main module. */
function nodeCommandLine(words: string[], path: string): string[] {
  const [, module] = words;
  const folder = module.slice(0, module.lastIndexOf("/"));
  const isOnPath = folder !== "" && path.split(":").includes(folder);
  return isOnPath ? [module.slice(folder.length + 1)] : words;
}

/**
 * Options that disable settings of the working folder. Bun loads these settings, and runs the programs that they
 * name, before the first line of this program. In a clone, a stranger wrote these settings. `tsconfig.json` alone
 * can replace the main module.
 */
export const BUN_OPTIONS = ["--config=/dev/null", "--no-env-file", "--tsconfig-override=/dev/null"];

/**
 * Returns a command line with Node if Node is installed, otherwise with Bun. A `node` that leads to Bun, as Bun and
 * its images put it on the PATH, does not count.
 */
function bunCommandLine(module: string, path: string): string[] {
  const node = path.split(":").filter((folder) => folder.startsWith("/"))
    .map((folder) => `${folder}/node`)
    .find((program) => {
      try {
        accessSync(program, constants.X_OK);
        return realpathSync(program) !== realpathSync(process.execPath);
      } catch {
        return false; // this folder has no such program
      }
    });
  const main = realpathSync(module);
  return node === undefined ? [process.execPath, ...BUN_OPTIONS, main] : [node, main];
}

/** Returns the name of a compiled binary; otherwise the runtime and the main module. */
function denoCommandLine(): string[] {
  const path = Deno.execPath();
  const folder = path.slice(0, path.lastIndexOf("/"));
  const isOnPath = (Deno.env.get("PATH") ?? "").split(":").includes(folder);
  const name = isOnPath ? path.slice(folder.length + 1) : path;
  if (Deno.build.standalone) return [name];
  return [name, "run", "-A", Deno.mainModule.replace(/^file:\/\//, "")];
}
