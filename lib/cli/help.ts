// The help of the program and of each command, from the table and the schemas.

import { terminalBlock } from "../text/text.ts";
import type { RenderView } from "../text/view.ts";
import { globalArguments } from "./argv.ts";
import { type Command, type CommandEntry, defineCommand } from "./command.ts";
import { subcommandsOf } from "./find_command.ts";
import { type Argument, argumentsOf, flag, flagName } from "./spec.ts";
import { commandLine } from "./usage_error.ts";

export interface HelpRow {
  label: string;
  text: string;
}

/** Rows under one heading. */
export interface HelpSection {
  heading: string;
  rows: HelpRow[];
}

export interface HelpPage {
  name: string;
  summary: string;
  /** Usage lines, one for each way to write the command. */
  usage: string[];
  sections: HelpSection[];
  examples: string[];
  /** The pointer to further help; null if there is none. */
  more: string | null;
}

const OVERVIEW: CommandEntry = {
  name: "",
  summary: "Coding agents that ask each other instead of guessing",
};

const OVERVIEW_EXAMPLES = ["agentx init", "agentx status", "agentx help ask"];

/** Returns a command that prints the help. */
export function helpCommand(
  entry: CommandEntry | undefined,
  commands: readonly CommandEntry[],
): Command {
  return defineCommand({
    kind: "help",
    examples: ["agentx help ask", "agentx help --all"],
    input: { all: flag("List all commands") },
    run: async (_, { all }) => ({ output: await helpPage(entry ?? OVERVIEW, commands, all) }),
    render: renderHelp,
  });
}

async function helpPage(
  entry: CommandEntry,
  commands: readonly CommandEntry[],
  all: boolean,
): Promise<HelpPage> {
  const { name, summary } = entry;
  const command = (await entry.load?.())?.command;
  const accepted = argumentsOf(command ?? {});
  const positionals = accepted.filter(({ kind }) => kind === "positional");
  const options = accepted.filter(({ kind }) => kind !== "positional");
  const listed = subcommandsOf(name, commands);
  const isPart = entry === OVERVIEW && !all && listed.some(({ isMore }) => isMore);
  const subcommands = isPart ? listed.filter(({ isMore }) => !isMore) : listed;
  const words = commandLine(name);
  return {
    name: words,
    summary,
    usage: [
      ...command === undefined ? [] : [usageOf(words, options, positionals)],
      ...subcommands.length === 0 ? [] : [`${words} <command> [options]`],
    ],
    sections: [
      ...groupsOf(subcommands),
      { heading: "Arguments", rows: positionals.map(row) },
      { heading: "Options", rows: [...options, ...globalArguments()].map(row) },
    ].filter(({ rows }) => rows.length > 0),
    examples: entry === OVERVIEW ? OVERVIEW_EXAMPLES : await examplesOf(command, subcommands),
    more: subcommands.length === 0 ? null : `${isPart ? "All commands: agentx help --all\n" : ""}` +
      `More about a command: ${commandLine("help", name, "<command>")}`,
  };
}

/** Returns the examples of a command; for a mere group, the first example of each subcommand. */
async function examplesOf(
  command: Command | undefined,
  subcommands: readonly CommandEntry[],
): Promise<string[]> {
  if (command !== undefined) return [...command.examples];
  const loaded = await Promise.all(subcommands.map((entry) => entry.load?.()));
  return loaded.flatMap((module) => module?.command.examples.slice(0, 1) ?? []);
}

/** Groups the entries under their headings, in the order of first appearance. */
function groupsOf(entries: readonly CommandEntry[]): HelpSection[] {
  const headings = new Set(entries.map(({ group = "Commands" }) => group));
  return [...headings].map((heading) => ({
    heading,
    rows: entries
      .filter(({ group = "Commands" }) => group === heading)
      .map(({ name, summary }) => ({ label: name, text: summary })),
  }));
}

function usageOf(words: string, options: readonly Argument[], positionals: readonly Argument[]) {
  return [
    words,
    ...options.filter(({ isRequired }) => isRequired).map(withPlaceholder),
    "[options]",
    ...positionals.map(({ name, isRequired, takesRest }) => {
      const all = takesRest ? `${name}...` : name;
      return isRequired ? all : `[${all}]`;
    }),
  ].join(" ");
}

function row(argument: Argument): HelpRow {
  const { key, kind, name, short, description, readsStdin } = argument;
  const text = readsStdin ? `${description}; "-" reads standard input` : description;
  if (kind === "positional") {
    return {
      label: name,
      text: short === null ? text : `${text}; also ${short}, ${flagName(key)}`,
    };
  }
  const long = withPlaceholder(argument);
  return { label: short === null ? long : `${short}, ${long}`, text };
}

function withPlaceholder({ kind, name, placeholder }: Argument): string {
  return kind === "switch" ? name : `${name} ${placeholder}`;
}

function renderHelp(page: HelpPage, { style, width }: RenderView): string {
  const columns = Math.min(width, 80);
  const { name, summary, usage, sections, examples, more } = page;
  const labels = sections.flatMap(({ rows }) => rows.map(({ label }) => align(label).length));
  const indent = Math.min(26, Math.max(...labels) + 4);
  const block = (heading: string, lines: string[]) => [style.bold(heading), ...lines].join("\n");
  return [
    `${style.bold(name)} - ${summary}`,
    block("Usage", usage.flatMap((line) => renderUsage(line, columns))),
    ...sections.map(({ heading, rows }) =>
      block(heading, rows.flatMap((row) => renderRow(row, { indent, columns })))
    ),
    block("Examples", examples.map((line) => `  ${style.dim("$")} ${line}`)),
    ...(more === null ? [] : [more]),
  ].join("\n\n");
}

interface Layout {
  /** Columns before the text. */
  indent: number;
  /** Columns of a whole line. */
  columns: number;
}

/** Renders a row. A label that is too long for its column gets a line of its own. */
function renderRow({ label, text }: HelpRow, { indent, columns }: Layout): string[] {
  const start = `  ${align(label)}  `;
  const lines = terminalBlock(text, { indent: " ".repeat(indent), width: columns });
  if (start.length > indent) return [start.trimEnd(), ...(text === "" ? [] : lines)];
  return [start.padEnd(indent) + lines[0].slice(indent), ...lines.slice(1)];
}

/** Indents a long flag to leave room for a short one before it. */
function align(label: string): string {
  return label.startsWith("--") ? `    ${label}` : label;
}

/** Indents the further lines of a usage more than the first one. */
function renderUsage(line: string, columns: number): string[] {
  const lines = terminalBlock(line, { indent: "      ", width: columns });
  return [lines[0].slice(4), ...lines.slice(1)];
}
