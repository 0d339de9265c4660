/**
 * What a session is told of its questions to the human: answers that came after it had stopped waiting,
 * which replace the fallback where that was taken.
 *
 * Hooks run at every turn: nothing is loaded where no human was ever asked, or all is told.
 *
 * @module
 */

import { roleOf } from "../../agent_names.ts";
import type { HumanGate } from "../../gate/gate.ts";
import { type GateInteraction, isUntold } from "../../gate/interaction.ts";
import { standingOf } from "../../gate/render/interaction.ts";
import { RECALL_BEGIN, RECALL_END } from "../../memory/recall/recall_markers.ts";
import { withoutSecrets } from "../../redact/border.ts";
import { quotedText } from "../../text/inert.ts";
import { isDue, type Seen } from "./delivery.ts";
import { isWithAnother, newMark } from "./due.ts";
import type { Identity } from "./identity.ts";
import { inert, type Told } from "./section.ts";
import type { Delivery, SessionFiles } from "./session_files.ts";

/** What is put out. */
export interface HumanAnswers {
  /** Empty where there is nothing to tell. */
  text: string;
  /** What is in it, with the marks that prove that it was shown: `ASK-001.human`. */
  told: Pick<Told, "id" | "mark">[];
}

/** What is known of deliveries. */
export interface Known {
  /** Those of the session, as far as they are proven now. */
  deliveries: readonly Delivery[];
  seen: Seen;
  /** What is known of all sessions. */
  files: SessionFiles;
}

/** A session asks once; another one of its role may have to be told instead. */
const MAX_TOLD = 4;

const HEAD = `${RECALL_BEGIN}
## What came of questions to the human (agentx)

`;

/**
 * The gate counts as told what is proven to have been shown, to this session or another one.
 *
 * @param who the session
 * @param gate that asked
 * @param known of deliveries
 * @returns what the session was not told of yet, or what is lost of it
 * @throws {AgentxError} as `HumanGate.list`
 */
export async function humanAnswersFor(
  who: Pick<Identity, "session" | "agent" | "issue" | "hostSession">,
  gate: HumanGate,
  { deliveries, seen, files }: Known,
): Promise<HumanAnswers> {
  const told: HumanAnswers["told"] = [];
  let lines = "";
  const others = files.readAll().flatMap((file) => file.deliveries);
  for (const one of await gate.list()) {
    if (!isUntold(one) || one.orchestrated || !isFor(one, who)) continue;
    const id = `${one.id}.${one.outcome}`;
    const known = deliveries.find((delivery) => delivery.id === id);
    if ([...deliveries, ...others].some((each) => each.id === id && each.shownAt !== null)) {
      await gate.noteTold(one);
    } else if (
      told.length < MAX_TOLD && isDue(known, seen) &&
      (known !== undefined || !isWithAnother(id, who.session, { seen, files }))
    ) {
      const mark = known?.mark ?? newMark();
      told.push({ id, mark });
      const repeated = known === undefined ? "" : ", repeated: it was offered before";
      lines += describe(one, `delivery ${id} ${mark}${repeated}`);
    }
  }
  const text = lines === "" ? "" : await withoutSecrets(`${HEAD}${lines}${RECALL_END}\n`);
  return { text, told };
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
  const said = quotedText(inert(`${request.question}\n${standingOf(one)}`)).replace(
    /^> #/gm,
    "> \\#",
  );
  return `- ${id}, of issue #${request.issue} (${delivery}).${before}\n${
    said.replace(/^/gm, "  ")
  }\n`;
}
