// Renders the questions between agents: the list, and one thread with its actions. Pure.

import { html } from "hono/html";
import { roleOf } from "../../base/agent_names.ts";
import type { OpenRun } from "../../clarify/reach.ts";
import { lettersOf } from "../../clarify/rules/escalation.ts";
import {
  askerOf,
  type ClarificationRecord,
  isActive,
  issueNumberOf,
  STATES,
} from "../../clarify/schema.ts";
import type { DeliveryReport, DeliveryState } from "../../hooks/delivery_report.ts";
import { markdown, markedLines } from "./markdown.ts";
import {
  action,
  agent,
  decisionButtons,
  empty,
  type Html,
  issueLink,
  line,
  meta,
  ownWords,
  time,
} from "./parts.ts";

/** Maximum number of closed threads that are listed. */
const MAX_CLOSED = 100;

/** @returns the list of threads, open ones first */
export function threadsView(records: readonly ClarificationRecord[]): Html {
  if (records.length === 0) {
    return html`<h1>Threads</h1>${
      empty(
        "No agent has asked another yet.",
        html`Ask one with <code>agentx ask architect --issue 1 "..."</code>`,
      )
    }`;
  }
  const newest = [...records].reverse();
  const open = newest.filter(isActive);
  const closed = newest.filter((record) => !isActive(record));
  const more = closed.length - MAX_CLOSED;
  return html`<h1>Threads <small>${open.length} open of ${records.length}</small></h1>
${threadTable([...open, ...closed.slice(0, MAX_CLOSED)])}${
    more > 0
      ? html`<p class="dim">${more} more that are closed: <code>agentx clarify --issue N</code></p>`
      : ""
  }`;
}

/** @returns a table of threads */
export function threadTable(records: readonly ClarificationRecord[]): Html {
  return html`
    <table>
      <thead>
        <tr>
          <th>Topic</th>
          <th>Status</th>
          <th>Between</th>
          <th>Issue</th>
          <th>Asked</th>
          <th>Thread</th>
        </tr>
      </thead>
      <tbody>${records.map((record) =>
        html`
          <tr id="row-${record.id}" data-item tabindex="0">
            <td><a href="#thread?id=${record.id}">${line(record.topic)}</a></td>
            <td>${statusTag(record)}</td>
            <td>${agent(askerOf(record))} asks ${agent(record.to)}</td>
            <td>${issueLink(issueNumberOf(record.id))}</td>
            <td>${time(record.created)}</td>
            <td class="dim">${record.id}</td>
          </tr>
        `
      )}</tbody>
    </table>
  `;
}

function statusTag({ status }: ClarificationRecord): Html {
  return html`<span class="tag ${
    status === "escalated" || status === "stale" ? "hot" : ""
  }">${status}</span>`;
}

/** A thread with data from outside of it. */
export interface ThreadData {
  record: ClarificationRecord;
  run: OpenRun | undefined;
  deliveries: readonly DeliveryReport[];
  /** The command that answers for the target; undefined if none is configured. */
  runs: string | undefined;
}

/** The words for each state of a delivery. */
const DELIVERED: Readonly<Record<DeliveryState, string>> = {
  queued: "waiting",
  woken: "being delivered",
  offered: "delivered",
  shown: "read",
  acknowledged: "read",
};

export function threadView({ record, run, deliveries, runs }: ThreadData): Html {
  const { id, topic, thread, from, to, round, maxRounds, created, blocking } = record;
  const byId = new Map(deliveries.map((delivery) => [delivery.id, delivery]));
  return html`<h1>${line(topic)}</h1>
${
    meta([
      id,
      issueLink(issueNumberOf(id)),
      html`${agent(from)} asks ${agent(to)}`,
      statusTag(record),
      `round ${round} of ${maxRounds}`,
      blocking ? "blocking" : "",
      time(created),
      run?.state === "running" ? html`<span class="tag">running</span>` : "",
    ])
  }
<ol class="rounds">${
    thread.map((entry, index) => {
      const { type, body } = entry;
      const delivery = byId.get(`${id}.${index + 1}`);
      return html`
        <li class="${type}">${meta([
          `Round ${entry.round}`,
          html`${type} of ${agent(entry.from)}`,
          entry.from === "human" && entry.verified !== true ? "unverified" : "",
          time(entry.timestamp),
          delivery === undefined ? "" : html`<span class="tag">${DELIVERED[delivery.state]}</span>`,
        ], "h2")}${type === "escalation" ? markedLines(body) : markdown(body)}</li>
      `;
    })
  }</ol>
${actions(record, runs)}`;
}

/** Renders the actions of a human that the state of the thread allows. */
function actions(record: ClarificationRecord, runs: string | undefined): Html | string {
  const { id, status, to } = record;
  const { waitsFor } = STATES[status];
  if (waitsFor === null) return "";
  const answer = action(
    { command: "answer", input: { id } },
    ownWords({
      id: `own-${id}`,
      name: "answer",
      label: waitsFor === "human" ? "In your own words" : "Answer it",
      button: waitsFor === "human" ? "Decide" : "Answer",
    }),
  );
  if (waitsFor === "human") {
    const options = lettersOf(record).map(({ letter, text }) => ({ label: letter, text }));
    return html`${action({ command: "answer", input: { id } }, decisionButtons(options))}${answer}`;
  }
  const resolve = action(
    { command: "clarify resolve", input: { id, as: "human" } },
    ownWords({ id: `resolve-${id}`, name: "conclusion", label: "Conclude it", button: "Resolve" }),
  );
  const escalate = action(
    { command: "clarify escalate", input: { id, as: "human" } },
    html`<button>Escalate to the inbox</button>`,
  );
  const run = waitsFor === "target" && runs !== undefined
    ? action(
      {
        command: "clarify run",
        input: { id },
        confirm: `Run the agent of ${roleOf(to)} on ${id}?\n\n${runs}`,
      },
      html`<button>Run ${roleOf(to)}</button>`,
    )
    : "";
  return html`${
    waitsFor === "target" ? answer : ""
  }${resolve}<div class="row">${run}${escalate}</div>`;
}
