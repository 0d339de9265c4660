// Requests to this machine, past the proxy of its user.

import process from "node:process";

const LOOPBACK = ["localhost", "127.0.0.1", "[::1]", "::1"];

/**
 * Keeps `fetch` from sending what is for a server of this machine to the proxy that the environment names,
 * as Deno and Bun do unless that is said there, too. They read it at their first request.
 */
export function bypassProxyOnLoopback(): void {
  const { env } = process;
  const listed = (env.NO_PROXY || env.no_proxy || "").split(",").filter(Boolean);
  if (listed.includes("*") || LOOPBACK.every((name) => listed.includes(name))) return;
  env.NO_PROXY = env.no_proxy = [...new Set([...listed, ...LOOPBACK])].join(",");
}
