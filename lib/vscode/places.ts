// Finds the workspaces of a window: in its folders, or below them down to the configured depth.

import type * as vscode from "vscode";
import type { Calls } from "./calls.ts";
import type { EditorWorkspace, Vscode } from "./editor.ts";

/** Folders that are not searched for workspaces. */
const SKIPPED = /^(?:\.|node_modules$)/;

/**
 * Finds the workspaces of the window. Unreadable folders are left out; `warn` gets the errors of searches.
 */
export async function findPlaces(
  vscode: Vscode,
  calls: Calls,
  warn: (error: unknown) => void,
): Promise<EditorWorkspace[]> {
  const settings = vscode.workspace.getConfiguration("agentx");
  const below = settings.get("rootPath", "");
  const depth = settings.get("searchDepth", 2);
  const places = new Map<string, EditorWorkspace>();
  for (const { name, uri } of vscode.workspace.workspaceFolders ?? []) {
    if (uri.scheme !== "file") continue;
    const start = below === "" ? uri : vscode.Uri.joinPath(uri, below);
    for (const folder of [start, ...await foldersWithState(vscode, start, depth)]) {
      try {
        const root = await calls.find(folder.fsPath);
        if (root === undefined || places.has(root)) continue;
        const path = folder.path.slice(uri.path.length);
        places.set(root, { root, name: `${name}${path}` });
      } catch (error) {
        warn(error);
      }
    }
  }
  return [...places.values()];
}

/** Finds the folders below a folder that hold `.agentx/`. */
async function foldersWithState(
  vscode: Vscode,
  folder: vscode.Uri,
  depth: number,
): Promise<vscode.Uri[]> {
  if (depth < 1) return [];
  const entries = await vscode.workspace.fs.readDirectory(folder).then((all) => all, () => []);
  const below = entries.filter(([name, type]) =>
    type === vscode.FileType.Directory && !SKIPPED.test(name)
  );
  const found = await Promise.all(below.map(async ([name]) => {
    const inner = vscode.Uri.joinPath(folder, name);
    const state = vscode.Uri.joinPath(inner, ".agentx");
    const hasState = await vscode.workspace.fs.stat(state).then(() => true, () => false);
    return [...hasState ? [inner] : [], ...await foldersWithState(vscode, inner, depth - 1)];
  }));
  return found.flat();
}
