// The only place that touches the operating system. Everything else asks `sys`, which is
// also where tests inject faults, by replacing one of its functions.
//
// The `node:` modules, which every runtime has; only the kernel lock of a file is Deno's own. On Deno they
// cost a start some 40 ms more than its own functions, which would be a second system to keep.

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
