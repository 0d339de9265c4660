/**
 * Counts the steps of work that goes through sets, maps and lists, instead of measuring its time.
 *
 * @module
 */

/** How many elements a call looks at. */
const COSTS: Array<[object: object, method: string, cost: (self: unknown) => number]> = [
  [Set.prototype, "add", () => 1],
  [Set.prototype, "has", () => 1],
  [Map.prototype, "get", () => 1],
  [Map.prototype, "set", () => 1],
  [Map.prototype, "has", () => 1],
  [Object, "keys", () => 1],
  [Array.prototype, "push", () => 1],
  [Array.prototype, "find", (self) => (self as unknown[]).length],
  [Array.prototype, "indexOf", (self) => (self as unknown[]).length],
  [Array.prototype, "includes", (self) => (self as unknown[]).length],
  [Array.prototype, "slice", (self) => (self as unknown[]).length],
];

/**
 * @param work nothing else may run meanwhile
 * @returns the number of elements that its calls of methods such as `Set.add` have looked at
 */
export async function countSteps(work: () => unknown): Promise<number> {
  let steps = 0;
  const restore = COSTS.map(([object, method, cost]) => {
    const descriptor = Object.getOwnPropertyDescriptor(object, method)!;
    const value = function (this: unknown, ...args: unknown[]) {
      steps += cost(this);
      return descriptor.value.apply(this, args);
    };
    Object.defineProperty(object, method, { ...descriptor, value });
    return () => Object.defineProperty(object, method, descriptor);
  });
  try {
    await work();
  } finally {
    restore.forEach((each) => each());
  }
  return steps;
}

/**
 * @param work takes an input of this size
 * @param size of the smaller input
 * @returns how many times as many steps an input of eight times the size takes: 8 where the work is
 *   linear, 64 where it grows with the square
 */
export async function growth(work: (size: number) => unknown, size: number): Promise<number> {
  return await countSteps(() => work(8 * size)) / await countSteps(() => work(size));
}
