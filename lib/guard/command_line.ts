// A command line of bash, read into the simple commands in it: those of lists, pipelines, loops, functions,
// substitutions and here-documents. What a word becomes only when it runs is marked as unknown, never
// guessed. Pure.

import {
  type Command,
  type For,
  forEachChild,
  parse,
  type ParsedScript,
  type Redirection,
  type Statement,
  type SyntaxNode,
  type Word as WordNode,
  type WordPart,
} from "unbash";

/** Stands in the text of a word for what is known only when it runs. */
const UNKNOWN = "\0";

/** More words than these are not made of braces. */
const MAX_EXPANDED = 64;

/** A loop over more words than these is read once. */
const MAX_TURNS = 8;

/** One word of a simple command, as the program gets it. */
export interface Word {
  text: string;
  /** Whether the text is all of it. */
  isKnown: boolean;
  /** Whether a file name or a value may make an option of it, or more words. */
  mayBeOption: boolean;
}

export interface SimpleCommand {
  /** The program and its arguments; none where there are only assignments or redirections. */
  words: Word[];
  assignments: { name: string; value: Word }[];
  redirects: { operator: string; target: Word }[];
  /** What a here-document or a here-string gives it to read; undefined where there is none. */
  input: Word | undefined;
  /** The commands of the same pipeline whose output it reads. */
  upstream: SimpleCommand[];
  /** Those in its substitutions. */
  inner: SimpleCommand[];
}

/** A command of no words, for others to be made of. */
export const EMPTY: SimpleCommand = {
  words: [],
  assignments: [],
  redirects: [],
  input: undefined,
  upstream: [],
  inner: [],
};

/** What a command line does, as far as it can be read. */
export interface CommandLine {
  commands: SimpleCommand[];
  /** Why nobody knows what all of it does, as a clause. */
  problem: string | undefined;
  /** The variables that it reads. */
  variables: string[];
  /** Whether a function runs itself in a pipeline or in the background. */
  isForkBomb: boolean;
}

/** Folders that variables and a tilde stand for. */
export interface Folders {
  cwd: string;
  home: string;
}

/** The simple commands of a text in the language of bash. */
export function readCommandLine(text: string, folders: Folders): CommandLine {
  const reader = new Reader(text, folders);
  reader.visit(parse(text), { upstream: [], input: undefined });
  return reader.line;
}

/** A word with this text. */
export function known(text: string): Word {
  return { text, isKnown: true, mayBeOption: false };
}

/** What surrounds a command. */
interface Around {
  upstream: SimpleCommand[];
  input: Word | undefined;
}

class Reader {
  readonly line: CommandLine = {
    commands: [],
    problem: undefined,
    variables: [],
    isForkBomb: false,
  };
  readonly #text: string;
  readonly #folders: Folders;
  /** What the variable of a loop is in this turn. */
  readonly #turn = new Map<string, string>();

  constructor(text: string, folders: Folders) {
    this.#text = text;
    this.#folders = folders;
  }

  visit(node: SyntaxNode, around: Around): void {
    const { commands } = this.line;
    if (node.type === "SimpleExpansion") this.line.variables.push(node.text.slice(1));
    if (node.type === "ParameterExpansion") this.line.variables.push(node.parameter);
    this.line.problem ??= problemIn(node);
    if (node.type === "For" && node.wordlist !== undefined) return this.#for(node, around);
    if (node.type === "Command") return this.#command(node, around);
    if (node.type === "Pipeline") {
      const start = commands.length;
      for (const each of node.commands) {
        this.visit(each, { ...around, upstream: [...around.upstream, ...commands.slice(start)] });
      }
      return;
    }
    if (node.type === "Redirected") {
      // Where a loop or a group writes to, each of its commands does.
      const outer = commands.length;
      const input = this.#inputOf(node.redirects) ?? around.input;
      this.visit(node.command, { ...around, input });
      const redirects = this.#redirects(node.redirects);
      commands.splice(outer, 0, { ...EMPTY, redirects });
      for (const each of node.redirects) this.visit(each, around);
      return;
    }
    const start = commands.length;
    forEachChild(node, (child) => this.visit(child, around));
    if (node.type === "Function") {
      const name = node.name.value;
      const isRecursive = commands.slice(start).some(({ words }) => words[0]?.text === name);
      this.line.isForkBomb ||= isRecursive;
    }
  }

  /** The body of a loop is read once for each word that is known, where nothing else sets its variable. */
  #for({ name: { value: name }, wordlist, body }: For, around: Around): void {
    for (const each of wordlist!) this.visit(each, around);
    const values = wordlist!.flatMap((each) => this.#words(each));
    const text = this.#text.slice(body.pos, body.end);
    const others = text.replaceAll(new RegExp(`\\$\\{?${name}\\b`, "g"), "");
    const isSet = new RegExp(`\\b${name}\\b|eval|\\$'`).test(others) || values.length > MAX_TURNS ||
      values.some(({ isKnown, mayBeOption }) => !isKnown || mayBeOption);
    for (const value of isSet ? [UNKNOWN] : values.map(({ text }) => text)) {
      this.#turn.set(name, value);
      this.visit(body, around);
    }
    this.#turn.delete(name);
  }

  #command(node: Command, around: Around): void {
    const all = [...(node.name ? [node.name] : []), ...node.args];
    const words = all.flatMap((each) =>
      each.type === "Word" ? this.#words(each) : [this.#assigned(each)]
    );
    const assignments = node.prefix.flatMap((each) =>
      each.type === "Assignment"
        ? [{
          name: each.name,
          value: each.value.type === "Word" ? this.#words(each.value)[0] ?? known("") : unknown(),
        }]
        : []
    );
    const command: SimpleCommand = {
      words,
      assignments,
      redirects: this.#redirects(node.redirects),
      input: this.#inputOf(node.redirects) ?? around.input,
      upstream: around.upstream,
      inner: [],
    };
    this.line.commands.push(command);
    const start = this.line.commands.length;
    forEachChild(node, (child) => this.visit(child, { upstream: [], input: undefined }));
    command.inner = this.line.commands.slice(start);
  }

  #redirects(redirects: readonly Redirection[]): SimpleCommand["redirects"] {
    return redirects.flatMap((each) =>
      each.type === "Redirect"
        ? [{
          operator: each.operator,
          target: each.target === undefined ? unknown() : this.#words(each.target)[0] ?? unknown(),
        }]
        : []
    );
  }

  #inputOf(redirects: readonly Redirection[]): Word | undefined {
    const last = redirects.findLast((each) => each.type !== "Redirect");
    if (last?.type === "HereString") return last.target && this.#words(last.target)[0];
    if (last?.type !== "HereDoc") return undefined;
    const { text, parts } = last.body;
    return parts === undefined ? known(text) : this.#joined(parts, true);
  }

  #assigned(node: Extract<Command["args"][number], { type: "Assignment" }>): Word {
    const value = node.value.type === "Word" ? this.#words(node.value)[0] ?? known("") : unknown();
    return { ...value, text: `${node.name}=${value.text}`, mayBeOption: false };
  }

  /** The words that one becomes: braces make more of it, and so do the blanks that `$IFS` stands for. */
  #words(node: WordNode): Word[] {
    const parts = node.parts ?? [{ type: "Literal", value: node.value } as WordPart];
    const tilde = /^~(?=\/|$)/.exec(node.text)?.[0];
    if (tilde === undefined && node.text.startsWith("~")) return [unknown()];
    let words: Word[] = [known("")];
    for (const [at, part] of parts.entries()) {
      const pieces = this.#pieces(part);
      if (words.length * pieces.length > MAX_EXPANDED) return [unknown()];
      words = pieces.flatMap((piece) => words.map((word) => append(word, piece, at === 0)));
    }
    return words.flatMap(({ text, ...rest }) => {
      const full = tilde === undefined ? text : this.#folders.home + text.slice(1);
      const split = full.split(BLANK).filter((word, _, all) => word !== "" || all.length === 1);
      return split.map((text) => ({ ...rest, text }));
    });
  }

  /** What one part of a word may become. */
  #pieces(part: WordPart): Word[] {
    switch (part.type) {
      case "DoubleQuoted":
      case "LocaleString":
        return [this.#joined(part.parts, true)];
      case "BraceExpansion": {
        const inside = /^\{([^{}\s'"`$\\]*)\}$/.exec(part.text)?.[1];
        if (inside === undefined || inside.includes("..")) return [unknown()];
        return inside.split(",").map(known);
      }
      case "Glob":
        return [{ text: part.text, isKnown: true, mayBeOption: true }];
      default:
        return [this.#joined([part], false)];
    }
  }

  #joined(parts: readonly WordPart[], isQuoted: boolean): Word {
    const texts = parts.map((part) => {
      switch (part.type) {
        case "Literal":
        case "SingleQuoted":
        case "AnsiCQuoted":
          return part.value;
        case "SimpleExpansion":
        case "ParameterExpansion":
          return this.#value(part, isQuoted);
        default:
          return UNKNOWN;
      }
    });
    const text = texts.join("");
    const isKnown = !text.includes(UNKNOWN);
    return { text, isKnown, mayBeOption: !isKnown };
  }

  #value(
    part: Extract<WordPart, { type: "SimpleExpansion" | "ParameterExpansion" }>,
    isQuoted: boolean,
  ): string {
    const isPlain = part.type === "SimpleExpansion" ||
      [part.prefix, part.index, part.operation].every((each) => each === undefined);
    const name = part.text.replace(/[${}]/g, "");
    if (isPlain && name === "HOME") return this.#folders.home;
    if (isPlain && name === "PWD") return this.#folders.cwd;
    if (isPlain && this.#turn.has(name)) return this.#turn.get(name)!;
    return isPlain && name === "IFS" && !isQuoted ? BLANK : UNKNOWN;
  }
}

/** Why a part of a line may do what its simple commands do not show. */
function problemIn(node: SyntaxNode): string | undefined {
  const [error] = (node as ParsedScript).errors ?? [];
  if (error !== undefined) return `it cannot be read: ${error.message}`;
  switch (node.type) {
    case "ArithmeticCommand":
      return "arithmetic of bash is a command for other shells";
    case "HereDoc":
      return node.closing === undefined ? "a here-document has no end" : undefined;
    case "ParameterExpansion": {
      const isRun = node.operation?.type === "Transform" && node.operation.operand?.value === "P";
      return isRun || node.prefix === "!" ? "what a variable says is read as code" : undefined;
    }
    case "TestUnary":
      return CODE_IN_INDEX.test(node.operand.value) ? RUNS_INDEX : undefined;
    case "TestBinary":
      return CODE_IN_INDEX.test(`${node.left.value} ${node.right.value}`) ? RUNS_INDEX : undefined;
    case "While":
      return ENDLESS.test(node.clause.commands.map(nameIn).join()) ? "it may never end" : undefined;
    default:
      return undefined;
  }
}

/** The index of an array is run by tests, however it is quoted. */
const CODE_IN_INDEX = /\w\[.*(\$\(|`)/s;

const RUNS_INDEX = "the index of an array is run as code";

/** The condition of a loop that only something in the loop ends. */
const ENDLESS = /^(true|:|false)$/;

function nameIn({ command }: Statement): string | undefined {
  return command.type === "Command" ? command.name?.value : undefined;
}

/** Stands for a blank that separates words, where `$IFS` made it. */
const BLANK = "\x01";

function unknown(): Word {
  return { text: UNKNOWN, isKnown: false, mayBeOption: true };
}

/** What begins with a known text that is no dash is no option, whatever follows it. */
function append(word: Word, piece: Word, isFirst: boolean): Word {
  const text = word.text + piece.text;
  const start = word.text[0] ?? UNKNOWN;
  const isPlain = !isFirst &&
    (!`-*?[${UNKNOWN}${BLANK}`.includes(start) || /^--[\w-]+=/.test(word.text));
  return {
    text,
    isKnown: word.isKnown && piece.isKnown,
    mayBeOption: word.mayBeOption || (piece.mayBeOption && !isPlain),
  };
}
