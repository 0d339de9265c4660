import { defineCommand, type Result } from "../../cli/command.ts";
import { anyName, firstRows, rowLimit } from "../../cli/inputs.ts";
import { note, noteProblems } from "../../cli/note.ts";
import { flag, oneOf, optional, word } from "../../cli/spec.ts";
import { pause } from "../../sys/pause.ts";
import { moreRows } from "../../text/table.ts";
import { changesSince, type FollowedChange, type IssueLook } from "./follow.ts";
import { criteriaCount } from "../../work/issue/criteria.ts";
import type { IssueScan, IssueStore } from "../../work/issue/issue_store.ts";
import type { IssueView } from "../../work/issue/issue_files.ts";
import { type IssueFilter, matching } from "../../work/issue/matching.ts";
import { issueRow } from "../../work/issue/row.ts";
import { renderFollowed } from "./render_history.ts";
import { type ListedIssue, renderIssues } from "./render.ts";
import { checkType } from "./checks.ts";
import { labels, milestone, status } from "./input.ts";
import { noteUnnumbered } from "./unnumbered_note.ts";

const POLL_MS = 500;

/** The list; with `--watch`, then each change. */
type ListOutput = { issues: readonly ListedIssue[]; more: number } | FollowedChange<ListedIssue>;

export const command = defineCommand({
  kind: "issue.list",
  examples: [
    "agentx issue list",
    "agentx issue list -l type:bug -s Ready",
    "agentx issue list --watch --json",
  ],
  input: {
    all: flag("Include closed issues", { short: "a" }),
    closed: flag("Only closed issues"),
    label: optional(labels, "Only issues with all of these labels", { short: "l" }),
    status: optional(status, "Only issues in this column, even closed ones"),
    state: optional(oneOf(["open", "closed", "all"]), "Only open issues, only closed ones, or all"),
    assignee: optional(anyName("Only issues of this agent or person")),
    author: optional(anyName("Only issues created by this agent or login, or `human`")),
    milestone,
    search: optional(word, "Only issues with these words in title or body", {
      placeholder: "WORDS",
    }),
    sort: optional(oneOf(["number", "created", "updated", "priority"]), "Order (default: number)"),
    order: optional(oneOf(["asc", "desc"]), "Sort ascending or descending (default: asc)"),
    limit: rowLimit,
    watch: flag("Then show each change as it happens, until Ctrl-C"),
  },
  conflicts: { state: ["all", "status"], closed: ["all", "status", "state"], watch: ["limit"] },
  jsonLines: true,
  async *run(
    { name, openWorkspace, io, signal },
    { limit, watch, closed, ...given },
  ): AsyncGenerator<Result<ListOutput>> {
    const wants: Wants = closed ? { ...given, state: "closed" } : given;
    const workspace = await openWorkspace();
    checkType(name, given.label ?? [], workspace);
    const { issues } = workspace;
    let last = lookAt(issues, wants);
    const { rows, more } = watch ? { rows: last.rows, more: 0 } : firstRows(last.rows, limit);
    const exitCode = noteProblems(io, last.view.problems);
    noteUnnumbered(io, last);
    const others = rows.length > 0 ? 0 : lookAt(issues, { ...wants, all: true }).rows.length;
    if (others > 0) note(io, `closed issues that match: ${others}; show them with --all`);
    yield { output: { issues: rows, more }, exitCode };
    while (watch && !signal.aborted) {
      await pause(POLL_MS, signal);
      if (issues.view() === last.view) continue;
      const now = lookAt(issues, wants);
      const known = new Set(last.view.problems.map(({ message }) => message));
      noteProblems(io, now.view.problems.filter(({ message }) => !known.has(message)));
      for (const output of changesSince(last, now)) {
        yield { kind: "issue.change", output };
      }
      last = now;
    }
  },
  render(output, view) {
    if ("change" in output) return renderFollowed(output, view);
    const { issues, more } = output;
    if (issues.length > 0) return [renderIssues(issues, view), ...moreRows(more, view)].join("\n");
    return [
      "  No matching issues.",
      view.style.dim('  Create one with: agentx issue create "..." -l type:bug'),
    ].join("\n");
  },
});

/** The filter that the options describe. */
interface Wants extends Omit<IssueFilter, "state" | "labels"> {
  state?: IssueFilter["state"];
  all: boolean;
  label?: string[];
}

function lookAt(
  issues: IssueStore,
  { all, label = [], ...wants }: Wants,
): IssueLook<ListedIssue> & Pick<IssueScan, "unnumbered"> & { view: IssueView } {
  const view = issues.view();
  const { state = all || wants.status !== undefined ? "all" : "open" } = wants;
  const labels = label.map((label) => label.trim());
  const scan = issues.scan();
  const unnumbered = scan.unnumbered.map(({ ref, issue }) => ({ ...issue, ref }));
  const rows = matching([...scan.issues, ...unnumbered], { ...wants, state, labels })
    .map((issue) => ({ ...issueRow(issue), criteria: criteriaCount(issue.body) ?? null }));
  return { rows, byUid: view.byUid, view, unnumbered: scan.unnumbered };
}
