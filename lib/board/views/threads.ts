// What agents ask each other: the list, and a thread with what can be done about it. Pure.

import { html } from "hono/html";
import { roleOf } from "../../base/agent_names.ts";
import type { OpenRun } from "../../clarify/runs/runs.ts";
import {
  askerOf,
  type ClarificationRecord,
  isActive,
  issueNumberOf,
  STATES,
} from "../../clarify/schema.ts";
import type { DeliveryReport, DeliveryState } from "../../hooks/delivery_report.ts";
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

/** So many that are closed are listed. */
const MAX_CLOSED = 100;

/** @returns the list, those that are open first */
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
          <th>Thread</th>
          <th>Issue</th>
          <th>From</th>
          <th>To</th>
          <th>Status</th>
          <th>Since</th>
          <th>Topic</th>
        </tr>
      </thead>
      <tbody>${records.map((record) =>
        html`
          <tr id="row-${record.id}" data-item tabindex="0">
            <td><a href="#thread?id=${record.id}">${record.id}</a></td>
            <td>${issueLink(issueNumberOf(record.id))}</td>
            <td>${agent(askerOf(record))}</td>
            <td>${agent(record.to)}</td>
            <td>${statusTag(record)}</td>
            <td>${time(record.created)}</td>
            <td>${line(record.topic)}</td>
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

/** A thread with what is known beside it. */
export interface ThreadData {
  record: ClarificationRecord;
  run: OpenRun | undefined;
  deliveries: readonly DeliveryReport[];
  /** The command that answers for its target; undefined where none is configured. */
  runs: string | undefined;
}

/** What each state of a delivery is called. */
const DELIVERED: Readonly<Record<DeliveryState, string>> = {
  queued: "waiting",
  woken: "being delivered",
  offered: "delivered",
  shown: "read",
  acknowledged: "read",
};

/** @returns the view */
export function threadView({ record, run, deliveries, runs }: ThreadData): Html {
  const { id, topic, thread, from, to, round, maxRounds, created, blocking } = record;
  const byId = new Map(deliveries.map((delivery) => [delivery.id, delivery]));
  return html`<h1>${line(topic)}</h1>
<p class="meta">${id} ${issueLink(issueNumberOf(id))} ${agent(from)} asks ${agent(to)} ${
    statusTag(record)
  }
 round ${round} of ${maxRounds}${blocking ? ", blocking" : ""} ${time(created)}${
    run?.state === "running"
      ? html`
        <span class="tag">running</span>
      `
      : ""
  }</p>
<ol class="rounds">${
    thread.map((entry, index) => {
      const delivery = byId.get(`${id}.${index + 1}`);
      return html`
        <li
          class="${entry.type}"><p class="meta">Round ${entry.round}, ${entry.type} of ${agent(
            entry.from,
          )}${entry.from === "human" && entry.verified !== true ? ", unverified" : ""} ${time(
            entry.timestamp,
          )}${delivery === undefined ? "" : html`
            <span class="tag">${DELIVERED[delivery.state]}</span>
          `}</p>${block(entry.body)}</li>
      `;
    })
  }</ol>
${actions(record, runs)}`;
}

/** What a human can do in its state. */
function actions(record: ClarificationRecord, runs: string | undefined): Html | string {
  const { id, status, to } = record;
  const { waitsFor } = STATES[status];
  if (waitsFor === null) return "";
  const answer = action(
    { command: "answer", input: { id } },
    ownWords({
      id: `own-${id}`,
      name: "answer",
      label: waitsFor === "human"
        ? "Decide it: a letter of an option, or your own words"
        : "Answer it",
      button: waitsFor === "human" ? "Decide" : "Answer",
    }),
  );
  if (waitsFor === "human") return answer;
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
