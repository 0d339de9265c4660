// Clarifications that a human decides: those that were escalated, and those that nobody here answers.

import { HUMAN } from "../../base/agent_names.ts";
import { describeReach, type Unreached, waysOut } from "../../clarify/reach.ts";
import { lettersOf } from "../../clarify/rules/escalation.ts";
import {
  askerOf,
  type ClarificationRecord,
  issueNumberOf,
  isUnanswered,
  lastEntry,
} from "../../clarify/schema.ts";
import { type Around, type InboxKind, kindOf, type NewEntry } from "../entry.ts";

/** A clarification that no agent and nobody answers. */
interface Unanswered {
  record: ClarificationRecord;
  reach: Unreached;
}

export const escalation: InboxKind = kindOf("escalation", {
  id: /^CLR-[1-9]\d{0,8}-\d{3,9}$/,
  read: ({ clarifications }) =>
    clarifications.filter(({ status, foreign }) => status === "escalated" && foreign !== true),
  entry: escalationEntry,
  async decide({ router, ledger }, id, answer, { verified }) {
    if (isUnanswered(ledger.getById(id))) {
      await router.answerClarification({ clarificationId: id, answer, by: HUMAN, verified });
      return answer;
    }
    const decided = { clarificationId: id, resolutionBody: answer, by: HUMAN, verified };
    const { clarification } = await router.resolveClarification(decided);
    return clarification.thread.at(-1)?.body ?? answer;
  },
});

export const unanswered: InboxKind = kindOf("unanswered", {
  read: unansweredIn,
  entry: unansweredEntry,
});

/** A question that an agent or a session may still answer is left to them. */
async function unansweredIn({ clarifications, workspace }: Around): Promise<Unanswered[]> {
  const byId = new Map(clarifications.map((record) => [record.id, record]));
  return (await workspace.runs.ofAll(clarifications)).flatMap((
    { clarificationId, state, reach },
  ) =>
    state === "nobody" && reach.by === "nobody" ? { record: byId.get(clarificationId)!, reach } : []
  );
}

function escalationEntry(record: ClarificationRecord, { waiting }: Around): NewEntry {
  const { id, blocking, topic } = record;
  const issue = issueNumberOf(id);
  const escalation = lastEntry(record, "escalation");
  const agent = askerOf(record);
  return {
    id,
    issue,
    agent,
    created: escalation?.timestamp ?? record.created,
    topic,
    content: escalation?.body ?? topic,
    options: lettersOf(record).map(({ letter, text }) => ({ label: letter, text })),
    blocks: blocking ? [`${agent} on #${issue}`, ...waiting(issue)] : [],
  };
}

function unansweredEntry({ record, reach }: Unanswered, { waiting }: Around): NewEntry {
  const { id, blocking, created, to, topic } = record;
  const issue = issueNumberOf(id);
  const question = lastEntry(record, "question");
  const agent = askerOf(record);
  return {
    id,
    issue,
    agent,
    created: question?.timestamp ?? created,
    topic,
    reason: [describeReach(reach), ...waysOut(reach, "ID")].join("\n"),
    content: `${agent} asks ${to}: ${question?.body ?? topic}\n\n` +
      `${describeReach(reach)}.\n${waysOut(reach, id).join("\n")}`,
    blocks: blocking ? [`${agent} on #${issue}`, ...waiting(issue)] : [],
  };
}
