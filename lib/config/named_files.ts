// Finds the files of a repository that the command of an agent names. These files are code that the agent runs.
//
// Each word of a command and each value of its environment is tried as a path, whole and in parts, so
// `--config=agents/x.json` and `sh -c "cd agents && ./x.sh"` are covered too. Some hosts load code of a repository
// regardless of their options. That code counts as named, unless the sandbox hides it. Other files that a program
// reads, such as the Makefile of `make` or the content of a folder, cannot be known.

import { orElse } from "../base/errors.ts";
import { ALWAYS_LOADING, isLoaded, REPOSITORY_FILES } from "../hosts/repository_files.ts";
import { sys } from "../sys/mod.ts";
import { programPaths } from "../sys/find_program.ts";
import type { AgentConfig } from "./config.ts";
import { foldersUpFrom } from "./role_settings.ts";
import { ACP, commandsOf, presetsOf, type RunSettings } from "./runnable.ts";

/** The settings of an agent that can name files. */
export interface NamingSettings extends RunSettings {
  env: Readonly<Record<string, string>>;
  /** A `read-only` sandbox hides the code that a host would load. */
  sandbox?: AgentConfig["sandbox"];
}

export interface NameScope {
  tree: string;
  /** The folders of the repository, with links resolved. */
  repository: readonly string[];
}

export interface NamedFile {
  /** The path relative to the working folder. */
  name: string;
  /** The path with links resolved. */
  path: string;
  kind: "file" | "directory";
}

/** The characters that end a path in a shell word, an option or a list. */
const SEPARATORS = /[\s"'`=:,;|&()<>$]+/;

/** Programs that may run a package of the repository in place of the requested package. */
const RUNS_PACKAGES = /(^|\/)(npx|bunx)$/;

/** Files that determine the source of packages. */
const PACKAGE_SETTINGS = [".npmrc", "bunfig.toml"];

/** Maximum number of parts of a command. It is more than any command needs and few enough to look up each part. */
const MAX_NAMES = 2_000;

/** Maximum number of lookups when each part is looked up in each named folder. */
const MAX_LOOKS = 20_000;

/**
 * Finds the files and folders of a repository that the commands of an agent name, each once, sorted by name. Returns
 * undefined if a command has too many parts to look them all up.
 */
export function namedFiles(agent: NamingSettings, scope: NameScope): NamedFile[] | undefined {
  const { tree } = scope;
  const commands = commandsOf(agent);
  const words = commands.flatMap(([, ...words]) => words);
  const values = Object.values(agent.env);
  const names = [...words, ...values].flatMap(partsOf);
  if (names.length > MAX_NAMES) return undefined;

  const path = agent.env.PATH ?? sys.env("PATH") ?? "";
  const preferred = commands.flat().some((word) => RUNS_PACKAGES.test(word))
    ? [...PACKAGE_SETTINGS, ...words.flatMap(packageFiles)]
    : [];
  const direct = [
    ...commands.flatMap(([program]) => programPaths(program, { tree, path })),
    ...[...names, ...preferred].map((name) => name.startsWith("/") ? name : `${tree}/${name}`),
    ...codeFor(agent, tree),
  ].flatMap((path) => look(path, scope));
  // `sh -c "cd agents && ./x.sh"` names a folder, and a file in that folder.
  const folders = new Set(direct.flatMap(({ kind, path }) => kind === "directory" ? [path] : []));
  if (folders.size * names.length > MAX_LOOKS) return undefined;
  const below = [...folders]
    .flatMap((folder) => names.flatMap((name) => look(`${folder}/${name}`, scope)))
    .filter(({ kind }) => kind === "file");
  const byName = new Map([...direct, ...below].map((file) => [file.name, file]));
  return [...byName.values()].sort((a, b) => a.name < b.name ? -1 : 1);
}

/**
 * Returns the paths of the code that hosts would load. The packages in `node_modules` are not covered, but the code
 * that loads them is.
 */
function codeFor(agent: NamingSettings, tree: string): string[] {
  if (agent.sandbox === "read-only") return [];
  const presets = presetsOf(agent);
  const hosts = presets.filter((name) => ALWAYS_LOADING.includes(name));
  // The Agent Client Protocol has no option that keeps an agent from loading code.
  const rows = REPOSITORY_FILES.filter(({ loadedBy }) =>
    presets.includes(ACP) ? loadedBy.length > 0 : hosts.some((host) => loadedBy.includes(host))
  );
  return foldersUpFrom(tree).flatMap((folder) => {
    const seen = new Set<string>(); // links may form a cycle
    const within = (path: string): string[] => {
      const real = realPath(`${folder}/${path}`);
      if (real === undefined || seen.has(real)) return [];
      if (sys.lstat(real)?.kind !== "directory") return isLoaded(path) ? [`${folder}/${path}`] : [];
      seen.add(real);
      return sys.readDir(real).filter((name) => name !== "node_modules")
        .flatMap((name) => within(`${path}/${name}`));
    };
    return rows.flatMap(({ path }) => within(path.replace(/\/$/, "")));
  });
}

/** Returns a word, the part after its first `=`, and the parts between separators. */
function partsOf(word: string): string[] {
  const value = word.slice(word.indexOf("=") + 1);
  return [...new Set([word, value, ...word.split(SEPARATORS)])].filter((part) => part !== "");
}

/** Returns the files of a package that take precedence over a download if the repository contains them. */
function packageFiles(word: string): string[] {
  const name = word.replace(/(?<=.)@[^@/]*$/, ""); // without its version
  return [`node_modules/.bin/${name}`, `node_modules/${name}/package.json`];
}

/** Looks up a path. It counts if it is in the repository, or if a link outside of the repository leads into it. */
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

/** Returns a relative path, which is the same on every machine. */
function relativePath(path: string, from: string): string {
  const [to, base] = [path.split("/"), from.split("/")];
  let shared = 0;
  while (shared < base.length && to[shared] === base[shared]) shared++;
  return [...base.slice(shared).map(() => ".."), ...to.slice(shared)].join("/") || ".";
}

/**
 * Resolves the links of a path. Returns undefined for a path that is invalid or cannot be reached, because nothing at
 * such a path can be run.
 */
function realPath(path: string): string | undefined {
  if (path.includes("\0")) return undefined;
  return orElse(undefined, () => sys.realPath(path), "IO_ERROR");
}
