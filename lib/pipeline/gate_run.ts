// Plays the orchestrator (seed 004, "Step 1.3a"): runs a planning agent, asks the human the agent's question, and runs
// the agent again with the outcome.
//
// If another process left a question behind, this run resumes it: it waits for an open question, and gives the outcome
// of an ended one to the agent first.

import type { AgentInvoker, AnsweredBy } from "../agents/agent_call.ts";
import { failedRun } from "../agents/failed_run.ts";
import { type AgentAnswer, runForAnswer } from "../agents/answer.ts";
import { AgentxError, hasCode } from "../base/errors.ts";
import { withoutSecrets } from "../redact/border.ts";
import type { Assumption } from "../gate/assumption.ts";
import { parseBlock } from "../gate/block.ts";
import type { HumanGate } from "../gate/gate.ts";
import { type GateInteraction, isUndelivered } from "../gate/interaction.ts";
import {
  ambiguitiesIn,
  assumptionsIn,
  investigationPrompt,
  type PlanKnowledge,
  type PlanMode,
  planModeIn,
  planPrompt,
  type RequestAmbiguity,
  requirementsPrompt,
  settledFor,
} from "./gate_prompts.ts";
import { MAX_EVIDENCE, oneLine } from "../gate/request.ts";

export interface RunGateOptions {
  gate: HumanGate;
  agent: string;
  invoke: AgentInvoker;
  issue: number;
  request: string;
  session: string;
  /** Runs the requirements engineer, before planning. */
  requirements?: AgentInvoker;
  /** Runs an investigator, before a human is asked about a complex issue. */
  investigator?: AgentInvoker;
  /** How long a question stays open: `90s`, `5m`, `2h` or `never`. */
  timeout?: string;
  /** The same as `wanted` of `HumanGate.ask`. */
  wanted?: string;
  /** Waits for the human, and returns the question with its outcome. */
  wait: (asked: GateInteraction) => Promise<GateInteraction>;
  /** Called with a sentence for each step. */
  notify?: (message: string) => void;
  /** Stops the run; its questions stay open. */
  signal: AbortSignal;
}

/** The parts for one run of an agent. */
type AgentRun =
  & Pick<RunGateOptions, "agent" | "invoke" | "notify">
  & Partial<Pick<RunGateOptions, "signal">>;

/** A plan, and how it came about. */
export interface GateRun {
  /** The last output of the planning agent. */
  plan: string;
  /** The mode of the plan; null if the plan states none. */
  mode: PlanMode | null;
  /** The question to the human; null if no question was needed, or it was refused. */
  interaction: GateInteraction | null;
  /** The reasons why questions were refused, as codes for programs. */
  refused: string[];
  /** The ambiguities that the requirements engineer found. */
  ambiguities: RequestAmbiguity[];
  /** The inferences that the agent reported. */
  assumptions: Assumption[];
}

/** Maximum number of runs. An agent that still asks after findings, an answer and two refusals will not plan. */
const MAX_RUNS = 5;

/**
 * Gets a plan for an issue. If a question is still open, the plan is the agent's earlier text. Throws `AGENT_ERROR` if
 * a run fails, or if the agent only asks; and as `HumanGate.ask`.
 */
export async function runGate(options: RunGateOptions): Promise<GateRun> {
  const { gate, agent, issue, notify = () => {} } = options;
  let interaction = await leftBehind(options);
  const ambiguities = interaction === null ? await examine(options) : [];
  const known: PlanKnowledge = {
    ambiguities,
    before: null,
    outcome: null,
    refusal: null,
    findings: null,
  };
  const refused: string[] = [];
  let answeredBy: AnsweredBy | undefined;
  for (let run = 0; run < MAX_RUNS; run++) {
    if (interaction !== null && known.outcome === null) {
      if (interaction.status === "pending") interaction = await options.wait(interaction);
      if (interaction.status === "pending") {
        const before = known.before ?? interaction.content;
        return { plan: before, mode: null, interaction, refused, ambiguities, assumptions: [] };
      }
      known.outcome = interaction;
      notify(
        `running ${agent} again with ${
          interaction.outcome === "human" ? "the answer" : "the fallback"
        }`,
      );
    }
    const reply = await replyTo(planPrompt(options, known), options, answeredBy);
    answeredBy = reply.answeredBy;
    if (known.outcome !== null) await gate.noteDelivered(known.outcome);
    const block = parseBlock(reply.body);
    if (block === undefined) {
      await gate.planned();
      const assumptions = await report(reply.body, options);
      const plan = reply.body;
      return { plan, mode: planModeIn(plan), interaction, refused, ambiguities, assumptions };
    }
    known.before = reply.body;
    known.refusal = null;
    const settled = settledFor(block.question, ambiguities);
    if (settled !== undefined) {
      notify(`the question of ${agent} is settled already, by the requirements engineer`);
      known.refusal = `The requirements engineer has settled it: ${settled.settled}`;
      continue;
    }
    notify(`${agent} needs clarification to proceed`);
    if (block.evidence.investigator === null && known.findings === null) {
      known.findings = await investigate(block.question, options);
      if (known.findings !== null) continue; // now the agent may find the answer itself
    }
    const investigator = block.evidence.investigator ?? known.findings;
    const evidence = { ...block.evidence, investigator };
    const question = { ...block, evidence, agent, issue, session: options.session };
    try {
      const { timeout, wanted = block.timeout ?? undefined } = options;
      const asked = await gate.ask(question, { timeout, wanted, orchestrated: true });
      [interaction, known.outcome] = [asked, null];
    } catch (error) {
      const isRefused = hasCode(error, "GATE_REFUSED") || hasCode(error, "INVALID_INPUT");
      if (!isRefused) throw error;
      notify(error.summary);
      known.refusal = error.summary;
      refused.push(...hasCode(error, "GATE_REFUSED") ? error.details.reasons : ["malformed"]);
    }
  }
  throw new AgentxError("AGENT_ERROR", `Cannot plan #${issue}: ${agent} does nothing but ask`, {
    details: { agent, reason: `${MAX_RUNS} runs brought no plan`, final: "it keeps asking" },
    next: "Plan it by hand, or say more in the request",
  });
}

/**
 * Returns the same agent's last question about the issue that is open or has an undelivered outcome; null if there is
 * none.
 */
async function leftBehind(
  { gate, agent, issue }: RunGateOptions,
): Promise<GateInteraction | null> {
  const all = await gate.list();
  return all.findLast((one) =>
    one.request.agent === agent && one.request.issue === issue &&
    (one.orchestrated && one.status === "pending" || isUndelivered(one))
  ) ?? null;
}

/** Tier 1: runs the requirements engineer. An ambiguity that it settles before planning never reaches the gate. */
async function examine(options: RunGateOptions): Promise<RequestAmbiguity[]> {
  const { requirements, request, issue, notify = () => {} } = options;
  if (requirements === undefined) return [];
  notify("running the requirements engineer");
  const { ambiguities, reply } = await readRequest(issue, request, {
    ...options,
    invoke: requirements,
  });
  if (ambiguities !== undefined) return ambiguities;
  throw failedRun(REQUIREMENTS_ENGINEER, `its reply is no list of questions: ${oneLine(reply)}`);
}

/**
 * Lets the requirements engineer read a request, and once more if its reply is not a list. The ambiguities are
 * undefined if neither reply is a list. Throws `AGENT_ERROR`.
 */
export async function readRequest(
  issue: number,
  request: string,
  call: Omit<AgentRun, "agent">,
): Promise<{ ambiguities: RequestAmbiguity[] | undefined; reply: string; attempts: number }> {
  let reply = "";
  for (let attempts = 1;; attempts++) {
    const prompt = requirementsPrompt(issue, request, reply);
    reply = (await replyTo(prompt, { ...call, agent: REQUIREMENTS_ENGINEER })).body;
    const ambiguities = ambiguitiesIn(reply);
    if (ambiguities !== undefined || attempts === 2) return { ambiguities, reply, attempts };
  }
}

/**
 * Returns an investigator's findings on a question about a complex issue; null for other issues, or without an
 * investigator.
 */
async function investigate(question: string, options: RunGateOptions): Promise<string | null> {
  const { gate, investigator, request, issue, notify = () => {} } = options;
  if (investigator === undefined || await gate.whyComplex(issue) === undefined) return null;
  notify("running the investigator");
  const call = { ...options, agent: INVESTIGATOR, invoke: investigator };
  try {
    const { body } = await replyTo(investigationPrompt(issue, request, question), call);
    return oneLine(body).slice(0, MAX_EVIDENCE).toWellFormed();
  } catch (error) {
    if (!hasCode(error, "AGENT_ERROR")) throw error;
    notify(error.summary); // the gate names the missing findings
    return null;
  }
}

/** The role that investigates a question before a human is asked. */
export const INVESTIGATOR = "investigator";

/** The role that looks for ambiguities in a request before it is planned. */
export const REQUIREMENTS_ENGINEER = "requirements-engineer";

async function replyTo(
  prompt: string,
  { agent, invoke, signal, notify = () => {} }: AgentRun,
  before?: AnsweredBy,
): Promise<AgentAnswer> {
  const call = { agent, prompt: await withoutSecrets(prompt), signal, before };
  return await runForAnswer(call, { invoke, notify });
}

/** Records the assumptions in a reply. An invalid assumption is left out, because the plan matters more. */
async function report(
  reply: string,
  { gate, agent, issue, notify = () => {} }: RunGateOptions,
): Promise<Assumption[]> {
  const kept: Assumption[] = [];
  for (const said of assumptionsIn(reply)) {
    try {
      kept.push(await gate.assumptions.add({ agent, issue, ...said }));
    } catch (error) {
      if (!hasCode(error, "INVALID_INPUT")) throw error;
      notify(error.summary);
    }
  }
  return kept;
}
