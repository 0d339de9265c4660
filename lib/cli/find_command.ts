// Which command a command line calls.

import { quote } from "../base/quote.ts";
import type { Command, CommandEntry } from "./command.ts";
import { flagIn, hasFlag, longName } from "./flags.ts";
import { INSTEAD, respell } from "./spellings.ts";
import { nearest } from "../text/nearest.ts";
import { commandLine, usageError } from "./usage_error.ts";

/** The command that a command line calls. */
export interface FoundCommand {
  /** The line of the table; undefined where no command is named. */
  entry: CommandEntry | undefined;
  /** The words that are not the command's own. */
  rest: string[];
  /** Whether the command is to be explained instead of run. */
  wantsHelp: boolean;
}

/**
 * Finds the longest name in the table that the words spell. A command that has subcommands takes no
 * positionals, unless its line says so: a word that follows it and is not a subcommand is a mistake. Global options may
 * stand before the command, and any before the subcommand of a mere group. `help X` is `X --help`,
 * and `--version` alone is `version`. Throws `INVALID_INPUT` for an unknown command or subcommand.
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
  // Without work of its own, it has no options that take a value: `config --global set`.
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
  // The word of a command that takes one stands alone.
  const isWord = entry.takesWord && (!isPlain(argv[next + 1]) || !nearest(second, names));
  if (names.length > 0 && !isWord && isPlain(second)) {
    throw unknown(first, second, commands);
  }
  return { entry, rest: [...before, ...argv.slice(start + 1)], wantsHelp };
}

/** A number or an id follows its command: `workflow 1 run` is a slip. */
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

/** The lines of the table one level below it. */
export function subcommandsOf(
  name: string,
  commands: readonly CommandEntry[],
): readonly CommandEntry[] {
  return commands.filter((entry) =>
    entry.isHidden !== true &&
    (name === "" ? !entry.name.includes(" ") : entry.name.startsWith(`${name} `))
  );
}

/** The error for a group of commands that was called without saying which. */
export function missingSubcommand(entry: CommandEntry, commands: readonly CommandEntry[]): Error {
  const names = subcommandsOf(entry.name, commands).map(({ name }) => lastWord(name));
  return usageError(entry.name, {
    field: "subcommand",
    value: null,
    why: "a subcommand is missing",
    hint: `One of: ${names.join(", ")}.`,
  });
}

/** Steps over options before the command, and over the folder that belongs to `--root`. */
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
  const hint = meant && `Did you mean "${commandLine(name, INSTEAD[group + meant] ?? meant)}"?`;
  return usageError(name, { field, value: word, why: `unknown ${field} ${quote(word)}`, hint });
}

/** The word by which a subcommand is called in its group. */
export function lastWord(name: string): string {
  return name.slice(name.lastIndexOf(" ") + 1);
}

/** Loads a command by its words. */
export type LoadCommand = (words: string) => Promise<Command>;

/** How to load a command of the table. */
export function loaderOf(commands: readonly CommandEntry[]): LoadCommand {
  return async (words) => {
    const entry = commands.find(({ name }) => name === words);
    if (entry?.load === undefined) throw new TypeError(`There is no command "${words}"`);
    return (await entry.load()).command;
  };
}
