// Who works on what, and who waits for whom. Pure.

import { html } from "hono/html";
import { type AgentState, type AgentWork, LAST_SEEN } from "../../clarify/status/agent_states.ts";
import { askerOf } from "../../clarify/schema.ts";
import { deadlockOf, type WaitGraph } from "../../clarify/monitor/wait_graph.ts";
import { agent, empty, type Html, issueLink, line, time } from "./parts.ts";
import { waitSvg } from "./wait_svg.ts";

/** An agent with what is known of where it works. */
export interface AgentRow extends AgentState {
  /** The program that it runs in, its folder, and the branch there, as far as they are known. */
  place: readonly string[];
  /** The numbers of the issues that it has claimed. */
  holds: readonly number[];
}

/** What the view shows. */
export interface NowData {
  agents: readonly AgentRow[];
  graph: WaitGraph;
}

/** @returns the view */
export function nowView({ agents, graph }: NowData): Html {
  const shown = agents.filter(({ gone, status }) => !gone || status !== "done");
  return html`<h1>Now</h1>
${
    shown.length === 0
      ? empty(
        "No agent has said anything yet.",
        html`Start one in this repository; <code>agentx setup --check</code> says what would keep it from being seen.`,
      )
      : html`
        <table>
          <thead>
            <tr>
              <th>Agent</th>
              <th>Does</th>
              <th>Issue</th>
              <th>Since</th>
              <th>With whom</th>
              <th>Holds</th>
              <th>Where</th>
            </tr>
          </thead>
          <tbody>${shown.flatMap((each) =>
            each.work.map((work, index) => row(each, work, index === 0))
          )}</tbody>
        </table>
      `
  }
<h2>Who waits for whom</h2>${waits(graph)}`;
}

/** What is known of the agent stands beside the first of what it does. */
function row(
  { agent: name, place, holds }: AgentRow,
  { status, issue, since, clarificationId, waitingOn, respondingTo, run, hasEvidence }: AgentWork,
  isFirst: boolean,
) {
  const isBlocked = status === "blocked-clarification";
  const other = waitingOn ?? respondingTo;
  return html`
    <tr data-item tabindex="0" class="${isBlocked ? "hot" : ""}">
      <td>${agent(name)}</td>
      <td>${isBlocked
        ? "waits for an answer"
        : hasEvidence
        ? status
        : LAST_SEEN}${run?.state === "running" ? ", running" : ""}</td>
      <td>${issueLink(issue ?? 0)}</td>
      <td>${since === null ? "" : time(since)}</td>
      <td>${other === null ? "" : agent(other)} ${clarificationId === null
        ? ""
        : html`<a href="#thread?id=${clarificationId}">${clarificationId}</a>`}</td>
      <td>${isFirst
        ? holds.map((number) =>
          html`
            ${issueLink(number)}
          `
        )
        : ""}</td>
      <td class="dim">${isFirst ? line(place.join(", ")) : ""}</td>
    </tr>
  `;
}

function waits({ edges, cycles }: WaitGraph): Html {
  if (edges.length === 0) return html`<p class="dim">No agent waits for another.</p>`;
  const inDeadlock = new Set(cycles.flat());
  const list = edges.map((edge) =>
    html`<li>${agent(askerOf(edge))} waits for ${
      agent(edge.to)
    }: <a href="#thread?id=${edge.id}">${edge.id}</a> ${line(edge.topic)} ${time(edge.created)}${
      inDeadlock.has(edge)
        ? html`
          <span class="tag bad">deadlock</span>
        `
        : ""
    }</li>`
  );
  const picture = waitSvg(edges.map((edge) => ({
    from: askerOf(edge),
    to: edge.to,
    isDeadlock: inDeadlock.has(edge),
  })));
  return html`${picture}<ul class="lines">${list}</ul>${
    cycles.map((cycle) => html`<p class="refused">${line(deadlockOf(cycle).reason)}</p>`)
  }`;
}
