// Judges a command line: each simple command in it, through shells and programs that run others, by the
// rules. The strictest finding counts. What cannot be read, and what no rule knows, is asked about. Pure.
//
// Guaranteed: nothing is allowed by its text alone, but only as parsed; what is unknown until it runs
// never makes a command allowed that its known parts would not. Not guaranteed: that a program does what
// its name says, or that a task of the project is harmless. It is a guard against accidents, no sandbox.

import { EMPTY, known, readCommandLine, type SimpleCommand, type Word } from "./command_line.ts";
import { isDroppingDatabase } from "./sql.ts";
import { ALLOWED } from "./rules/allowed.ts";
import { ASKED, CAREFUL } from "./rules/asked.ts";
import { BLOCKED } from "./rules/blocked.ts";
import type { Rule, Verdict } from "./rules/rule.ts";
import { matches, type Shell, type Simple, takeApart } from "./simple_command.ts";
import { type Place, Tree } from "./tree.ts";

export type { Place };

/** All rules that come with the program. */
export const RULES: readonly Rule[] = [...BLOCKED, ...CAREFUL, ...ASKED, ...ALLOWED];

/** What is found without a rule of the table. */
export const OTHER_RULES = [
  "empty",
  "too-long",
  "too-deep",
  "invisible",
  "unparsed",
  "fork-bomb",
  "secret-variable",
  "variable",
  "network-device",
  "read",
  "outside",
  "secret-file",
  "script",
  "remote-code",
  "unknown-program",
  "nothing",
] as const;

export interface Judgement {
  verdict: Verdict;
  rule: string;
  /** Why, as a clause. */
  reason: string;
  /** The simple command that decided it, as it was read. */
  command: string;
}

export interface JudgeOptions {
  place: Place;
  shell?: Shell;
  /** Decides on a simple command before and after the rules do. */
  policy?: Policy;
}

/**
 * The rules of a person, or a repository, for commands: gives the finding that counts instead.
 * There are no words where the finding is about what stands around a command.
 */
export type Policy = (found: Judgement, words: readonly Word[], shell: Shell) => Judgement;

/** Stricter verdicts have higher numbers. */
export const SEVERITY: Readonly<Record<Verdict, number>> = { allow: 0, ask: 1, block: 2 };

/** A longer command line is not read. */
const MAX_CHARACTERS = 20_000;

/** Commands in commands in commands: deeper ones are not read. */
const MAX_DEPTH = 6;

/** Variables that change nothing but what a program prints, how much of it, or where it listens. */
const HARMLESS_VARIABLE =
  /^((?!npm_|.*_proxy$)[a-z_]\w*|CI|NODE_ENV|TZ|LANG|LC_\w+|(NO|FORCE)_COLOR|COLUMNS|LINES|DEBUG|VERBOSE|(RUST_)?LOG(_LEVEL)?|RUST_BACKTRACE|PORT|HOST|TEST|E2E)$/;

/** Characters that do not show, or look like blanks and dashes. */
const INVISIBLE = new RegExp(
  String.raw`[\x00-\x08\x0b-\x1f\x7f-\xa0\p{Cf}\u2010-\u2015\u2028\u2029\u3000]`,
  "u",
);

const SECRET_VARIABLE = /SECRET|TOKEN|PASSW|API_?KEY|CREDENTIAL|PRIVATE_KEY|ACCESS_KEY/i;

const SHELLS = /^(ba|da|z|k|mk|a|)sh$/;

const INTERPRETERS =
  /^((ba|da|z|k|mk|a|fi|pw|)sh|powershell|cmd|python[\d.]*|node|deno|bun|perl|ruby|php|lua|osascript|source|\.|eval|iex|invoke-expression)$/;

const DOWNLOADERS =
  /^(curl|wget|fetch|aria2c|lynx|http|https|nc|ncat|iwr|irm|invoke-webrequest|invoke-restmethod)$/;

const SQL_CLIENTS =
  /^(psql|mysql|mariadb|sqlite3|sqlcmd|duckdb|clickhouse-client|usql|cockroach|mongo|mongosh)$/;

/** Prints names of files in the tree, which `xargs` then gives to another program. */
const LISTERS = /^(find|ls|rg|grep|fd|git)$/;

/** Programs that run the rest of their words: options with a value, other options, operands before. */
const WRAPPERS: Readonly<
  Record<string, readonly [valued: string, plain: string, operands: number]>
> = {
  builtin: ["", "", 0],
  command: ["", "-p", 0],
  env: ["", "", 0],
  exec: ["", "-c -l", 0],
  ionice: ["-c -n", "-t", 0],
  nice: ["-n --adjustment", "", 0],
  nohup: ["", "", 0],
  setsid: ["", "-w -f", 0],
  stdbuf: ["-i -o -e", "", 0],
  time: ["", "-p -v", 0],
  timeout: ["-k -s --kill-after --signal", "-v --foreground --preserve-status", 1],
  xargs: ["-n -P -L -d -s -E", "-0 -r -t -p --null --no-run-if-empty", 0],
};

/** An option after which a person's text follows. */
const TEXT_OPTION = /^(-m|--message|--body|-b|--title|--notes|--description|--comment)$/;

/** Programs with some use that is blocked. */
const DANGEROUS = new Set(
  BLOCKED.flatMap(({ commands }) => commands.flatMap((each) => each.split(" ")[0].split("|"))),
);

const DANGEROUS_IN_TEXT = new RegExp(
  `(?<![\\w.-])(${[...DANGEROUS].join("|").replaceAll(".", "\\.")})(?=[\\s"'])`,
  "gi",
);

/** The number of places in one word that are searched for a command. */
const MAX_HIDDEN = 4;

export function judge(text: string, options: JudgeOptions): Judgement {
  return new Judge(options).text(text, 0);
}

class Judge {
  readonly #place: Place;
  readonly #shell: Shell;
  readonly #policy: Policy | undefined;

  constructor({ place, shell = "bash", policy }: JudgeOptions) {
    this.#place = place;
    this.#shell = shell;
    this.#policy = policy;
  }

  text(text: string, depth: number, shell = this.#shell): Judgement {
    const whole = (verdict: Verdict, rule: string, reason: string): Judgement => ({
      verdict,
      rule,
      reason,
      command: text.slice(0, 200),
    });
    if (text.trim() === "") return whole("block", "empty", "it is empty");
    if (text.length > MAX_CHARACTERS) return whole("ask", "too-long", "it is too long to be read");
    if (depth > MAX_DEPTH) {
      return whole("ask", "too-deep", "it holds commands in commands too deep");
    }
    const found: Judgement[] = [];
    if (INVISIBLE.test(text)) {
      found.push(
        whole("ask", "invisible", "it holds characters that do not show, or look like others"),
      );
    }
    const source = shell === "pwsh" ? fromPowerShell(text) : text;
    const { commands, problem, isForkBomb, variables } = readCommandLine(source, this.#place);
    const secret = variables.find((name) => SECRET_VARIABLE.test(name));
    if (secret) found.push(whole("ask", "secret-variable", `$${secret} may hold a secret`));
    if (shell === "pwsh" && /\benv:/i.test(source)) {
      found.push(whole("ask", "secret-variable", "it reads variables, which may hold secrets"));
    }
    if (problem !== undefined) {
      found.push(whole("ask", "unparsed", problem));
    }
    if (isForkBomb) found.push(whole("block", "fork-bomb", "a function in it runs itself"));
    const folders = commands.flatMap(({ words }) =>
      /^(cd|pushd|chdir|set-location|sl)$/.test(words[0]?.text ?? "")
        ? [words.slice(1).find(({ text }) => !/^-./.test(text) && text !== "-") ?? known("~")]
        : []
    );
    const tree = new Tree(this.#place, folders);
    found.push(...commands.flatMap((command) => this.#command(command, { tree, depth, shell })));
    return strictest(found) ?? whole("ask", "nothing", "it runs nothing");
  }

  #command(command: SimpleCommand, at: At): Judgement[] {
    const { words, assignments, redirects } = command;
    const line = words.map(({ text }) => text).join(" ");
    const say = (verdict: Verdict, rule: string, reason: string): Judgement => ({
      verdict,
      rule,
      reason,
      command: (line || "a redirection").replaceAll("\0", "?").slice(0, 200),
    });
    const found: Judgement[] = [];
    for (const { name, value } of assignments) {
      if (!HARMLESS_VARIABLE.test(name)) {
        found.push(say("ask", "variable", `${name} may change what other programs run`));
      }
      found.push(...this.#hidden([value], at));
    }
    for (const { operator, target } of redirects) {
      const path = target.text;
      if (/^\/dev\/(tcp|udp)\//.test(path)) {
        found.push(say("block", "network-device", `${path} is a connection to another machine`));
      } else if (operator !== "<") {
        if (/^(\d+|-|\/dev\/(null|stdout|stderr|tty|fd\/\d+))$/.test(path)) continue;
        const isDevice = /^\/dev\//.test(path);
        found.push(
          say(
            isDevice ? "block" : "ask",
            isDevice ? "device" : "write",
            `it writes to ${shown(target)}`,
          ),
        );
      } else if (at.tree.isOutside(target) || at.tree.isSecret(target)) {
        found.push(say("ask", "read", `it reads ${shown(target)}`));
      }
    }
    const decided = (each: Judgement, about: readonly Word[]) =>
      this.#policy?.(each, about, at.shell) ?? each;
    // What is agreed for the words of a command says nothing of where it writes and with which variables.
    const around = found.map((each) => decided(each, []));
    if (words.length === 0) return around;
    const inner = this.#words(command, words, at, say);
    return [...around, ...inner.map((each) => decided(each, words))];
  }

  #words(command: SimpleCommand, words: readonly Word[], at: At, say: Say): Judgement[] {
    const unknownProgram = say("ask", "unknown-program", "what it runs is known only when it runs");
    if (!words[0].isKnown) return [unknownProgram, ...this.#hidden(words.slice(1), at)];
    const simple = takeApart(words, at.shell);
    const { program } = simple;
    const found: Judgement[] = [];
    const sources = [...command.upstream, ...command.inner].map(({ words }) => nameOf(words));
    if (INTERPRETERS.test(program) && sources.some((name) => DOWNLOADERS.test(name))) {
      found.push(say("block", "remote-code", "it runs what it downloads"));
    }
    if (SQL_CLIENTS.test(program) && this.#texts(command, words).some(isDroppingDatabase)) {
      found.push(say("block", "drop-database", "it deletes a database"));
    }
    const nested = this.#nested(command, simple.isStandard ? words : [], program, at);
    if (nested !== undefined) return [...found, ...nested];

    const about = (rules: readonly Rule[]) => rules.find((rule) => matches(rule, simple, at.tree));
    const blocked = about(BLOCKED);
    if (blocked) found.push(say("block", blocked.id, blocked.reason));
    if (found.length > 0) return found;
    const asked = about(CAREFUL);
    const allowed = about(ALLOWED);
    if (allowed && !asked) {
      return [say("allow", allowed.id, allowed.reason), ...paths(allowed, simple, at, say)];
    }
    const { id, reason } = asked ?? about(ASKED) ??
      { id: "unknown-program", reason: `no rule knows what ${program} does here` };
    const texts = [...simple.words, ...command.input ? [command.input] : []];
    return [say("ask", id, reason), ...this.#hidden(texts, at, command)];
  }

  /** Judges the commands that a program runs; undefined for a program that runs none. */
  #nested(
    command: SimpleCommand,
    words: readonly Word[],
    program: string,
    at: At,
  ): Judgement[] | undefined {
    const deeper = { ...at, depth: at.depth + 1 };
    const run = (inner: readonly Word[]) =>
      at.depth >= MAX_DEPTH
        ? [this.text(" x", at.depth + 1)]
        : this.#command({ ...command, words: [...inner], assignments: [], redirects: [] }, deeper);
    if (program === "find") {
      const start = words.findIndex(({ text }) => /^-(exec|execdir)$/.test(text));
      const end = words.findIndex(({ text }, index) => index > start && /^[;+]$/.test(text));
      if (start < 0 || end < 0) return undefined;
      const first = words.findIndex(({ text }) => /^[-(!]/.test(text));
      const roots = first > 1 ? words.slice(1, first) : [known(".")];
      const inner = words.slice(start + 1, end).flatMap((word) =>
        word.text === "{}" ? roots : [word]
      );
      const rest = [...words.slice(0, start), ...words.slice(end + 1)];
      return [...run(inner), ...run(rest)];
    }
    const shell = scriptOf(words, program);
    if (shell !== undefined) {
      if (shell.isKnown) return [this.text(shell.text, at.depth + 1, shell.shell)];
      const sayer = this.#texts(command, words);
      const blocked = sayer.map((text) => this.text(text || " x", at.depth + 1))
        .filter(({ verdict }) => verdict === "block");
      if (command.input?.isKnown && shell.readsInput) {
        return [this.text(command.input.text, at.depth + 1)];
      }
      return [...blocked, ...this.#hidden(words.slice(1), at), {
        verdict: "ask",
        rule: "script",
        reason: "what it runs is not in the command",
        command: words.map(({ text }) => text).join(" ").replaceAll("\0", "?"),
      }];
    }
    const inner = wrapped(words, program);
    if (inner === undefined || inner.length === 0) return undefined;
    if (program !== "xargs") return run(inner);
    const upstream = nameOf(command.upstream.at(-1)?.words ?? []);
    const isListed = LISTERS.test(upstream);
    const mayBeOption = upstream === "ls" || !isListed;
    return run([...inner, { text: isListed ? "." : "\0", isKnown: isListed, mayBeOption }]);
  }

  /** Blocked commands in the words of a program that may run them. */
  #hidden(words: readonly Word[], at: At, around = EMPTY): Judgement[] {
    if (at.depth >= MAX_DEPTH) return [];
    const found = words.flatMap((word, index) => {
      if (TEXT_OPTION.test(words[index - 1]?.text ?? "")) return [];
      const name = nameOf([word]);
      if (DANGEROUS.has(name) || SHELLS.test(name) || SQL_CLIENTS.test(name)) {
        const { upstream, inner, input } = around;
        return this.#command(
          { ...EMPTY, upstream, inner, input, words: words.slice(index) },
          deeper(at),
        );
      }
      const starts = /\s/.test(word.text) ? [...word.text.matchAll(DANGEROUS_IN_TEXT)] : [];
      return starts.slice(0, MAX_HIDDEN).map((match) =>
        this.text(word.text.slice(match.index), at.depth + 1)
      );
    });
    return found.filter(({ verdict }) => verdict === "block");
  }

  /** Texts that a program is given to run: its words, what it reads, and what another one prints. */
  #texts({ input, upstream }: SimpleCommand, words: readonly Word[]): string[] {
    const before = upstream.at(-1);
    const printed = before?.input ??
      known((before?.words ?? []).slice(1).map(({ text }) => text).join(" "));
    return [...words.slice(1).map(({ text }) => text), input?.text ?? "", printed.text];
  }
}

/** Paths that need a decision although the program only reads. */
function paths(
  rule: Rule,
  { words, operands, options }: Simple,
  { tree }: At,
  say: Say,
): Judgement[] {
  const hasPattern = rule.first !== undefined &&
    !options.some((option) => /^-(e|f|-regexp|-file)$/.test(option));
  const read = words.filter((word) => !hasPattern || word !== operands[0]);
  const outside = rule.isText ? undefined : read.find((word) => tree.isOutside(word));
  const secret = read.find((word) => tree.isSecret(word));
  return [
    ...outside ? [say("ask", "outside", `${shown(outside)} may be outside of the tree`)] : [],
    ...secret ? [say("ask", "secret-file", `${shown(secret)} may hold secrets`)] : [],
  ];
}

/** Where a command stands. */
interface At {
  tree: Tree;
  depth: number;
  shell: Shell;
}

type Say = (verdict: Verdict, rule: string, reason: string) => Judgement;

function deeper(at: At): At {
  return { ...at, depth: at.depth + 1 };
}

/** The strictest of some judgements; of equal ones, the first. */
function strictest(found: readonly Judgement[]): Judgement | undefined {
  return found.toSorted((one, other) => SEVERITY[other.verdict] - SEVERITY[one.verdict])[0];
}

function nameOf([first]: readonly Word[]): string {
  return first === undefined ? "" : first.text.slice(first.text.lastIndexOf("/") + 1).toLowerCase();
}

function shown({ text }: Word): string {
  return JSON.stringify(text.replaceAll("\0", "?"));
}

/** What a shell runs: undefined where the program is none. */
function scriptOf(
  words: readonly Word[],
  program: string,
): { isKnown: boolean; text: string; shell?: Shell; readsInput?: boolean } | undefined {
  if (words.length === 0) return undefined;
  const rest = words.slice(1);
  const of = (script: readonly Word[], shell?: Shell) => ({
    isKnown: script.length > 0 && script.every(({ isKnown }) => isKnown),
    text: script.map(({ text }) => text).join(" "),
    shell,
  });
  if (program === "eval") return of(rest);
  if (/^(iex|invoke-expression)$/.test(program)) return of(rest, "pwsh");
  if (/^(pwsh|powershell|cmd)$/.test(program)) {
    const at = rest.findIndex(({ text }) => /^(-c(ommand)?|\/[ck])$/i.test(text));
    return at < 0 ? { isKnown: false, text: "" } : of(rest.slice(at + 1), "pwsh");
  }
  if (program === "source" || program === ".") return { isKnown: false, text: "" };
  if (!SHELLS.test(program)) return undefined;
  for (let at = 0, isScript = false; at < rest.length; at++) {
    const { text, isKnown } = rest[at];
    const isOption = /^[-+]/.test(text);
    if (!isOption) {
      return isScript ? { isKnown, text, shell: "bash" } : { isKnown: false, text: "" };
    }
    if (!/^([-+][a-zA-Z]+|--(norc|noprofile|login|posix))$/.test(text) || !isKnown) break;
    if (/^-[a-zA-Z]*c/.test(text)) isScript = true;
    if (/[oO]$/.test(text)) at++;
    if (/^-[a-zA-Z]*s/.test(text)) return { isKnown: false, text: "", readsInput: true };
    if (at === rest.length - 1) return { isKnown: false, text: "", readsInput: !isScript };
  }
  return { isKnown: false, text: "", readsInput: rest.length === 0 };
}

/** The words that a wrapper runs; undefined where it is none, or an option of it is not known. */
function wrapped(words: readonly Word[], program: string): readonly Word[] | undefined {
  const wrapper = Object.hasOwn(WRAPPERS, program) ? WRAPPERS[program] : undefined;
  if (wrapper === undefined) return undefined;
  const [valued, plain, operands] = wrapper;
  let at = 1;
  for (; at < words.length; at++) {
    const { text } = words[at];
    const name = text.replace(/=.*/s, "");
    if (program === "env" && /^\w+=/.test(text)) {
      if (!HARMLESS_VARIABLE.test(name)) return undefined;
      continue;
    }
    if (!text.startsWith("-")) break;
    if (text === "--") {
      at++;
      break;
    }
    if (valued.split(" ").includes(text)) at++;
    else if (
      !plain.split(" ").includes(text) &&
      !valued.split(" ").some((each) => each && name.startsWith(each))
    ) {
      return undefined;
    }
  }
  return words.slice(at + operands);
}

/** PowerShell, as far as it can be read as bash: escapes, paths and the call operator are written anew. */
function fromPowerShell(text: string): string {
  return text.replace(/`(.)/gs, "$1").replace(/\^(?=\w)/g, "").replaceAll("\\", "/")
    .replace(/(^|[;|\n])\s*[&.]\s+(?=["'\w])/g, "$1 ");
}
