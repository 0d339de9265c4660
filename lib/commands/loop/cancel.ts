import { endCommand } from "./loop.ts";

/** Gives a loop up. */
export const command = endCommand("cancel", "The design has to change");
