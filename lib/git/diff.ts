// The changes between a commit and a working tree, or another commit, file by file. It writes nothing: untracked files
// are read, but not added to an index.

import { sys } from "../sys/mod.ts";
import { LOOKS_ONLY, runGit } from "./run_git.ts";
import { gitIn } from "./step_git.ts";
import type { StepTree } from "./step_names.ts";

/** One changed file. */
export interface FileDiff {
  /** Relative to the top of the checkout. */
  path: string;
  /** Number of lines; 0 for a file that is not text. */
  added: number;
  removed: number;
  /** As `git diff` prints it; untrusted text. */
  diff: string;
}

/** A change, and the commit with which it is compared. */
export interface Diff {
  base: string;
  /** Sorted by path. */
  files: FileDiff[];
}

export interface DiffOptions {
  /** The commit to compare with. */
  base: string;
  /** The other commit. If absent, the commit is compared with the files of the checkout. */
  head?: string;
  /**
   * Number of unchanged lines around each change.
   *
   * @default {3}
   */
  context?: number;
  signal?: AbortSignal;
}

/** A larger new file is not shown in a diff. */
const MAX_NEW_BYTES = 1_000_000;

/** Options that keep git from rendering a diff with a program of the user or of the repository. */
const PLAIN = ["--no-ext-diff", "--no-textconv", "--no-color", "--no-renames", "--no-relative"]
  .concat("--src-prefix=a/", "--dst-prefix=b/", "--ignore-submodules=all");

/**
 * Returns the changes of each file.
 *
 * @param place a checkout, or the tree of a step
 * @throws {AgentxError} `IO_ERROR` if git refuses
 */
export async function diffOf(
  place: string | StepTree,
  { base, head, context = 3, signal }: DiffOptions,
): Promise<Diff> {
  const checkout = typeof place === "string" ? place : place.top;
  const git = typeof place === "string"
    ? (...args: string[]) =>
      runGit(place, args, { action: "compare", confinement: LOOKS_ONLY, signal })
    : gitIn(place, { signal });
  const commit = (await git("rev-parse", "--verify", `${base}^{commit}`)).trim();
  const range = head === undefined ? [commit] : [commit, head];
  const names = namesIn(await git("diff", ...PLAIN, "--name-only", "-z", ...range));
  const text = await git("diff", ...PLAIN, `-U${context}`, ...range);
  const sections = sectionsIn(text);
  const files = names.map((path, at) => fileDiff(path, sections[at] ?? ""));
  if (head === undefined) {
    const fresh = namesIn(await git("ls-files", "-z", "--others", "--exclude-standard"));
    files.push(...fresh.map((path) => fileDiff(path, newFile(checkout, path))));
  }
  return { base: commit, files: files.sort((a, b) => a.path < b.path ? -1 : 1) };
}

function namesIn(text: string): string[] {
  return text.split("\0").filter((name) => name !== "");
}

/**
 * Splits a diff into one section for each file. If a link became a file, git prints two sections with the same head.
 */
function sectionsIn(text: string): string[] {
  const heads = new Map<string, string>();
  for (const section of text.split(/^(?=diff --git )/m)) {
    const head = section.slice(0, section.indexOf("\n"));
    heads.set(head, (heads.get(head) ?? "") + section);
  }
  return [...heads.values()];
}

function fileDiff(path: string, diff: string): FileDiff {
  const lines = diff.slice(Math.max(0, diff.search(/^@@/m))).split("\n");
  const count = (mark: string) => lines.filter((line) => line.startsWith(mark)).length;
  const isText = /^@@/m.test(diff);
  return { path, added: isText ? count("+") : 0, removed: isText ? count("-") : 0, diff };
}

function newFile(checkout: string, path: string): string {
  const head = `diff --git a/${path} b/${path}\nnew file\n`;
  const { kind, size = 0 } = sys.lstat(`${checkout}/${path}`) ?? {};
  const text = kind === "file" && size <= MAX_NEW_BYTES
    ? sys.readTextFile(`${checkout}/${path}`)
    : undefined;
  if (text === undefined || text.includes("\0")) return `${head}Binary or large file\n`;
  if (text === "") return head;
  const lines = text.replace(/\n$/, "").split("\n");
  return [`${head}--- /dev/null`, `+++ b/${path}`, `@@ -0,0 +1,${lines.length} @@`]
    .concat(lines.map((line) => `+${line}`)).join("\n") + "\n";
}
