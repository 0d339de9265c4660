// Ids of the gate: `ASK-001` of a question to the human, `ASM-001` of an assumption. Pure.
//
// They name no issue, which may get another number.

/** Something with an id. */
interface Named {
  id: string;
}

/** The id after the highest one; `lastId` is one that was given and may be gone. */
export function nextId(kind: "ASK" | "ASM", before: readonly Named[], lastId?: string): string {
  const highest = Number(highestId(before, lastId)?.slice(4) ?? 0);
  return `${kind}-${String(highest + 1).padStart(3, "0")}`;
}

/** The highest id that was ever given. */
export function highestId(records: readonly Named[], lastId?: string): string | undefined {
  const numberOf = (id = "") => Number(id.slice(4));
  return records.reduce((max, { id }) => numberOf(id) > numberOf(max) ? id : max, lastId);
}
