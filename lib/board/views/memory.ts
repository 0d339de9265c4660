// Renders the memory: a search, and one observation with the code that it names. Pure.

import { html } from "hono/html";
import type { InDoubt } from "../../memory/anchors/in_doubt.ts";
import type { Standing } from "../../memory/anchors/anchors.ts";
import { type Observation, type ObservationIndex, shortIdOf } from "../../memory/schema.ts";
import { marked, markedLines } from "./markdown.ts";
import {
  action,
  agent,
  choice,
  empty,
  type Html,
  issueLink,
  line,
  meta,
  ownWords,
  time,
} from "./parts.ts";

/** @returns the view: the results of a search, best first, or a timeline, the latest day first */
export function memoryView(
  observations: readonly ObservationIndex[],
  query: URLSearchParams,
): Html {
  const search = query.get("q") ?? "";
  const dayOf = ({ timestamp }: ObservationIndex) => timestamp.slice(0, "2026-02-26".length);
  const days = [...new Set(observations.map(dayOf))];
  const nothing = search === "" && !query.get("to")
    ? empty(
      "Nothing is remembered yet.",
      html`Sessions are captured when they end; note one thing with <code>agentx memory note</code>`,
    )
    : NO_MATCH;
  return html`
    <h1>Memory <small>${search === "" ? "the latest first" : "the best match first"}</small></h1>
    ${filters(query)}${observations.length === 0
      ? nothing
      : search !== ""
      ? observationList(observations)
      : days.map((day) => {
        const those = observations.filter((each) => dayOf(each) === day);
        return html`<h2>${day} <small>${those.length}</small></h2>${observationList(those)}`;
      })}
  `;
}

const NO_MATCH = empty("No matching observations.", html`<a href="#memory">Show the latest</a>`);

function filters(query: URLSearchParams): Html {
  return html`<form class="filters" data-view="memory" role="search">
<input type="search" name="q" id="q" value="${
    query.get("q") ?? ""
  }" placeholder="Search" aria-label="Search memory" autocomplete="off">
<input type="date" name="to" id="to" value="${query.get("to") ?? ""}" aria-label="Up to this day">
${choice("as", "All", [["doubt", "In doubt"]], query)}</form>`;
}

/** @returns the view of observations that may no longer hold, each with the reason */
export function doubtView(inDoubt: readonly InDoubt[], query: URLSearchParams): Html {
  return html`<h1>Memory <small>${inDoubt.length} in doubt</small></h1>${filters(query)}${
    inDoubt.length === 0
      ? empty("Nothing is in doubt.", html`<a href="#memory">Show the latest</a>`)
      : html`<ul class="observations">${
        inDoubt.map(({ observation, standing, contradictedBy }) =>
          html`
            <li id="row-${observation.id}" data-item
              tabindex="0"><a href="#observation?id=${observation.id}">${marked(
                observation.summary,
              )}</a>${metaOf(observation)}<p class="refused">${contradictedBy.length > 0
                ? html`A later one says otherwise: <a href="#observation?id=${contradictedBy[0]}">${
                  shortIdOf(contradictedBy[0])
                }</a>`
                : STANDING[standing.state]}</p>${decisions(observation, isInDoubt(standing))}</li>
          `
        )
      }</ul>`
  }`;
}

/** @returns a list of observations */
export function observationList(observations: readonly ObservationIndex[]): Html {
  return html`<ul class="observations">${
    observations.map((each) =>
      html`
        <li id="row-${each.id}" data-item
          tabindex="0"><a href="#observation?id=${each.id}">${marked(
            each.summary,
          )}</a>${metaOf(each)}</li>
      `
    )
  }</ul>`;
}

/** @returns the view of all observations with their contents, the latest first */
export function rememberedView(observations: readonly Observation[]): Html {
  return html`
    <h1>Memory <small>${observations.length}</small></h1>
    <ul class="observations">${observations.toSorted((a, b) => a.timestamp < b.timestamp ? 1 : -1)
      .map((each) =>
        html`<li id="observation?id=${each.id}">${metaOf(each)}${markedLines(each.content)}</li>`
      )}</ul>
  `;
}

function metaOf(
  { agent: who, issueNumber, category, timestamp }: Omit<ObservationIndex, "id" | "summary">,
): Html {
  const tag = html`<span class="tag">${category}</span>`;
  return meta([html`${tag} ${agent(who)}`, issueLink(issueNumber), time(timestamp)]);
}

/** An observation with data from outside of it. */
export interface ObservationData {
  observation: Observation;
  standing: Standing;
  /** The observations of the same session, the earliest first. */
  session: readonly Observation[];
}

/** Words for the state of the code that an observation names. */
const STANDING: Readonly<Record<Standing["state"], string>> = {
  same: "The code that it names is as it was",
  changed: "The code that it names has changed",
  gone: "The code that it names is gone",
  unknown: "It names no code here",
};

export function observationView({ observation, standing, session }: ObservationData): Html {
  const { id, content, anchors = [], retracted } = observation;
  const isDoubtful = isInDoubt(standing);
  const places = anchors.map(({ path, symbol, line: at }) =>
    `${path}${symbol ? ` ${symbol}` : at ? `:${at}` : ""}`
  );
  return html`<h1>Observation <small>${shortIdOf(id)}</small></h1>
${metaOf(observation)}
${retracted === undefined ? "" : html`<p class="refused">Retracted: ${line(retracted.because)}</p>`}
${markedLines(content)}
<p class="${isDoubtful ? "refused" : "dim"}">${STANDING[standing.state]}${
    places.length === 0 ? "" : html`: ${line(places.join(", "))}`
  }</p>
${standing.changes.map((change) => html`<p class="dim">${line(change)}</p>`)}
${decisions(observation, isDoubtful)}
<h2>The same session <small>${session.length}</small></h2>
<ol class="lines">${
    session.map((each) =>
      html`<li>${time(each.timestamp)} &middot; ${
        each.id === id
          ? html`<b>${marked(each.summary)}</b>`
          : html`<a href="#observation?id=${each.id}">${marked(each.summary)}</a>`
      }</li>`
    )
  }</ol>`;
}

function isInDoubt({ state }: Standing): boolean {
  return state === "changed" || state === "gone";
}

/** Renders a person's decisions on an observation. "Keep" is offered only if the code has changed. */
function decisions({ id, issueNumber, category }: Observation, canKeep: boolean): Html {
  const keep = action(
    { command: "memory review", input: { keep: id } },
    html`<button>It still holds</button>`,
  );
  const forget = action(
    { command: "memory delete", input: { id } },
    html`<button class="quiet">Forget it for good</button>`,
  );
  const corrected = { agent: "human", issue: issueNumber || "", category, supersedes: id };
  const correct = action(
    { command: "memory note", input: corrected },
    ownWords({ id: `correct-${id}`, name: "text", label: "What holds instead", button: "Correct" }),
  );
  const retract = action(
    { command: "memory retract", input: { id } },
    ownWords({ id: `retract-${id}`, name: "because", label: "Why it is wrong", button: "Retract" }),
  );
  return html`<div class="row">${canKeep ? keep : ""}${forget}</div>${correct}${retract}`;
}
