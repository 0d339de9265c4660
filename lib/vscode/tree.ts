// Common code of the trees: a row per workspace if there are several, and a row with the reason if one is
// unreadable.

import type * as vscode from "vscode";
import { type Editor, type EditorWorkspace, messageOf, plain } from "./editor.ts";
import type { Follower } from "./follower.ts";

/** A row that any tree may have. */
export type CommonRow =
  | { kind: "place"; place: EditorWorkspace }
  | { kind: "text"; place: EditorWorkspace; text: string };

/** Makes a tree item. The label may be text of others, so it is shown as plain text. */
export type MakeItem = (
  label: string,
  icon: string,
  state?: "collapsed" | "expanded",
) => vscode.TreeItem;

export interface TreeOptions<Row> {
  /** Id of the tree in the manifest. */
  id: string;
  /** Returns the top rows of a workspace. */
  rowsOf(place: EditorWorkspace): Row[] | Promise<Row[]>;
  childrenOf(row: Row): Row[] | Promise<Row[]>;
  itemOf(row: Row, make: MakeItem): vscode.TreeItem;
}

/**
 * Shows a tree; disposing of the result hides it. Rows are read when they are expanded, and again when files change.
 */
export function showTree<Row extends { kind: string; place: EditorWorkspace }>(
  editor: Editor,
  follower: Follower,
  { id, rowsOf, childrenOf, itemOf }: TreeOptions<Row>,
): vscode.Disposable {
  const { vscode } = editor;
  const { Collapsed, Expanded, None } = vscode.TreeItemCollapsibleState;
  const states = { collapsed: Collapsed, expanded: Expanded };
  const make: MakeItem = (label, icon, state) => {
    const item = new vscode.TreeItem(plain(label), state === undefined ? None : states[state]);
    item.iconPath = icon === "" ? undefined : new vscode.ThemeIcon(icon);
    return item;
  };
  const changed = new vscode.EventEmitter<void>();
  follower.onChange(() => changed.fire());
  follower.onPlaces(() => changed.fire());
  const provider: vscode.TreeDataProvider<Row | CommonRow> = {
    onDidChangeTreeData: changed.event,
    getTreeItem(row) {
      const { kind, place } = row;
      if (kind === "place") return make(place.name, "root-folder", "expanded");
      return kind === "text" ? make((row as { text: string }).text, "") : itemOf(row as Row, make);
    },
    async getChildren(row) {
      const places = editor.places();
      if (row === undefined && places.length !== 1) {
        return places.map((place) => ({ kind: "place", place }));
      }
      const place = row?.place ?? places[0];
      try {
        return row === undefined || row.kind === "place"
          ? await rowsOf(place)
          : await childrenOf(row as Row);
      } catch (error) {
        return [{ kind: "text", place, text: messageOf(error) }];
      }
    },
  };
  const view = vscode.window.createTreeView(id, { treeDataProvider: provider });
  return vscode.Disposable.from(view, changed);
}

/** Returns the rows, or one row with a text if there are none. */
export function orNothing<Row>(
  place: EditorWorkspace,
  rows: Row[],
  text: string,
): (Row | CommonRow)[] {
  return rows.length > 0 ? rows : [{ kind: "text", place, text }];
}
