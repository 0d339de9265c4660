// Reads a command line of bash into its simple commands: those of lists, pipelines, loops, functions, substitutions and
// here-documents. It marks the parts of a word that only a run can tell as unknown and never guesses them. Pure.

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

/** Stands in the text of a word for a part that only a run can tell. */
const UNKNOWN = "\0";

/** The maximum number of words that braces may expand to. */
const MAX_EXPANDED = 64;

/** A loop over more words than these is read once. */
const MAX_TURNS = 8;

/** The maximum number of commands, or parts of the grammar, that are read of a line. */
const MAX_COMMANDS = 500;
const MAX_PARTS = 40_000;

/** The kind of output of a substitution, by its text: a path in the tree, a commit or branch, a number. */
const PRINTS: readonly (readonly [RegExp, string])[] = [
  [/^\$\( *(git ls-files|git diff --name-only|git grep -l|find|ls|rg -\w*l|grep -\w*l|fd)\b/, "."],
  [/^\$\( *git (rev-parse --show-toplevel|rev-parse --show-prefix)\b/, "."],
  [
    /^\$\( *git (rev-parse|merge-base|describe|branch --show-current|symbolic-ref --short)\b/,
    "HEAD",
  ],
  [/^\$\( *(nproc|date|wc|seq)\b/, "1"],
];

/** A substitution that prints what its first command does, or less of it. */
const PLAIN_OUTPUT = /^\$\([^|;&`$()<>\n]*(\| *(head|tail|sort|uniq|grep)\b[^|;&`$()<>\n]*)*\)$/;

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
  /** Its input from a here-document, a here-string or a file; undefined without one. */
  input: Word | undefined;
  /** The commands before it in its pipeline; it reads their output. */
  upstream: SimpleCommand[];
  /** The commands in its substitutions. */
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

/** The parsed part of a command line. */
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
  try {
    reader.visit(parse(text), { upstream: [], input: undefined });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error; // the stack ended before the nesting did
    reader.line.problem = "it is nested too deep";
  }
  return reader.line;
}

/** A word with this text. */
export function known(text: string): Word {
  return { text, isKnown: true, mayBeOption: false };
}

/** The surroundings of a command. */
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
  /** Variables with a known text: of a loop in this turn, or set once. */
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
      // A redirection of a loop or a group applies to each of its commands.
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

  /** A variable that is set once, without a condition, is known from there on. */
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

  /** How often a text names a variable otherwise than to read it; many times where code may. */
  #mentions(name: string, text: string): number {
    if (!/^\w+$/.test(name)) return Infinity;
    const others = text.replaceAll(new RegExp(`\\$\\{?${name}\\b`, "g"), "");
    const names = others.match(new RegExp(`\\b${name}\\b`, "g")) ?? [];
    return /eval|\$'/.test(others) ? Infinity : names.length;
  }

  /** The body of a loop is read once for each word that is known, where nothing else sets its variable. */
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

  /** The possible words of one part of a word. */
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

  /** `cat` of a here-document prints it; of other programs the kind of output is known. */
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

/** A word that begins with a known text other than a dash is no option. */
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
