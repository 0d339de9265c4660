import { judgeCommand } from "./judge.ts";

/** Its observation is retracted from memory. */
export const command = judgeCommand("revert", "reverted", "We are leaving JWT");
