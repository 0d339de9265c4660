// Finds settings, hooks and repositories that an agent left in its tree, and that git would obey. A note lists the
// files of the repository that git reads. It is written before the agent runs, and compared afterwards, before anything
// else happens in the tree. The note stays until a comparison finds no difference, so a killed process loses nothing.

import { tryParseJson } from "../base/checks.ts";
import { orElse } from "../base/errors.ts";
import { sha256 } from "../base/sha256.ts";
import { sys } from "../sys/mod.ts";
import { replaceFile } from "../sys/replace_file.ts";
import { isGitName } from "./git_name.ts";
import { type GitFolders, gitFoldersOf, gitIn, leadsTo } from "./step_git.ts";
import { stepStart, type StepTree } from "./step_names.ts";

/** The state before the agent ran. */
interface Note {
  /** Paths of submodules, relative to the tree. */
  submodules: string[];
  /** For each path that git reads: the hash of the file, or else the kind of entry. */
  settings: Record<string, string>;
}

/** The files of a git folder that can lead git elsewhere or start programs. */
const OBEYED = ["commondir", "gitdir", "config", "config.worktree", "info", "hooks"];

/** Left out of the note, because git itself rewrites this list. */
const REFS = "/info/refs";

/**
 * Lines of the git config that `git switch`, `git push -u` and editors write while an agent works; they are ignored.
 */
const OF_BRANCHES =
  /^(?:\[branch "[^"\\]+"\]|\t(?:remote = [\w.-]+|merge = refs\/heads\/\S+|rebase = (?:true|false)|vscode-merge-base = \S+))\n/gm;

/** Writes the note before an agent runs, unless an interrupted run left one. */
export async function noteSettings(tree: StepTree, signal?: AbortSignal): Promise<void> {
  const folders = gitFoldersOf(tree)!;
  if (sys.lstat(noteIn(folders)) !== undefined) return;
  const submodules = await submodulesOf(tree, signal);
  const note: Note = { submodules, settings: await settingsOf(tree, folders, submodules) };
  replaceFile(noteIn(folders), `${JSON.stringify(note)}\n`);
}

/** Removes the note after a comparison without differences. */
export function forgetSettings(tree: StepTree): void {
  sys.removeFile(noteIn(gitFoldersOf(tree)!));
}

/** @returns a sentence for each file that differs from the note */
export async function changedSettings(tree: StepTree): Promise<string[]> {
  const folders = gitFoldersOf(tree);
  if (folders === undefined || leadsTo(`${tree.top}/.git`) !== folders.own) {
    return [`${nameOf(`${tree.top}/.git`)} was changed; put it back`];
  }
  const note = tryParseJson(sys.readTextFile(noteIn(folders)) ?? "null") as Note | null;
  if (note === null) return [];
  const { submodules, settings: before } = note;
  const now = await settingsOf(tree, folders, submodules);
  return [...new Set([...Object.keys(before), ...Object.keys(now)])]
    .filter((path) => before[path] !== now[path]).sort()
    .map((path) => `${nameOf(path)} was changed; put it back`);
}

/**
 * @returns a sentence for each thing that git would obey and that did not exist at the start of the step; nothing else
 * may run git in the tree until this list is empty
 */
export async function leftForGit(tree: StepTree, signal?: AbortSignal): Promise<string[]> {
  const changed = await changedSettings(tree);
  if (changed.length > 0) return changed;
  const submodules = await submodulesOf(tree, signal);
  const now = await settingsOf(tree, gitFoldersOf(tree)!, submodules);
  const inside = (await repositoriesIn(tree, submodules, signal))
    .filter((path) => now[`${tree.top}/${path}`] === undefined)
    .map((path) => `${path} is a repository inside of the working tree; take it out`);
  if (inside.length > 0) return inside.sort();
  const args = ["diff", "--cached", "--raw", "-z", "--no-renames", "--ignore-submodules=none"];
  const fields = (await gitIn(tree, { signal })(...args, stepStart(tree.branch))).split("\0");
  return fields.flatMap((field, at) =>
    /^:\d+ 160000 /.test(field) ? [`${fields[at + 1]} is a submodule; put back what it was`] : []
  );
}

function noteIn({ own }: GitFolders): string {
  return `${own}/agentx-start`;
}

/** Returns the submodules of the start commit. */
async function submodulesOf(tree: StepTree, signal?: AbortSignal): Promise<string[]> {
  const said = await gitIn(tree, { signal })("ls-tree", "-r", "-z", stepStart(tree.branch));
  return said.split("\0").filter((each) => each.startsWith("160000 "))
    .map((each) => each.slice(each.indexOf("\t") + 1));
}

/**
 * Returns the content of the settings, by path. A checked-out submodule counts only if its git folder is inside that of
 * the repository, because agents cannot write to that folder.
 */
async function settingsOf(
  { top }: StepTree,
  { own, shared }: GitFolders,
  submodules: readonly string[],
): Promise<Record<string, string>> {
  const checkedOut = submodules.map((path) => `${top}/${path}/.git`)
    .filter((file) => leadsTo(file)?.startsWith(`${shared}/`));
  const paths = [own, shared, ...checkedOut.map((file) => leadsTo(file)!)]
    .flatMap((folder) => OBEYED.flatMap((name) => filesBelow(`${folder}/${name}`)))
    .filter((path) => !path.endsWith(REFS));
  const contents = [...paths, ...checkedOut].map(async (path) => [path, await contentOf(path)]);
  return Object.fromEntries((await Promise.all(contents)).filter(([, content]) => content !== ""));
}

/** Returns all files at or below a path; does not follow links. */
export function filesBelow(path: string): string[] {
  if (fileKindOf(path) !== "directory") return [path];
  return sys.readDir(path).flatMap((name) => filesBelow(`${path}/${name}`));
}

/** Returns the kind of file at a path; undefined if there is none, also for a path below a file. */
export function fileKindOf(path: string): string | undefined {
  return orElse(undefined, () => sys.lstat(path), "IO_ERROR")?.kind;
}

/** @returns a hash or a kind; an empty text for a missing path */
async function contentOf(path: string): Promise<string> {
  const kind = fileKindOf(path);
  if (kind === "symlink") return `link to ${sys.readLink(path)}`;
  if (kind !== "file") return kind ?? "";
  const { bytes } = sys.readPart(path, 0, sys.lstat(path)!.size)!;
  if (!path.endsWith("/config")) return await sha256(bytes);
  const text = new TextDecoder().decode(bytes).replaceAll(OF_BRANCHES, "");
  return await sha256(new TextEncoder().encode(text));
}

/** Returns entries with a name that git accepts for its folder, in the folders of files that git would add. */
async function repositoriesIn(
  tree: StepTree,
  submodules: readonly string[],
  signal?: AbortSignal,
): Promise<string[]> {
  const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const paths = (await gitIn(tree, { signal })(...args)).split("\0");
  const folders = new Set([".", ...submodules]);
  for (const path of paths) {
    for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1)) {
      folders.add(path.slice(0, end));
    }
  }
  return [...folders].filter((folder) => fileKindOf(`${tree.top}/${folder}`) === "directory")
    .flatMap((folder) =>
      sys.readDir(`${tree.top}/${folder}`).filter(isGitName)
        .map((name) => folder === "." ? name : `${folder}/${name}`)
    )
    .filter((path) => path !== ".git");
}

/** Returns the path from the last folder that a person recognizes; whole in a git folder with another name. */
function nameOf(path: string): string {
  return /[^/]+\/\.git$|\.git\/.*$/.exec(path)?.[0] ?? path;
}
