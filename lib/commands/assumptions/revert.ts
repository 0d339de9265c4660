import { judgeCommand } from "./judge.ts";

/** What memory has of it is retracted. */
export const command = judgeCommand("revert", "reverted", "We are leaving JWT");
