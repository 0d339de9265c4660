/**
 * The tools that a workspace gives to a model. A call that was cut off may be made again under its id:
 * what it did carries the id, and is found by it.
 *
 * A further tool of the workspace, such as one that asks the human, has its place in this list.
 *
 * @module
 */

import type { LoopParts } from "../loop_parts.ts";
import type { LoopTool } from "../tool.ts";
import { clarifyTools } from "./clarify_tools.ts";
import { fileTool } from "./file_tool.ts";
import { issueTools } from "./issue_tools.ts";
import { memoryTools } from "./memory_tools.ts";

/**
 * Makes the tools of a workspace.
 *
 * @param parts a workspace
 * @returns its tools: issues, memory, clarifications, and reading files
 */
export function workspaceTools(
  { tree, issues, memory, ledger }: Pick<LoopParts, "tree" | "issues" | "memory" | "ledger">,
): LoopTool[] {
  return [fileTool(tree), ...issueTools(issues), ...memoryTools(memory), ...clarifyTools(ledger)];
}
