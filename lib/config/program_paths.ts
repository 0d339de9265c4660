/**
 * Where the system looks for a program. Pure.
 *
 * @module
 */

/** Options of {@linkcode programPaths}. */
export interface ProgramPathsOptions {
  /** The working folder of the program, from which relative paths count. */
  tree: string;
  /** The variable PATH as the program gets it. */
  path: string;
}

/**
 * @param program as a command names it
 * @param options the working folder and PATH
 * @returns where it may be, in the order in which it is looked for
 */
export function programPaths(program: string, { tree, path }: ProgramPathsOptions): string[] {
  const absolute = (name: string) => name.startsWith("/") ? name : `${tree}/${name}`;
  if (program.includes("/")) return [absolute(program)];
  return path.split(":").map((folder) => `${absolute(folder || ".")}/${program}`);
}
