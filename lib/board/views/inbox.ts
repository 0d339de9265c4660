// Renders the entries that wait for the human, each with its buttons. Pure.

import { html } from "hono/html";
import { onMachine } from "../../text/agent_label.ts";
import { listed } from "../../base/quote.ts";
import { type InboxEntry, takesWords } from "../../inbox/entry.ts";
import { marked, markedLines } from "./markdown.ts";
import {
  action,
  agent,
  block,
  decisionButtons,
  empty,
  type Html,
  issueLink,
  line,
  linked,
  meta,
  ownWords,
  time,
} from "./parts.ts";

/** The name of each kind. */
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

/** @returns the view, the entry that blocks most first */
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

/** A link only, because checking all of memory at each change would take too long. */
const IN_DOUBT = html`<p class="dim"><a href="#memory?as=doubt">Memory in doubt</a></p>`;

function entryItem(entry: InboxEntry): Html {
  const { id, kind, issue, agent: who, created, topic, blocks } = entry;
  const isExact = EXACT.includes(kind);
  const rest = restOf(entry);
  const isOwn = SESSIONS.includes(kind);
  return html`<li id="entry-${id}" data-item tabindex="0" class="item ${kind}">
${
    meta([
      html`<span class="tag">${KINDS[kind]}</span> ${idLink(entry)}`,
      issueLink(issue),
      kind === "conflict" ? "" : html`${agent(who)}${onMachine(entry)}`,
      time(created),
      blocks.length === 0 || isOwn
        ? ""
        : html`<span class="blocks">blocks ${linked(listed(blocks, MAX_BLOCKED))}</span>`,
    ])
  }
<h2>${isExact ? line(topic.split("\n", 1)[0]) : html`<bdi>${marked(topic)}</bdi>`}</h2>
${rest === "" ? "" : isExact ? block(rest) : markedLines(rest)}
${decisions(entry)}</li>`;
}

/** Kinds for which a person decides on the exact text, so it is shown without formatting. */
const EXACT: readonly InboxEntry["kind"][] = ["command", "permission", "conflict"];

/** Kinds that block only the session that asks. */
const SESSIONS: readonly InboxEntry["kind"][] = ["command", "permission"];

/** Maximum number of blocked items that are named. */
const MAX_BLOCKED = 4;

/** Matches the beginning of a line that repeats the heading. */
const HEAD = /^(?:Topic|Assumed|Question of [\w@-]+|[\w@-]+ asks [\w@-]+): /;

/** Matches the option to decide in one's own words. */
const OTHERWISE = /^ {2}[a-g]\) decide otherwise$/;

/** Returns the content without the lines that repeat the heading or a button. */
function restOf({ topic, content, options }: InboxEntry): string {
  const said = new Set([
    topic,
    ...options.map(({ label, text }) => `${label}) ${text}`),
    "Options:",
  ]);
  return content.split("\n")
    .filter((line) =>
      !said.has(line.trim()) && line.replace(HEAD, "") !== topic && !OTHERWISE.test(line)
    )
    .join("\n").replaceAll(/\n{3,}/g, "\n\n").trim();
}

function idLink({ id, kind, issue }: InboxEntry): Html {
  if (kind === "escalation" || kind === "unanswered") {
    return html`<a href="#thread?id=${id}">${id}</a>`;
  }
  return kind === "conflict"
    ? html`<a href="#issue?n=${issue}">${id}</a>`
    : html`<b>${line(id)}</b>`;
}

function decisions({ id, kind, options, deadline }: InboxEntry): Html | string {
  if (kind === "permission") return "";
  const command = "answer";
  const always = kind === "question"
    ? html`<label class="check"><input type="checkbox" name="always"> Use this answer next time too</label>
<button name="decline" value="yes" class="quiet">${
      options.some(({ isFallback }) => isFallback)
        ? "Do not answer: use the fallback"
        : "Do not answer: nothing is assumed"
    }</button>`
    : "";
  const letters = action(
    { command, input: { id } },
    html`${decisionButtons(options, deadline)}${always}`,
  );
  const words = action(
    { command, input: { id } },
    ownWords({ id: `own-${id}`, name: "answer", label: "In your own words", button: "Answer" }),
  );
  return html`${options.length === 0 ? "" : letters}${takesWords({ id, kind }) ? words : ""}`;
}
