// Finds the leftovers of dead writers: locks, claims to locks, temporary files, and notes of runs.

import { RunFiles } from "../agents/run_files.ts";
import { ClarificationLedger } from "../clarify/ledger/ledger.ts";
import { Runs } from "../clarify/runs/runs.ts";
import { isUnanswered } from "../clarify/schema.ts";
import { AgentxError, hasCode, orElse } from "../base/errors.ts";
import {
  inspectLock,
  isLeftover,
  removeAbandonedLock,
  removeLeftover,
  targetOfTemporary,
} from "../lock/inspect.ts";
import type { FileLockManager } from "../lock/mod.ts";
import { sys } from "../sys/mod.ts";
import { formatDuration } from "../base/time.ts";
import { GIT_LINES } from "../workspace/init.ts";
import { fromFuture } from "./clock.ts";
import { failure, type Finding, fixed, ok, warn } from "./finding.ts";

export interface ExamineLocksOptions {
  root: string;
  locks: FileLockManager;
  nowMs: number;
  /** Whether to remove the leftovers of dead owners. */
  isFixing: boolean;
}

/** Folders that may contain locks, at any depth. */
const FOLDERS = ["state", "issues", "memory", "digests"];

/** Maximum size of a lock file of agentx; a larger file with the name of a lock is not one. */
const MAX_LOCK_BYTES = 2_048;

/** A lock that is held longer suggests that its owner hangs. */
const LONG_MS = 30_000;

/** Returns a finding for each lock and each leftover, or one finding that there is none. */
export async function examineLocks(options: ExamineLocksOptions): Promise<Finding[]> {
  const { root } = options;
  const home = `${root}/.agentx`;
  const paths = [
    ...Object.keys(GIT_LINES).flatMap((name) =>
      filesIn(root).filter((path) => path.startsWith(`${root}/${name}.`))
    ),
    ...filesIn(home),
    ...FOLDERS.flatMap((folder) => filesBelow(`${home}/${folder}`)),
  ];
  const findings: Finding[] = [];
  // Shorter names come first, because taking over a lock also settles the claims to it.
  const lockPaths = paths.filter((path) => path.endsWith(".lock"));
  for (const path of lockPaths.sort((a, b) => a.length - b.length)) {
    findings.push(...await examine(path, () => examineLock(path, options)));
  }
  for (const path of paths.filter((path) => targetOfTemporary(path) !== undefined)) {
    findings.push(...await examine(path, () => examineTemporary(path, options)));
  }
  const ledger = new ClarificationLedger(`${home}/state/clarifications`, options.locks);
  const isOpen = (id: string) => isUnansweredIn(ledger, id);
  for (const path of new Runs(`${home}/state/runs`).leftovers(isOpen)) {
    findings.push(...await examine(path, () => Promise.resolve(examineRun(path, options))));
  }
  return findings.length > 0 ? findings : [ok("locks", "none are held, none are left over")];
}

async function examine(path: string, look: () => Promise<Finding[]>): Promise<Finding[]> {
  try {
    return await look();
  } catch (error) {
    if (!hasCode(error, "LOCK_TIMEOUT")) return [failure("locks", error)];
    return [ok("locks", `"${path}" is in use again`)];
  }
}

async function examineLock(
  path: string,
  { locks, nowMs, isFixing }: ExamineLocksOptions,
): Promise<Finding[]> {
  const lock = inspectLock(path);
  if (lock === undefined) return []; // the lock was released or taken over
  const { holder } = lock;
  const sinceMs = Date.parse(holder?.timestamp ?? "");
  const findings = fromFuture(path, sinceMs, nowMs);
  const who = holder === null
    ? "an unknown owner"
    : `${holder.agent} (process ${holder.pid} on ${holder.host ?? "an unknown host"})`;
  if (lock.state === "held") return [...findings, heldLock(path, who, nowMs - sinceMs)];
  if ((sys.lstat(path)?.size ?? 0) > MAX_LOCK_BYTES) {
    const next = "Move it aside; agentx keeps a small lock file there while it writes";
    return [...findings, warn("locks", `"${path}" is not an agentx lock`, next)];
  }
  if (holder === null) {
    const next = "The next writer takes it over; move it aside if it is not an agentx lock";
    return [...findings, warn("locks", `"${path}" does not name its owner`, next)];
  }
  if (!isFixing) {
    const next = "The next writer takes it over; agentx doctor --fix removes it now";
    return [...findings, warn("locks", `"${path}" was left behind by ${who}`, next)];
  }
  await removeAbandonedLock(path, locks);
  const done = `removed "${path}": it was left behind by ${who}`;
  return [...findings, fixed("locks", done)];
}

function heldLock(path: string, who: string, heldMs: number): Finding {
  if (!(heldMs > LONG_MS)) return ok("locks", `"${path}" is held by ${who}`);
  const message = `"${path}" has been held by ${who} for ${formatDuration(heldMs)}`;
  return warn("locks", message, "Check whether that process hangs, and stop it if so");
}

async function examineTemporary(
  path: string,
  { locks, isFixing }: ExamineLocksOptions,
): Promise<Finding[]> {
  if (!isLeftover(path)) return [];
  if (!isFixing) {
    const message = `"${path}" was left behind by a writer that died`;
    return [warn("locks", message, "Remove it with: agentx doctor --fix")];
  }
  if (!await removeLeftover(path, locks)) return [];
  const done = `removed "${path}", which a writer that died left behind`;
  return [fixed("locks", done)];
}

function examineRun(path: string, { isFixing }: ExamineLocksOptions): Finding[] {
  if (!isFixing) {
    const message = `"${path}" was left behind by a run that was killed`;
    return [warn("locks", message, "Remove it with: agentx doctor --fix")];
  }
  if (sys.lstat(`${path}.lock`) !== undefined) return []; // another run has begun
  if (path.endsWith(".run")) new RunFiles(path, "").remove();
  else sys.removeFile(path);
  return [fixed("locks", `removed "${path}", which a killed run left behind`)];
}

/** Whether a question is unanswered. Returns true for an unreadable ledger, so that its files are kept. */
function isUnansweredIn(ledger: ClarificationLedger, id: string): boolean {
  try {
    return isUnanswered(ledger.getById(id));
  } catch (error) {
    if (error instanceof AgentxError) return error.code !== "NOT_FOUND";
    throw error;
  }
}

function filesIn(folder: string): string[] {
  return sys.readDir(folder).map((name) => `${folder}/${name}`);
}

function filesBelow(folder: string): string[] {
  // Another check reports a folder that cannot be listed.
  return orElse(
    [],
    () =>
      filesIn(folder).flatMap((path) =>
        sys.lstat(path)?.kind === "directory" && !path.endsWith(".lock") ? filesBelow(path) : [path]
      ),
  );
}
