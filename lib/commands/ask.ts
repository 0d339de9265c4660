import { type AgentxError, NEEDS_HUMAN } from "../base/errors.ts";
import { HUMAN, isAgentName } from "../base/agent_names.ts";
import { renderOutcome } from "./clarify/render_outcome.ts";
import type { ClarificationRequest } from "../clarify/hub/requests.ts";
import { MAX_BODY, MAX_TOPIC, needsHuman } from "../clarify/schema.ts";
import { type ActingAgent, actingAgent, mayBe } from "../cli/acting_agent.ts";
import { type Context, defineCommand } from "../cli/command.ts";
import type { Io } from "../cli/io.ts";
import { agentName, asAgent, issueNumber, text, workflowType } from "../cli/inputs.ts";
import { argument, flag, type InputOf, optional } from "../cli/spec.ts";
import { commandLine, usageError } from "../cli/usage_error.ts";
import { noteForSession } from "../hooks/printed.ts";
import { topicOf } from "../text/topic.ts";
import type { Workspace } from "../workspace/open.ts";
import { agentsHint } from "./agents/check_named.ts";
import { type Asker, askerHere } from "./here/identity_here.ts";
import { startRun } from "./ask/start_run.ts";
import { clarificationId, roundNumber } from "./clarify/input.ts";
import { noteOutside } from "./clarify/outside.ts";
import { runAnnounced } from "./clarify/run_note.ts";

const input = {
  issue: optional(issueNumber, "Issue that the question is about (default: set by agentx here)"),
  from: optional(agentName("Agent that asks (default: the one that runs this, else agentx here)")),
  to: optional(agentName("Agent to ask, or the id of a clarification to continue")),
  topic: optional(text(MAX_TOPIC), "Topic (default: the first line of the question)", {
    placeholder: "TOPIC",
  }),
  nonBlocking: flag("Do not wait: the target runs in the background, or agentx serve runs it"),
  workflow: optional(workflowType, "Workflow whose rules apply (default: the issue's)"),
  maxRounds: optional(
    roundNumber,
    "Rounds until a human is asked; at most those of the workflow",
  ),
  again: flag("Ask even if the same question is open or already has an answer"),
  as: asAgent,
  id: optional(clarificationId, "Ask a follow-up question in this clarification"),
  question: argument(text(MAX_BODY), "The question", { placeholder: "QUESTION" }),
};

type Input = InputOf<typeof input>;

/** Inputs of a first question only; follow-up questions inherit them. */
const FIRST_ONLY = ["issue", "from", "to", "topic", "nonBlocking", "maxRounds", "again"] as const;

export const shared = {
  kind: "clarification",
  runsMonitor: true,
  input,
  conflicts: { id: FIRST_ONLY },
  async run(context: Context, input: Input) {
    const { io, signal, onAsked: hear } = context;
    const acting = actingAgent(io, input.as);
    const { id, to } = input;
    if (id === undefined && to === undefined) throw await incomplete(context, input.question);
    const first = id === undefined && to !== undefined
      ? newQuestion(context.name, { ...input, to }, await askerHere(input, acting, context), acting)
      : undefined;
    const workspace = await context.openWorkspace();
    if (first !== undefined) noteFirstOutside(io, first, workspace);
    const router = await workspace.router();
    const outcome = await runAnnounced(context, workspace, (onAsked) => {
      const how = { session: acting.hostSession, signal, onAsked };
      return first === undefined
        ? router.followUp({ ...followUp(input, acting, workspace), ...how })
        : router.requestClarification({ ...first, ...how });
    });
    const isLeft = input.nonBlocking && outcome.status === "pending";
    if (isLeft && outcome.reach === undefined) startRun(context, outcome, { ...workspace, router });
    // A caller with its own onAsked may have left by now.
    if (hear === undefined) await noteForSession(io.env, workspace, outcome.clarification);
    return { output: outcome, exitCode: needsHuman(outcome.status) && !isLeft ? NEEDS_HUMAN : 0 };
  },
  render: renderOutcome,
};

export const command = defineCommand({
  ...shared,
  examples: [
    'agentx ask architect -i 42 --from engineer "Which database?"',
    'agentx ask CLR-42-001 "And pooling?"',
    "agentx ask human --help",
  ],
  positional: ["to", "question"],
});

/** Notes that the issue is not in this workspace, with the first question of an agent only. */
function noteFirstOutside(
  io: Io,
  { issueNumber: number, fromAgent }: Pick<ClarificationRequest, "issueNumber" | "fromAgent">,
  { issues, ledger }: Workspace,
): void {
  const isSaid = ledger.getByIssue(number).some(({ from }) => from === fromAgent);
  if (!isSaid) noteOutside(io, "the question", { number, issues });
}

function newQuestion(
  name: string,
  { to, topic, nonBlocking, workflow, maxRounds, again, question }: Input & { to: string },
  { from: given, issue }: Asker,
  acting: ActingAgent,
) {
  if (to === HUMAN) {
    const hint = "Ask the human with: agentx ask human.";
    throw usageError(name, { field: "--to", value: to, why: "a human is not an agent", hint });
  }
  const by = acting.name(given);
  const isOwn = given === undefined ? acting.isNamed : mayBe(given, by);
  const from = by !== HUMAN && isOwn && (by.includes("@") || !given) ? by : given;
  if (issue === undefined || from === undefined) {
    const [field, said] = issue === undefined ? ["--issue", "--issue N"] : ["--from", "--as ROLE"];
    const why = `${field} is required for a first question`;
    const hint = `Give it, or set it with: agentx here ${said}.`;
    throw usageError(name, { field, value: null, why, hint });
  }
  if (by !== HUMAN && !isOwn) {
    const why = `${by} cannot ask as ${from}`;
    throw usageError(name, { field: "--from", value: from, why });
  }
  return {
    issueNumber: issue,
    fromAgent: from,
    toAgent: to,
    topic: topic ?? topicOf(question),
    question,
    blocking: !nonBlocking,
    workflow,
    maxRounds,
    again,
  };
}

/** Makes the error for a missing word; the only word given counts as the question. */
async function incomplete(context: Context, word: string): Promise<AgentxError<"INVALID_INPUT">> {
  const { name } = context;
  const field = isAgentName(word) ? "QUESTION" : name === "ask" ? "AGENT" : "--to";
  const agent = field === "QUESTION" ? word : "architect";
  const example = commandLine(name, name === "ask" ? "" : "--to", agent, '"..."');
  const why = `${field} is required, as in: ${example}`;
  const hint = field === "QUESTION" ? undefined : await agentsHint(context);
  return usageError(name, { field, value: null, why, hint });
}

function followUp(
  { id: clarificationId = "", question, workflow }: Input,
  acting: ActingAgent,
  { ledger }: Workspace,
) {
  const by = acting.name(ledger.getById(clarificationId).from);
  return { clarificationId, question, by, workflow };
}
