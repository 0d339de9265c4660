// What waits for the human, each with what decides it. Pure.

import { html } from "hono/html";
import type { InboxEntry } from "../../inbox/entry.ts";
import {
  action,
  agent,
  block,
  empty,
  type Html,
  issueLink,
  line,
  ownWords,
  time,
} from "./parts.ts";

/** What each kind is called. */
const KINDS: Readonly<Record<InboxEntry["kind"], string>> = {
  escalation: "Escalation",
  question: "Question",
  assumption: "Assumption",
  unanswered: "Nobody answers",
  conflict: "Merge",
  command: "Command",
  plan: "Plan",
  stopped: "Step",
  permission: "Permission",
};

/** @returns the view, most blocking first */
export function inboxView(entries: readonly InboxEntry[]): Html {
  if (entries.length === 0) {
    return html`<h1>Inbox</h1>${
      empty(
        "Nothing waits for you.",
        "Agents ask each other first; what they cannot settle comes here.",
      )
    }${IN_DOUBT}`;
  }
  return html`<h1>Inbox <small>${entries.length}, most blocking first</small></h1>
<ol class="items">${entries.map(entryItem)}</ol>${IN_DOUBT}`;
}

/** To look at all of memory takes too long to do it at each change. */
const IN_DOUBT =
  html`<p class="dim"><a href="#memory?as=doubt">What is remembered and may no longer hold</a></p>`;

function entryItem(entry: InboxEntry): Html {
  const { id, kind, issue, agent: who, created, deadline, topic, blocks } = entry;
  return html`<li id="entry-${id}" data-item tabindex="0" class="item ${kind}">
<p class="meta"><span class="tag">${KINDS[kind]}</span> ${idLink(entry)} ${issueLink(issue)}
 ${kind === "conflict" ? "" : agent(who)} ${time(created)}${
    blocks.length === 0 ? "" : html`
      <span class="blocks">blocks ${blocks.length}</span>
    `
  }${
    deadline === null ? "" : html`
      <time datetime="${deadline}" data-until></time>
    `
  }</p>
<h2>${line(topic)}</h2>
<details open><summary>Details</summary>${block(entry.content)}${
    blocks.length === 0 ? "" : html`<p class="dim">Waiting for this: ${line(blocks.join(", "))}</p>`
  }</details>
${decisions(entry)}</li>`;
}

function idLink({ id, kind, issue }: InboxEntry): Html {
  if (kind === "escalation" || kind === "unanswered") {
    return html`<a href="#thread?id=${id}">${id}</a>`;
  }
  return kind === "conflict"
    ? html`<a href="#issue?n=${issue}">${id}</a>`
    : html`<b>${line(id)}</b>`;
}

function decisions({ id, kind, options }: InboxEntry): Html | string {
  if (kind === "permission") return "";
  const command = "answer";
  const always = kind === "question"
    ? html`<label class="check"><input type="checkbox" name="always"> also the next such question</label>
<button name="decline" value="yes" class="quiet">Decline</button>`
    : "";
  const letters = action(
    { command, input: { id } },
    html`<div class="options">${
      options.map(({ label, text }) =>
        html`
          <button name="answer" value="${label}"
            data-key="${label === "rule" ? "" : label[0]}"><kbd>${label}</kbd> ${line(
              text,
            )}</button>
        `
      )
    }</div>${always}`,
  );
  const takesWords = !["assumption", "command"].includes(kind) && !id.endsWith("-deletion");
  const words = action(
    { command, input: { id } },
    ownWords({ id: `own-${id}`, name: "answer", label: "In your own words", button: "Answer" }),
  );
  return html`${options.length === 0 ? "" : letters}${takesWords ? words : ""}`;
}
