/**
 * Faults of the operating system, injected at `sys`.
 *
 * @module
 */

import { ioError } from "../../lib/sys/io_error.ts";
import { type OpenFile, sys, type System } from "../../lib/sys/mod.ts";

/**
 * Replaces a part of `sys` until the end of the block that is `using` the result.
 *
 * @param name which part
 * @param fake makes the replacement from the real one
 */
export function replace<Name extends keyof System>(
  name: Name,
  fake: (real: System[Name]) => System[Name],
): Disposable {
  const real = sys[name];
  const parts: { -readonly [Part in keyof System]: System[Part] } = sys;
  parts[name] = fake(real);
  return { [Symbol.dispose]: () => void (parts[name] = real) };
}

/**
 * Replaces parts of the files that are created or opened at `sys`.
 *
 * @param matches the paths concerned
 * @param change makes the replacement from the real file
 */
export function replaceFiles(
  matches: RegExp,
  change: (file: OpenFile, path: string) => Partial<OpenFile>,
): Disposable {
  const wrap = (file: OpenFile | undefined, path: string): OpenFile | undefined =>
    file === undefined || !matches.test(path) ? file : {
      info: () => file.info(),
      tryLock: () => file.tryLock(),
      read: (maxBytes) => file.read(maxBytes),
      readAt: (offset, length) => file.readAt(offset, length),
      fill: (text) => file.fill(text),
      writeAt: (text, offset) => file.writeAt(text, offset),
      truncate: (size) => file.truncate(size),
      sync: () => file.sync(),
      close: () => file.close(),
      ...change(file, path),
    };
  const stack = new DisposableStack();
  stack.use(replace("createFile", (real) => (path, mode) => wrap(real(path, mode), path)));
  stack.use(replace("openFile", (real) => (path, options) => wrap(real(path, options), path)));
  return stack;
}

/**
 * @param errno such as `ENOSPC`
 * @param path where it happens
 * @returns what `sys` throws for it
 */
export function fault(errno: string, path = "/injected"): Error {
  return ioError("write", path, Object.assign(new Error(errno), { code: errno }));
}

/** A world without kernel locks, as Node and Bun know it. */
export function withoutKernelLock(): Disposable {
  return replaceFiles(/\.lock$/, () => ({ tryLock: () => undefined }));
}
