// The changes of a merge that a person sees before it: those of files that start a program or instruct an agent.

import { objectOf, tryParseJson } from "../base/checks.ts";
import { AgentxError, hasCode } from "../base/errors.ts";
import { runGit } from "../git/run_git.ts";
import { type FileEffect, repositoryFile } from "../hosts/repository_files.ts";
import { encodeJson } from "../text/text.ts";

/** A change that is shown. */
export interface ShownChange {
  /** Relative to the checkout. */
  path: string;
  effect: FileEffect;
  /** As git prints it. */
  diff: string;
}

/** The place of a merge, and the person to ask. */
export interface MergeConsent {
  issueNumber: number;
  checkout: string;
  signal?: AbortSignal;
  /** Shows changes to a person, who may agree; a text says why nobody is there. */
  agrees: (changes: ShownChange[]) => Promise<boolean | string>;
}

/** @throws {AgentxError} `NOT_READY` unless a person agrees to what branches change, the last one first */
export async function agreeToMerge(
  branches: readonly string[],
  { issueNumber, checkout, signal, agrees }: MergeConsent,
): Promise<void> {
  const git = (...args: string[]) => runGit(checkout, args, { action: "merge", signal });
  const changes = new Map<string, ShownChange>();
  for (const branch of branches) {
    const names = await git("diff", "--name-only", "-z", "--no-renames", `HEAD...${branch}`);
    for (const path of names.split("\0")) {
      const row = repositoryFile(path);
      if (row === undefined || changes.has(path)) continue;
      const isShown = row.path !== "package.json" ||
        await scriptsOf(`HEAD:${path}`, git) !== await scriptsOf(`${branch}:${path}`, git);
      if (!isShown) continue;
      const diff = await git("diff", ...PLAIN, `HEAD...${branch}`, "--", path);
      changes.set(path, { path, effect: row.effect, diff });
    }
  }
  if (changes.size === 0) return;
  const agreed = await agrees([...changes.values()]);
  if (agreed === true) return;
  const named = [...changes.keys()].join(", ");
  const why = agreed === false ? "you did not agree to" : `${agreed}, to agree to`;
  const reasons = [`${why} its changes of ${named}`];
  throw new AgentxError("NOT_READY", `Cannot merge #${issueNumber}: ${reasons[0]}`, {
    details: { issueNumber, reasons },
    next: `A person decides at a terminal: agentx workflow merge ${issueNumber}`,
  });
}

/** No program of the repository's settings has a part in it. */
const PLAIN = ["--no-ext-diff", "--no-textconv", "--no-color", "--no-renames"];

/** The scripts of a `package.json`; none where it is not in the commit. */
async function scriptsOf(
  name: string,
  git: (...args: string[]) => Promise<string>,
): Promise<string> {
  try {
    return encodeJson(objectOf(tryParseJson(await git("cat-file", "blob", name))).scripts ?? {});
  } catch (error) {
    if (hasCode(error, "IO_ERROR")) return "{}";
    throw error;
  }
}
