// Finds the program that a name leads to. It is not run.

import { orElse } from "../base/errors.ts";
import { sys } from "./mod.ts";

/** Where a program is looked for. */
interface SearchOptions {
  /** The working folder of the program; relative paths start there. */
  tree?: string;
  /** PATH as the program gets it. */
  path?: string;
}

/** The program that the system would run; undefined if it finds none. */
export function findProgram(program: string, options: SearchOptions = {}): string | undefined {
  return programPaths(program, options).find((path) => {
    return orElse(false, () => sys.isExecutable(path)); // a folder that we may not enter
  });
}

/** Where a program may be, in the order of the search. */
export function programPaths(program: string, {
  tree = sys.cwd(),
  path = sys.env("PATH") ?? "",
}: SearchOptions = {}): string[] {
  const absolute = (name: string) => name.startsWith("/") ? name : `${tree}/${name}`;
  if (program.includes("/")) return [absolute(program)];
  return path.split(":").map((folder) => `${absolute(folder || ".")}/${program}`);
}
