/**
 * Which program a name leads to. It is not run.
 *
 * @module
 */

import { AgentxError } from "../errors.ts";
import { sys } from "../sys/mod.ts";
import { programPaths, type ProgramPathsOptions } from "./program_paths.ts";

/**
 * As the system looks for it when an agent is invoked: in the caller's tree, or along PATH.
 *
 * @param program as a command names it
 * @param options working folder and PATH
 * @returns where it is; undefined where there is none that can be run
 */
export function findProgram(program: string, options: ProgramPathsOptions): string | undefined {
  return programPaths(program, options).find((path) => {
    try {
      return sys.isExecutable(path);
    } catch (error) {
      if (error instanceof AgentxError) return false; // a folder that we may not enter
      throw error;
    }
  });
}
