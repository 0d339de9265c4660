// One issue: its body, what happened to it, what it waits for, what was asked and what is remembered. Pure.

import { html } from "hono/html";
import type { ClarificationRecord } from "../../clarify/schema.ts";
import type { Diff } from "../../git/diff.ts";
import type { ObservationIndex } from "../../memory/schema.ts";
import type { HistoryEntry } from "../../work/issue/history.ts";
import { type Issue, ISSUE_STATUSES } from "../../work/issue/issue.ts";
import type { WaitReason } from "../../work/queue/selection.ts";
import { blocked, tags } from "./issues.ts";
import { observationList } from "./memory.ts";
import {
  action,
  agent,
  block,
  type Html,
  issueLink,
  line,
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

/** An issue with what is known beside it. */
export interface IssueData {
  issue: Issue;
  history: readonly HistoryEntry[];
  reasons: readonly WaitReason[] | undefined;
  /** What it waits for itself, and what waits for it. */
  blockedBy: readonly number[];
  blocks: readonly number[];
  parent: Issue | undefined;
  parts: readonly Issue[];
  threads: readonly ClarificationRecord[];
  observations: readonly ObservationIndex[];
  steps: readonly StepRow[];
  /** What its steps changed; left out where that is not shown. */
  changes?: ReadonlyArray<Diff & { step: string }>;
}

/** So much of the change of a file is shown, in characters. */
const MAX_DIFF = 50_000;

/** So many changes are shown. */
const MAX_CHANGES = 30;

/** @returns the view */
export function issueView(data: IssueData): Html {
  const {
    issue,
    history,
    reasons,
    blockedBy,
    blocks,
    parent,
    parts,
    threads,
    observations,
    steps,
    changes = [],
  } = data;
  const { number, title, body, status, assignee, comments, author, created, due, milestone } =
    issue;
  const other = [...new Set([...ISSUE_STATUSES, status])];
  return html`
    <h1><span class="dim">#${number}</span> ${line(title)}</h1>
    <p
      class="meta">${tags(issue)}<span class="tag">${line(status)}</span> ${agent(author)} ${time(
        created,
      )}${assignee === null ? "" : html`
        ${issue.leaseUntil === null ? "assigned to" : "claimed by"} ${agent(assignee)}
      `}${due === null ? "" : ` due ${due}`}${milestone === null ? "" : html`
        for ${line(milestone)}
      `}</p>
    ${blocked(reasons)}
    <div class="two">
      <div>
    ${body.trim() === "" ? html`<p class="dim">No description.</p>` : block(body)}
    ${section("Threads", threads.length, () => threadTable(threads))}
    ${section(
      "Comments",
      comments.length,
      () =>
        html`<ol class="rounds">${
          comments.map(({ author, body, created }) =>
            html`<li><p class="meta">${agent(author)} ${time(created)}</p>${block(body)}</li>`
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
      <aside>
    ${action(
      { command: "issue edit", input: { issue: number } },
      html`<label>Column <select name="status" id="status-${number}">${
        options(other.map((name) => [name, name]), status)
      }</select></label> <button>Move</button>`,
    )}
    ${action(
      { command: "issue edit", input: { issue: number } },
      html`<label>Title <input name="title" id="title-${number}" value="${title}" required></label> <button>Rename</button>`,
    )}
    ${list("Part of", parent === undefined ? [] : [issueLine(parent)])}
    ${list("Parts", parts.map(issueLine))}
    ${list("Waits for", blockedBy.map(issueLink))}
    ${list("Waiting for this", blocks.map(issueLink))}
    ${list("Workflow", steps.map(({ title, agent: who }) => html`${line(title)} ${agent(who)}`))}
    ${list("History", history.slice(0, MAX_CHANGES).map(changeLine))}
    ${history.length === 0 ? "" : action(
      {
        command: "issue undo",
        input: { issue: number },
        confirm: `Undo the latest change of #${number}?`,
      },
      html`<button class="quiet">Undo the latest change</button>`,
    )}
      </aside>
    </div>
  `;
}

function section(title: string, count: number, content: () => Html): Html | string {
  return count === 0 ? "" : html`<h2>${title} <small>${count}</small></h2>${content()}`;
}

/** The files of a step, each folded. */
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

function issueLine({ number, title, status }: Issue): Html {
  return html`${issueLink(number)} ${line(title)} <span class="dim">${line(status)}</span>`;
}

function changeLine({ by, time: at, edits, isUndone }: HistoryEntry): Html {
  const what = edits.map(({ what, to }) =>
    ["status", "title", "assignee"].includes(what) ? `${what}: ${to ?? "none"}` : what
  ).join(", ");
  const text = html`${agent(by)} ${line(what)} ${time(at)}`;
  return isUndone ? html`<s>${text}</s>` : text;
}
