// Sends requests to this machine directly, not through the user's proxy.

import { process } from "./builtin.ts";

const LOOPBACK = ["localhost", "127.0.0.1", "[::1]", "::1"];

/**
 * Keeps `fetch` from sending requests for this machine to the proxy in the environment. Deno and Bun would do so
 * unless the environment also excludes this machine from the proxy. They read the environment at their first
 * request.
 */
export function bypassProxyOnLoopback(): void {
  const { env } = process;
  const listed = (env.NO_PROXY || env.no_proxy || "").split(",").filter(Boolean);
  if (listed.includes("*") || LOOPBACK.every((name) => listed.includes(name))) return;
  env.NO_PROXY = env.no_proxy = [...new Set([...listed, ...LOOPBACK])].join(",");
}
