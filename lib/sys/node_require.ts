// CommonJS in a bundle of ES modules: such a package asks for modules of Node by a `require` that is not there.

import { builtin } from "./builtin.ts";

/** Loads a package that is CommonJS. */
export async function withRequire<T>(load: () => Promise<T>): Promise<T> {
  const all = globalThis as { require?: unknown };
  const before = all.require;
  all.require ??= builtin;
  try {
    return await load();
  } finally {
    if (before === undefined) delete all.require;
  }
}
