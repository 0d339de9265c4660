// Examines everything that the toolkit relies on, and repairs what is safe to repair.
//
// Without `isFixing` nothing is changed. With it, only what no longer has an owner is removed,
// under the locks that protect it, secrets are cut in the state, what merges left in issues and memory
// is cleared up, missing lines are added to `.gitignore` and `.gitattributes`, and git forgets about
// state that it tracks, which stays on disk.

import { FileLockManager } from "../lock/mod.ts";
import { sys } from "../sys/mod.ts";
import { findWorkspace, type WorkspacePlace } from "../workspace/find.ts";
import { originOf } from "../workspace/state_origin.ts";
import { failure, type Finding, ok } from "./finding.ts";
import { examineGitHooks } from "./git_hooks.ts";
import { examineFrontMatter } from "./front_matter.ts";
import { examineLocks } from "./locks.ts";
import { examineModes } from "./modes.ts";
import {
  examineGitLines,
  examineHead,
  examineLog,
  examineWorktree,
  examineWriting,
} from "./place.ts";
import { examineSecrets } from "./secrets.ts";
import { examineSettings } from "./settings.ts";
import { examineState } from "./state_files.ts";
import { examineTracked } from "./tracked.ts";

const MAX_WAIT_MS = 1_000;

/** One finding or more for each check of the workspace that holds a folder. */
export async function examineWorkspace(
  from: string,
  { isFixing }: { isFixing: boolean },
): Promise<Finding[]> {
  let place: WorkspacePlace;
  try {
    place = findWorkspace(from);
  } catch (error) {
    return [failure("workspace", error)];
  }
  const { root } = place;
  const home = `${root}/.agentx`;
  const nowMs = sys.now();
  const locks = new FileLockManager({ maxWaitMs: MAX_WAIT_MS });
  const checks: [check: string, examine: () => Finding[] | Promise<Finding[]>][] = [
    ["worktree", () => examineWorktree(place)],
    ["repository", () => examineHead(place)],
    ["writing", () => examineWriting(home)],
    ["git", () => examineGitLines(root, isFixing)],
    ["git-hooks", () => examineGitHooks(root)],
    ["tracked", () => examineTracked(root, isFixing)],
    ["settings", () => examineSettings(place)],
    ["roles", () => examineFrontMatter(root)],
    [
      "state",
      () => examineState({ home, locks, nowMs, origin: originOf(root), isFixing }),
    ],
    ["secrets", () => examineSecrets({ home, locks, isFixing })],
    ["locks", () => examineLocks({ root, locks, nowMs, isFixing })],
    ["permissions", () => examineModes(home, isFixing)],
    ["log", () => examineLog(`${home}/log`, nowMs)],
  ];
  const findings = [ok("workspace", root)];
  for (const [check, examine] of checks) {
    try {
      findings.push(...await examine());
    } catch (error) {
      findings.push(failure(check, error));
    }
  }
  return findings;
}
