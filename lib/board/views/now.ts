// Renders the work of each agent, and who waits for whom. Pure.

import { html } from "hono/html";
import { type AgentState, type AgentWork, LAST_SEEN } from "../../clarify/status/agent_states.ts";
import { askerOf } from "../../clarify/schema.ts";
import { deadlockOf, type WaitGraph } from "../../clarify/monitor/wait_graph.ts";
import type { SharedFile } from "../../hooks/shared_files.ts";
import { minuteOf } from "../../base/time.ts";
import { agent, empty, type Html, issueLink, line, time } from "./parts.ts";
import type { Issue } from "../../work/issue/issue.ts";
import type { SharingState } from "../../remote/remote.ts";
import { waitSvg } from "./wait_svg.ts";

/** An agent with the place of its work. */
export interface AgentRow extends AgentState {
  /** The program that runs the agent, its folder and its branch, as far as known. */
  place: readonly string[];
  /** The numbers of the issues that the agent has claimed. */
  holds: readonly number[];
}

/** The data of the view. */
export interface NowData {
  agents: readonly AgentRow[];
  /** Files that several live sessions have changed within the last half hour. */
  shared?: readonly SharedFile[];
  /** Issues with finished work of agents that a person has to merge. */
  unmerged?: readonly Issue[];
  /** Issues that agents on other machines hold; absent if the workspace is not shared. */
  elsewhere?: SharingState["claims"];
  graph: WaitGraph;
}

export function nowView({ agents, shared = [], unmerged = [], elsewhere, graph }: NowData): Html {
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
${shared.length === 0 ? "" : sharedList(shared)}
${
    unmerged.length === 0 ? "" : html`<h2>Done, not merged</h2>
<ul class="lines">${
      unmerged.map(({ number, title }) =>
        html`<li>${issueLink(number)} ${
          line(title)
        } &middot; <code>agentx workflow merge ${number}</code></li>`
      )
    }</ul>`
  }
${elsewhere === undefined ? "" : otherMachines(elsewhere)}
<h2>Who waits for whom</h2>${waits(graph)}`;
}

/** Renders each shared file with its sessions, their issues, and the checkout if they differ. */
function sharedList(shared: readonly SharedFile[]): Html {
  return html`<h2>Changed by several sessions</h2>
<ul class="lines">${
    shared.map(({ path, edits }) =>
      html`<li><code>${line(path)}</code> &middot; ${
        edits.map(({ by, issue, at, tree }, index) =>
          html`${index === 0 ? "" : " and "}${agent(by)} ${issueLink(issue ?? 0)} (${time(at)}${
            edits.every((other) => other.tree === tree)
              ? ""
              : html`
                in ${line(tree)}
              `
          })`
        )
      }</li>`
    )
  }</ul>`;
}

function otherMachines(claims: SharingState["claims"]): Html {
  if (claims.length === 0) return empty("No agent on another machine has an issue.");
  return html`
    <h2>On other machines</h2>
    <ul class="lines">${claims.map(({ agent: name, issue, machine, until }) =>
      html`<li>${agent(name)} has ${issueLink(issue)} &middot; ${
        line(machine ?? "claimed offline, not settled yet")
      }${
        until === null ? "" : html`
          &middot; until ${minuteOf(until)} UTC
        `
      }</li>`
    )}</ul>
  `;
}

/** Renders a row for one piece of work; the first row of an agent also shows its issues and place. */
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
      <td>${other === null ? "" : agent(other)}${clarificationId === null ? "" : html`
        <a href="#thread?id=${clarificationId}">${clarificationId}</a>
      `}</td>
      <td>${isFirst ? listOf(holds.map(issueLink)) : ""}</td>
      <td class="dim">${isFirst && place.length > 0 ? line(place.join(", ")) : ""}</td>
    </tr>
  `;
}

function listOf(parts: readonly (Html | string)[]): Html[] {
  return parts.map((part, index) => html`${index === 0 ? "" : ", "}${part}`);
}

function waits({ edges, cycles }: WaitGraph): Html {
  if (edges.length === 0) return html`<p class="dim">No agent waits for another.</p>`;
  const inDeadlock = new Set(cycles.flat());
  const list = edges.map((edge) =>
    html`<li>${agent(askerOf(edge))} waits for ${agent(edge.to)}: ${
      line(edge.topic)
    } &middot; <a href="#thread?id=${edge.id}">${edge.id}</a> &middot; ${time(edge.created)}${
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
