// Shows a person the changes of a merge that need consent: changes of files that start a program or instruct an agent.

import { objectOf, tryParseJson } from "../base/checks.ts";
import { AgentxError, hasCode } from "../base/errors.ts";
import { runGit } from "../git/run_git.ts";
import { type FileEffect, repositoryFile } from "../hosts/repository_files.ts";
import { encodeJson } from "../text/text.ts";

/** A change to show. */
export interface ShownChange {
  /** The path of the file, relative to the checkout. */
  path: string;
  effect: FileEffect;
  /** The diff, as git prints it. */
  diff: string;
}

/** The place of a merge, and the person to ask. */
export interface MergeConsent {
  issueNumber: number;
  checkout: string;
  signal?: AbortSignal;
  /** Shows changes to a person, and returns whether the person agrees; a string tells why no person can be asked. */
  agrees: (changes: ShownChange[]) => Promise<boolean | string>;
}

/**
 * Asks a person to agree to changes of files that start a program or instruct an agent. The branches come with the last
 * step first.
 *
 * @throws {AgentxError} `NOT_READY` unless the person agrees
 */
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
    next: agreed === false
      ? `Send the work back with: agentx issue edit ${issueNumber} -l needs:changes`
      : `A person decides at a terminal: agentx workflow merge ${issueNumber}`,
  });
}

/** Options that keep git from running a program that the repository's settings name. */
const PLAIN = ["--no-ext-diff", "--no-textconv", "--no-color", "--no-renames"];

/** Returns the scripts of a `package.json` as JSON; `{}` if the commit does not have the file. */
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
