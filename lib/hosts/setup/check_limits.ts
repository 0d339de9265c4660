/**
 * Whether a host waits long enough for a tool and for a hook.
 *
 * @module
 */

import type { JsonObject } from "../../checks.ts";
import { commandFor, type Installation, type Problem } from "./installation.ts";
import type { HostName } from "./host_names.ts";
import { HOSTS, type Limit } from "./hosts.ts";

/** A hook needs less, but a busy machine may need so long to start it. */
const MIN_HOOK_MS = 2_000;

/** As long as a tool waits without a word of its configuration. */
const USUAL_WAIT_MS = 60_000;

/** @returns the limits that are too short */
export function checkLimits(installation: Installation): Problem[] {
  const { host, files } = installation;
  return [...files].flatMap(([path, found]) =>
    found.flatMap(({ at, value }): Problem[] => {
      const isHook = at[0] === "hooks";
      const limitMs = isHook ? hookLimitMs(host, value) : toolLimitMs(host, value);
      const neededMs = isHook ? MIN_HOOK_MS : waitMs(value);
      if (limitMs === undefined || limitMs > neededMs) return [];
      const what = isHook ? `the hook of ${at.at(-1)}` : "a tool";
      const [limit, needed] = [limitMs, neededMs].map((ms) => `${ms / 1_000} s`);
      return [{
        level: "fail",
        problem: "time-out",
        message: `"${path}" allows ${what} ${limit}, but it may take ${needed}`,
        next: `Raise the limit, or write it again with: ${commandFor(installation)}`,
      }];
    })
  );
}

function hookLimitMs(host: HostName, value: JsonObject): number | undefined {
  return limitMs(HOSTS[host].limits.hook, value);
}

function toolLimitMs(host: HostName, value: JsonObject): number | undefined {
  return limitMs(HOSTS[host].limits.tool, value);
}

function limitMs(limit: Limit | undefined, value: JsonObject): number | undefined {
  if (limit === undefined) return undefined;
  const given = value[limit.key];
  return typeof given === "number" ? given * limit.unitMs : limit.defaultMs;
}

function waitMs({ args, command }: JsonObject): number {
  const words = [command, args].flat();
  const seconds = /^(\d+)s$/.exec(String(words[words.indexOf("--wait") + 1]))?.[1];
  return seconds === undefined ? USUAL_WAIT_MS : Number(seconds) * 1_000;
}
