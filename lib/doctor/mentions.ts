// Finds texts that mention the former number of an issue. The texts are not changed: on both branches, an issue had
// that number, and only a reader knows which of the two a text means.

import type { ClarificationRecord } from "../clarify/schema.ts";
import type { Observation } from "../memory/schema.ts";
import { enumerate } from "../base/quote.ts";
import type { Issue } from "../work/issue/issue.ts";
import { mentions, mentionsIn } from "../work/issue/linked_issues.ts";
import { type Finding, warn } from "./finding.ts";

/** Maximum number of places that are listed, because many texts mention a low number. */
const MAX_PLACES = 20;

/** An issue that has a new number. */
export interface Move {
  from: number;
  to: number;
}

export interface MentioningTexts {
  issues: readonly Issue[];
  clarifications: readonly ClarificationRecord[];
  observations: readonly Observation[];
}

/** Returns a warning for each former number that a text mentions. */
export function examineMentions(moves: readonly Move[], texts: MentioningTexts): Finding[] {
  const numbers = [...new Set(moves.map(({ from }) => from))].sort((a, b) => a - b);
  return numbers.flatMap((from) => {
    const places = placesOf(from, texts);
    if (places.length === 0) return [];
    const now = new Set(moves.filter((move) => move.from === from).map(({ to }) => `#${to}`));
    const message = `texts that mention #${from} may mean what is now ${
      enumerate([...now], " or ")
    }`;
    const next = "They were not changed; correct those that do";
    const left = places.length - MAX_PLACES;
    const named = [...places.slice(0, MAX_PLACES), ...left > 0 ? [`${left} more`] : []];
    return [warn("mentions", `${message}: ${enumerate(named, "; ")}`, next)];
  });
}

function placesOf(
  number: number,
  { issues, clarifications, observations }: MentioningTexts,
): string[] {
  const ofIssues = issues.flatMap((issue) => {
    const parts = mentionsIn(issue, number);
    return parts.length === 0 ? [] : [`#${issue.number} (${parts.join(", ")})`];
  });
  const ofThreads = clarifications
    .filter(({ topic, thread }) =>
      [topic, ...thread.map(({ body }) => body)].some((text) => mentions(text, number))
    ).map(({ id }) => id);
  const ofMemory = observations
    .filter(({ content }) => mentions(content, number)).map(({ id }) => id);
  return [...ofIssues, ...ofThreads, ...ofMemory];
}
