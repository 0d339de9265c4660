// The questions of agents to the human, and the assumptions of high risk, in the inbox.

import { type Assumption, contradicting } from "../../gate/assumption.ts";
import { type GateInteraction, isSecurity } from "../../gate/interaction.ts";
import { questionText } from "../../gate/render/interaction.ts";
import { openRequests, unconfirmedRisks } from "../../workspace/open_requests.ts";
import {
  type Around,
  type InboxKind,
  type InboxOption,
  kindOf,
  type NewEntry,
  notTaken,
  offeredIn,
  wordIn,
} from "../entry.ts";

/** The decisions about an assumption. */
const JUDGEMENTS: readonly InboxOption[] = [
  { label: "a", text: "Right" },
  { label: "b", text: "Wrong: no longer assume it" },
];

export const question: InboxKind = kindOf("question", {
  id: /^ASK-\d{3,9}$/,
  read: ({ workspace }) => openRequests(workspace),
  entry: questionEntry,
  async decide(workspace, id, answer, { isVerifiedFor, login }) {
    const gate = await workspace.gate();
    const verified = await isVerifiedFor(await gate.get(id));
    const { decision } = await gate.answer(id, answer, { verified, login });
    return decision?.text ?? answer;
  },
});

export const assumption: InboxKind = kindOf("assumption", {
  id: /^ASM-\d{3,9}$/,
  read: ({ workspace }) => unconfirmedRisks(workspace),
  entry: assumptionEntry,
  async decide(workspace, id, answer) {
    const { word, why } = wordIn(answer);
    const status = /^(?:a|confirm)$/i.test(word)
      ? "confirmed"
      : /^(?:b|revert)$/i.test(word)
      ? "reverted"
      : undefined;
    if (status === undefined) {
      throw notTaken(id, answer, `Begin with ${offeredIn(JUDGEMENTS)}; more words say why`);
    }
    await (await workspace.gate()).assumptions.judge(id, status, why);
    return status;
  },
});

function questionEntry(
  question: GateInteraction,
  { waiting }: Around,
): NewEntry {
  const { id, created, deadline, request } = question;
  const { agent, issue } = request;
  return {
    id,
    issue,
    agent,
    created,
    deadline,
    topic: request.question,
    content: questionText(question),
    options: request.options.map(({ label, text }) => ({
      label,
      text,
      ...label === request.fallback.option && !isSecurity(request) && { isFallback: true },
    })),
    blocks: [`${agent} on #${issue}`, ...waiting(issue)],
  };
}

/** Makes the entry of an assumption. It blocks no agent, because the agent continued. */
function assumptionEntry(
  assumption: Assumption,
  _: Around,
  risks: readonly Assumption[],
): NewEntry {
  const { id, issue, agent, created, decision, reasoning, risk_if_wrong: risk } = assumption;
  return {
    id,
    issue,
    agent,
    created,
    topic: decision,
    content: [
      `Assumed: ${decision}`,
      `Because: ${reasoning}`,
      `If it is wrong: ${risk}`,
      ...contradicting(assumption, risks).map((other) =>
        `Confirmed too, and says otherwise: ${other.id} ${other.decision}`
      ),
    ].join("\n"),
    options: [...JUDGEMENTS],
  };
}
