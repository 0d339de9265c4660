// `agentx answer`: an agent's question, a question to the human, an escalation or an assumption.

import { HUMAN } from "../base/agent_names.ts";
import { MAX_BODY } from "../clarify/schema.ts";
import { actingAgent } from "../cli/acting_agent.ts";
import { type Context, defineCommand, type Result, resultOf } from "../cli/command.ts";
import { asAgent, text } from "../cli/inputs.ts";
import { flag, flagName, type InputOf, optional, rule, type Spec } from "../cli/spec.ts";
import { missingArgument, usageError } from "../cli/usage_error.ts";
import { clarificationId, roundNumber } from "./clarify/input.ts";
import { command as answerClarification } from "./clarify/answer.ts";
import { askId, assumptionId, checkHuman, isVerifiedFor } from "./ask/input.ts";
import type { GateInteraction } from "../gate/interaction.ts";
import { renderInteraction } from "../gate/render/interaction.ts";
import { decideEntry, isInboxId } from "../inbox/inbox.ts";
import { renderDecision } from "../inbox/render.ts";

/** Those that can be abbreviated come first. */
const KINDS = [askId, clarificationId, assumptionId, rule(isInboxId, "be an id")];

const anyId: Spec<string> = {
  ...rule(
    (text) => KINDS.some(({ refuse }) => refuse(text) === undefined),
    "look like CLR-42-001, ASK-001, ASM-001, GRD-001, ISS-42-title, PLN-42-3f2a9c01 or STP-42-prd",
  ),
  description: "Id of what is answered",
  placeholder: "ID",
  values: "clarification",
  read: (text) => KINDS.find(({ refuse }) => refuse(text) === undefined)!.read(text),
};

const input = {
  as: asAgent,
  round: optional(roundNumber, "Answer an agent's question only in this round"),
  always: flag("Answer the next question with the same blocker, topic and options, too"),
  decline: flag("Do not answer a question to the human, now or later"),
  takeBack: flag("Take back an answer that was given with --always"),
  id: anyId,
  answer: optional(text(MAX_BODY), "A letter that it offers, or your own words", {
    placeholder: "a|b|c|TEXT",
  }),
};

type Input = InputOf<typeof input>;

/** Flags that go with one kind of id only. */
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
    if (answer === undefined) throw missingArgument(context.name, "TEXT");
    return kind !== "CLR" || await isToDecide(id, as, context)
      ? await decide(context, id, answer)
      : await resultOf(answerClarification, context, { as, round, id, answer });
  },
  render(output: object, view) {
    if ("interaction" in output) return renderInteraction(output.interaction as never, view);
    if ("decision" in output) return renderDecision(output as never);
    return answerClarification.render(output as never, view);
  },
});

/** A human's answer to what was escalated is the decision; that of an agent came late. */
async function isToDecide(
  id: string,
  as: string | undefined,
  { io, openState }: Context,
): Promise<boolean> {
  const { ledger } = (await openState()).records();
  return actingAgent(io, as).name() === HUMAN && ledger.getById(id).status === "escalated";
}

async function answerQuestion(
  { name, io, openState }: Context,
  id: string,
  { answer, always, decline, takeBack }: Pick<Input, "answer" | "always" | "decline" | "takeBack">,
): Promise<Result<object>> {
  checkHuman(io, id, "answer");
  const gate = (await openState()).gate();
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
  { io, openWorkspace }: Context,
  id: string,
  answer: string,
): Promise<Result<object>> {
  const verified = checkHuman(io, id, "answer");
  const decision = await decideEntry(await openWorkspace(), id, answer, {
    verified,
    isVerifiedFor: (asked) => isVerifiedFor(io, asked),
  });
  return { kind: "inbox.decision", output: { id, decision } };
}
