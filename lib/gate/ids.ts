// Ids of the gate: `ASK-001` of a question to the human, `ASM-001` of an assumption. Pure.
//
// They name no issue, which may get another number.

/** The id after the highest one. */
export function nextId(kind: "ASK" | "ASM", before: readonly { id: string }[]): string {
  const highest = before.reduce((max, { id }) => Math.max(max, Number(id.slice(4))), 0);
  return `${kind}-${String(highest + 1).padStart(3, "0")}`;
}

/** The whole id of a text such as `ASK-1`, `ask-001` or `1`; any other text as it is. */
export function wholeId(kind: "ASK" | "ASM", text: string): string {
  const [, digits] = new RegExp(`^(?:${kind}-)?0*([1-9][0-9]{0,8})$`, "i").exec(text) ?? [];
  return digits === undefined ? text : `${kind}-${digits.padStart(3, "0")}`;
}
