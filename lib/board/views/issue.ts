// Renders one issue: its body, history, dependencies, threads and memory. Its fields are edited in place, with the
// commands of the terminal. Pure.

import { html } from "hono/html";
import type { ClarificationRecord } from "../../clarify/schema.ts";
import type { Diff } from "../../git/diff.ts";
import type { ObservationIndex } from "../../memory/schema.ts";
import { criteriaOf } from "../../work/issue/criteria.ts";
import { waitLabelOf } from "../../work/issue/dependencies.ts";
import type { HistoryEdit, HistoryEntry } from "../../work/issue/history.ts";
import { type Issue, ISSUE_STATUSES } from "../../work/issue/issue.ts";
import { priorityOf, typeOf } from "../../work/issue/labels.ts";
import type { WaitReason } from "../../work/queue/selection.ts";
import { blocked, plainLabels, PRIORITIES, tags } from "./issues.ts";
import { editWords } from "./edit_words.ts";
import { markdown } from "./markdown.ts";
import { observationList } from "./memory.ts";
import {
  action,
  agent,
  block,
  dueDay,
  type Html,
  issueLink,
  line,
  meta,
  options,
  ownWords,
  time,
} from "./parts.ts";
import { threadTable } from "./threads.ts";

/** A step of the workflow of an issue. */
export interface StepRow {
  title: string;
  agent: string;
}

/** An issue that another one names; it has no title if it is unknown here. */
export type IssueRef = Pick<Issue, "number"> & Partial<Pick<Issue, "title" | "status">>;

/** The choices that the page offers for an issue. */
export interface IssueChoices {
  /** The version of the title and body that is shown. */
  version: string;
  types: readonly string[];
  agents: readonly string[];
}

/** An issue with data from outside of it. */
export interface IssueData {
  issue: Issue;
  history: readonly HistoryEntry[];
  reasons: readonly WaitReason[] | undefined;
  /** The issues that this one waits for, and those that wait for it. */
  blockedBy: readonly IssueRef[];
  blocks: readonly IssueRef[];
  parent: IssueRef | undefined;
  parts: readonly IssueRef[];
  threads: readonly ClarificationRecord[];
  observations: readonly ObservationIndex[];
  steps: readonly StepRow[];
  /** The changes of the issue's steps; absent if the page does not show them. */
  changes?: ReadonlyArray<Diff & { step: string }>;
  /** Absent if nothing can be edited. */
  choices?: IssueChoices;
}

/** Maximum characters that are shown of the diff of one file. */
const MAX_DIFF = 50_000;

/** Number of changes in the history that are shown at first, and the maximum when it is unfolded. */
const FIRST_CHANGES = 6;
const MAX_CHANGES = 100;

export function issueView(data: IssueData): Html {
  const { issue, reasons, threads, observations, changes = [], choices } = data;
  const { number, title, body, status, assignee, comments, author, created } = issue;
  return html`
    <h1>${line(title)} <span class="dim">#${number}</span></h1>
    ${meta([
      html`<span class="tag">${line(status)}</span> ${tags(issue)}`,
      html`opened by ${agent(author)}`,
      time(created),
      assignee === null
        ? ""
        : html`${issue.leaseUntil === null ? "assigned to" : "claimed by"} ${agent(assignee)}`,
      issue.milestone === null ? "" : html`milestone ${line(issue.milestone)}`,
      issue.state === "open" ? dueDay(issue.due) : "",
    ])}
    ${blocked(reasons)}
    <div class="two">${choices === undefined ? "" : fieldsOf(issue, choices)}
      <div class="main">
    <div class="head"><h2>Description</h2>${choices === undefined
      ? ""
      : wordsForm(issue, choices.version)}</div>
    ${body.trim() === "" ? html`<p class="dim">No description.</p>` : bodyOf(issue, choices)}
    ${section("Threads", threads.length, () => threadTable(threads))}
    ${section(
      "Comments",
      comments.length,
      () =>
        html`<ol class="rounds">${
          comments.map(({ author, body, created }) =>
            html`<li>${meta([agent(author), time(created)])}${markdown(body)}</li>`
          )
        }</ol>`,
    )}
    ${action(
      { command: "issue comment", input: { issue: number } },
      ownWords({ id: `comment-${number}`, name: "comment", label: "Comment", button: "Comment" }),
    )}
    ${section("Changes", changes.length, () => html`${changes.map(changedFiles)}`)}
    ${section("Remembered", observations.length, () => observationList(observations))}
      </div>
      <aside aria-label="About #${issue.number}">${sideOf(data)}</aside>
    </div>
  `;
}

/** Renders the body; each criterion has a check box in its place. */
function bodyOf({ number, body }: Issue, choices: IssueChoices | undefined): Html {
  const items = new Map(criteriaOf(body).map((criterion, index) => [criterion.line, index + 1]));
  return markdown(body, (at, isDone, words) => {
    const item = items.get(at);
    if (choices === undefined || item === undefined) return undefined;
    const input = { issue: number, item, seen: choices.version, undo: isDone ? "yes" : "" };
    return action(
      { command: "issue check", input, isInstant: true },
      html`
        <label
          class="task"><input type="checkbox" id="criterion-${item}"${isDone
            ? html`
              checked
            `
            : ""}> <span>${words}</span></label>
      `,
    );
  });
}

function wordsForm({ number, title, body }: Issue, version: string): Html {
  return html`
    <details class="new"
      id="edit-${number}"><summary>Edit</summary>${action(
        { command: "issue edit", input: { issue: number, seen: version } },
        html`<label>Title <input name="title" id="title-${number}" value="${title}" required maxlength="200"></label>
<label>Description <textarea name="body" id="body-${number}" rows="12" placeholder="Markdown"${
          body.trim() === "" ? "" : html`
            required
          `
        }>\n${body}</textarea></label>
<div class="row"><button class="primary">Save</button><button type="reset">Cancel</button></div>`,
      )}</details>
  `;
}

/** Renders the fields of an issue besides its title and body, with the forms that change them. */
function sideOf(
  { issue, history, blockedBy, blocks, parent, parts, steps }: IssueData,
): Html {
  const { number } = issue;
  const plain = plainLabels(issue);
  return html`${
    list(
      "Labels",
      plain.map((label) =>
        removable(line(label), `label ${label}`, {
          command: "issue edit",
          input: { issue: number, removeLabel: label },
        })
      ),
    )
  }${adding("Add a label", { command: "issue edit", name: "label", issue: number })}
    ${list("Part of", parent === undefined ? [] : [issueLine(parent)])}
    ${list("Parts", parts.map(issueLine))}
    ${
    list(
      "Waits for",
      blockedBy.map((other) => {
        // If only the body names the other issue, there is no label to remove.
        if (waitLabelOf(issue, other.number) === undefined) return issueLine(other);
        const input = { issue: number, off: other.number };
        return removable(issueLine(other), `#${other.number}`, { command: "issue deps", input });
      }),
    )
  }${adding("Wait for #", { command: "issue deps", name: "on", issue: number })}
    ${list("Others wait for this", blocks.map(issueLine))}
    ${
    list(
      "Workflow",
      steps.map(({ title, agent: who }) => html`${line(title)} &middot; ${agent(who)}`),
    )
  }
    ${list("History", history.slice(0, FIRST_CHANGES).map(changeLine))}
    ${
    history.length <= FIRST_CHANGES ? "" : html`
      <details id="history-${number}">
        <summary>${history.length - FIRST_CHANGES} earlier</summary>
        <ul
          class="lines">${history.slice(FIRST_CHANGES, MAX_CHANGES).map((entry) =>
            html`<li>${changeLine(entry)}</li>`
          )}</ul>
      </details>
    `
  }
    ${
    history.length < 2 ? "" : action(
      {
        command: "issue undo",
        input: { issue: number },
        confirm: `Undo the latest change of #${number}?`,
      },
      html`<button class="quiet">Undo the latest change</button>`,
    )
  }`;
}

function fieldsOf(issue: Issue, { types, agents }: IssueChoices): Html {
  const { number, status, assignee, labels } = issue;
  const [type, priority] = [typeOf(issue), priorityOf(issue)];
  const field = (
    label: string,
    [name, chosen]: [name: string, chosen: string],
    values: readonly string[],
    removeLabel = "",
  ) =>
    action(
      { command: "issue edit", input: { issue: number, removeLabel }, isInstant: true },
      html`<label>${label} <select name="${name}" id="${label}-${number}">${
        options(
          [...new Set([chosen, ...values])].map((value) => [value, shownAs(value)]),
          chosen,
        )
      }</select></label>`,
    );
  const typed = ["", ...types.map((each) => `type:${each}`)];
  const isPriority = (label: string) => priorityOf({ labels: [label] }) !== null;
  const urgent = labels.find(isPriority) ?? "";
  const kind = type === undefined ? "" : `type:${type}`;
  return html`<div class="fields">${field("Status", ["status", status], ISSUE_STATUSES)}${
    field("Priority", ["label", priority ?? ""], ["", ...PRIORITIES], urgent)
  }${field("Type", ["label", kind], typed, kind)}${
    field("Assignee", ["assignee", assignee ?? "none"], ["none", ...agents])
  }</div>`;
}

function shownAs(value: string): string {
  if (value === "" || value === "none") return value === "" ? "None" : "Nobody";
  return value.replace(/^type:/, "");
}

/** Renders a row with a button that removes it. */
function removable(row: Html, name: string, doing: Parameters<typeof action>[0]): Html {
  return html`<span class="removable"><span>${row}</span>${
    action(
      doing,
      html`<button class="quiet" aria-label="Remove ${name}" title="Remove">&times;</button>`,
    )
  }</span>`;
}

function adding(
  label: string,
  { command, name, issue }: { command: string; name: string; issue: number },
): Html {
  return action(
    { command, input: { issue } },
    html`
      <div
        class="own"><input name="${name}" id="${name}-${issue}" required aria-label="${label}"
      placeholder="${label}" autocomplete="off"><button>Add</button></div>
    `,
  );
}

function section(title: string, count: number, content: () => Html): Html | string {
  return count === 0 ? "" : html`<h2>${title} <small>${count}</small></h2>${content()}`;
}

/** Renders the files of a step, each folded. */
function changedFiles({ step, base, files }: Diff & { step: string }): Html {
  return html`
    <p class="meta">${line(step)}, since ${base.slice(0, 12)}</p>
    ${files.map(({ path, added, removed, diff }) =>
      html`<details><summary>${line(path)} +${added} -${removed}</summary>${
        block(diff.slice(0, MAX_DIFF).toWellFormed())
      }</details>`
    )}
  `;
}

function list(title: string, rows: readonly (Html | string)[]): Html | string {
  if (rows.length === 0) return "";
  return html`
    <h2>${title}</h2>
    <ul class="lines">${rows.map((row) => html`<li>${row}</li>`)}</ul>
  `;
}

function issueLine({ number, title = "not known here", status }: IssueRef): Html {
  return html`${issueLink(number)} ${line(title)}${
    status === undefined ? "" : html`
      <span class="dim">&middot; ${line(status)}</span>
    `
  }`;
}

function changeLine({ by, time: at, edits, isUndone }: HistoryEntry): Html {
  const did = edits.filter(({ what }, _, all) => what !== "linkedUids" || all.length === 1)
    .map(didText).join(", ");
  const text = html`${agent(by)} ${line(did)} <span class="dim">&middot; ${time(at)}</span>`;
  return isUndone ? html`<s>${text}</s>` : text;
}

function didText({ what, from, to }: HistoryEdit): string {
  if (what !== "labels") return editWords(what, to === null ? null : `${to}`);
  const added = to === null ? [] : [`added ${[to].flat().join(", ")}`];
  const removed = from === null ? [] : [`removed ${[from].flat().join(", ")}`];
  return [...added, ...removed].join(" and ");
}
