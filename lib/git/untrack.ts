// Taking files out of the index of git and keeping them on disk. Git itself is not run: in a stranger's
// clone its settings may name programs. The index is replaced as git does it, under `index.lock`.

import { AgentxError } from "../base/errors.ts";
import { sys } from "../sys/mod.ts";
import { withoutEntries } from "./git_index.ts";
import { repositoryAbove } from "./repository.ts";
import { indexPlace, readBytes, relativeTo } from "./tracked.ts";

/**
 * Takes paths, as `trackedState` gives them, out of the index. Throws `UnreadableIndex` where that
 * cannot be written without git; `IO_ERROR`, also where another process is changing it.
 */
export async function untrack(root: string, paths: readonly string[]): Promise<void> {
  const repository = repositoryAbove(root);
  if (repository === undefined) return;
  const place = indexPlace(root, repository);
  const before = readBytes(place.path);
  if (before === undefined) return;
  const relative = relativeTo(place);
  const removed = new Set(paths);
  const rest = withoutEntries(before, place, (path) => removed.has(relative(path) ?? ""));
  const checksum = await crypto.subtle.digest(
    place.hashBytes === 32 ? "SHA-256" : "SHA-1",
    new Uint8Array(rest),
  );
  const content = new Uint8Array(rest.length + place.hashBytes);
  content.set(rest);
  content.set(new Uint8Array(checksum), rest.length);
  const lock = `${place.path}.lock`;
  sys.writeNewFile(lock, content, { fsync: true });
  try {
    if (!isSame(readBytes(place.path), before)) throw changed(place.path);
    sys.rename(lock, place.path);
  } catch (error) {
    sys.removeFile(lock);
    throw error;
  }
}

function isSame(bytes: Uint8Array | undefined, before: Uint8Array): boolean {
  return bytes?.length === before.length && bytes.every((byte, index) => byte === before[index]);
}

function changed(path: string): AgentxError<"IO_ERROR"> {
  return new AgentxError("IO_ERROR", `Cannot replace "${path}": git has just changed it`, {
    details: { operation: "replace", path, errno: "EBUSY" },
    next: "Try again",
  });
}
