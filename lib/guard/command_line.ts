// Reads a bash command line and splits it into simple commands, including those of lists, pipelines, loops,
// functions, substitutions and here-documents. Parts of a word that depend on the run are marked as unknown and never
// guessed. Pure.

import {
  type Command,
  type CommandExpansionPart,
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

/** Replaces, in the text of a word, a part that depends on the run. */
const UNKNOWN = "\0";

/** The maximum number of words that braces may expand to. */
const MAX_EXPANDED = 64;

/** The maximum number of values for which the body of a loop is read again. A loop with more values is read once. */
const MAX_TURNS = 8;

/** The maximum numbers of commands and of syntax nodes that are read from one line. */
const MAX_COMMANDS = 500;
const MAX_PARTS = 40_000;

/** A stand-in for the output of a substitution, by its text: a path in the tree, a commit or branch, a number. */
const PRINTS: readonly (readonly [RegExp, string])[] = [
  [/^\$\( *(git ls-files|git diff --name-only|git grep -l|find|ls|rg -\w*l|grep -\w*l|fd)\b/, "."],
  [/^\$\( *git (rev-parse --show-toplevel|rev-parse --show-prefix)\b/, "."],
  [
    /^\$\( *git (rev-parse|merge-base|describe|branch --show-current|symbolic-ref --short)\b/,
    "HEAD",
  ],
  [/^\$\( *(nproc|date|wc|seq)\b/, "1"],
];

/** Matches a substitution that prints the output of its first command, or only a part of that output. */
const PLAIN_OUTPUT = /^\$\([^|;&`$()<>\n]*(\| *(head|tail|sort|uniq|grep)\b[^|;&`$()<>\n]*)*\)$/;

/** One word of a simple command, as its program receives it. */
export interface Word {
  text: string;
  /** Whether the text is the complete word. */
  isKnown: boolean;
  /** Whether an expansion may turn the word into an option, or into several words. */
  mayBeOption: boolean;
}

export interface SimpleCommand {
  /** The program and its arguments; empty if the command has only assignments or redirections. */
  words: Word[];
  assignments: { name: string; value: Word }[];
  redirects: { operator: string; target: Word }[];
  /** The input from a here-document, a here-string or a file; undefined without one. */
  input: Word | undefined;
  /** The commands before this one in its pipeline. It reads their output. */
  upstream: SimpleCommand[];
  /** The commands in the substitutions of this command. */
  inner: SimpleCommand[];
}

/** A command without words, as a base for other commands. */
export const EMPTY: SimpleCommand = {
  words: [],
  assignments: [],
  redirects: [],
  input: undefined,
  upstream: [],
  inner: [],
};

/** The parsed part of a command line. */
export interface CommandLine {
  commands: SimpleCommand[];
  /** Why the effects of the line cannot be fully known, as a clause. */
  problem: string | undefined;
  /** The variables that the line reads. */
  variables: string[];
  /** Whether a function runs itself in a pipeline or in the background. */
  isForkBomb: boolean;
}

/** The folders that `$PWD`, `$HOME` and a tilde stand for. */
export interface Folders {
  cwd: string;
  home: string;
}

/** Returns the simple commands of a bash text. */
export function readCommandLine(text: string, folders: Folders): CommandLine {
  const reader = new Reader(text, folders);
  try {
    reader.visit(parse(text), { upstream: [], input: undefined });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error; // the nesting is deeper than the stack allows
    reader.line.problem = "it is nested too deep";
  }
  return reader.line;
}

export function known(text: string): Word {
  return { text, isKnown: true, mayBeOption: false };
}

/** The surroundings of a command: the commands before it in a pipeline, and its input. */
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
  #isTop = true;
  #parts = 0;
  /** Variables with a known value: those of a loop in the present turn, and those that are set once. */
  readonly #values = new Map<string, string>();

  constructor(text: string, folders: Folders) {
    this.#text = text;
    this.#folders = folders;
  }

  visit(node: SyntaxNode, around: Around): void {
    const { commands } = this.line;
    if (commands.length > MAX_COMMANDS || ++this.#parts > MAX_PARTS) {
      this.line.problem = "it holds too many commands";
      return;
    }
    if (node.type === "TestCommand") commands.push(EMPTY);
    if (node.type === "SimpleExpansion") this.line.variables.push(node.text.slice(1));
    if (node.type === "ParameterExpansion") this.line.variables.push(node.parameter);
    this.line.problem ??= problemIn(node);
    if (node.type === "Script" && this.#isTop) return this.#script(node, around);
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
      // The redirection of a loop or a group applies to each command in it.
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

  /** Visits the statements of a script. A variable that is set once, without a condition, is known from there on. */
  #script(node: ParsedScript, around: Around): void {
    this.#isTop = false;
    for (const statement of node.commands) {
      this.visit(statement, around);
      const { command, background } = statement;
      if (command.type !== "Command" || command.name !== undefined || background) continue;
      for (const each of command.prefix) {
        if (each.type !== "Assignment" || each.value.type !== "Word") continue;
        const [value, ...more] = this.#words(each.value);
        if (value?.isKnown && more.length === 0 && this.#mentions(each.name, this.#text) === 1) {
          this.#values.set(each.name, value.text);
        }
      }
    }
  }

  /**
   * Returns how often a text names a variable other than to read it; Infinity if the text may run code that does so.
   */
  #mentions(name: string, text: string): number {
    if (!/^\w+$/.test(name)) return Infinity;
    const others = text.replaceAll(new RegExp(`\\$\\{?${name}\\b`, "g"), "");
    const names = others.match(new RegExp(`\\b${name}\\b`, "g")) ?? [];
    return /eval|\$'/.test(others) ? Infinity : names.length;
  }

  /** Visits a loop. Its body is read once for each word if all words are known and nothing else sets its variable. */
  #for({ name: { value: name }, wordlist, body }: For, around: Around): void {
    for (const each of wordlist!) this.visit(each, around);
    const values = wordlist!.flatMap((each) => this.#words(each));
    const text = this.#text.slice(body.pos, body.end);
    const isSet = this.#mentions(name, text) > 0 || values.length > MAX_TURNS ||
      values.some(({ isKnown, mayBeOption }) => !isKnown || mayBeOption);
    for (const value of isSet ? [UNKNOWN] : values.map(({ text }) => text)) {
      this.#values.set(name, value);
      this.visit(body, around);
    }
    this.#values.delete(name);
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
    const last = redirects.findLast((each) => each.type !== "Redirect" || each.operator === "<");
    if (last?.type === "Redirect") return unknown();
    if (last?.type === "HereString") return last.target && this.#words(last.target)[0];
    if (last?.type !== "HereDoc") return undefined;
    const { text, parts } = last.body;
    return parts === undefined ? known(text) : this.#joined(parts, true);
  }

  #assigned(node: Extract<Command["args"][number], { type: "Assignment" }>): Word {
    const value = node.value.type === "Word" ? this.#words(node.value)[0] ?? known("") : unknown();
    return { ...value, text: `${node.name}=${value.text}`, mayBeOption: false };
  }

  /** Returns the words that result from one word. Braces and the blanks of `$IFS` can make several words. */
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

  /** Returns the possible words of one part of a word. */
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
        return [known(part.text)];
      case "ProcessSubstitution":
        return [known("/dev/fd/63")];
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
        case "CommandExpansion":
          return this.#printed(part);
        default:
          return UNKNOWN;
      }
    });
    const text = texts.join("");
    const isKnown = !text.includes(UNKNOWN);
    return { text, isKnown, mayBeOption: !isKnown && !isQuoted };
  }

  /**
   * Returns the output of a command substitution. `cat` with a here-document prints that text; for some other
   * programs the kind of output is known.
   */
  #printed({ text, script }: CommandExpansionPart): string {
    const command = script?.commands.length === 1 ? script.commands[0].command : undefined;
    if (command?.type === "Command" && command.name?.value === "cat" && command.args.length === 0) {
      const input = command.redirects.length === 1 ? this.#inputOf(command.redirects) : undefined;
      if (input?.isKnown) return input.text.replace(/\n+$/, "");
    }
    if (!PLAIN_OUTPUT.test(text)) return UNKNOWN;
    return PRINTS.find(([pattern]) => pattern.test(text))?.[1] ?? UNKNOWN;
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
    const value = isPlain ? this.#values.get(name) : undefined;
    if (value !== undefined) return isQuoted ? value : value.replaceAll(/\s+/g, BLANK);
    return isPlain && name === "IFS" && !isQuoted ? BLANK : UNKNOWN;
  }
}

/** Returns why a part of a line may do more than its simple commands show; undefined if it cannot. */
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

/** Matches an array index with code. Tests run such code, even if the index is quoted. */
const CODE_IN_INDEX = /\w\[.*(\$\(|`)/s;

const RUNS_INDEX = "the index of an array is run as code";

/** Matches the condition of a loop that never ends by itself. */
const ENDLESS = /^(true|:|false)$/;

function nameIn({ command }: Statement): string | undefined {
  return command.type === "Command" ? command.name?.value : undefined;
}

/** Marks a blank that comes from `$IFS` and separates words. */
const BLANK = "\x01";

function unknown(): Word {
  return { text: UNKNOWN, isKnown: false, mayBeOption: true };
}

/** Joins two parts of a word. A word that begins with a known character other than a dash cannot be an option. */
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
