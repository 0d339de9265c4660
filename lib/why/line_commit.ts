// Finds the commit of a line, or the latest commit of a file.

import { AgentxError, hasCode } from "../base/errors.ts";
import { isoTime } from "../base/time.ts";
import { LOOKS_ONLY, runGit } from "../git/run_git.ts";

/** A commit, with its message and its note of git-ai. */
export interface LineCommit {
  /** 40 or 64 hex digits. */
  id: string;
  parents: string[];
  author: string;
  /** ISO-8601, UTC: the author date, which a rebase does not change. */
  authored: string;
  message: string;
  /** The note of git-ai; empty if there is none. */
  note: string;
}

/** A line, or a whole file, in a checkout. */
export interface LineTarget {
  checkout: string;
  /** Relative to the checkout. */
  path: string;
  /** From 1; absent for a whole file. */
  line?: number;
}

/** The place of a line in the commit that wrote the line. */
export interface LineOrigin {
  commit: string;
  path: string;
  line: number;
  text: string;
}

const NOTES = "refs/notes/ai";
const FORMAT = "%H%x00%P%x00%an%x00%at%x00%B%x00%N";

/**
 * Finds the commit that wrote a line.
 *
 * @returns undefined if the line is not committed
 * @throws {AgentxError} `NOT_FOUND` if git has no such file or line; `IO_ERROR`
 */
export async function lineOrigin(
  target: LineTarget & { line: number },
): Promise<LineOrigin | undefined> {
  const { path, line } = target;
  const range = `-L${line},${line}`;
  const blame = ["-c", "core.quotePath=false", "blame", "--no-textconv", "--porcelain"];
  const shown = await ask(target, [...blame, range, "--", path]);
  const [, commit, number] = /^([0-9a-f]+) (\d+) /.exec(shown) ?? [];
  if (commit === undefined || /^0+$/.test(commit)) return undefined;
  const [, named = path] = /^filename (.*)$/m.exec(shown) ?? [];
  const [, text = ""] = /^\t(.*)$/m.exec(shown) ?? [];
  return { commit, path: named, line: Number(number), text };
}

/**
 * Reads a commit.
 *
 * @param name the commit; by default the latest one that changed the file
 * @returns undefined if no commit contains the file
 * @throws {AgentxError} `IO_ERROR`
 */
export async function commitOf(target: LineTarget, name?: string): Promise<LineCommit | undefined> {
  const place = name === undefined ? ["--", target.path] : [name];
  const args = ["log", "-1", "-s", "--no-notes", `--notes=${NOTES}`, `--format=${FORMAT}`];
  const shown = await ask(target, [...args, ...place]);
  if (shown === "") return undefined;
  const [id, parents, author, authored, message, note] = shown.split("\0");
  return {
    id,
    parents: parents.split(" ").filter((parent) => parent !== ""),
    author,
    authored: isoTime(Number(authored) * 1000),
    message: message.trimEnd(),
    note: note.trim(),
  };
}

/** Returns whether a commit came into the current branch by a merge of a step branch of an issue. */
export async function isOfStep(
  target: LineTarget,
  commit: string,
  issue: number,
): Promise<boolean> {
  const which = ["--first-parent", "--merges", `--grep=^Merge branch 'agentx/${issue}-`];
  const merges = (await ask(target, ["log", "--format=%H", ...which])).split("\n").filter(Boolean);
  for (const merge of merges) {
    const brought = await ask(target, ["log", "--format=%H", `${merge}^1..${merge}`]);
    if (brought.split("\n").includes(commit)) return true;
  }
  return false;
}

async function ask({ checkout, path, line }: LineTarget, args: readonly string[]): Promise<string> {
  try {
    return await runGit(checkout, args, { action: "look up a line", confinement: LOOKS_ONLY });
  } catch (error) {
    const said = hasCode(error, "IO_ERROR") ? error.message.split("\n", 1)[0] : "";
    if (!/no such (?:path|ref)|has only \d+ lines?|not have any commits/.test(said)) throw error;
    const id = line === undefined ? path : `${path}:${line}`;
    throw new AgentxError("NOT_FOUND", `Git has no "${id}": ${said.replace(/^.*fatal: /, "")}`, {
      details: { kind: "line", id },
      next: "Name a file that is committed, and a line that it has",
    });
  }
}
