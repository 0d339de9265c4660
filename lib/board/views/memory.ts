/**
 * What earlier sessions learned: a search, and one observation with the code that it names. Pure.
 *
 * @module
 */

import { html } from "hono/html";
import type { Standing } from "../../memory/anchors/anchors.ts";
import { type Observation, type ObservationIndex, shortIdOf } from "../../memory/schema.ts";
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

/** @returns the view: what a search found, or the latest */
export function memoryView(
  observations: readonly ObservationIndex[],
  query: URLSearchParams,
): Html {
  const search = query.get("q") ?? "";
  const nothing = search === ""
    ? empty(
      "Nothing is remembered yet.",
      html`Sessions are captured when they end; note one thing with <code>agentx memory note</code>`,
    )
    : empty("No matching observations.", html`<a href="#memory">Show the latest</a>`);
  return html`
    <h1>Memory <small>${search === "" ? "the latest first" : "the best match first"}</small></h1>
    <form class="filters" data-view="memory"
      role="search"><input type="search" name="q" id="q" value="${search}"
    placeholder="Search" aria-label="Search memory" autocomplete="off"></form>
    ${observations.length === 0 ? nothing : observationList(observations)}
  `;
}

/** @returns a list of observations */
export function observationList(observations: readonly ObservationIndex[]): Html {
  return html`<ul class="observations">${
    observations.map((each) =>
      html`
        <li id="row-${each.id}" data-item
          tabindex="0"><a href="#observation?id=${each.id}">${line(
            each.summary,
          )}</a>${metaOf(each)}</li>
      `
    )
  }</ul>`;
}

/** @returns all with what they say, the latest first */
export function rememberedView(observations: readonly Observation[]): Html {
  return html`
    <h1>Memory <small>${observations.length}</small></h1>
    <ul class="observations">${observations.toSorted((a, b) => a.timestamp < b.timestamp ? 1 : -1)
      .map((each) =>
        html`<li id="observation?id=${each.id}">${metaOf(each)}${block(each.content)}</li>`
      )}</ul>
  `;
}

function metaOf({ agent: who, issueNumber, category, timestamp }: ObservationIndex): Html {
  return html`<p class="meta"><span class="tag">${category}</span> ${agent(who)} ${
    issueLink(issueNumber)
  } ${time(timestamp)}</p>`;
}

/** An observation with what is known beside it. */
export interface ObservationData {
  observation: Observation;
  standing: Standing;
  /** What the same session observed, the earliest first. */
  session: readonly Observation[];
}

/** What became of the code that an observation names. */
const STANDING: Readonly<Record<Standing["state"], string>> = {
  same: "The code that it names is as it was",
  changed: "The code that it names has changed",
  gone: "The code that it names is gone",
  unknown: "It names no code here",
};

/** @returns the view */
export function observationView({ observation, standing, session }: ObservationData): Html {
  const { id, agent: who, issueNumber, category, content, timestamp, anchors = [], retracted } =
    observation;
  const isDoubtful = standing.state === "changed" || standing.state === "gone";
  const places = anchors.map(({ path, symbol, line: at }) =>
    `${path}${symbol ? ` ${symbol}` : at ? `:${at}` : ""}`
  );
  return html`<h1>Observation <small>${shortIdOf(id)}</small></h1>
<p class="meta"><span class="tag">${category}</span> ${agent(who)} ${issueLink(issueNumber)} ${
    time(timestamp)
  }</p>
${retracted === undefined ? "" : html`<p class="refused">Retracted: ${line(retracted.because)}</p>`}
${block(content)}
<p class="${isDoubtful ? "refused" : "dim"}">${STANDING[standing.state]}${
    places.length === 0 ? "" : html`: ${line(places.join(", "))}`
  }</p>
${standing.changes.map((change) => html`<p class="dim">${line(change)}</p>`)}
<div class="row">${
    isDoubtful
      ? action(
        { command: "memory review", input: { keep: id } },
        html`<button>It still holds</button>`,
      )
      : ""
  }${
    action(
      { command: "memory delete", input: { id } },
      html`<button class="quiet">Forget it for good</button>`,
    )
  }</div>
${
    action(
      {
        command: "memory note",
        input: { agent: "human", issue: issueNumber || "", category, supersedes: id },
      },
      ownWords({
        id: `correct-${id}`,
        name: "text",
        label: "What holds instead",
        button: "Correct",
      }),
    )
  }
${
    action(
      { command: "memory retract", input: { id } },
      ownWords({
        id: `retract-${id}`,
        name: "because",
        label: "Why it is wrong",
        button: "Retract",
      }),
    )
  }
<h2>The same session <small>${session.length}</small></h2>
<ol class="lines">${
    session.map((each) =>
      html`<li>${time(each.timestamp)} ${
        each.id === id
          ? html`<b>${line(each.summary)}</b>`
          : html`<a href="#observation?id=${each.id}">${line(each.summary)}</a>`
      }</li>`
    )
  }</ol>`;
}
