// Compares the bytes of files. Pure.

/** Whether two files have the same content. Two missing files count as the same. */
export function isSameContent(one: Uint8Array | undefined, other: Uint8Array | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return one.length === other.length && one.every((byte, at) => byte === other[at]);
}
