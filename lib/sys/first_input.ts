/**
 * Looking at what comes first on standard input, before what reads it is loaded.
 *
 * @module
 */

import process from "node:process";

/**
 * Waits for standard input and leaves there what came, for whoever reads it next.
 *
 * @returns the text of the first chunk; null where it ended before, or the wait was aborted
 */
export function firstInput(signal: AbortSignal): Promise<string | null> {
  const { stdin } = process;
  return new Promise((resolve) => {
    const look = () => {
      stdin.off("readable", look).off("error", look);
      signal.removeEventListener("abort", look);
      const chunk = signal.aborted || stdin.destroyed ? null : stdin.read();
      if (chunk !== null) stdin.unshift(chunk);
      resolve(chunk === null ? null : String(chunk));
    };
    stdin.on("readable", look).on("error", look);
    signal.addEventListener("abort", look);
  });
}
