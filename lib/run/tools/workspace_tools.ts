// The tools that a workspace offers a model. An interrupted call may be made again under its id: its effect carries
// the id, so the tool finds an earlier effect.

import type { LoopParts } from "../loop_parts.ts";
import type { LoopTool } from "../tool.ts";
import { clarifyTools } from "./clarify_tools.ts";
import { askUserTool } from "./ask_user_tool.ts";
import { fileTool } from "./file_tool.ts";
import { issueTools } from "./issue_tools.ts";
import { memoryTools } from "./memory_tools.ts";

/** The tools for issues, memory, clarifications, the gate to the human, and files. */
export function workspaceTools(
  { tree, issues, memory, ledger, gate }: Pick<
    LoopParts,
    "tree" | "issues" | "memory" | "ledger" | "gate"
  >,
): LoopTool[] {
  return [
    fileTool(tree),
    ...issueTools(issues),
    ...memoryTools(memory),
    ...clarifyTools(ledger),
    askUserTool(gate),
  ];
}
