// Judges a command line by the rules: each simple command in it, and each command that one of them runs. The
// strictest finding counts. Unreadable parts and commands without a rule need a person's answer. Pure.
//
// Guaranteed: only the parsed text counts; an unknown part never makes a command allowed that its known parts would
// not allow; a line takes a limited number of judgements. Not guaranteed: that a program does what its name suggests,
// or that a task of the project is harmless. The judge is a guard against accidents, not a sandbox.

import { EMPTY, known, readCommandLine, type SimpleCommand, type Word } from "./command_line.ts";
import { judgePath, type PathLimits } from "./paths.ts";
import { isDroppingDatabase } from "./sql.ts";
import { ALLOWED } from "./rules/allowed.ts";
import { ASKED, CAREFUL, RISKY_TASK } from "./rules/asked.ts";
import { BLOCKED } from "./rules/blocked.ts";
import type { GuardRule, Judgement, Verdict } from "./rules/rule.ts";
import { type Run, runsOf, SHELLS, textsOf } from "./runs.ts";
import { matches, nameOf, restOf, type Shell, type Simple, takeApart } from "./simple_command.ts";
import { Tree, type TreePlace } from "./tree.ts";
import { isRisky } from "./variables.ts";

export type { Judgement, TreePlace };

/** All built-in rules. */
export const GUARD_RULES: readonly GuardRule[] = [...BLOCKED, ...CAREFUL, ...ASKED, ...ALLOWED];

/** The ids of findings that no rule in the tables makes. */
export const OTHER_RULES = [
  "empty",
  "too-long",
  "too-deep",
  "too-many",
  "invisible",
  "unparsed",
  "fork-bomb",
  "secret-variable",
  "variable",
  "network-device",
  "read",
  "outside",
  "git-folder",
  "may-change",
  "guard-settings",
  "instructions",
  "secret-file",
  "script",
  "project-file",
  "remote-code",
  "unknown-program",
  "nothing",
] as const;

export interface JudgeOptions {
  place: TreePlace;
  shell?: Shell;
  /** Can replace the finding on a simple command. */
  policy?: Policy;
  /** The paths that the agent may change; undefined for the whole tree. */
  limits?: PathLimits;
}

/**
 * The rules of a person or a repository for commands: returns the finding that replaces the given one. `words` is
 * empty if the finding concerns the surroundings of a command.
 */
export type Policy = (found: Judgement, words: readonly Word[], shell: Shell) => Judgement;

/** Stricter verdicts have higher numbers. */
export const SEVERITY: Readonly<Record<Verdict, number>> = { allow: 0, ask: 1, block: 2 };

/** The maximum length of a command line. A longer line is not read. */
const MAX_CHARACTERS = 20_000;

/** The maximum depth of commands in commands. Deeper commands are not read. */
const MAX_DEPTH = 6;

/** The maximum number of texts and commands that are judged for one line. For a longer line, a person is asked. */
export const MAX_JUDGEMENTS = 500;

/** Characters that text does not need: they move the cursor or change the direction of reading. */
const CONTROL = new RegExp(
  String.raw`[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]`,
);

/** Characters that are invisible, or that look like blanks and dashes. */
const LOOKALIKE = /[\xa0\p{Cf}\u2010-\u2015\u2028\u2029\u3000]/u;

const SECRET_VARIABLE = /SECRET|TOKEN|PASSW|API_?KEY|CREDENTIAL|PRIVATE_KEY|ACCESS_KEY/i;

const CHANGES_FOLDER = /^(cd|pushd|chdir|set-location|sl)$/;

const SETS_VARIABLES = /^(export|readonly|declare|local|typeset|unset|env|cross-env)$/;

const RUNS_CODE =
  /^((ba|da|z|k|mk|a|fi|pw|)sh|powershell|cmd|python[\d.]*|node|deno|bun|perl|ruby|php|lua|osascript|source|\.|eval|iex|invoke-expression)$/;

const DOWNLOADERS =
  /^(curl|wget|fetch|aria2c|lynx|http|https|nc|ncat|iwr|irm|invoke-webrequest|invoke-restmethod)$/;

const SQL_CLIENTS =
  /^(psql|mysql|mariadb|sqlite3|sqlcmd|duckdb|clickhouse-client|usql|cockroach|mongo|mongosh)$/;

/** An option of git and gh before a person's text. */
const TEXT_OPTION = /^(-m|--message|--body|-b|--title|--notes|--description|--comment|--jq)$/;

/** A redirection target that does not write to a file. */
const NO_FILE = /^(\d+|-|\/dev\/(null|stdout|stderr|tty|fd\/\d+))$/;

/** Programs with some blocked use. */
const DANGEROUS = programsOf(BLOCKED);

const DANGEROUS_IN_TEXT = new RegExp(
  `(?<![\\w.-])(${[...DANGEROUS].join("|").replaceAll(".", "\\.")})(?=[\\s"'])`,
  "gi",
);

/** Programs that test and check a project. Package managers find these programs by name. */
const CHECKS = programsOf(ALLOWED.filter(({ id }) => id.startsWith("project-check")));

/** The maximum number of places in one word at which a hidden command is searched. */
const MAX_HIDDEN = 4;

/** The maximum number of words of a hidden command in the arguments of another command. */
const MAX_HIDDEN_WORDS = 50;

export function judge(text: string, options: JudgeOptions): Judgement {
  return new Judge(options).text(text, 0);
}

class Judge {
  readonly #options: JudgeOptions & { shell: Shell };
  /** The places where a hidden command was searched. Each place is judged once. */
  readonly #starts = new Set<Word | string>();
  #judgements = 0;

  constructor(options: JudgeOptions) {
    this.#options = { ...options, shell: options.shell ?? "bash" };
  }

  text(text: string, depth: number, shell = this.#options.shell): Judgement {
    const { place } = this.#options;
    const whole = sayOf(text);
    if (text.trim() === "") return whole("block", "empty", "it is empty");
    if (text.length > MAX_CHARACTERS) return whole("ask", "too-long", "it is too long to be read");
    if (depth > MAX_DEPTH) {
      return whole("ask", "too-deep", "it holds commands in commands too deep");
    }
    if (this.#isSpent()) return whole("ask", "too-many", "it holds too many commands");
    const found: Judgement[] = [];
    if (CONTROL.test(text)) {
      found.push(whole("ask", "invisible", "it holds characters that control a terminal"));
    }
    const source = shell === "pwsh" ? fromPowerShell(text) : text;
    const { commands, problem, isForkBomb, variables } = readCommandLine(source, place);
    const secret = variables.find((name) => SECRET_VARIABLE.test(name));
    if (secret) found.push(whole("ask", "secret-variable", `$${secret} may hold a secret`));
    if (shell === "pwsh" && /\benv:/i.test(source)) {
      found.push(whole("ask", "secret-variable", "it reads variables, which may hold secrets"));
    }
    if (problem !== undefined) found.push(whole("ask", "unparsed", problem));
    if (isForkBomb) found.push(whole("block", "fork-bomb", "a function in it runs itself"));
    const tree = new Tree(place, foldersOf(commands));
    found.push(
      ...commands.flatMap((command) =>
        isReturn(command, commands) ? [] : this.#command(command, { tree, depth, shell })
      ),
    );
    return strictest(found) ?? whole("ask", "nothing", "it runs nothing");
  }

  #command(command: SimpleCommand, at: At): Judgement[] {
    const { words } = command;
    const say = sayOf(words.map(({ text }) => text).join(" ") || "a redirection");
    if (this.#isSpent()) return [say("ask", "too-many", "it holds too many commands")];
    const decided = (found: readonly Judgement[], about: readonly Word[]) =>
      found.map((each) => this.#options.policy?.(each, about, at.shell) ?? each);
    // A person's consent to the words of a command does not cover its redirections and variables.
    const around = decided(this.#around(command, at, say), []);
    if (words.length === 0) return [...around, say("allow", "set-variables", "it runs no program")];
    return [...around, ...decided(this.#words(command, at, say), words)];
  }

  /** Judges the surroundings of a command's words: variables and redirections. */
  #around({ words, assignments, redirects }: SimpleCommand, at: At, say: Say): Judgement[] {
    const found: Judgement[] = [];
    const isSetting = SETS_VARIABLES.test(nameOf(words));
    for (const { name, value } of [...assignments, ...isSetting ? words.flatMap(assigned) : []]) {
      if (isRisky(name, value, at.tree)) {
        found.push(say("ask", "variable", `${name} may change what other programs run`));
      }
      found.push(...this.#hidden([value], at));
    }
    for (const { operator, target } of redirects) {
      const path = target.text;
      if (/^\/dev\/(tcp|udp)\//.test(path)) {
        found.push(say("block", "network-device", `${path} is a connection to another machine`));
      } else if (operator === "<" || operator === "<&") {
        if (at.tree.isOutside(target) || at.tree.isSecret(target)) {
          found.push(say("ask", "read", `it reads ${shown(target)}`));
        }
      } else found.push(...this.#write(target, at, say));
    }
    return found;
  }

  /** Judges a write like an edit of the file. Outside of the tree, a person decides. */
  #write(target: Word, { tree }: At, say: Say): Judgement[] {
    const { place, limits } = this.#options;
    if (NO_FILE.test(target.text)) return [];
    const what = `it writes to ${shown(target)}`;
    if (/^\/dev\//.test(target.text)) return [say("block", "device", what)];
    if (tree.isOutside(target)) {
      return [say("ask", "write", `${what}, which may be outside of the tree`)];
    }
    if (tree.moves && limits?.paths !== undefined) return [say("ask", "may-change", what)];
    const { verdict, rule, reason } = judgePath(target.text, false, place, limits);
    return verdict === "allow" ? [] : [say(verdict, rule, `${what}: ${reason}`)];
  }

  #words(command: SimpleCommand, outer: At, say: Say): Judgement[] {
    const { words } = command;
    const unknownProgram = say("ask", "unknown-program", "what it runs is known only when it runs");
    if (!words[0].isKnown) return [unknownProgram, ...this.#hidden(words.slice(1), outer)];
    const simple = takeApart(words, outer.shell);
    const { program } = simple;
    const at = { ...outer, tree: outer.tree.in(simple.folders) };
    const found: Judgement[] = [];
    const sources = [...command.upstream, ...command.inner].map(({ words }) => nameOf(words));
    if (RUNS_CODE.test(program) && sources.some((name) => DOWNLOADERS.test(name))) {
      found.push(say("block", "remote-code", "it runs what it downloads"));
    }
    if (SQL_CLIENTS.test(program) && textsOf(command, words).some(isDroppingDatabase)) {
      found.push(say("block", "drop-database", "it deletes a database"));
    }
    const about = (rules: readonly GuardRule[]) =>
      rules.find((rule) => matches(rule, simple, at.tree));
    const blocked = about(BLOCKED);
    if (blocked) found.push(say("block", blocked.id, blocked.reason));
    const careful = about(CAREFUL);
    const runs = careful ? undefined : runsOf(simple, command, at.tree, CHECKS);
    if (runs !== undefined) {
      return [...found, ...runs.flatMap((run) => this.#run(run, command, at, say))];
    }
    if (found.length > 0) return found;
    const allowed = careful ? undefined : about(ALLOWED);
    if (allowed) {
      return [
        say("allow", allowed.id, allowed.reason),
        ...doubts(allowed, simple, at, say),
        ...written(allowed, simple).flatMap((word) => this.#write(word, at, say)),
      ];
    }
    if (words.length === 2 && /^(--version|--help|-V|-version)$/.test(words[1].text)) {
      return [say("allow", "version", "it prints its version")];
    }
    const asked = careful ?? about(ASKED);
    const { id, reason } = asked ??
      { id: "unknown-program", reason: `no rule knows what ${program} does here` };
    if (asked?.isText) return [say("ask", id, reason)];
    const texts = [...words.slice(1), ...command.input ? [command.input] : []];
    return [say("ask", id, reason), ...this.#hidden(texts, at, command)];
  }

  /** Judges something that a command runs. */
  #run(run: Run, command: SimpleCommand, at: At, say: Say): Judgement[] {
    const depth = at.depth + 1;
    switch (run.kind) {
      case "command":
        if (depth > MAX_DEPTH) return [this.text("x", depth)];
        return this.#command(
          { ...command, words: [...run.words], assignments: [], redirects: [] },
          { ...at, depth },
        );
      case "script":
        return [this.text(run.text, depth, run.shell)];
      case "maybe":
        return [this.text(run.text, depth)].filter(({ verdict }) => verdict === "block");
      case "file":
        if (at.tree.isTracked(run.file) && !RISKY_TASK.test(stemOf(run.file))) {
          return [
            say("allow", "project-file", "it runs a file that git tracks"),
            ...doubts({}, takeApart(command.words, at.shell), at, say),
          ];
        }
        return [
          say("ask", "script", `it runs ${shown(run.file)}, which git does not track`),
          ...this.#hidden(command.words.slice(1), at, command),
        ];
      case "unknown":
        return [
          say("ask", "script", "what it runs is not in the command"),
          ...this.#hidden(command.words.slice(1), at),
        ];
    }
  }

  /** Finds blocked commands in the arguments of a program that may run them. */
  #hidden(words: readonly Word[], at: At, around = EMPTY): Judgement[] {
    const depth = at.depth + 1;
    if (depth > MAX_DEPTH) return [];
    const { upstream, inner, input } = around;
    const found = words.flatMap((word, index) => {
      if (TEXT_OPTION.test(words[index - 1]?.text ?? "") || !this.#isFirst(word)) return [];
      const name = nameOf([word]);
      if (DANGEROUS.has(name) || SHELLS.test(name) || SQL_CLIENTS.test(name)) {
        const command = {
          ...EMPTY,
          upstream,
          inner,
          input,
          words: words.slice(index, index + MAX_HIDDEN_WORDS),
        };
        return this.#command(command, { ...at, depth });
      }
      const starts = /\s/.test(word.text) ? [...word.text.matchAll(DANGEROUS_IN_TEXT)] : [];
      return starts.slice(0, MAX_HIDDEN).map(({ index }) => word.text.slice(index))
        .filter((text) => this.#isFirst(text)).map((text) => this.text(text, depth));
    });
    return found.filter(({ verdict }) => verdict === "block");
  }

  #isFirst(start: Word | string): boolean {
    return !this.#starts.has(start) && this.#starts.add(start) !== undefined;
  }

  #isSpent(): boolean {
    return ++this.#judgements > MAX_JUDGEMENTS;
  }
}

/** The position of a command: its folders, its depth and its shell. */
interface At {
  tree: Tree;
  depth: number;
  shell: Shell;
}

type Say = (verdict: Verdict, rule: string, reason: string) => Judgement;

function sayOf(line: string): Say {
  const command = line.replaceAll("\0", "?").slice(0, 200);
  return (verdict, rule, reason) => ({ verdict, rule, reason, command });
}

/** Returns why an allowed command needs a person's decision after all. */
function doubts(
  { first, isText }: Pick<GuardRule, "first" | "isText">,
  { program, words, operands, options, isOfPackages }: Simple,
  { tree }: At,
  say: Say,
): Judgement[] {
  const hasPattern = first !== undefined &&
    !options.some((option) => /^-(e|f|-regexp|-file)$/.test(option));
  const takesText = /^(git commit|gh|agentx)\b/.test(`${program} ${operands[0]?.text}`);
  const read = words.slice(1).filter((word, at) =>
    !(hasPattern && word === operands[0]) && !(takesText && TEXT_OPTION.test(words[at].text))
  );
  const paths = [...isOfPackages ? [words[0]] : [], ...isText ? [] : read];
  const outside = paths.find((word) => tree.isOutside(word));
  const secret = isText === true ? undefined : read.find((word) => tree.isSecret(word));
  const hidden = isText === true
    ? undefined
    : read.find(({ text }) =>
      LOOKALIKE.test(isText ? /^\p{Pd}[^\s=]*/u.exec(text)?.[0] ?? "" : text)
    );
  return [
    ...tree.isLost ? [say("ask", "outside", "it works outside of the tree")] : [],
    ...outside ? [say("ask", "outside", `${shown(outside)} may be outside of the tree`)] : [],
    ...secret ? [say("ask", "secret-file", `${shown(secret)} may hold secrets`)] : [],
    ...hidden
      ? [say("ask", "invisible", `${shown(hidden)} holds characters that look like others`)]
      : [],
  ];
}

/** Returns the files that a command writes, if its rule declares them. A copy into a folder keeps its file name. */
function written(rule: GuardRule, simple: Simple): Word[] {
  if (rule.writes === undefined) return [];
  const files = restOf(rule, simple);
  const [target, ...sources] = files.toReversed();
  const copies = rule.writes === "each" || target === undefined
    ? []
    : sources.map((word) => ({ ...word, text: `${target.text}/${word.text.split("/").at(-1)}` }));
  return rule.writes === "last" ? [...files.slice(-1), ...copies] : [...files, ...copies];
}

/** Returns the folders that a line changes into. */
function foldersOf(commands: readonly SimpleCommand[]): Word[] {
  return commands.filter((each) =>
    CHANGES_FOLDER.test(nameOf(each.words)) && !isReturn(each, commands)
  )
    .map(({ words }) =>
      words.slice(1).find(({ text }) => !/^-./.test(text) && text !== "-") ?? known("~")
    );
}

/** Whether a command only returns from a folder of the tree that the line changed into before. */
function isReturn(command: SimpleCommand, commands: readonly SimpleCommand[]): boolean {
  const line = ({ words }: SimpleCommand) => words.map(({ text }) => text).join(" ");
  const before = commands.slice(0, commands.indexOf(command)).map(line)
    .filter((each) => /^cd /.test(each));
  return /^cd (-|\.\.)$/.test(line(command)) && command.redirects.length === 0 &&
    /^cd [\w.-]*\w[\w.-]*\/?$/.test(before.at(-1) ?? "");
}

function assigned(word: Word): { name: string; value: Word }[] {
  const [, name, text = ""] = /^([A-Za-z_]\w*)(?:=([^]*))?$/.exec(word.text) ?? [];
  return name === undefined ? [] : [{ name, value: { ...word, text } }];
}

/** Returns the strictest judgement; of equally strict ones, the first. */
function strictest(found: readonly Judgement[]): Judgement | undefined {
  return found.toSorted((one, other) => SEVERITY[other.verdict] - SEVERITY[one.verdict])[0];
}

function programsOf(rules: readonly GuardRule[]): Set<string> {
  return new Set(
    rules.flatMap(({ commands }) => commands.flatMap((each) => each.split(" ")[0].split("|"))),
  );
}

/** Returns the name of a file without its extension. */
function stemOf({ text }: Word): string {
  return text.slice(text.lastIndexOf("/") + 1).replace(/\.\w+$/, "");
}

function shown({ text }: Word): string {
  return JSON.stringify(text.replaceAll("\0", "?"));
}

/** Converts PowerShell to bash, as far as possible: escapes, paths and the call operator are rewritten. */
function fromPowerShell(text: string): string {
  return text.replace(/`(.)/gs, "$1").replace(/\^(?=\w)/g, "").replaceAll("\\", "/")
    .replace(/(^|[;|\n])\s*[&.]\s+(?=["'\w])/g, "$1 ");
}
