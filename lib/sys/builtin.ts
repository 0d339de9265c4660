// Loads modules of the runtime at their first use. An `import` of such a module reads every export of it: for
// `node:process` this opens the standard streams, and for `node:fs` it loads its promises and streams.

import { createRequire } from "node:module";

interface Builtins {
  "node:async_hooks": typeof import("node:async_hooks");
  "node:child_process": typeof import("node:child_process");
  "node:fs": typeof import("node:fs");
  "node:os": typeof import("node:os");
  "node:timers": typeof import("node:timers");
  "node:tty": typeof import("node:tty");
}

/** Loads a module of the runtime. */
export const builtin: <Name extends keyof Builtins>(name: Name) => Builtins[Name] = createRequire(
  "/",
);

/** The runtime's global object for this process. */
export const { process } = globalThis as unknown as {
  process: typeof import("node:process");
};

/** Whether a stream is a terminal. Only a device can be a terminal, so the check of other streams loads no module. */
export function isTerminal(stream: number): boolean {
  try {
    const isDevice = builtin("node:fs").fstatSync(stream).isCharacterDevice();
    return isDevice && builtin("node:tty").isatty(stream);
  } catch {
    return false; // the stream is closed
  }
}
