// Tells a promise from another value. Pure.

/** Whether a value is a promise, including a promise of another realm or of a library. */
export function isThenable<T>(value: T | PromiseLike<T>): value is PromiseLike<T> {
  return typeof (value as PromiseLike<T> | null | undefined)?.then === "function";
}
