// What becomes of questions between agents that do not behave? The seeds' figures (SPEC-1 section 12.1),
// end to end: four processes ask five scripted agents, each run as a process of its own - one is honest,
// one vague, one silent, one lies, and one asks back. Peer: the same agents behind a bare mailbox, a file
// for each to which messages are appended, without status, retry, rule against deadlocks or escalation.
//
// Shares have a denominator that is named. Agents cannot settle what the silent one is asked, nor what
// the lying one never tells: there the best that can happen is that a human hears of it. The circling one
// goes on once it is told that nobody will answer it, which no mailbox tells.

import { formatTable } from "../lib/text/table.ts";
import { makeStyle } from "../lib/text/style.ts";
import { canSettle, type Case, planCases } from "./clarify/cases.ts";
import { type Figures, figuresOf, judge, type Judged } from "./clarify/judge.ts";
import { type HubEvidence, runHub, runMailbox } from "./clarify/run.ts";
import { freshFolder, report, target } from "./target.ts";

const CASES = planCases({ perTarget: 12, askers: 4, seed: 2_026 });

/** Both systems, one after the other. */
interface Comparison {
  hub: Judged[];
  mailbox: Judged[];
  evidence: HubEvidence;
}

let compared: Promise<Comparison> | undefined;

function comparison(): Promise<Comparison> {
  return compared ??= compare();
}

async function compare(): Promise<Comparison> {
  const evidence = await runHub(freshFolder("disk"), CASES);
  const hub = judge(CASES, evidence);
  const { resolvedWithoutHuman } = evidence.stats;
  const { resolved } = figuresOf(hub).ended;
  if (resolvedWithoutHuman !== resolved) {
    throw new Error(
      `agentx stats counts ${resolvedWithoutHuman} resolved, and there are ${resolved}`,
    );
  }
  const mailbox = judge(CASES, await runMailbox(freshFolder("disk"), CASES));
  return { hub, mailbox, evidence };
}

/** A lie in an envelope is told to the hub, and one in plain text looks like an answer. */
function kindOf({ target, lie }: Case): string {
  return lie === null ? target : `${target}, ${lie.form}`;
}

function cells({ ended, roundsOfResolved, turns }: Figures): string[] {
  const { resolved, human, unanswered, wrong } = ended;
  const rounds = resolved === 0 ? "-" : roundsOfResolved.toFixed(1);
  return [`${resolved}`, `${human}`, `${unanswered + wrong}`, rounds, `${turns}`];
}

function percent(part: number, whole: number): string {
  return `${(part / whole * 100).toFixed(0)} %`;
}

async function table(): Promise<string> {
  const { hub, mailbox, evidence: { stats } } = await comparison();
  const names = ["resolved", "human", "nobody", "rounds", "turns"];
  const rows = [...new Set(CASES.map(kindOf)), "all"].map((kind) => {
    const isMeant = ({ asked }: Judged) => kind === "all" || kindOf(asked) === kind;
    const [ours, peer] = [hub, mailbox].map((judged) => figuresOf(judged.filter(isMeant)));
    return [kind, `${ours.cases}`, ...cells(ours), "|", ...cells(peer)];
  });
  const view = { style: makeStyle(false), width: 120, isPiped: true };
  const [ours, peer] = [hub, mailbox].map(figuresOf);
  const settleable = CASES.filter(canSettle).length;
  const { clarifications: total, escalated, rounds } = stats;
  const sent = mailbox.reduce((sum, { questions }) => sum + questions, 0);
  return [
    "questions to scripted agents: agentx | the same agents behind a bare mailbox",
    formatTable(["asked", "cases", ...names, "|", ...names], rows, view),
    `resolved without a human: ${percent(ours.ended.resolved, ours.cases)} | ` +
    `${percent(peer.ended.resolved, peer.cases)} of all cases, ` +
    `${percent(ours.resolvedOfSettleable, 1)} | ${percent(peer.resolvedOfSettleable, 1)} of the ` +
    `${settleable} that agents can settle`,
    "human: in the inbox; nobody: neither answered rightly nor handed over",
    "rounds: questions for each resolved case; turns: questions, and runs of the agent asked",
    `the mailbox reports all of its ${sent} messages as sent`,
    `besides, the circling agent asked ${
      total - CASES.length
    } questions back, which went to a human ` +
    "to break the circle: with them,",
    `${
      percent(ours.ended.resolved, total)
    } of ${total} clarifications were resolved without a human ` +
    `and ${percent(escalated, total)} escalated, in ${rounds.toFixed(1)} rounds`,
  ].join("\n");
}

report(table);

target({
  name: "clarify: part resolved without a human, of the cases that agents can settle",
  limit: { atLeast: 0.8 },
  measure: async () => figuresOf((await comparison()).hub).resolvedOfSettleable,
});

target({
  name: "clarify: part of all cases neither answered rightly nor handed to a human",
  limit: { atMost: 0 },
  async measure() {
    const { cases, ended } = figuresOf((await comparison()).hub);
    return (ended.unanswered + ended.wrong) / cases;
  },
});

target({
  name: "clarify: rounds of a case that agents resolved",
  limit: { atMost: 3 },
  measure: async () => figuresOf((await comparison()).hub).roundsOfResolved,
});

target({
  name: "clarify: stale, overdue, stuck or deadlocked at the end",
  limit: { atMost: 0 },
  measure: async () => (await comparison()).evidence.troubled,
});

target({
  name: "clarify: turns for each resolved case / behind a bare mailbox",
  limit: { atMost: 1 },
  async measure() {
    const { hub, mailbox } = await comparison();
    const [ours, peer] = [hub, mailbox].map(figuresOf);
    return ours.turns / ours.ended.resolved / (peer.turns / peer.ended.resolved);
  },
});
