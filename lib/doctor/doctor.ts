// Examines everything that the toolkit relies on, and makes the safe repairs.
//
// Without `isFixing` it changes nothing. With it, it removes files of dead owners under their locks, removes secrets
// from the state, resolves leftovers of merges in issues and memory, adds missing lines to `.gitignore` and
// `.gitattributes`, and makes git forget the state that it tracks. That state stays on disk.

import type { CommandEntry } from "../cli/command.ts";
import { FileLockManager } from "../lock/mod.ts";
import { sys } from "../sys/mod.ts";
import { findWorkspace, type WorkspacePlace } from "../workspace/find.ts";
import { originOf } from "../workspace/state_origin.ts";
import { failure, type Finding, ok } from "./finding.ts";
import { examineGitHooks } from "./git_hooks.ts";
import { examineFrontMatter } from "./front_matter.ts";
import { examineLocks } from "./locks.ts";
import { examineMachines } from "./machines.ts";
import { examineModes } from "./modes.ts";
import {
  examineGitLines,
  examineHead,
  examineLog,
  examineWorktree,
  examineWriting,
} from "./place.ts";
import { examineSchedules } from "./schedules.ts";
import { examineSecrets } from "./secrets.ts";
import { examineSettings } from "./settings.ts";
import { examineState } from "./state_files.ts";
import { examineTracked } from "./tracked.ts";

const MAX_WAIT_MS = 1_000;

/**
 * Checks the workspace around a folder; each check returns one finding or more. `commands` are the commands that
 * scheduled tasks may run.
 */
export async function examineWorkspace(
  from: string,
  { isFixing, commands }: { isFixing: boolean; commands: readonly CommandEntry[] },
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
    ["schedules", () => examineSchedules({ root, locks }, commands)],
    ["roles", () => examineFrontMatter(root)],
    [
      "state",
      () => examineState({ home, locks, nowMs, origin: originOf(root), isFixing }),
    ],
    ["machines", () => examineMachines(place)],
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
