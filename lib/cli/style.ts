/**
 * Whether a stream gets colour.
 *
 * @module
 */

import { makeStyle, type Style } from "../text/style.ts";
import type { Io } from "./io.ts";

/**
 * The marks that suit a stream: real ones on a terminal, none elsewhere. `NO_COLOR` turns them off,
 * `FORCE_COLOR` turns them on, and where both are set `NO_COLOR` wins.
 */
export function styleFor(io: Io, stream: "stdout" | "stderr"): Style {
  return makeStyle(wantsColour(io, stream));
}

function wantsColour(io: Io, stream: "stdout" | "stderr"): boolean {
  if (io.env("NO_COLOR")) return false;
  const force = io.env("FORCE_COLOR");
  if (force) return force !== "0" && force !== "false";
  return io.isTerminal[stream] && io.env("TERM") !== "dumb";
}
