// Finds cycles in a graph of waiting agents. Pure.

/** Maximum number of cycles to find. A graph with many cycles through a few nodes has more than a reader wants. */
const MAX_CYCLES = 100;

/**
 * Finds cycles in one walk over the graph: at most one for each node that closes a cycle, and a hundred in all. Below
 * that number, every node that waits for itself is in a cycle that is found, or waits for a node that is in one.
 */
export function cyclesIn<T>(next: ReadonlyMap<T, readonly T[]>): T[][] {
  const cycles: T[][] = [];
  const seen = new Set<T>();
  for (const start of next.keys()) {
    const path: T[] = [];
    const onPath = new Map<T, number>();
    const closed = new Set<T>();
    const todo: Array<{ node: T; rest: Iterator<T> }> = [];
    const enter = (node: T) => {
      seen.add(node);
      onPath.set(node, path.push(node) - 1);
      todo.push({ node, rest: (next.get(node) ?? [])[Symbol.iterator]() });
    };
    if (!seen.has(start)) enter(start);
    for (let top = todo.at(-1); top !== undefined; top = todo.at(-1)) {
      const { value: node, done } = top.rest.next();
      if (done) {
        todo.pop();
        path.pop();
        onPath.delete(top.node);
      } else if (!seen.has(node)) {
        enter(node);
      } else if (onPath.has(node) && !closed.has(node)) {
        closed.add(node);
        if (cycles.push(path.slice(onPath.get(node))) === MAX_CYCLES) return cycles;
      }
    }
  }
  return cycles;
}
