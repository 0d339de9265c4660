// The only module that accesses the operating system. All other modules use `sys`. Tests inject faults by replacing
// one of its functions.
//
// The implementation uses the `node:` modules, which every runtime has; only the kernel lock of a file uses Deno's
// own functions. On Deno, the `node:` modules make a start about 40 ms slower than Deno's functions, but those would
// be a second system to maintain.

import type { System } from "./system.ts";
import { nodeSystem } from "./node.ts";

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
export const sys: System = nodeSystem();
