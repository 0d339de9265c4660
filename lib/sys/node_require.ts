// Loads CommonJS packages in a bundle of ES modules. Such a package loads modules of Node with `require`, which a
// bundle lacks.

import { builtin } from "./builtin.ts";

/** Loads a CommonJS package while a global `require` exists. */
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
