// Groups and counts values by a key. `Map.groupBy` does not exist in the oldest supported version of Node.

/** Adds a value to the list of a key. */
export function addTo<Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}

/** Groups values by key; each group keeps their order. */
export function groupBy<Key, Value>(
  values: Iterable<Value>,
  keyOf: (value: Value) => Key,
): Map<Key, Value[]> {
  const lists = new Map<Key, Value[]>();
  for (const value of values) addTo(lists, keyOf(value), value);
  return lists;
}

/** Counts names; returns the most frequent first, and equal counts in the order of the names. */
export function countNames(names: readonly string[]): { name: string; count: number }[] {
  return Array.from(
    groupBy(names, (name) => name),
    ([name, { length: count }]) => ({ name, count }),
  )
    .sort((a, b) => b.count - a.count);
}
