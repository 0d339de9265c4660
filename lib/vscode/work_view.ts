// The view of the work: agents, the ready queue, and issues in their workflows, down to the files that a step
// changed. A row is read when it is expanded.

import type * as vscode from "vscode";
import { agentLabel } from "../text/agent_label.ts";
import type { AgentState } from "../clarify/status/agent_states.ts";
import type { IssueStanding, StepStanding } from "../pipeline/standing.ts";
import type { IssueRow } from "../work/issue/row.ts";
import type { WaitingIssue } from "../work/queue/selection.ts";
import { CallError } from "./calls.ts";
import type { DiffedFile, Diffs } from "./diffs.ts";
import { documentUri } from "./documents.ts";
import { type Editor, type EditorWorkspace, plain } from "./editor.ts";
import type { Follower } from "./follower.ts";
import { type CommonRow, type MakeItem, orNothing, showTree } from "./tree.ts";

/** Maximum number of issues to list in each section. */
const MAX_ROWS = "200";

/** The columns of issues that no agent works on. */
const RESTING = ["Backlog", "Ready"];

const SECTIONS = {
  agents: ["Agents", "organization"],
  ready: ["Ready queue", "list-ordered"],
  workflows: ["Workflows", "git-branch"],
} as const;

const AGENT_ICONS: Readonly<Record<string, string>> = {
  working: "sync",
  clarifying: "comment-discussion",
  "blocked-clarification": "debug-pause",
  stuck: "error",
  done: "pass",
};

const STEP_ICONS: Readonly<Record<StepStanding["state"], string>> = {
  done: "pass",
  running: "sync",
  ready: "circle-large-outline",
  waiting: "clock",
  skipped: "circle-slash",
};

/** An issue of a workspace. */
export interface IssueNode {
  kind: "issue";
  place: EditorWorkspace;
  issue: Pick<IssueRow, "number" | "title" | "status" | "assignee">;
  /** Why the issue waits; empty if it does not. */
  waits: string;
}

/** A step of an issue. */
export interface StepNode {
  kind: "step";
  place: EditorWorkspace;
  issue: number;
  step: StepStanding;
}

type Row =
  | CommonRow
  | { kind: "section"; place: EditorWorkspace; section: keyof typeof SECTIONS }
  | { kind: "agent"; place: EditorWorkspace; agent: AgentState }
  | IssueNode
  | StepNode
  | { kind: "file"; place: EditorWorkspace; node: StepNode; file: DiffedFile };

/** Shows the work; disposing of the result hides it. */
export function showWork(editor: Editor, diffs: Diffs, follower: Follower): vscode.Disposable {
  return showTree<Row>(editor, follower, {
    id: "agentx.work",
    rowsOf: sectionsOf,
    childrenOf: (row) => childrenOf(row, editor, diffs),
    itemOf: (row, make) => itemOf(editor.vscode, row, make),
  });
}

function sectionsOf(place: EditorWorkspace): Row[] {
  return (Object.keys(SECTIONS) as (keyof typeof SECTIONS)[])
    .map((section) => ({ kind: "section", place, section }));
}

async function childrenOf(row: Row, { calls, vscode }: Editor, diffs: Diffs): Promise<Row[]> {
  const { place } = row;
  const valueOf = async <T>(words: [string, ...string[]]) =>
    (await calls.run(words, place.root)).value as T;
  if (row.kind === "issue") {
    const { steps } = await valueOf<IssueStanding>(["workflow", `${row.issue.number}`]);
    return steps.map((step) => ({ kind: "step", place, issue: row.issue.number, step }));
  }
  if (row.kind === "step") {
    if (!vscode.workspace.isTrusted) return [textRow(place, "Trust this folder to see files")];
    try {
      const files = await diffs.of(place, row.issue, row.step.step);
      return files.map((file) => ({ kind: "file", place, node: row, file }));
    } catch (error) {
      if (!(error instanceof CallError) || error.code !== "NOT_FOUND") throw error;
      return [textRow(place, "No agent has begun it")];
    }
  }
  if (row.kind !== "section") return [];
  if (row.section === "agents") {
    const { agents } = await valueOf<{ agents: AgentState[] }>(["state"]);
    return orNothing(place, agents.map((agent) => ({ kind: "agent", place, agent })), "No agents");
  }
  if (row.section === "ready") {
    const { issues, waiting } = await valueOf<{ issues: IssueRow[]; waiting: WaitingIssue[] }>(
      ["ready", "--limit", MAX_ROWS],
    );
    const rows = [
      ...issues.map((issue) => ({ issue, waits: "" })),
      ...waiting.flatMap(({ issue, reasons }) =>
        issue === null ? [] : [{ issue, waits: reasons.map(({ text }) => text).join("; ") }]
      ),
    ];
    return orNothing(
      place,
      rows.map((each) => ({ kind: "issue", place, ...each })),
      "No open issues",
    );
  }
  const { issues } = await valueOf<{ issues: IssueRow[] }>(
    ["issue list", "--limit", MAX_ROWS, "--sort", "updated", "--order", "desc"],
  );
  const begun = issues.filter(({ status }) => !RESTING.includes(status));
  // Only git knows which work is unmerged, and a restricted window runs no programs.
  const { unmerged } = vscode.workspace.isTrusted
    ? await valueOf<{ unmerged: IssueRow[] }>(["status"])
    : { unmerged: [] };
  const all = [...unmerged.map((issue) => ({ ...issue, status: "not merged" })), ...begun];
  const rows = all.map((issue): Row => ({ kind: "issue", place, issue, waits: "" }));
  return orNothing(place, rows, "No issue is begun");
}

function textRow(place: EditorWorkspace, text: string): Row {
  return { kind: "text", place, text };
}

function itemOf(vscode: Editor["vscode"], row: Row, make: MakeItem): vscode.TreeItem {
  const { place } = row;
  switch (row.kind) {
    case "section": {
      const [label, icon] = SECTIONS[row.section];
      const item = make(label, icon, "expanded");
      item.id = `${place.root} ${row.section}`;
      return item;
    }
    case "agent": {
      const { agent, status, issue, clarificationId, waitingOn, respondingTo } = row.agent;
      const item = make(agentLabel(agent), AGENT_ICONS[status] ?? "circle-outline");
      const other = waitingOn ?? respondingTo;
      item.description = plain([
        status,
        ...issue === null ? [] : [`#${issue}`],
        ...clarificationId === null ? [] : [`${clarificationId}${other ? `, ${other}` : ""}`],
      ].join(" "));
      if (clarificationId !== null) {
        const uri = documentUri(vscode, place, clarificationId);
        item.command = { command: "vscode.open", title: "Open", arguments: [uri] };
      }
      return item;
    }
    case "issue": {
      const { issue, waits } = row;
      const item = make(`#${issue.number} ${issue.title}`, waits ? "lock" : "issues", "collapsed");
      item.description = plain(waits || [issue.status, issue.assignee ?? ""].join(" ").trim());
      item.tooltip = plain(`${issue.title}${waits && `: ${waits}`}`, 400);
      item.contextValue = waits ? "issue waiting" : "issue";
      return item;
    }
    case "step": {
      const { step, agent, state, by, isChanged, why, title } = row.step;
      const item = make(step, STEP_ICONS[state], "collapsed");
      item.description = plain([
        state,
        agentLabel(by ?? agent),
        ...isChanged ? ["edited since"] : [],
      ].join(", "));
      item.tooltip = [title, ...why].map((line) => plain(line, 400)).join("\n");
      item.contextValue = isChanged || ["ready", "running"].includes(state)
        ? "step acceptable"
        : "step";
      return item;
    }
    case "file": {
      const { path, added, removed, before, after } = row.file;
      const item = make(path, "file");
      item.description = `+${added} -${removed}`;
      const title = plain(`${path} (#${row.node.issue} ${row.node.step.step})`);
      const args = [before, after, title];
      item.command = { command: "vscode.diff", title: "Show Change", arguments: args };
      return item;
    }
    default:
      throw new TypeError(`There is no row ${row.kind}`);
  }
}
