// Limits the rate of changes. GitHub allows an account 80 posts a minute and 500 an hour. All clones of a user share
// one count, which is in the user's own state folder. An attempt without an answer gets some time to take effect.

import { isObject } from "../base/checks.ts";
import { userStateFolder } from "../config/user_folders.ts";
import { FileLockManager, JsonFile } from "../lock/mod.ts";
import { sys } from "../sys/mod.ts";

const HOUR_MS = 60 * 60_000;

/** Below the limits of GitHub, because the user also posts by hand. */
const LIMITS: readonly [withinMs: number, posts: number][] = [[60_000, 70], [HOUR_MS, 450]];

/** Time after which an attempt without an answer has almost certainly taken effect or failed. */
export const SETTLE_MS = 5_000;

/** Waits until {@linkcode SETTLE_MS} have passed since an attempt, an ISO-8601 time. */
export async function waitToSettle(tried: string, signal?: AbortSignal): Promise<void> {
  const leftMs = Date.parse(tried) + SETTLE_MS - sys.now();
  if (leftMs > 0) await sys.wait(Math.min(leftMs, SETTLE_MS), signal);
}

/** Waits for the right to post once. Throws `LOCK_TIMEOUT`, and the reason of an abort. */
export async function waitToPost(host: string, signal?: AbortSignal): Promise<void> {
  for (let waitMs; (waitMs = await takePost(host)) > 0;) await sys.wait(waitMs, signal);
}

/**
 * Takes the right to post once and returns 0, or returns the milliseconds to wait before asking again. Throws
 * `LOCK_TIMEOUT`.
 */
export async function takePost(host: string): Promise<number> {
  const folder = userStateFolder();
  if (folder === undefined) return 0;
  sys.makeDir(folder, 0o700);
  const path = `${folder}/github-posts.json`;
  const file = new JsonFile<Record<string, number[]>>(path, new FileLockManager(), {
    problemWith: (value) => isObject(value) ? undefined : "it must hold times by host",
    kind: "state",
    fsync: false,
  });
  return await file.updateReturning("github", (all = {}) => {
    const nowMs = sys.now();
    const before = Object.hasOwn(all, host) ? all[host] : [];
    const times = before.filter((time) => time > nowMs - HOUR_MS && time <= nowMs);
    const waits = LIMITS.map(([withinMs, posts]) => {
      const first = times.at(-posts);
      return first === undefined ? 0 : Math.max(0, first + withinMs - nowMs);
    });
    const waitMs = Math.max(...waits);
    return { value: { ...all, [host]: waitMs > 0 ? times : [...times, nowMs] }, result: waitMs };
  });
}
