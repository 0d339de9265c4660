// Finds the command that a command line calls.

import { quote } from "../base/quote.ts";
import type { Command, CommandEntry } from "./command.ts";
import { flagIn, hasFlag, longName } from "./flags.ts";
import { INSTEAD, respell } from "./spellings.ts";
import { nearest } from "../text/nearest.ts";
import { commandLine, usageError } from "./usage_error.ts";

/** The command that a command line calls. */
export interface FoundCommand {
  /** The entry in the table; undefined if the line names no command. */
  entry: CommandEntry | undefined;
  /** The words that are not the name of the command. */
  rest: string[];
  /** Whether to explain the command instead of running it. */
  wantsHelp: boolean;
}

/**
 * Finds the longest command name in the table that the words spell. A command with subcommands takes no positionals,
 * unless its entry allows that: any other word after it is a mistake. Global options may come before the command;
 * before the subcommand of a mere group, any option may. `help X` means `X --help`, and `--version` alone means
 * `version`. Throws `INVALID_INPUT` for an unknown command or subcommand.
 */
export function findCommand(
  line: readonly string[],
  commands: readonly CommandEntry[],
): FoundCommand {
  const start = commandIndex(line);
  const argv = respell(line, start);
  const before = argv.slice(0, start);
  const first = argv[start];
  const entry = commands.find(({ name }) => name === first);
  // A group does nothing itself, so it has no options that take a value: `config --global set`.
  const isGroup = entry !== undefined && entry.load === undefined;
  const next = start + 1 + (isGroup ? commandIndex(argv.slice(start + 1)) : 0);
  const [between, second = ""] = [argv.slice(start + 1, next), argv[next]];
  const wantsHelp = hasFlag(argv, "--help") || hasFlag(argv, "-h");
  if (first === "help") {
    return { ...findCommand([...before, ...argv.slice(start + 1)], commands), wantsHelp: true };
  }
  if (first === undefined && before.includes("--version")) {
    return findCommand(["version", ...before.filter((word) => word !== "--version")], commands);
  }
  if (first === undefined) return { entry: undefined, rest: before, wantsHelp };
  checkOrder(line.slice(start), commands);

  const subcommand = commands.find(({ name }) => name === `${first} ${second}`);
  if (subcommand !== undefined) {
    return { entry: subcommand, rest: [...before, ...between, ...argv.slice(next + 1)], wantsHelp };
  }
  if (entry === undefined) throw unknown("", first, commands);
  const names = subcommandsOf(first, commands).map(({ name }) => lastWord(name));
  // If a command takes a word of its own, no other word follows it.
  const isWord = entry.takesWord && (!isPlain(argv[next + 1]) || !nearest(second, names));
  if (names.length > 0 && !isWord && isPlain(second)) {
    throw unknown(first, second, commands);
  }
  return { entry, rest: [...before, ...argv.slice(start + 1)], wantsHelp };
}

/** Refuses a number or an id before its subcommand: `workflow 1 run` is a slip. */
function checkOrder(
  [first, second, third]: readonly string[],
  commands: readonly CommandEntry[],
): void {
  if (third === undefined || !/^#?\d+$|^[A-Z]+-\d/.test(second)) return;
  const meant = commands.find(({ name }) => name === `${first} ${third}`);
  if (meant === undefined) return;
  throw usageError(meant.name, {
    field: second,
    value: second,
    why: `${quote(second)} stands before ${quote(third)}`,
    hint: `Did you mean "${commandLine(meant.name, second)}"?`,
  });
}

function isPlain(word = ""): boolean {
  return word !== "" && flagIn(word) === undefined;
}

/** Returns the entries one level below a name; the empty name means the top level. */
export function subcommandsOf(
  name: string,
  commands: readonly CommandEntry[],
): readonly CommandEntry[] {
  return commands.filter((entry) =>
    entry.isHidden !== true &&
    (name === "" ? !entry.name.includes(" ") : entry.name.startsWith(`${name} `))
  );
}

/** Returns the error for a group that was called without a subcommand. */
export function missingSubcommand(entry: CommandEntry, commands: readonly CommandEntry[]): Error {
  const names = subcommandsOf(entry.name, commands).map(({ name }) => lastWord(name));
  return usageError(entry.name, {
    field: "subcommand",
    value: null,
    why: "a subcommand is missing",
    hint: `One of: ${names.join(", ")}.`,
  });
}

/** Returns the index of the first word that is no option; skips the folder after `--root`. */
function commandIndex(argv: readonly string[]): number {
  let index = 0;
  while (index < argv.length && flagIn(argv[index]) !== undefined) {
    index += longName(argv[index]) === "--root" ? 2 : 1;
  }
  return index;
}

function unknown(name: string, word: string, commands: readonly CommandEntry[]): Error {
  const field = name === "" ? "command" : "subcommand";
  const group = `${name} `;
  const others = Object.keys(INSTEAD).filter((key) => key.startsWith(group))
    .map((key) => key.slice(group.length));
  const own = subcommandsOf(name, commands).map((entry) => lastWord(entry.name));
  const meant = nearest(word, [...own, ...others]);
  const line = meant && commandLine(INSTEAD[group + meant] ?? `${group}${meant}`.trim());
  const hint = line && `Did you mean "${line}"?`;
  return usageError(name, { field, value: word, why: `unknown ${field} ${quote(word)}`, hint });
}

/** Returns the word that names a subcommand in its group. */
export function lastWord(name: string): string {
  return name.slice(name.lastIndexOf(" ") + 1);
}

/** Loads a command by its words. */
export type LoadCommand = (words: string) => Promise<Command>;

/** Returns a function that loads commands of the table. */
export function loaderOf(commands: readonly CommandEntry[]): LoadCommand {
  return async (words) => {
    const entry = commands.find(({ name }) => name === words);
    if (entry?.load === undefined) throw new TypeError(`There is no command "${words}"`);
    return (await entry.load()).command;
  };
}
