// Shows the memory by issue. An observation opens as a document.

import type * as vscode from "vscode";
import type { ObservationIndex } from "../memory/schema.ts";
import { documentUri } from "./documents.ts";
import { type Editor, type EditorWorkspace, plain } from "./editor.ts";
import type { Follower } from "./follower.ts";
import { type CommonRow, type MakeItem, orNothing, showTree } from "./tree.ts";

/** Maximum number of observations to list, the newest ones. */
const MAX_LISTED = "1000";

/** The editor icon for each category. */
const ICONS: Readonly<Record<ObservationIndex["category"], string>> = {
  decision: "law",
  "code-change": "git-commit",
  error: "bug",
  "key-fact": "lightbulb",
  "compaction-summary": "archive",
};

type Row =
  | CommonRow
  | { kind: "issue"; place: EditorWorkspace; issue: number; observations: ObservationIndex[] }
  | { kind: "observation"; place: EditorWorkspace; observation: ObservationIndex };

/** Shows the memory; disposing of the result hides it. */
export function showMemory(editor: Editor, follower: Follower): vscode.Disposable {
  return showTree<Row>(editor, follower, {
    id: "agentx.memory",
    rowsOf: async (place) => {
      const rows = byIssue(place, await newest(editor, place));
      return orNothing(place, rows, "Nothing is remembered yet");
    },
    childrenOf: (row) =>
      row.kind !== "issue" ? [] : row.observations.map((observation) => ({
        kind: "observation",
        place: row.place,
        observation,
      })),
    itemOf: (row, make) => itemOf(editor.vscode, row, make),
  });
}

/** Returns the newest observations of a workspace, or those that match some words. */
export async function newest(
  { calls }: Editor,
  { root }: EditorWorkspace,
  words?: string,
): Promise<ObservationIndex[]> {
  const query = words === undefined ? [] : ["--", words];
  const { value } = await calls.run(["memory search", "--limit", MAX_LISTED, ...query], root);
  return value.observations as ObservationIndex[];
}

function byIssue(place: EditorWorkspace, observations: readonly ObservationIndex[]): Row[] {
  const issues = new Map<number, ObservationIndex[]>();
  for (const each of observations) {
    issues.set(each.issueNumber, [...issues.get(each.issueNumber) ?? [], each]);
  }
  return Array.from(issues, ([issue, observations]): Row => ({
    kind: "issue",
    place,
    issue,
    observations,
  }));
}

function itemOf(vscode: Editor["vscode"], row: Row, make: MakeItem): vscode.TreeItem {
  if (row.kind === "issue") {
    const { place, issue, observations } = row;
    const item = make(issue === 0 ? "The project" : `#${issue}`, "book", "collapsed");
    item.id = `${place.root} memory ${issue}`;
    item.description = `${observations.length}`;
    return item;
  }
  if (row.kind !== "observation") throw new TypeError(`There is no row ${row.kind}`);
  const { id, summary, agent, category, timestamp } = row.observation;
  const item = make(summary, ICONS[category]);
  item.id = `${row.place.root} ${id}`;
  item.description = plain(`${category}, ${agent}`);
  item.tooltip = plain(`${summary} (${category}, ${agent}, ${timestamp.slice(0, 10)})`, 400);
  const uri = documentUri(vscode, row.place, id);
  item.command = { command: "vscode.open", title: "Open", arguments: [uri] };
  return item;
}
