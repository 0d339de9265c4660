// What the definition of a role sets, in the front matter of the file that a repository keeps for it. It is
// text of the repository: `may_change` only takes away, and a model is passed on with the user's consent.
//
// A link is not read, wherever it leads, nor anything that lies outside of the repository.

import { isRoleName } from "../base/agent_names.ts";
import { ancestors, repositoryFolders } from "../git/repository.ts";
import { sys } from "../sys/mod.ts";

/** More than a prompt takes of it. */
const MAX_BYTES = 100_000;

/** Settings of a host, between two lines of dashes. */
const FRONT_MATTER = /^\ufeff?---[ \t]*\r?\n(?:[^]*?\r?\n)?---[ \t]*(?:\r?\n|$)/;

/** Where definitions of roles are, and how their files end, as the documents have it. */
const DOCUMENTED = { folder: ".github/agents", ending: ".agent.md" };

/** It is put on a command line: nothing that could be an option, on one line. */
const MODEL = /^[A-Za-z0-9][^\p{C}]{0,99}$/u;

/** More than anybody tries one after the other. */
const MAX_MODELS = 5;

/** The files of a role, its own first, relative to a folder. */
export function filesOfRole(role: string): string[] {
  const { folder, ending } = DOCUMENTED;
  return [`${folder}/${role}${ending}`, `.claude/agents/${role}.md`];
}

/** From the folder upward to the end of its repository. */
export function foldersUpFrom(tree: string): string[] {
  const [checkout] = repositoryFolders([tree]);
  const folders = ancestors(tree);
  return folders.slice(0, Math.max(1, folders.indexOf(checkout) + 1));
}

/** Without front matter; undefined where a link is on the way. */
export function proseOf(folder: string, name: string): string | undefined {
  return textOf(folder, name)?.replace(FRONT_MATTER, "").trim();
}

/**
 * The patterns of paths that a role may change, from `may_change: [docs/**, "*.md"]` in the front
 * matter of its own file; undefined where none says any.
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
 * The models that the definitions of roles name, by role, the first choice first: `model: opus`, or
 * `model: [opus, sonnet]`. Only of the documents' own files: other hosts' names are for those hosts.
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

/** Undefined where a link is on the way. */
function textOf(folder: string, name: string): string | undefined {
  const path = `${folder}/${name}`;
  if (sys.realPath(path) !== `${sys.realPath(folder)}/${name}`) return undefined;
  const part = sys.readPart(path, 0, MAX_BYTES);
  return new TextDecoder().decode(part?.bytes);
}

/** A list on one line or on several, or a single value; undefined where the key is missing. */
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
