// Says that something below a folder has changed, as the system tells it. Node's module is loaded where
// something is watched: every other command would pay for it.

/**
 * Watches a folder and all below it. Returns how to stop; undefined where the system does not tell. It may
 * tell too often, and of some disks, such as those of other machines, not at all.
 */
export async function watchFolder(
  path: string,
  onChange: () => void,
): Promise<(() => void) | undefined> {
  const { watch } = await import("node:fs");
  try {
    const watcher = watch(path, { recursive: true }, onChange);
    watcher.on("error", () => watcher.close()); // it is looked at now and then all the same
    return () => watcher.close();
  } catch {
    return undefined; // as many are watched as the system allows
  }
}
