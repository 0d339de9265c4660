// The settings in the front matter of the file that defines a role in a repository. The file is text of the
// repository: its `may_change` can only restrict, and its model is passed on only with the user's consent.
//
// Links are not followed, and files outside of the repository are not read.

import { isRoleName } from "../base/agent_names.ts";
import { ancestors, repositoryFolders } from "../git/repository.ts";
import { sys } from "../sys/mod.ts";

/** Only this many bytes of a definition are read. A prompt takes fewer. */
const MAX_BYTES = 100_000;

/** The front matter: settings between two lines of dashes. */
const FRONT_MATTER = /^\ufeff?---[ \t]*\r?\n(?:[^]*?\r?\n)?---[ \t]*(?:\r?\n|$)/;

/** The folder of role definitions and the ending of their file names, as the documents define them. */
const DOCUMENTED = { folder: ".github/agents", ending: ".agent.md" };

/** A valid model name. The name becomes an argument of a command line, so it is one line and cannot be an option. */
const MODEL = /^[A-Za-z0-9][^\p{C}]{0,99}$/u;

/** Maximum number of models to try for a role. */
const MAX_MODELS = 5;

/** Returns the files that may define a role, relative to a folder, in order of precedence. */
export function filesOfRole(role: string): string[] {
  const { folder, ending } = DOCUMENTED;
  return [`${folder}/${role}${ending}`, `.claude/agents/${role}.md`];
}

/** Returns the folder and its parents, up to the top of its repository. */
export function foldersUpFrom(tree: string): string[] {
  const [checkout] = repositoryFolders([tree]);
  const folders = ancestors(tree);
  return folders.slice(0, Math.max(1, folders.indexOf(checkout) + 1));
}

/** Returns the text of a file without its front matter; undefined if a link is on the way to the file. */
export function proseOf(folder: string, name: string): string | undefined {
  return textOf(folder, name)?.replace(FRONT_MATTER, "").trim();
}

/**
 * Returns the patterns of paths that a role may change, from `may_change: [docs/**, "*.md"]` in the front matter of
 * its definition; undefined if no definition has this key.
 */
export function mayChange(role: string, tree: string): string[] | undefined {
  if (!isRoleName(role)) return undefined;
  for (const folder of foldersUpFrom(tree)) {
    for (const name of filesOfRole(role)) {
      const found = listIn(textOf(folder, name), "may_change");
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

/**
 * Returns the models that role definitions name, by role, in order of preference: `model: opus`, or `model: [opus,
 * sonnet]`. Only the documents' own files count, because model names in the files of other hosts are meant for those
 * hosts.
 */
export function modelsOfRoles(tree: string): Record<string, string[]> {
  const models = new Map<string, string[]>();
  const { folder: agents, ending } = DOCUMENTED;
  for (const folder of foldersUpFrom(tree)) {
    for (const name of sys.readDir(`${folder}/${agents}`)) {
      const role = name.slice(0, -ending.length);
      if (!name.endsWith(ending) || !isRoleName(role) || models.has(role)) continue;
      models.set(role, listIn(textOf(folder, `${agents}/${name}`), "model") ?? []);
    }
  }
  const usable = [...models].map(([role, names]) =>
    [role, names.filter((name) => MODEL.test(name)).slice(0, MAX_MODELS)] as const
  );
  return Object.fromEntries(usable.filter(([, names]) => names.length > 0));
}

/** Returns the beginning of a file's text; undefined if a link is on the way to the file. */
function textOf(folder: string, name: string): string | undefined {
  const path = `${folder}/${name}`;
  if (sys.realPath(path) !== `${sys.realPath(folder)}/${name}`) return undefined;
  const part = sys.readPart(path, 0, MAX_BYTES);
  return new TextDecoder().decode(part?.bytes);
}

/**
 * Returns the values of a key from a list on one line or on several, or from a single value; undefined if the key is
 * missing.
 */
function listIn(text: string | undefined, key: string): string[] | undefined {
  const [front = ""] = FRONT_MATTER.exec(text ?? "") ?? [];
  const lines = new RegExp(`^${key}:[ \\t]*\\r?\\n((?:[ \\t]*-[^\\n]*\\n)+)`, "m").exec(front)?.[1];
  const list = new RegExp(`^${key}:[ \\t]*\\[([^\\]]*)\\]`, "m").exec(front)?.[1];
  const single = new RegExp(`^${key}:[ \\t]*([^\\s[#][^\\r\\n]*)`, "m").exec(front)?.[1];
  const found = list?.split(",") ??
    lines?.split("\n").map((line) => line.replace(/^[ \t]*-/, "")) ??
    (single === undefined ? undefined : [single.replace(/[ \t]+#.*$/, "")]);
  return found?.map((each) => each.trim().replace(/^["'](.*)["']$/, "$1"))
    .filter((each) => each !== "");
}
