// Remembers the files that this process has replaced. A failure after such a change must not say that nothing was
// changed, because the change would then be made twice.

/** The number of the last change, by path. */
const changes = new Map<string, number>();
let count = 0;

/** Records that a file has its new content. Derived files are not recorded. */
export function noteWritten(path: string): void {
  changes.set(path, ++count);
}

/** Returns the start mark for {@linkcode writtenSince}. */
export function writtenSoFar(): number {
  return count;
}

/** Returns the files that were written after a mark. */
export function writtenSince(mark: number): string[] {
  return [...changes].filter(([, at]) => at > mark).map(([path]) => path);
}
