// What a call of a tool does, read from its input, in the terms of any host. Pure.

import { listOf, objectOf, stringOf, tryParseJson } from "../base/checks.ts";

/** What is known of a call besides its tool. */
export interface CallContent {
  /** The command line, if it runs one. */
  command?: string;
  /** The text of the document in markdown that it writes, if it writes one. */
  document?: string;
}

const DOCUMENT = /\.(?:md|mdx|rst|adoc)$/i;

/** Before the lines of a document in a patch. */
const ADDED = /^\*\*\* Add File: \S+\.(?:md|mdx|rst|adoc)[ \t]*\n/im;

const LONGEST_COMMAND = 300;

/** The input may be an object, the same as JSON, or a patch. */
export function readCall(input: unknown): CallContent {
  const values = objectOf(typeof input === "string" ? tryParseJson(input) : input);
  const patch = stringOf(values.input) ?? stringOf(values.patch) ?? stringOf(input) ?? "";
  const path = stringOf(values.file_path) ?? stringOf(values.path) ?? stringOf(values.filePath);
  const text = stringOf(values.content) ?? stringOf(values.file_text);
  const command = commandIn(values.command ?? values.cmd);
  const document = path !== undefined && DOCUMENT.test(path) ? text : addedIn(patch);
  return {
    ...(command === undefined ? {} : { command }),
    ...(document === undefined ? {} : { document }),
  };
}

/** The added lines of the document that a patch adds. */
function addedIn(patch: string): string | undefined {
  const added = ADDED.exec(patch);
  if (added === null) return undefined;
  const lines = patch.slice(added.index + added[0].length).split("\n");
  const end = lines.findIndex((line) => !line.startsWith("+"));
  return lines.slice(0, end < 0 ? undefined : end).map((line) => `${line.slice(1)}\n`).join("");
}

/** A command line, or the words of one; a shell that is given one in `-c` is left out. */
function commandIn(value: unknown): string | undefined {
  const words = listOf(value).filter((word) => typeof word === "string");
  const isShell = words.length === 3 && /^-\w*c$/.test(words[1]);
  const line = typeof value === "string" ? value : isShell ? words[2] : words.join(" ");
  const [first] = line.trim().split("\n", 1);
  return first === "" || first.length > LONGEST_COMMAND ? undefined : first;
}
