// Finds the program file for a name, without running it.

import { orElse } from "../base/errors.ts";
import { sys } from "./mod.ts";

/** The folders to search for a program. */
interface SearchOptions {
  /** The working folder of the program. Relative paths start there. */
  tree?: string;
  /** The value of PATH that the program gets. */
  path?: string;
}

/** Returns the program that the system would run; undefined if it would find none. */
export function findProgram(program: string, options: SearchOptions = {}): string | undefined {
  return programPaths(program, options).find((path) => {
    return orElse(false, () => sys.isExecutable(path)); // a folder may be closed to us
  });
}

/** Returns the paths where a program may be, in the order of the search. */
export function programPaths(program: string, {
  tree = sys.cwd(),
  path = sys.env("PATH") ?? "",
}: SearchOptions = {}): string[] {
  const absolute = (name: string) => name.startsWith("/") ? name : `${tree}/${name}`;
  if (program.includes("/")) return [absolute(program)];
  return path.split(":").map((folder) => `${absolute(folder || ".")}/${program}`);
}
