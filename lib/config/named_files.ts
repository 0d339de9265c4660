/**
 * The files of a repository that the command of an agent names: what it runs lies in them.
 *
 * Each word of a command and each value of its environment is taken for a path, whole and in parts, so
 * that `--config=agents/x.json` and `sh -c "cd agents && ./x.sh"` are seen too. What a program reads
 * besides - the Makefile of `make`, what lies in a folder that it is given - cannot be known.
 *
 * @module
 */

import { hasCode } from "../errors.ts";
import { sys } from "../sys/mod.ts";
import { programPaths } from "./program_paths.ts";

/** What of an agent's settings names files. */
export interface NamingCommand {
  /** Program and arguments; null where it has none. */
  command: readonly string[] | null;
  /** Variables that are set for it. */
  env: Readonly<Record<string, string>>;
}

/** Where names are looked up. */
export interface NameScope {
  /** The working folder of the agent. */
  tree: string;
  /** The repository whose files are meant, without links. */
  repository: readonly string[];
}

/** A file or folder that is named. */
export interface NamedFile {
  /** Relative to the working folder. */
  name: string;
  /** Where it really is. */
  path: string;
  kind: "file" | "directory";
}

/** What ends a path in a word of a shell, of an option, of a list. */
const SEPARATORS = /[\s"'`=:,;|&()<>$]+/;

/** Programs that run what a package of the repository holds rather than what they were asked for. */
const RUNS_PACKAGES = /(^|\/)(npx|bunx)$/;

/** Where they get it from. */
const PACKAGE_SETTINGS = [".npmrc", "bunfig.toml"];

/** More parts than any command needs, and few enough to look each of them up. */
const MAX_NAMES = 2_000;

/** As many when each name is looked for in each folder that is named. */
const MAX_LOOKS = 20_000;

/**
 * Finds what a command names in a repository.
 *
 * @param agent its command and environment
 * @param scope where to look
 * @returns each file and folder once, by its name; undefined where the command has too many parts to
 *   look them all up
 */
export function namedFiles(agent: NamingCommand, scope: NameScope): NamedFile[] | undefined {
  const { tree } = scope;
  const [program = "", ...words] = agent.command ?? [];
  const values = Object.values(agent.env);
  const names = [...words, ...values].flatMap(partsOf);
  if (names.length > MAX_NAMES) return undefined;

  const path = agent.env.PATH ?? sys.env("PATH") ?? "";
  const preferred = [program, ...words].some((word) => RUNS_PACKAGES.test(word))
    ? [...PACKAGE_SETTINGS, ...words.flatMap(packageFiles)]
    : [];
  const direct = [
    ...programPaths(program, { tree, path }),
    ...[...names, ...preferred].map((name) => name.startsWith("/") ? name : `${tree}/${name}`),
  ].flatMap((path) => look(path, scope));
  // `sh -c "cd agents && ./x.sh"` names a file in a folder that it names.
  const folders = new Set(direct.flatMap(({ kind, path }) => kind === "directory" ? [path] : []));
  if (folders.size * names.length > MAX_LOOKS) return undefined;
  const below = [...folders]
    .flatMap((folder) => names.flatMap((name) => look(`${folder}/${name}`, scope)))
    .filter(({ kind }) => kind === "file");
  const byName = new Map([...direct, ...below].map((file) => [file.name, file]));
  return [...byName.values()].sort((a, b) => a.name < b.name ? -1 : 1);
}

/** A word, what follows its first `=`, and what stands between separators. */
function partsOf(word: string): string[] {
  const value = word.slice(word.indexOf("=") + 1);
  return [...new Set([word, value, ...word.split(SEPARATORS)])].filter((part) => part !== "");
}

/** What of a package is preferred where it lies in the repository. */
function packageFiles(word: string): string[] {
  const name = word.replace(/(?<=.)@[^@/]*$/, ""); // without its version
  return [`node_modules/.bin/${name}`, `node_modules/${name}/package.json`];
}

/** It counts where its name lies in the repository, and where a link from elsewhere leads into it. */
function look(path: string, { tree, repository }: NameScope): NamedFile[] {
  const real = realPath(path);
  const kind = real === undefined ? undefined : sys.lstat(real)?.kind;
  if (real === undefined || (kind !== "file" && kind !== "directory")) return [];
  const end = path.lastIndexOf("/");
  const place = `${realPath(path.slice(0, end) || "/")}${path.slice(end)}`;
  const isOwn = (path: string) =>
    repository.some((folder) => path === folder || path.startsWith(`${folder}/`));
  const own = [place, real].find(isOwn);
  return own === undefined ? [] : [{ name: relativePath(own, tree), path: real, kind }];
}

/** The same on every machine. */
function relativePath(path: string, from: string): string {
  const [to, base] = [path.split("/"), from.split("/")];
  let shared = 0;
  while (shared < base.length && to[shared] === base[shared]) shared++;
  return [...base.slice(shared).map(() => ".."), ...to.slice(shared)].join("/") || ".";
}

/** What cannot be a path, or cannot be reached, names nothing that could be run. */
function realPath(path: string): string | undefined {
  if (path.includes("\0")) return undefined;
  try {
    return sys.realPath(path);
  } catch (error) {
    if (hasCode(error, "IO_ERROR")) return undefined;
    throw error;
  }
}
