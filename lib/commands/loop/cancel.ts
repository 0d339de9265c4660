import { endCommand } from "./loop.ts";

/** Cancels a loop that is given up. */
export const command = endCommand("cancel", "The design has to change");
