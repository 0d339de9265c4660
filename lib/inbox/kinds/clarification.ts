// The clarifications in the inbox: those that were escalated, and those that no agent here answers.

import { HUMAN } from "../../base/agent_names.ts";
import { describeReach, type Unreached, waysOut } from "../../clarify/reach.ts";
import type { ClarificationOutcome } from "../../clarify/hub/outcome.ts";
import { askedAgainBy, lettersOf } from "../../clarify/rules/escalation.ts";
import {
  askerOf,
  type ClarificationRecord,
  issueNumberOf,
  isUnanswered,
  lastEntry,
} from "../../clarify/schema.ts";
import { type Around, type InboxKind, kindOf, type NewEntry } from "../entry.ts";

/** A clarification that neither an agent nor a session answers. */
interface Unanswered {
  record: ClarificationRecord;
  reach: Unreached;
}

export const escalation: InboxKind = kindOf("escalation", {
  id: /^CLR-[1-9]\d{0,8}-\d{3,9}$/,
  read: ({ clarifications }) =>
    clarifications.filter(({ status, foreign }) => status === "escalated" && foreign !== true),
  entry: escalationEntry,
  async decide(workspace, id, answer, { verified, login, signal }) {
    const record = workspace.ledger.getById(id);
    const router = await workspace.router();
    const question = askedAgainBy(record, answer);
    if (question !== undefined) {
      const asked = { clarificationId: id, question, by: HUMAN, signal };
      return againLine(await router.followUp(asked));
    }
    if (isUnanswered(record)) {
      await router.answerClarification({ clarificationId: id, answer, by: HUMAN, verified, login });
      return answer;
    }
    const decided = { clarificationId: id, resolutionBody: answer, by: HUMAN, verified, login };
    const { clarification } = await router.resolveClarification(decided);
    return clarification.thread.at(-1)?.body ?? answer;
  },
});

export const unanswered: InboxKind = kindOf("unanswered", {
  read: unansweredIn,
  entry: unansweredEntry,
});

function againLine(
  { answer, reach, status, clarificationId: id, clarification: { to } }: ClarificationOutcome,
): string {
  if (answer !== null) return `${to} answered: ${answer}`;
  if (status === "escalated") return `${to} failed again; see: agentx clarify ${id}`;
  return `${to} is asked again${reach === undefined ? "" : `; ${describeReach(reach)}`}`;
}

/** Finds unanswered questions. A question that an agent or a session may still answer is left out. */
async function unansweredIn({ clarifications, workspace }: Around): Promise<Unanswered[]> {
  const byId = new Map(clarifications.map((record) => [record.id, record]));
  return (await workspace.runs.ofAll(clarifications)).flatMap((
    { clarificationId, state, reach },
  ) =>
    state === "nobody" && reach.by === "nobody" ? { record: byId.get(clarificationId)!, reach } : []
  );
}

/** Makes an entry of the inbox from the last thread entry of a type. */
function entryOf(
  record: ClarificationRecord,
  kind: "escalation" | "question",
  { waiting }: Around,
): NewEntry {
  const { id, blocking, created, topic, shared } = record;
  const issue = issueNumberOf(id);
  const agent = askerOf(record);
  const { timestamp = created, body = topic } = lastEntry(record, kind) ?? {};
  const blocks = blocking ? [`${agent} on #${issue}`, ...waiting(issue)] : [];
  const machine = shared?.machine === undefined ? {} : { machine: shared.machine };
  return { id, issue, agent, ...machine, created: timestamp, topic, content: body, blocks };
}

function escalationEntry(record: ClarificationRecord, around: Around): NewEntry {
  const options = lettersOf(record).map(({ letter, text }) => ({ label: letter, text }));
  return { ...entryOf(record, "escalation", around), options };
}

function unansweredEntry({ record, reach }: Unanswered, around: Around): NewEntry {
  const { content, ...entry } = entryOf(record, "question", around);
  return {
    ...entry,
    reason: [describeReach(reach), ...waysOut(reach, "ID")].join("\n"),
    content: `${entry.agent} asks ${record.to}: ${content}\n\n` +
      `${describeReach(reach)}.\n${waysOut(reach, entry.id).join("\n")}`,
  };
}
