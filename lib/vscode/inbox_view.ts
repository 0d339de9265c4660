// Shows the inbox as a tree with a badge, and its count in the status bar.

import type * as vscode from "vscode";
import { agentLabel, onMachine } from "../text/agent_label.ts";
import { listed } from "../base/quote.ts";
import type { InboxEntry } from "../inbox/entry.ts";
import { documentUri } from "./documents.ts";
import { type Editor, type EditorWorkspace, plain } from "./editor.ts";
import type { InboxItem, WindowInbox } from "./inbox.ts";

/** The editor icon for each kind of entry. */
const ICONS: Readonly<Record<InboxEntry["kind"], string>> = {
  escalation: "warning",
  question: "question",
  assumption: "lightbulb",
  unanswered: "comment-unresolved",
  conflict: "git-merge",
  command: "terminal",
  plan: "list-tree",
  stopped: "debug-stop",
  permission: "shield",
};

/** Maximum number of blocked agents and issues to name, before "and 3 more". */
const MAX_BLOCKED = 4;

/** A row of the tree: an entry, or its workspace if there are several. */
type Row = EditorWorkspace | InboxItem;

/** Shows the inbox; disposing of the result hides it. */
export function showInbox(editor: Editor, inbox: WindowInbox): vscode.Disposable {
  const { vscode } = editor;
  const changed = new vscode.EventEmitter<void>();
  const provider: vscode.TreeDataProvider<Row> = {
    onDidChangeTreeData: changed.event,
    getTreeItem: (row) => "entry" in row ? entryItem(editor, row) : placeItem(editor, row, inbox),
    getChildren(row) {
      if (row !== undefined) return "entry" in row ? [] : inbox.in(row);
      const places = editor.places();
      return places.length > 1 ? [...places] : inbox.all();
    },
  };
  const view = vscode.window.createTreeView("agentx.inbox", { treeDataProvider: provider });
  const bar = vscode.window.createStatusBarItem("agentx.inbox", vscode.StatusBarAlignment.Left);
  bar.name = "AgentX";
  bar.command = "agentx.openInbox";
  const show = () => {
    const count = inbox.all().length;
    const problems = inbox.problems();
    const tooltip = count === 1 ? "1 thing waits for you" : `${count} things wait for you`;
    view.badge = { value: count, tooltip };
    view.message = problems.length > 0
      ? plain(problems.join(". ").replaceAll("\n", ". "), 400)
      : count === 0 && editor.places().length > 0
      ? "Nothing waits for you. Agents ask each other first; what they cannot settle comes here."
      : undefined;
    bar.text = `$(${problems.length > 0 ? "warning" : "inbox"}) ${count}`;
    bar.tooltip = `AgentX: ${tooltip}`;
    if (editor.places().length > 0) bar.show();
    else bar.hide();
    changed.fire();
  };
  inbox.onChange(show);
  show();
  return vscode.Disposable.from(view, bar, changed);
}

function placeItem(
  { vscode }: Editor,
  place: EditorWorkspace,
  inbox: WindowInbox,
): vscode.TreeItem {
  const item = new vscode.TreeItem(plain(place.name), vscode.TreeItemCollapsibleState.Expanded);
  item.id = place.root;
  item.description = `${inbox.in(place).length}`;
  item.iconPath = new vscode.ThemeIcon("root-folder");
  return item;
}

function entryItem({ vscode }: Editor, { place, entry }: InboxItem): vscode.TreeItem {
  const { id, kind, issue, agent, topic, blocks } = entry;
  const item = new vscode.TreeItem(plain(topic));
  item.id = `${place.root} ${id}`;
  const who = `${agentLabel(agent)}${onMachine(entry)}`;
  item.description = plain([...issue === 0 ? [] : [`#${issue}`], who].join(" "));
  item.tooltip = [
    `${plain(id)}: ${kind}`,
    plain(topic, 400),
    ...blocks.length === 0 ? [] : [plain(`Waiting for this: ${listed(blocks, MAX_BLOCKED)}`)],
  ].join("\n");
  item.iconPath = new vscode.ThemeIcon(ICONS[kind]);
  item.contextValue = kind === "permission" ? "permission" : "decidable";
  const uri = documentUri(vscode, place, id);
  item.command = { command: "vscode.open", title: "Open", arguments: [uri] };
  return item;
}
