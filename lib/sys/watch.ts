// Watches for changes below a folder. Node's module is loaded when a watch starts, because every other command would
// pay for it.

/**
 * Watches a folder and everything below it. Returns a function that stops the watch; undefined if the system cannot
 * watch the folder. The system may report too many changes, and for some disks, such as those of other machines,
 * none.
 */
export async function watchFolder(
  path: string,
  onChange: () => void,
): Promise<(() => void) | undefined> {
  const { watch } = await import("node:fs");
  try {
    const watcher = watch(path, { recursive: true }, onChange);
    watcher.on("error", () => watcher.close()); // the folder is also checked from time to time
    return () => watcher.close();
  } catch {
    return undefined; // the system limits the number of watches
  }
}
