// What an agent has left in its tree for git to obey. Before it runs, all that git reads of the repository is noted;
// afterwards that is compared, before anything else is done there. The note stays until a comparison finds no
// difference, also where this process is killed in between.

import { tryParseJson } from "../base/checks.ts";
import { orElse } from "../base/errors.ts";
import { sha256 } from "../base/sha256.ts";
import { sys } from "../sys/mod.ts";
import { replaceFile } from "../sys/replace_file.ts";
import { isGitName } from "./git_name.ts";
import { type GitFolders, gitFoldersOf, gitIn, leadsTo } from "./step_git.ts";
import { startOf, type StepTree } from "./step_names.ts";

/** What an agent found. */
interface Note {
  /** Where submodules are, relative to the tree. */
  submodules: string[];
  /** What git reads, by path: the hash of a file, or what else is there. */
  settings: Record<string, string>;
}

/** Of a git folder, what says where the rest is, and what runs. */
const OBEYED = ["commondir", "gitdir", "config", "config.worktree", "info", "hooks"];

/** Git writes it by itself. */
const REFS = "/info/refs";

/** What a person's `git switch`, `git push -u` and editor write into the settings while an agent works. */
const OF_BRANCHES =
  /^(?:\[branch "[^"\\]+"\]|\t(?:remote = [\w.-]+|merge = refs\/heads\/\S+|rebase = (?:true|false)|vscode-merge-base = \S+))\n/gm;

/** Notes what git reads, before an agent runs; what was noted before a run that did not end stays. */
export async function noteSettings(tree: StepTree, signal?: AbortSignal): Promise<void> {
  const folders = gitFoldersOf(tree)!;
  if (sys.lstat(noteIn(folders)) !== undefined) return;
  const submodules = await submodulesOf(tree, signal);
  const note: Note = { submodules, settings: await settingsOf(tree, folders, submodules) };
  replaceFile(noteIn(folders), `${JSON.stringify(note)}\n`);
}

/** Forgets it, once nothing was found. */
export function forgetSettings(tree: StepTree): void {
  sys.removeFile(noteIn(gitFoldersOf(tree)!));
}

/** @returns a sentence for each file that git reads of the repository, and that is not what the agent found */
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
 * @returns a sentence for each thing that git would obey, and that the agent did not find there; until there is none,
 *   nothing but this asks git about the tree
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
  const fields = (await gitIn(tree, { signal })(...args, startOf(tree.branch))).split("\0");
  return fields.flatMap((field, at) =>
    /^:\d+ 160000 /.test(field) ? [`${fields[at + 1]} is a submodule; put back what it was`] : []
  );
}

function noteIn({ own }: GitFolders): string {
  return `${own}/agentx-start`;
}

/** Where the agent found submodules. */
async function submodulesOf(tree: StepTree, signal?: AbortSignal): Promise<string[]> {
  const said = await gitIn(tree, { signal })("ls-tree", "-r", "-z", startOf(tree.branch));
  return said.split("\0").filter((each) => each.startsWith("160000 "))
    .map((each) => each.slice(each.indexOf("\t") + 1));
}

/** A submodule that is checked out counts where a person did so: its git folder is with those of the repository. */
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

/** Links are not followed. */
function filesBelow(path: string): string[] {
  if (kindOf(path) !== "directory") return [path];
  return sys.readDir(path).flatMap((name) => filesBelow(`${path}/${name}`));
}

function kindOf(path: string): string | undefined {
  return orElse(undefined, () => sys.lstat(path), "IO_ERROR")?.kind;
}

/** @returns an empty text where there is nothing */
async function contentOf(path: string): Promise<string> {
  const kind = kindOf(path);
  if (kind === "symlink") return `link to ${sys.readLink(path)}`;
  if (kind !== "file") return kind ?? "";
  const { bytes } = sys.readPart(path, 0, sys.lstat(path)!.size)!;
  if (!path.endsWith("/config")) return await sha256(bytes);
  const text = new TextDecoder().decode(bytes).replaceAll(OF_BRANCHES, "");
  return await sha256(new TextEncoder().encode(text));
}

/** What git takes for a repository, in the folders in which it would add something. */
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
  return [...folders].filter((folder) => kindOf(`${tree.top}/${folder}`) === "directory")
    .flatMap((folder) =>
      sys.readDir(`${tree.top}/${folder}`).filter(isGitName)
        .map((name) => folder === "." ? name : `${folder}/${name}`)
    )
    .filter((path) => path !== ".git");
}

/** The last folder that a person knows, and what follows. */
function nameOf(path: string): string {
  return /[^/]+\/\.git$|\.git\/.*$/.exec(path)![0];
}
