export function assert(expr: unknown, msg?: string): asserts expr;
export function assertEquals<T>(actual: T, expected: T, msg?: string): void;
export function assertThrows<E extends Error>(
  fn: () => unknown,
  ErrorClass: abstract new (...args: never[]) => E,
  msgIncludes?: string,
  msg?: string,
): E;
