// The tool that asks the human, through the gate. The loop pauses until the question has ended. When the call is made
// again, it finds its question by the call's id.

import type { HumanGate } from "../../gate/gate.ts";
import { gateNext, statusLine } from "../../gate/render/interaction.ts";
import { BLOCKERS, LABELS, LEVELS, PHASES } from "../../gate/request.ts";
import type { JsonObject } from "../../base/checks.ts";
import { type LoopTool, textIn, type ToolCall } from "../tool.ts";

const text = (description: string) => ({ type: "string", description }) as const;

const choice = (values: readonly string[], description: string) =>
  ({ type: "string", enum: values, description }) as const;

export function askUserTool(gate: () => Promise<HumanGate>): LoopTool {
  return {
    name: "ask_user",
    description:
      "Ask the human once, while you plan: refused unless requirements exclude each other, " +
      "data is missing or security is at stake, and you searched. The work pauses until there is an answer.",
    input: {
      type: "object",
      properties: {
        phase: choice(PHASES, "Phase of the work; only planning may ask"),
        blocker_type: choice(Object.keys(BLOCKERS), "Why you cannot decide without the human"),
        topic: text("What it is about, in a few words"),
        codebase_search: text("What you searched in the code, and found"),
        similar_features: text("Which existing features you examined"),
        attempted_inference: text("How you tried to infer the answer"),
        investigator: text("What an investigator found, where the issue is complex"),
        question: text("A single specific question"),
        ...Object.fromEntries(
          LABELS.map((label) => [`option_${label}`, text("A choice of the human")]),
        ),
        fallback: choice(LABELS, "Letter of the option to take if nobody answers"),
        because: text("Why that one"),
        confidence: choice(LEVELS, "How sure you are of the fallback"),
        risk: text("high, medium or low, and what happens if it is wrong"),
      },
      required: [
        "phase",
        "blocker_type",
        "question",
        "option_a",
        "option_b",
        "fallback",
        "because",
        "confidence",
        "risk",
      ],
    },
    isIdempotent: true,
    async run(input, call) {
      const human = await gate();
      const made = (await human.list()).find(({ callId }) => callId === call.callId);
      const asked = made ?? await ask(human, input, call);
      if (asked.status === "pending") {
        return { waitsFor: `${asked.id} ${statusLine(asked)}\n${gateNext(asked)[0]}` };
      }
      await human.noteDelivered(asked);
      return [`${asked.id} ${statusLine(asked)}`, ...gateNext(asked)].join("\n");
    },
  };
}

async function ask(gate: HumanGate, input: JsonObject, call: ToolCall) {
  const { agent, issueNumber: issue, hostSession: session, callId } = call;
  const given = (key: string) => textIn(input, key) ?? "";
  return await gate.ask({
    agent,
    issue,
    session,
    phase: given("phase"),
    blockerType: given("blocker_type"),
    topic: textIn(input, "topic"),
    evidence: {
      codebaseSearch: given("codebase_search"),
      similarFeatures: given("similar_features"),
      attemptedInference: given("attempted_inference"),
      investigator: textIn(input, "investigator"),
    },
    question: given("question"),
    options: LABELS.flatMap((label) => textIn(input, `option_${label}`) ?? []),
    fallback: {
      option: given("fallback"),
      reasoning: given("because"),
      confidence: given("confidence"),
      risk: given("risk"),
    },
  }, { callId });
}
