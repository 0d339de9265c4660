import { endCommand } from "./loop.ts";

/** Ends a loop that meets its criteria. */
export const command = endCommand("complete", "All tests pass, coverage 84%");
