// Delivers the outcomes of a session's questions to the human that the session has not seen: answers that came after
// it had stopped waiting, and that replace the fallback if it was taken.
//
// Hooks run at every turn, so this module is loaded only if an outcome is undelivered.

import { objectOf, tryParseJson } from "../base/checks.ts";
import { roleOf } from "../base/agent_names.ts";
import type { HumanGate } from "../gate/gate.ts";
import { type GateInteraction, isUndelivered } from "../gate/interaction.ts";
import { statusLine } from "../gate/render/interaction.ts";
import { RECALL_BEGIN, RECALL_END } from "../text/recall_markers.ts";
import { withoutSecrets } from "../redact/border.ts";
import { quotedText } from "../text/inert.ts";
import { needsDelivery, type Seen } from "./delivery.ts";
import { isWithAnother, newMark } from "./undelivered.ts";
import type { Identity } from "./identity.ts";
import { inert, type Outgoing } from "./section.ts";
import type { Delivery, SessionFiles } from "./session_files.ts";

/** The outcomes that a hook prints. */
export interface HumanAnswers {
  /** Empty if no outcome waits. */
  text: string;
  /** The printed outcomes, by id such as `ASK-001.human`. The marks prove that the outcomes were shown. */
  entries: Pick<Outgoing, "id" | "mark">[];
}

/** The known state of deliveries. */
export interface Known {
  /** The deliveries to the session, with the proofs found so far. */
  deliveries: readonly Delivery[];
  seen: Seen;
  files: SessionFiles;
}

/**
 * The maximum number of outcomes in one answer. A session asks once, but may also get outcomes for other sessions of
 * its role.
 */
const MAX_ENTRIES = 4;

const HEAD = `${RECALL_BEGIN}
## Outcomes of questions to the human (agentx)

`;

/**
 * Returns the outcomes that were not delivered yet, and those with a lost delivery. Outcomes that any session was
 * shown are recorded in the gate as delivered. Throws the errors of `HumanGate.list`.
 */
export async function humanAnswersFor(
  who: Pick<Identity, "session" | "agent" | "issue" | "hostSession">,
  gate: HumanGate,
  { deliveries, seen, files }: Known,
): Promise<HumanAnswers> {
  const entries: HumanAnswers["entries"] = [];
  let lines = "";
  const others = files.readAll().flatMap((file) => file.deliveries);
  for (const one of await gate.list()) {
    if (!isUndelivered(one) || one.orchestrated || !isFor(one, who)) continue;
    const id = `${one.id}.${one.outcome}`;
    const known = deliveries.find((delivery) => delivery.id === id);
    if ([...deliveries, ...others].some((each) => each.id === id && each.shownAt !== null)) {
      await gate.noteDelivered(one);
    } else if (
      entries.length < MAX_ENTRIES && needsDelivery(known, seen) &&
      (known !== undefined || !isWithAnother(id, who.session, { seen, files }))
    ) {
      const mark = known?.mark ?? newMark();
      entries.push({ id, mark });
      const repeated = known === undefined ? "" : ", repeated: it was offered before";
      lines += describe(one, `delivery ${id} ${mark}${repeated}`);
    }
  }
  const text = lines === "" ? "" : await withoutSecrets(`${HEAD}${lines}${RECALL_END}\n`);
  return { text, entries };
}

function isFor(
  { request }: GateInteraction,
  { agent, issue, hostSession }: Pick<Identity, "agent" | "issue" | "hostSession">,
): boolean {
  if (hostSession !== undefined && request.session === hostSession) return true;
  return roleOf(request.agent) === agent && request.issue === issue;
}

function describe(one: GateInteraction, delivery: string): string {
  const { id, request, superseded } = one;
  const before = superseded === null
    ? ""
    : ` It came late, and replaces the fallback (${superseded.decision.label}).`;
  const said = quotedText(inert(`${request.question}\n${statusLine(one)}`)).replace(
    /^> #/gm,
    "> \\#",
  );
  return `- ${id}, of issue #${request.issue} (${delivery}).${before}\n${
    said.replace(/^/gm, "  ")
  }\n`;
}

/**
 * Whether the gate should be opened. True for a text that does not parse, because the error is reported when the gate
 * reads the file.
 */
export function mayBeUndelivered(interactions: string): boolean {
  const { agent_interactions: all } = objectOf(tryParseJson(interactions));
  return !Array.isArray(all) || all.some(isUndelivered);
}
