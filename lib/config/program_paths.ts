/**
 * Where the operating system looks for a program. Pure.
 *
 * @module
 */

/** Options of {@linkcode programPaths}. */
export interface ProgramPathsOptions {
  /** The working folder of the program, to which relative paths are resolved. */
  tree: string;
  /** PATH as the program gets it. */
  path: string;
}

/** Where a program may be, in the order of the search. */
export function programPaths(program: string, { tree, path }: ProgramPathsOptions): string[] {
  const absolute = (name: string) => name.startsWith("/") ? name : `${tree}/${name}`;
  if (program.includes("/")) return [absolute(program)];
  return path.split(":").map((folder) => `${absolute(folder || ".")}/${program}`);
}
