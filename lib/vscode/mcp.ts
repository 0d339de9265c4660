// Offers the MCP server of agentx to the editor, so that each chat has its tools. Each workspace has its own server,
// with the workspace as its working folder; by default, the editor would start it in the person's home folder.

import type * as vscode from "vscode";
import { VERSION } from "../base/version.ts";
import type { Editor } from "./editor.ts";

/** The provider of the servers. */
export interface Servers extends vscode.Disposable {
  /** Makes the editor ask for the servers again. */
  changed(): void;
}

/**
 * Registers the servers of all workspaces. In a restricted window, none is offered.
 *
 * @param program the program and arguments that start agentx
 * @returns the registration; disposing of it removes the servers
 */
export function provideServers(
  { vscode, places }: Editor,
  [command, ...args]: readonly string[],
): Servers {
  const changed = new vscode.EventEmitter<void>();
  const registered = vscode.lm.registerMcpServerDefinitionProvider("agentx", {
    onDidChangeMcpServerDefinitions: changed.event,
    provideMcpServerDefinitions() {
      if (!vscode.workspace.isTrusted) return [];
      const isOne = places().length === 1;
      return places().map(({ root, name }) => {
        const server = new vscode.McpStdioServerDefinition(
          isOne ? "AgentX" : `AgentX: ${name}`,
          command,
          [...args, "mcp", "--root", root],
          { ELECTRON_RUN_AS_NODE: "1" },
          VERSION,
        );
        server.cwd = vscode.Uri.file(root);
        return server;
      });
    },
  });
  return {
    changed: () => changed.fire(),
    dispose: () => [changed.dispose(), registered.dispose()],
  };
}
