// The part of the orchestrator (seed 004, "Step 1.3a"): runs a planning agent, asks the human what
// it asks, and runs it again with the outcome.
//
// A question that another process left behind is resumed: an open one is waited for, and the outcome of one
// that has ended is given to the agent first.

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
  /** Runs the requirements engineer, before anything is planned. */
  requirements?: AgentInvoker;
  /** Runs an investigator, before a human is asked about a complex issue. */
  investigator?: AgentInvoker;
  /** How long a question stays open: `90s`, `5m`, `2h` or `never`. */
  timeout?: string;
  /** As `wanted` of `HumanGate.ask`. */
  wanted?: string;
  /** Waits for the human. */
  wait: (asked: GateInteraction) => Promise<GateInteraction>;
  /** Called with a sentence for each step. */
  notify?: (message: string) => void;
  /** Ends it; its questions stay open. */
  signal: AbortSignal;
}

/** The parts of a run of one agent. */
type AgentRun =
  & Pick<RunGateOptions, "agent" | "invoke" | "notify">
  & Partial<Pick<RunGateOptions, "signal">>;

/** A plan, and how it came about. */
export interface GateRun {
  /** The last output of the planning agent. */
  plan: string;
  /** The mode of the plan; null where it has none. */
  mode: PlanMode | null;
  /** The question to the human; null where none was needed, or it was refused. */
  interaction: GateInteraction | null;
  /** Why questions were refused, for programs. */
  refused: string[];
  /** The ambiguities that the requirements engineer found. */
  ambiguities: RequestAmbiguity[];
  /** The inferences that the agent reported. */
  assumptions: Assumption[];
}

/** An agent that still asks after findings, an answer and two refusals will not plan. */
const MAX_RUNS = 5;

/**
 * Has an issue planned; where a question is still open, the plan is what the agent wrote before.
 * Throws `AGENT_ERROR` if a run fails, or the agent does nothing but ask; as `HumanGate.ask`.
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
      if (known.findings !== null) continue; // it may see by itself now
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

/** The same agent's question about the issue, with an outcome that was not delivered. */
async function leftBehind(
  { gate, agent, issue }: RunGateOptions,
): Promise<GateInteraction | null> {
  const all = await gate.list();
  return all.findLast((one) =>
    one.request.agent === agent && one.request.issue === issue &&
    (one.orchestrated && one.status === "pending" || isUndelivered(one))
  ) ?? null;
}

/** Tier 1: an ambiguity that is settled before planning never reaches the gate. */
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
 * Has the requirements engineer read a request, and once more if its reply is no list; the ambiguities are
 * undefined where neither is. Throws `AGENT_ERROR`.
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

/** An investigator's findings on a question about a complex issue; null for other issues, or without an investigator. */
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
    notify(error.summary); // the gate says what is missing
    return null;
  }
}

/** The role that looks into a question before a human is asked. */
export const INVESTIGATOR = "investigator";

/** The role that looks at a request before it is planned. */
export const REQUIREMENTS_ENGINEER = "requirements-engineer";

async function replyTo(
  prompt: string,
  { agent, invoke, signal, notify = () => {} }: AgentRun,
  before?: AnsweredBy,
): Promise<AgentAnswer> {
  const call = { agent, prompt: await withoutSecrets(prompt), signal, before };
  return await runForAnswer(call, { invoke, notify });
}

/** An assumption that does not fit is left out: the plan is worth more. */
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
