import { HUMAN } from "../../agent_names.ts";
import type { ClarificationOutcome } from "../../clarify/outcome.ts";
import { NEEDS_HUMAN, needsHuman, renderOutcome } from "../../clarify/render/outcome.ts";
import { MAX_BODY, MAX_TOPIC } from "../../clarify/schema.ts";
import { type ActingAgent, actingAgent, mayBe } from "../../cli/acting_agent.ts";
import { defineCommand } from "../../cli/command.ts";
import { agentName, asAgent, issueNumber, text, workflowType } from "../../cli/inputs.ts";
import { argument, flag, type InputOf, optional } from "../../cli/spec.ts";
import { missingArgument, usageError } from "../../cli/usage_error.ts";
import { noteForSession } from "../../hosts/hook/printed_note.ts";
import type { Workspace } from "../../workspace/open.ts";
import type { OutboxRequest } from "../../workspace/outbox/outbox.ts";
import { type LeftOutcome, renderLeft } from "../../workspace/outbox/render_left.ts";
import { askOutside, mayNotWrite } from "./ask_outside.ts";
import { clarificationId, roundNumber } from "./input.ts";
import { runAnnounced } from "./run_note.ts";

const input = {
  issue: optional(issueNumber, "Issue the question is about"),
  from: optional(agentName("Agent that asks (default: the agent that runs this)")),
  to: optional(agentName("Agent to ask")),
  topic: optional(text(MAX_TOPIC), "Topic of the question", { placeholder: "TOPIC" }),
  nonBlocking: flag("Do not wait: agentx serve, or the next ask, runs the target"),
  workflow: optional(workflowType, "Workflow whose rules apply (default: the issue's)"),
  maxRounds: optional(
    roundNumber,
    "Rounds before a human is asked, at most the workflow's",
  ),
  as: asAgent,
  id: optional(clarificationId, "Ask a follow-up question in this clarification"),
  question: argument(text(MAX_BODY), "The question", { placeholder: "QUESTION" }),
};

type Input = InputOf<typeof input>;

/** What the first question settles for all that follow it. */
const FIRST_ONLY = ["issue", "from", "to", "topic", "nonBlocking", "maxRounds"] as const;

export const command = defineCommand({
  kind: "clarification",
  runsMonitor: true,
  examples: [
    'agentx clarify ask -i 42 --from engineer --to architect --topic DB "Which?"',
    'agentx clarify ask CLR-42-001 "And pooling?"',
  ],
  input,
  positional: ["id", "question"],
  conflicts: { id: FIRST_ONLY },
  async run(context, input) {
    const { io, signal, onAsked: hear } = context;
    const acting = actingAgent(io, input.as);
    const first = input.id === undefined ? newQuestion(context.name, input, acting) : undefined;
    const workspace = await context.openWorkspace();
    const request: OutboxRequest = first === undefined
      ? { followUp: followUp(input, acting, workspace) }
      : { ask: first };
    const { router } = workspace;
    const outcome: ClarificationOutcome | LeftOutcome = await runAnnounced(
      context,
      workspace,
      (onAsked) => {
        const how = { session: acting.hostSession, signal, onAsked };
        return "ask" in request
          ? router.requestClarification({ ...request.ask, ...how })
          : router.followUp({ ...request.followUp, ...how });
      },
    ).catch((error) => {
      if (!mayNotWrite(error, workspace)) throw error;
      return askOutside(context, workspace, request);
    });
    // Whoever hears of it otherwise may have left by now.
    if (hear === undefined) await noteForSession(io.env, workspace, outcome.clarification);
    const isLeft = input.nonBlocking && outcome.status === "pending";
    return { output: outcome, exitCode: needsHuman(outcome.status) && !isLeft ? NEEDS_HUMAN : 0 };
  },
  render: (output, view) =>
    output.clarification === null ? renderLeft(output, view) : renderOutcome(output, view),
});

function newQuestion(name: string, input: Input, acting: ActingAgent) {
  const { issue, to, topic, nonBlocking, workflow, maxRounds, question } = input;
  const by = acting.name(input.from);
  const isOwn = input.from === undefined ? acting.isNamed : mayBe(input.from, by);
  const from = by !== HUMAN && isOwn && (by.includes("@") || !input.from) ? by : input.from;
  const missing = Object.entries({ "--issue": issue, "--from": from, "--to": to, "--topic": topic })
    .find(([, value]) => value === undefined)?.[0];
  if (issue === undefined || from === undefined || to === undefined || topic === undefined) {
    throw missingArgument(name, missing ?? "", " for a first question");
  }
  if (by !== HUMAN && !isOwn) {
    const why = `${by} cannot ask as ${from}`;
    throw usageError(name, { field: "--from", value: from, why });
  }
  return {
    issueNumber: issue,
    fromAgent: from,
    toAgent: to,
    topic,
    question,
    blocking: !nonBlocking,
    workflow,
    maxRounds,
  };
}

function followUp(
  { id: clarificationId = "", question, workflow }: Input,
  acting: ActingAgent,
  { ledger }: Workspace,
) {
  const by = acting.name(ledger.getById(clarificationId).from);
  return { clarificationId, question, by, workflow };
}
