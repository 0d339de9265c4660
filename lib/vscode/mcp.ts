// Contributes our MCP server to the editor, so that each of its chats has our tools: one server a workspace, which
// starts there, since the editor would start it in the person's home.

import type * as vscode from "vscode";
import { VERSION } from "../base/version.ts";
import type { Editor } from "./editor.ts";

/** The provider of the servers. */
export interface Servers extends vscode.Disposable {
  /** Has the editor ask again. */
  changed(): void;
}

/**
 * @param program the words that start agentx
 * @returns what ends it; none is offered while the window is restricted
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
