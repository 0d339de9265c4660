// The only place that touches the operating system. Everything else asks `sys`, which is
// also where tests inject faults, by replacing one of its functions.
//
// Deno's own functions are used where they exist, because loading `node:fs` would more than double
// the start of a command; elsewhere the `node:` modules.

import type { System } from "./system.ts";
import { denoSystem } from "./deno.ts";

export { missingPermission } from "./io_error.ts";

export type { Ancestor } from "./ancestors.ts";
export type { ProcessSpace } from "./process_space.ts";
export type {
  FileInfo,
  FilePart,
  KeyPress,
  OpenFile,
  RunOptions,
  RunResult,
  System,
  WriteOptions,
} from "./system.ts";

/** The operating system under this program. */
export const sys: System = "Deno" in globalThis
  ? denoSystem()
  : (await import("./node.ts")).nodeSystem();
