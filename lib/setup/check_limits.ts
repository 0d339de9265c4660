// Checks whether the timeouts of a host are long enough for the tools and hooks of agentx.

import type { JsonObject } from "../base/checks.ts";
import { fail, type Finding } from "../doctor/finding.ts";
import type { TimeLimit } from "../hosts/host.ts";
import { HOSTS } from "../hosts/hosts.ts";
import { commandFor, type Installation } from "./installation.ts";

/** Minimum time for a hook. It needs less, but may start slowly on a busy machine. */
const MIN_HOOK_MS = 2_000;

/** Time that a tool waits if its configuration does not say otherwise. */
const USUAL_WAIT_MS = 60_000;

/** Returns a problem for each timeout that is too short. */
export function checkLimits(installation: Installation): Finding[] {
  const { host, files } = installation;
  return [...files].flatMap(([path, found]) =>
    found.flatMap(({ at, value }): Finding[] => {
      const isHook = at[0] === "hooks";
      const limitMs = limitIn(value, HOSTS[host].limits[isHook ? "hook" : "tool"]);
      const neededMs = isHook ? MIN_HOOK_MS : waitMs(value);
      if (limitMs === undefined || limitMs > neededMs) return [];
      const what = isHook ? `the hook of ${at.at(-1)}` : "a tool";
      const [limit, needed] = [limitMs, neededMs].map((ms) => `${ms / 1_000} s`);
      return [fail(
        "time-out",
        `"${path}" allows ${what} ${limit}, but it may take ${needed}`,
        `Raise it, or write it again with: ${commandFor(installation)}`,
      )];
    })
  );
}

function limitIn(value: JsonObject, limit: TimeLimit | undefined): number | undefined {
  if (limit === undefined) return undefined;
  const given = value[limit.key];
  return typeof given === "number" ? given * limit.unitMs : limit.defaultMs;
}

function waitMs({ args, command }: JsonObject): number {
  const words = [command, args].flat();
  const seconds = /^(\d+)s$/.exec(String(words[words.indexOf("--wait") + 1]))?.[1];
  return seconds === undefined ? USUAL_WAIT_MS : Number(seconds) * 1_000;
}
