// `agentx answer` answers an agent's question, a question to the human, an escalation or an assumption.

import { HUMAN } from "../base/agent_names.ts";
import { askedAgainBy } from "../clarify/rules/escalation.ts";
import { isUnanswered, MAX_BODY } from "../clarify/schema.ts";
import { actingAgent } from "../cli/acting_agent.ts";
import { type Context, defineCommand, type Result, resultOf } from "../cli/command.ts";
import { asAgent, text } from "../cli/inputs.ts";
import { flag, flagName, type InputOf, optional, rule, type Spec } from "../cli/spec.ts";
import { usageError } from "../cli/usage_error.ts";
import { clarificationId, roundNumber } from "./clarify/input.ts";
import { command as answerClarification } from "./clarify/answer.ts";
import { askId, assumptionId, checkHuman, isVerifiedFor } from "./ask/input.ts";
import type { GateInteraction } from "../gate/interaction.ts";
import { renderInteraction } from "../gate/render/interaction.ts";
import { decideEntry, isInboxId, offeredFor } from "../inbox/inbox.ts";
import { renderDecision } from "../inbox/render.ts";

/** The kinds of ids; kinds with short forms come first. */
const KINDS = [askId, clarificationId, assumptionId, rule(isInboxId, "be an id")];

const anyId: Spec<string> = {
  ...rule(
    (text) => KINDS.some(({ refuse }) => refuse(text) === undefined),
    "look like CLR-42-001, ASK-001, ASM-001, GRD-001, ISS-42-title, PLN-42-3f2a9c01 or STP-42-prd",
  ),
  description: "Id of the question or entry",
  placeholder: "ID",
  values: "clarification",
  read: (text) => KINDS.find(({ refuse }) => refuse(text) === undefined)!.read(text),
};

const input = {
  as: asAgent,
  round: optional(roundNumber, "Answer an agent's question only if it is still in this round"),
  always: flag("Give it to later questions with this blocker, topic and options"),
  decline: flag("Refuse to answer; the question is not asked again"),
  takeBack: flag("Take back an answer given with --always"),
  id: anyId,
  answer: optional(text(MAX_BODY), "The letter of an option, or your own words", {
    placeholder: "a|b|c|TEXT",
  }),
};

type Input = InputOf<typeof input>;

/** Flags that only one kind of id accepts. */
const FLAGS: Readonly<Record<string, readonly (keyof Input)[]>> = {
  ASK: ["always", "decline", "takeBack"],
  CLR: ["as", "round"],
};

export const command = defineCommand({
  kind: "answer",
  runsMonitor: true,
  examples: [
    'agentx answer CLR-42-001 "PostgreSQL, behind a repository."',
    "agentx answer ASK-001 b",
    "agentx answer ASK-001 a --always",
    "agentx answer GRD-001 once",
    'agentx answer ASM-002 revert "We are leaving JWT"',
  ],
  input,
  positional: ["id", "answer"],
  conflicts: {
    answer: ["decline", "takeBack"],
    decline: ["always", "takeBack"],
    takeBack: ["always"],
  },
  async run(context, { as, round, id, answer, ...ask }): Promise<Result<object>> {
    const kind = id.slice(0, 3);
    const given: Partial<Input> = { as, round, ...ask };
    const wrong = Object.keys(given)
      .find((key) => given[key as keyof Input] && !FLAGS[kind]?.includes(key as keyof Input));
    if (wrong !== undefined) {
      const field = flagName(wrong);
      throw usageError(context.name, { field, value: id, why: `${field} does not go with ${id}` });
    }
    if (kind === "ASK") return await answerQuestion(context, id, { answer, ...ask });
    if (answer === undefined) {
      const offered = await offeredFor(await context.openWorkspace(), id);
      const hint = offered === "" ? undefined : `It offers ${offered}.`;
      throw usageError(context.name, {
        ...{ field: "TEXT", value: null, hint },
        why: `the answer to ${id} is required`,
      });
    }
    return kind !== "CLR" || await isToDecide(id, { as, answer }, context)
      ? await decide(context, id, answer)
      : await resultOf(answerClarification, context, { as, round, id, answer });
  },
  render(output: object, view) {
    if ("interaction" in output) return renderInteraction(output.interaction as never, view);
    if ("decision" in output) return renderDecision(output as never);
    return answerClarification.render(output as never, view);
  },
});

/** Whether an answer decides an escalated question: a human's answer does; an agent's answer comes too late. */
async function isToDecide(
  id: string,
  { as, answer }: { as: string | undefined; answer: string },
  { io, openState }: Context,
): Promise<boolean> {
  if (actingAgent(io, as).name() !== HUMAN) return false;
  const record = (await openState()).records().ledger.getById(id);
  return record.status === "escalated" ||
    isUnanswered(record) && askedAgainBy(record, answer) !== undefined;
}

async function answerQuestion(
  { name, io, openState }: Context,
  id: string,
  { answer, always, decline, takeBack }: Pick<Input, "answer" | "always" | "decline" | "takeBack">,
): Promise<Result<object>> {
  checkHuman(io, id, "answer");
  const gate = await (await openState()).gate();
  const result = (interaction: GateInteraction) => ({
    kind: "interaction",
    output: { interaction },
  });
  if (takeBack) return result(await gate.takeBack(id));
  const verified = await isVerifiedFor(io, await gate.get(id));
  if (decline) return result(await gate.dismiss(id, "declined", { verified }));
  if (answer === undefined) {
    throw usageError(name, { field: "a|b|c|TEXT", value: null, why: "the answer is required" });
  }
  return result(await gate.answer(id, answer, { verified, always }));
}

async function decide(
  { io, openWorkspace, signal }: Context,
  id: string,
  answer: string,
): Promise<Result<object>> {
  const verified = checkHuman(io, id, "answer");
  const decision = await decideEntry(await openWorkspace(), id, answer, {
    verified,
    signal,
    isVerifiedFor: (asked) => isVerifiedFor(io, asked),
  });
  return { kind: "inbox.decision", output: { id, decision } };
}
