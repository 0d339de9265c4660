/**
 * A wait that Ctrl-C ends.
 *
 * @module
 */

/**
 * Waits, or returns at once when the signal fires or has fired.
 *
 * @param ms for how long
 * @param signal ends it early; what it says is for the caller to look at
 */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener("abort", end);
    if (signal?.aborted) end();
  });
}
