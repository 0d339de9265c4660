// Telling a promise from a value. Pure.

/** Whether a value is a promise, also one of another realm or of a library. */
export function isThenable<T>(value: T | PromiseLike<T>): value is PromiseLike<T> {
  return typeof (value as PromiseLike<T> | null | undefined)?.then === "function";
}
