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
import type { Identity } from "./identity.ts";
import { inert } from "./section.ts";

/** What is put out, and how to note that it was. */
export interface HumanAnswers {
  /** Empty where there is nothing to tell. */
  text: string;
  /** Notes that the session was told. */
  putOut(): Promise<void>;
}

/** A session asks once; another one of its role may have to be told instead. */
const MAX_TOLD = 4;

const HEAD = `${RECALL_BEGIN}
## What came of questions to the human (agentx)

`;

/**
 * @param who the session
 * @param gate that asked
 * @returns what the session was not told of yet
 * @throws {AgentxError} as `HumanGate.list`
 */
export async function humanAnswersFor(
  who: Pick<Identity, "agent" | "issue" | "hostSession">,
  gate: HumanGate,
): Promise<HumanAnswers> {
  const untold = (await gate.list())
    .filter((one) => isUntold(one) && !one.orchestrated && isFor(one, who))
    .slice(0, MAX_TOLD);
  const lines = untold.map(describe).join("");
  return {
    text: lines === "" ? "" : await withoutSecrets(`${HEAD}${lines}${RECALL_END}\n`),
    async putOut() {
      for (const one of untold) await gate.noteTold(one);
    },
  };
}

function isFor(
  { request }: GateInteraction,
  { agent, issue, hostSession }: Pick<Identity, "agent" | "issue" | "hostSession">,
): boolean {
  if (hostSession !== undefined && request.session === hostSession) return true;
  return roleOf(request.agent) === agent && request.issue === issue;
}

function describe(one: GateInteraction): string {
  const { id, request, superseded } = one;
  const before = superseded === null
    ? ""
    : ` It came late, and replaces the fallback (${superseded.decision.label}).`;
  const said = quotedText(inert(`${request.question}\n${standingOf(one)}`)).replace(
    /^> #/gm,
    "> \\#",
  );
  return `- ${id}, of issue #${request.issue}.${before}\n${said.replace(/^/gm, "  ")}\n`;
}
