// Looking at what comes first on standard input, before what reads it is loaded.

import process from "node:process";

/**
 * Waits for standard input, and leaves what came there for the next reader. Null where it ended
 * before, or the wait was aborted.
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
