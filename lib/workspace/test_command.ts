// Finds the command that runs the tests of a project, from the project's own files. Nothing is run.

import { objectOf, tryParseJson } from "../base/checks.ts";
import { sys } from "../sys/mod.ts";

/** Matches the test script that npm writes into a new package. */
const NO_TEST = /no test specified/;

/** Returns program and arguments; undefined if the project's files name no test command. */
export function testCommand(root: string): string[] | undefined {
  const read = (name: string) => sys.readTextFile(`${root}/${name}`);
  const has = (name: string) => sys.lstat(`${root}/${name}`) !== undefined;
  for (const name of ["deno.json", "deno.jsonc"]) {
    const { tasks } = objectOf(parsed(read(name)));
    if (objectOf(tasks).test !== undefined) return ["deno", "task", "test"];
  }
  const { scripts } = objectOf(parsed(read("package.json")));
  const { test } = objectOf(scripts);
  if (typeof test === "string" && !NO_TEST.test(test)) {
    if (has("pnpm-lock.yaml")) return ["pnpm", "test"];
    if (has("yarn.lock")) return ["yarn", "test"];
    return has("bun.lock") || has("bun.lockb") ? ["bun", "run", "test"] : ["npm", "test"];
  }
  const makefile = read("Makefile") ?? read("makefile") ?? "";
  return /^test\s*:(?!=)/m.test(makefile) ? ["make", "test"] : undefined;
}

/** Parses JSON that may have comment lines, as in deno.json. */
function parsed(text = ""): unknown {
  return tryParseJson(text.replaceAll(/^\s*\/\/.*$/gm, ""));
}
