// Finds the commands, scripts and files that a simple command runs: the words after `env` or `uv run`, the script of
// a shell, a file of the project, the calls of `find` and `xargs`. The judge judges each of them. Pure.

import { known, type SimpleCommand, type Word } from "./command_line.ts";
import { nameOf, type Shell, type Simple } from "./simple_command.ts";
import type { Tree } from "./tree.ts";

/** Something that a command runs. */
export type Run =
  | { kind: "command"; words: readonly Word[] }
  | { kind: "script"; text: string; shell?: Shell }
  /** A text that may reach a shell. Only blocked commands in it count. */
  | { kind: "maybe"; text: string }
  | { kind: "file"; file: Word }
  | { kind: "unknown" };

/** A program that runs its remaining words as a command. */
interface Runner {
  /** Options with a value, and options without one, that may stand before these words. */
  valued?: string;
  plain?: string;
  /** The number of the program's own operands before these words. */
  operands?: number;
  /** The program that gets these words, if it is another program. */
  as?: string;
  /** Whether the program downloads a package that the project's lock file does not name. */
  isOfPackages?: boolean;
}

const PACKAGE: Runner = {
  plain: "--no-install --no --yes -y --quiet -q --bun --offline --prefer-offline",
  isOfPackages: true,
};

const IN_ENVIRONMENT: Runner = { plain: "-q --quiet -v" };

/** Runners by their program, or by the program and its first operand. */
const RUNNERS: Readonly<Record<string, Runner>> = {
  builtin: {},
  command: { plain: "-p" },
  env: { valued: "-u --unset" },
  "cross-env": {},
  exec: { plain: "-c -l" },
  ionice: { valued: "-c -n", plain: "-t" },
  nice: { valued: "-n --adjustment" },
  nohup: {},
  setsid: { plain: "-w -f" },
  stdbuf: { valued: "-i -o -e" },
  time: { plain: "-p -v" },
  timeout: {
    valued: "-k -s --kill-after --signal",
    plain: "-v --foreground --preserve-status",
    operands: 1,
  },
  xargs: { valued: "-n -P -L -d -s -E -I", plain: "-0 -r -t -p --null --no-run-if-empty" },
  npx: PACKAGE,
  bunx: PACKAGE,
  "npm exec": PACKAGE,
  "bun x": PACKAGE,
  "pnpm exec": {},
  "yarn exec": {},
  "yarn workspace": { operands: 1, as: "yarn" },
  "uv run": {
    valued: "--group --only-group --no-group --extra --package --python -p --directory --project",
    plain:
      "--locked --frozen --no-sync --no-default-groups --no-project --no-dev --dev --all-extras " +
      "--all-groups --all-packages --offline --active --exact -q --quiet -v --verbose --no-progress",
  },
  "poetry run": IN_ENVIRONMENT,
  "pdm run": IN_ENVIRONMENT,
  "pipenv run": IN_ENVIRONMENT,
  "hatch run": IN_ENVIRONMENT,
  "rye run": IN_ENVIRONMENT,
  "pixi run": IN_ENVIRONMENT,
  "bundle exec": {},
  corepack: {},
  c8: { valued: "-r --reporter", plain: "--all" },
  nyc: { plain: "--silent --all" },
  "coverage run": { plain: "-a --append --branch -p --parallel-mode", as: "python" },
};

/**
 * Programs that run a file, their first operand. Each has a pattern of options that change nothing in the judgement.
 */
const INTERPRETERS: Readonly<Record<string, RegExp>> = {
  python: /^-[uBOqs]+$/,
  python3: /^-[uBOqs]+$/,
  node: /^--(no-warnings|enable-source-maps|trace-(warnings|uncaught)|experimental-strip-types)$/,
  "deno run": /^(-A|-q|--quiet|--no-prompt|--allow-[\w-]+(=.*)?|--check|--no-check)$/,
  bun: /^--silent$/,
  "bun run": /^--silent$/,
  ruby: /^-w$/,
  perl: /^-w$/,
  php: /^$/,
  tsx: /^$/,
  "ts-node": /^$/,
};

export const SHELLS = /^(ba|da|z|k|mk|a|)sh$/;

/** Programs that only remove lines from their input. */
const FILTERS = /^(head|tail|sort|uniq|grep|egrep|fgrep|rg)$/;

/** Lists the runs of a command; undefined if it runs only itself, or has an unknown option. */
export function runsOf(
  { words, program, operands, isStandard }: Simple,
  command: SimpleCommand,
  tree: Tree,
  runnable: ReadonlySet<string>,
): Run[] | undefined {
  if (!isStandard) return [{ kind: "file", file: words[0] }];
  if (program === "find") return found(words);
  const script = scriptOf(words, program);
  if (script !== undefined) {
    if (script.kind !== "unknown") return [script];
    const { input } = command;
    if (input?.isKnown && readsInput(words)) return [{ kind: "script", text: input.text }];
    return [
      ...textsOf(command, words).map((text): Run => ({ kind: "maybe", text })),
      script,
    ];
  }
  // `python -m MODULE` runs the program that has the name of the module.
  if (/^python[\d.]*$/.test(program) && words[1]?.text === "-m" && words[2]?.isKnown) {
    return [{ kind: "command", words: words.slice(2) }];
  }
  const [sub] = operands;
  const pair = sub?.isKnown ? `${program} ${sub.text}` : "";
  const key = [pair, program].find((name) => Object.hasOwn(RUNNERS, name));
  if (key !== undefined) {
    const inner = behind(words.slice(key === pair ? words.indexOf(sub) : 0), key, tree);
    if (inner === undefined || inner.length === 0) return undefined;
    return [{ kind: "command", words: program === "xargs" ? given(words, inner, command) : inner }];
  }
  // These package managers run a script of the project or a program of its packages with this name.
  const name = sub?.text ?? "";
  if (/^(pnpm|yarn)$/.test(program) && (runnable.has(name) || /^(c8|nyc)$/.test(name))) {
    return [{ kind: "command", words: words.slice(words.indexOf(sub)) }];
  }
  const file = fileOf(words, pair) ?? fileOf(words, program);
  return file && [{ kind: "file", file }];
}

/** Returns the texts that a program may run: its words, its input, and the output of commands before it. */
export function textsOf(
  { input, upstream, inner }: SimpleCommand,
  words: readonly Word[],
): string[] {
  const printed = [upstream.at(-1), ...inner].flatMap((before) =>
    before === undefined
      ? []
      : before.input?.text ?? before.words.slice(1).map(({ text }) => text).join(" ")
  );
  const texts = [...words.slice(1).map(({ text }) => text), input?.text ?? "", ...printed];
  return texts.filter((text) => /\w/.test(text));
}

/** Returns the words that a runner runs; undefined for an unknown option or a package that is not locked. */
function behind(words: readonly Word[], key: string, tree: Tree): readonly Word[] | undefined {
  const { valued = "", plain = "", operands = 0, as, isOfPackages } = RUNNERS[key];
  const [hasValue, isPlain] = [valued.split(" "), plain.split(" ")];
  let at = 1;
  for (; at < words.length; at++) {
    const { text } = words[at];
    if (/^(cross-)?env$/.test(key) && /^\w+=/.test(text)) continue; // judged as assignments
    if (!text.startsWith("-")) break;
    if (text === "--") {
      at++;
      break;
    }
    if (hasValue.includes(text)) at++;
    else if (
      !isPlain.includes(text) &&
      !hasValue.some((each) => each !== "" && text.replace(/=.*/s, "").startsWith(each))
    ) {
      if (as === undefined || !/^-m$/.test(text)) return undefined;
      break;
    }
  }
  const rest = words.slice(at + operands);
  if (isOfPackages && rest.length > 0) {
    const isLocal = words.slice(1, at).some(({ text }) => /^--no(-install)?$/.test(text));
    if (!isLocal && !(rest[0].isKnown && tree.isLocked(rest[0].text))) return undefined;
  }
  return as === undefined || rest.length === 0 ? rest : [known(as), ...rest];
}

/** Returns the calls of `find`. The start folders replace the found files. */
function found(words: readonly Word[]): Run[] | undefined {
  const start = words.findIndex(({ text }) => /^-(exec|execdir)$/.test(text));
  const end = words.findIndex(({ text }, index) => index > start && /^[;+]$/.test(text));
  if (start < 0 || end < 0) return undefined;
  const first = words.findIndex(({ text }) => /^[-(!]/.test(text));
  const roots = first > 1 ? words.slice(1, first) : [known(".")];
  const inner = words.slice(start + 1, end).flatMap((word) => put(roots, "{}", word));
  const rest = [...words.slice(0, start), ...words.slice(end + 1)];
  return [{ kind: "command", words: inner }, { kind: "command", words: rest }];
}

/** Returns the command of `xargs` with its input: names of files in the tree, or an unknown text. */
function given(
  words: readonly Word[],
  inner: readonly Word[],
  { upstream, input }: SimpleCommand,
): readonly Word[] {
  const lister = upstream.findLast(({ words }) =>
    !FILTERS.test(nameOf(words)) || words.some(({ text }) => /^(-\w*l|--files)/.test(text))
  );
  const line = lister?.words.map(({ text }) => text).join(" ") ?? "";
  const isListed = input === undefined &&
    /^(find|ls|fd|(rg|grep) .*-|git (ls-files|diff .*--name-only|grep .*-l)\b)/.test(line);
  const mayBeOption = !isListed || line.startsWith("ls");
  const read: Word = { text: isListed ? "." : "\0", isKnown: isListed, mayBeOption };
  const at = words.findIndex(({ text }) => text.startsWith("-I"));
  if (at < 0 || words.length - inner.length <= at) return [...inner, read];
  const mark = words[at].text.slice(2) || words[at + 1].text;
  return inner.flatMap((word) => put([read], mark, word));
}

/** Replaces a mark by the input. If the word has more text than the mark, the result is unknown. */
function put(read: readonly Word[], mark: string, word: Word): readonly Word[] {
  if (word.text === mark) return read;
  if (!word.text.includes(mark)) return [word];
  return [{ ...word, text: word.text.replaceAll(mark, "\0"), isKnown: false }];
}

/** Returns the script of a shell; undefined if the program is not a shell. */
function scriptOf(words: readonly Word[], program: string): Run | undefined {
  const rest = words.slice(1);
  // With `-n`, a shell only checks its script. An `activate` script only sets the path to the project's programs.
  const start = `${program} ${rest[0]?.text}`;
  if (/^((ba|da|z|k|)sh -n|(source|\.) ([\w./-]+\/)?\.?venv\/bin\/activate)$/.test(start)) {
    return undefined;
  }
  const of = (script: readonly Word[], shell?: Shell): Run =>
    script.length > 0 && script.every(({ isKnown }) => isKnown)
      ? { kind: "script", text: script.map(({ text }) => text).join(" "), shell }
      : { kind: "unknown" };
  if (program === "eval") return of(rest);
  if (/^(iex|invoke-expression)$/.test(program)) return of(rest, "pwsh");
  if (/^(pwsh|powershell|cmd)$/.test(program)) {
    const at = rest.findIndex(({ text }) => /^(-c(ommand)?|\/[ck])$/i.test(text));
    return at < 0 ? { kind: "unknown" } : of(rest.slice(at + 1), "pwsh");
  }
  if (program === "source" || program === ".") {
    return { kind: "unknown" };
  }
  if (!SHELLS.test(program)) return undefined;
  for (let at = 0, isScript = false; at < rest.length; at++) {
    const { text, isKnown } = rest[at];
    if (!/^[-+]/.test(text)) {
      if (isScript) return of([rest[at]], "bash");
      return /^\/dev\//.test(text) ? { kind: "unknown" } : { kind: "file", file: rest[at] };
    }
    if (!/^([-+][a-zA-Z]+|--(norc|noprofile|login|posix))$/.test(text) || !isKnown) break;
    if (/^-[a-zA-Z]*s/.test(text)) break;
    if (/^-[a-zA-Z]*c/.test(text)) isScript = true;
    if (/[oO]$/.test(text)) at++;
  }
  return { kind: "unknown" };
}

/** Whether a shell reads its script from its input. */
function readsInput([, ...rest]: readonly Word[]): boolean {
  return rest.every(({ text }) => /^[-+]/.test(text)) ||
    rest.some(({ text }) => /^-[a-zA-Z]*s/.test(text));
}

/** Returns the file that an interpreter runs. */
function fileOf(words: readonly Word[], key: string): Word | undefined {
  if (!Object.hasOwn(INTERPRETERS, key)) return undefined;
  const file = words.slice(key.includes(" ") ? 2 : 1)
    .find(({ text }) => !INTERPRETERS[key].test(text));
  return file?.isKnown && /^[^-].*[./]|^-$/.test(file.text) ? file : undefined;
}
