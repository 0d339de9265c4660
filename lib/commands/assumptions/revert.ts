import { judgeCommand } from "./judge.ts";

/** The observation of a reverted assumption is retracted from memory. */
export const command = judgeCommand("revert", "reverted", "We are leaving JWT");
