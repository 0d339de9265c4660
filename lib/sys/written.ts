// What this process has put in its place: a failure that comes afterwards must not say that nothing was
// changed, or the same is done twice.

/** The number of the last change, by path. */
const changes = new Map<string, number>();
let count = 0;

/** Notes that a file has its content; not for derived files. */
export function noteWritten(path: string): void {
  changes.set(path, ++count);
}

/** The start for {@linkcode writtenSince}. */
export function writtenSoFar(): number {
  return count;
}

/** The files that were written since then. */
export function writtenSince(mark: number): string[] {
  return [...changes].filter(([, at]) => at > mark).map(([path]) => path);
}
