// Takes a simple command apart as its program would: options and operands. Decides whether a rule matches it. Pure.

import { known, type Word } from "./command_line.ts";
import type { GuardRule } from "./rules/rule.ts";
import type { Tree } from "./tree.ts";

/** The language of a command line. */
export type Shell = "bash" | "pwsh";

/** Options that set the working folder of a program. */
const FOLDERS: Readonly<Record<string, string>> = {
  agentx: "--root",
  bun: "--cwd",
  git: "-C",
  go: "-C",
  make: "-C --directory",
  npm: "-C --prefix",
  pnpm: "-C --dir",
  poetry: "-C --directory",
  uv: "--directory --project",
  yarn: "--cwd",
};

/** Options that stand before the subcommand and take the next word, by program. */
const VALUED: Readonly<Record<string, string>> = {
  git: "-c --git-dir --work-tree --namespace --config-env --super-prefix",
  docker: "-H --host --context -c --config -l --log-level",
  kubectl: "-n --namespace --context --kubeconfig --cluster --user",
  gh: "-R --repo",
  aws: "--profile --region --output",
  npm: "-w --workspace",
  pnpm: "--filter -F --reporter --workspace-concurrency",
  "redis-cli": "-h -p -a -n -u",
  mysqladmin: "-u -h -P -p",
  uniq: "-f -s -w",
  xxd: "-l -s -c -g",
};

/** Options that stand before the subcommand and do not matter for the judgement, by program. */
const HARMLESS: Readonly<Record<string, string>> = {
  git: "--no-pager -P --no-optional-locks --literal-pathspecs --paginate",
  npm: "-w --workspace --workspaces -ws --silent -s --if-present",
  pnpm:
    "--filter -F -r --recursive -w --workspace-root --silent -s --if-present --parallel --stream --reporter",
  yarn: "--silent -s",
  bun: "--silent",
  node: "--test",
  gh: "-R --repo",
  cargo: "-q -v --quiet --verbose --offline --locked",
  kubectl: "-n --namespace --context",
  aws: "--profile --region --output --no-cli-pager",
  terraform: "-chdir",
};

/** Programs with long options that have a single dash. */
const WHOLE = /^(go|find|java|javac|terraform|tofu|cmake|clang-(tidy|format))$/;

/** Programs that accept a long option only by its whole name. */
const WHOLE_NAMES =
  /^(npm|pnpm|yarn|bun|deno|cargo|node|tsc|eslint|prettier|vitest|jest|pytest|python3?|uv|ruff)$/;

/** Programs that run a task of the project. */
const TASKS = /^(npm|pnpm|yarn|bun|deno|cargo)$/;

/** Matches a standard path of a program. Rules name programs without their folder. */
const STANDARD =
  /^(\/usr(\/local)?)?\/s?bin\/[^/]+$|^\/opt\/homebrew\/bin\/[^/]+$|^[^/]+$|^\.\/(gradlew|mvnw)$/;

/** Matches the path of a program from the project's packages. */
const OF_PACKAGES = /^(?!.*\.\.)(.*\/)?(\.?venv\/bin|node_modules\/\.bin|vendor\/bin)\/[^/]+$/;

export interface Simple {
  program: string;
  /** Whether the program is the system's or the project's program of that name. */
  isStandard: boolean;
  /** Whether the program belongs to one of the project's packages, judged by its path. */
  isOfPackages: boolean;
  /** All of its words, the program first. */
  words: readonly Word[];
  /** The folders that the options set as working folders. */
  folders: readonly Word[];
  options: readonly string[];
  /** The options before the first operand, as written. */
  leading: readonly string[];
  operands: readonly Word[];
  /** Whether some word may turn into an option only at the run. */
  hasOpenOption: boolean;
  shell: Shell;
}

/** Takes the words of a command apart. The first word must be a known program. */
export function takeApart(all: readonly Word[], shell: Shell): Simple {
  const [{ text: path }, ...words] = all;
  const program = nameOf(all).replace(/\.(exe|cmd|bat)$/, "");
  const isOfPackages = OF_PACKAGES.test(path);
  const inFolder = (FOLDERS[program] ?? "").split(" ");
  const folders: Word[] = [];
  const valued = (VALUED[program] ?? "").split(" ");
  const options: string[] = [];
  const leading: string[] = [];
  const operands: Word[] = [];
  let isEnded = false;
  for (let at = 0; at < words.length; at++) {
    const { text } = words[at];
    const isOption = !isEnded && (/^-./.test(text) || shell === "pwsh" && /^\/[a-z]$/i.test(text));
    if (!isOption) {
      const isToolchain = /^(cargo|rustc)$/.test(program) && at === 0 && /^\+[\w.-]+$/.test(text);
      if (!isToolchain) operands.push(words[at]);
      continue;
    }
    if (text === "--") {
      isEnded = !TASKS.test(program); // these pass the words after `--` to the task
      continue;
    }
    if (/^--[\w-]+=false$/.test(text)) continue; // a disabled option
    const [name, ...value] = text.split("=");
    if (inFolder.includes(name) && (operands.length === 0 || program !== "git")) {
      folders.push(
        value.length > 0 ? { ...words[at], text: value.join("=") } : words[++at] ?? known("~"),
      );
      continue;
    }
    const found = spellings(text, shell === "pwsh" || WHOLE.test(program), shell);
    options.push(...found);
    if (operands.length > 0) continue;
    leading.push(found[0]);
    if (valued.includes(text)) at++;
  }
  const hasOpenOption = !isEnded && words.some(({ mayBeOption }) => mayBeOption);
  return {
    program,
    isStandard: STANDARD.test(path) || isOfPackages,
    isOfPackages,
    words: all,
    folders,
    options,
    leading,
    operands,
    hasOpenOption,
    shell,
  };
}

/** Returns the name by which a program is called. */
export function nameOf([first]: readonly Word[]): string {
  return first === undefined ? "" : first.text.slice(first.text.lastIndexOf("/") + 1).toLowerCase();
}

/** Returns the operands of a command after the operands that a rule names. */
export function restOf(
  { commands, first }: GuardRule,
  { operands, shell }: Simple,
): readonly Word[] {
  const own = commands[0].split(" ").slice(1).filter((word) =>
    !isOption(word.split("|")[0], shell)
  );
  return operands.slice(own.length + (first === undefined ? 0 : 1));
}

/** Returns an option as written, without its value, and each letter of a cluster of options. */
function spellings(text: string, isWhole: boolean, shell: Shell): string[] {
  if (shell === "pwsh") return [text.replace(/:.*/, "").toLowerCase()];
  const name = text.replace(/=.*/s, "");
  if (isWhole || name.startsWith("--")) return [name];
  return [name, ...[...name.slice(1)].map((each) => `-${each}`)];
}

export function matches(rule: GuardRule, simple: Simple, tree: Tree): boolean {
  if (rule.shell !== undefined && rule.shell !== simple.shell) return false;
  return rule.commands.some((command) => matchesCommand(command, rule, simple, tree));
}

function matchesCommand(command: string, rule: GuardRule, simple: Simple, tree: Tree): boolean {
  const [programs, ...words] = command.split(" ").map((word) => word.split("|"));
  if (!programs.includes(simple.program)) return false;
  const isAllowed = rule.verdict === "allow";
  const wanted = words.filter(([word]) => !isOption(word, simple.shell));
  const isCalled = wanted.every((names, at) => {
    const operand = simple.operands[at];
    return names.includes("*") ? operand !== undefined : names.includes(operand?.text);
  });
  if (!isCalled) return false;
  const has = (names: readonly string[], isWhole = false) =>
    simple.options.some((option) =>
      names.some((name) => isWhole ? option === name : isSpelled(option, name, simple.shell))
    );
  if (!words.filter(([word]) => isOption(word, simple.shell)).every((names) => has(names))) {
    return false;
  }
  const rest = simple.operands.slice(wanted.length);
  const given = simple.words.slice(1);
  if (rule.word && !given.some(({ text }) => rule.word!.test(text))) return false;
  if (rule.isWide && rest.length > 0 && !rest.some((word) => tree.isWide(word))) return false;
  const { except, only } = rule;
  if (
    except !== undefined && has(except.split(" "), isAllowed && WHOLE_NAMES.test(simple.program))
  ) {
    return false;
  }
  if (!isAllowed) return true;

  const harmless = (HARMLESS[simple.program] ?? "").split(" ");
  const isPlain = simple.isStandard &&
    (wanted.length === 0 || simple.leading.every((option) => harmless.includes(option)));
  if (!isPlain) return false;
  if ((except ?? only) !== undefined && rule.isText !== true && simple.hasOpenOption) return false;
  if (only !== undefined && !isOnly(simple, only.split(" "), wanted.length > 0)) return false;
  const { first } = rule;
  if (first instanceof RegExp && !(rest[0]?.isKnown && first.test(rest[0].text))) return false;
  if (rule.operands !== undefined && rest.length > rule.operands) return false;
  const others = rule.words &&
    given.filter((word) => !simple.operands.slice(0, wanted.length).includes(word));
  return others?.every(({ text, isKnown }) => isKnown && rule.words!.test(text)) ?? true;
}

/** Whether each option of a command, or each letter of it, is in a list. */
function isOnly({ words, operands }: Simple, only: readonly string[], isSub: boolean): boolean {
  const options = words.slice(isSub ? words.indexOf(operands[0]) : 1).map(({ text }) => text)
    .filter((text) => /^-./.test(text) && text !== "--");
  return options.every((text) =>
    only.includes(text.replace(/=.*/s, "")) || /^-\d+$/.test(text) ||
    /^-[a-zA-Z]+$/.test(text) && [...text.slice(1)].every((each) => only.includes(`-${each}`))
  );
}

function isOption(word: string, shell: Shell): boolean {
  return /^-./.test(word) || shell === "pwsh" && /^\/[a-z]$/.test(word);
}

/**
 * Whether an option is a spelling of a name. Programs also accept the beginning of a long option, and PowerShell
 * accepts the beginning of every option.
 */
function isSpelled(option: string, name: string, shell: Shell): boolean {
  if (option === name) return true;
  if (shell === "pwsh") return option.length > 1 && option[0] === "-" && name.startsWith(option);
  return option.length > 3 && option.startsWith("--") && name.startsWith(option);
}
