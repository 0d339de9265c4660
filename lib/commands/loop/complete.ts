import { endCommand } from "./loop.ts";

/** Ends a loop whose criteria are met. */
export const command = endCommand("complete", "All tests pass, coverage 84%");
