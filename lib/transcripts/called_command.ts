// The command line that a call of a tool runs, read from its input, in the terms of any host. Pure.

import { listOf, objectOf, tryParseJson } from "../base/checks.ts";

const LONGEST_COMMAND = 300;

/**
 * The first line of a command line, or the words of one; a shell that is given one in `-c` is left out.
 * The input may be an object, or the same as JSON.
 */
export function calledCommand(input: unknown): string | undefined {
  const values = objectOf(typeof input === "string" ? tryParseJson(input) : input);
  const value = values.command ?? values.cmd;
  const words = listOf(value).filter((word) => typeof word === "string");
  const isShell = words.length === 3 && /^-\w*c$/.test(words[1]);
  const line = typeof value === "string" ? value : isShell ? words[2] : words.join(" ");
  const [first] = line.trim().split("\n", 1);
  return first === "" || first.length > LONGEST_COMMAND ? undefined : first;
}
