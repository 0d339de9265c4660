// Renders the state to adopt, before its user agrees. Pure.

import { terminalBlock, terminalLine } from "../text/text.ts";
import type { RenderView } from "../text/view.ts";
import type { Adoption } from "./adoption.ts";

/** Maximum number of entries to list. An agent could hide an entry behind many others, so the total is shown, too. */
const MAX_LISTED = 20;

/** Renders the state to adopt, or that it is already the user's own. */
export function renderAdoption(
  { root, isOurs, questions, standing, runs }: Adoption,
  { width }: RenderView,
): string {
  const place = `${root}/.agentx/state`;
  const says = isOurs ? "is yours." : "came from elsewhere: it is shown, and not acted on.";
  const head = terminalBlock(`${place} ${says}`, { indent: "  ", width });
  if (isOurs) return head.join("\n");
  return [
    ...head,
    "  Adopted, this of it counts:",
    ...group(
      "open questions, on which agents would be run",
      questions,
      ({ id, from, to, topic }) => `${id}  ${from} asks ${to}: ${topic}`,
    ),
    ...group(
      "standing answers, which answer the next question",
      standing,
      (one) => `${one.id}  ${one.question} ${one.answer}`,
    ),
    ...group("runs, which could be resumed", runs, (id) => id),
  ].join("\n");

  function group<T>(what: string, all: readonly T[], line: (one: T) => string): string[] {
    const shown = all.slice(0, MAX_LISTED).map((one) =>
      `      ${terminalLine(line(one), Math.max(40, width - 6))}`
    );
    const more = all.length - shown.length;
    return [
      `    ${all.length} ${what}`,
      ...shown,
      ...more > 0 ? [`      and ${more} more`] : [],
    ];
  }
}
