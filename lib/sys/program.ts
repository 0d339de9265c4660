/**
 * The arguments this program was started with, and its end.
 *
 * @module
 */

/** The running program. */
export interface Program {
  /** The words that start it again from a shell, up to its arguments. */
  readonly commandLine: readonly string[];
  /** The arguments after the name of the program. */
  readonly args: readonly string[];
  /** Ends the program at once. */
  exit(code: number): never;
}

/** The program that this process runs. */
export const program: Program = "Deno" in globalThis
  ? {
    get commandLine() {
      return denoCommandLine();
    },
    args: Deno.args,
    exit: (code) => Deno.exit(code),
  }
  : await nodeProgram();

async function nodeProgram(): Promise<Program> {
  const [{ default: process }, { isatty }] = await Promise.all([
    import("node:process"),
    import("node:tty"),
  ]);
  const terminals = [0, 1, 2].filter((stream) => isatty(stream));
  return {
    commandLine: nodeCommandLine(process.argv.slice(0, 2), process.env.PATH),
    args: process.argv.slice(2),
    exit(code) {
      // Node puts terminals back as they were, and aborts where one was closed meanwhile.
      const isClosed = terminals.some((stream) => !isatty(stream));
      if (isClosed) process.kill(process.pid, "SIGHUP");
      return process.exit(code);
    },
  };
}

/** An installed program is started by its name; otherwise the runtime runs the main module. */
function nodeCommandLine(words: string[], path = ""): string[] {
  const module = words[1] ?? "";
  const folder = module.slice(0, module.lastIndexOf("/"));
  const isOnPath = folder !== "" && path.split(":").includes(folder);
  return isOnPath ? [module.slice(folder.length + 1)] : words;
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
