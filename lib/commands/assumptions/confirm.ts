import { judgeCommand } from "./judge.ts";

/** A confirmed assumption becomes an observation in memory. */
export const command = judgeCommand("confirm", "confirmed", "It is what we run everywhere");
