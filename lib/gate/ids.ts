// Ids of the gate: `ASK-001` for a question to the human, `ASM-001` for an assumption. Pure.
//
// The ids do not contain an issue number, because an issue can be renumbered.

interface Named {
  id: string;
}

/** Returns the id after the highest one. `lastId` was given to a record that may have been removed. */
export function nextId(kind: "ASK" | "ASM", before: readonly Named[], lastId?: string): string {
  const highest = Number(highestId(before, lastId)?.slice(4) ?? 0);
  return `${kind}-${String(highest + 1).padStart(3, "0")}`;
}

/** Returns the highest id given so far. */
export function highestId(records: readonly Named[], lastId?: string): string | undefined {
  const numberOf = (id = "") => Number(id.slice(4));
  return records.reduce((max, { id }) => numberOf(id) > numberOf(max) ? id : max, lastId);
}
