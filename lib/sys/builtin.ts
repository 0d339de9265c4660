// Modules of the runtime, loaded where they are called for. An `import` of one reads every export of it:
// that of `node:process` opens the standard streams, and that of `node:fs` loads its promises and streams.

import { createRequire } from "node:module";

interface Builtins {
  "node:async_hooks": typeof import("node:async_hooks");
  "node:child_process": typeof import("node:child_process");
  "node:fs": typeof import("node:fs");
  "node:os": typeof import("node:os");
  "node:timers": typeof import("node:timers");
  "node:tty": typeof import("node:tty");
}

/** A module of the runtime. */
export const builtin: <Name extends keyof Builtins>(name: Name) => Builtins[Name] = createRequire(
  "/",
);

/** The global of this process. */
export const { process } = globalThis as unknown as {
  process: typeof import("node:process");
};

/** Whether a stream is a terminal. Only a device can be one, so other streams need no module. */
export function isTerminal(stream: number): boolean {
  try {
    const isDevice = builtin("node:fs").fstatSync(stream).isCharacterDevice();
    return isDevice && builtin("node:tty").isatty(stream);
  } catch {
    return false; // it is closed
  }
}
