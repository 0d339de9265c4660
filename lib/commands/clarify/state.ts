import { roleOf } from "../../agent_names.ts";
import { hostSession, nameInSession } from "../../agents/host_session.ts";
import { type Overlay, workOf } from "../../clarify/effective_status.ts";
import { activeByAge } from "../../clarify/ledger.ts";
import { describeSeen, NOBODY_ON_IT } from "../../clarify/render/runs.ts";
import { agentLabel } from "../../clarify/render/threads.ts";
import type { OpenRun } from "../../clarify/runs.ts";
import type { ClarificationRecord } from "../../clarify/schema.ts";
import { agentsOf, type AgentStatus, type AgentStatusFile } from "../../clarify/status_file.ts";
import { defineCommand } from "../../cli/command.ts";
import { agentName, issueNumber } from "../../cli/inputs.ts";
import { readLedgers } from "../../cli/read_ledgers.ts";
import { oneOf, optional } from "../../cli/spec.ts";
import { usageError } from "../../cli/usage_error.ts";
import type { Mark } from "../../text/style.ts";
import { type Cell, formatTable } from "../../text/table.ts";
import { formatDuration } from "../../time.ts";
import { isOpen } from "../../work/issue/issue.ts";
import { questionsLeftHere, renderLeftQuestions } from "../../workspace/outbox/outbox_here.ts";

/** A session, or a role that works without one, in the output. */
interface AgentState extends AgentStatus {
  agent: string;
  /** ISO-8601, UTC: when it began what its status says; null where that is not known. */
  since: string | null;
  /** What it does issue by issue, the first of which its status tells. */
  work: Work[];
  run: Work["run"];
}

/** What an agent does for one issue, and since when. */
type Work = Overlay & Pick<AgentState, "since"> & {
  /** Who is at the question that it is asked; null where it is asked nothing. */
  run: OpenRun | null;
};

const COLOURS: Record<AgentStatus["status"], Mark> = {
  idle: "dim",
  working: "green",
  clarifying: "cyan",
  "blocked-clarification": "yellow",
  done: "dim",
  stuck: "red",
};

/** Shows what each agent is doing, or says it for one. */
export const command = defineCommand({
  kind: "agent.list",
  examples: ["agentx state", "agentx state engineer --set working --issue 42"],
  input: {
    set: optional(oneOf(["idle", "working", "done", "stuck"]), "What the agent does now"),
    issue: optional(issueNumber, "The issue it does it for"),
    agent: optional(agentName("Only this agent")),
  },
  positional: ["agent"],
  async run(context, { set, issue = null, agent }) {
    if (set !== undefined && agent === undefined) {
      throw usageError(context.name, {
        field: "AGENT",
        value: null,
        why: "AGENT is required with --set",
      });
    }
    if (set === undefined && issue !== null) {
      throw usageError(context.name, {
        field: "--issue",
        value: issue,
        why: "--issue goes with --set",
      });
    }
    const { status, ledger, issues, runs, tree } = await context.openWorkspace();
    if (set !== undefined) {
      const { env } = context.io;
      const own = nameInSession(env, agent!);
      status.checkName(own, hostSession(env));
      await status.setBase(own, { status: set, issue });
    }
    const scan = ledger.scan();
    const { clarifications, exitCode } = readLedgers(scan, context.io);
    const open = activeByAge(scan);
    const runById = new Map((await runs.ofAll(open)).map((run) => [run.clarificationId, run]));
    const claims = issues.scan().issues.filter(isOpen);
    const agents = statesOf(await status.current(), (name, entry) => {
      const claimed = claims.filter(({ assignee }) => assignee === name);
      const claimedIssues = claimed.map(({ number }) => number);
      return workOf(name, entry.base, { open, claimed: claimedIssues })
        .map((work) => ({
          ...work,
          since: sinceOf(work, entry, clarifications),
          run: work.status === "clarifying" && runById.get(work.clarificationId!) || null,
        }));
    });
    const isAsked = ({ agent: name }: AgentState) =>
      agent === undefined || agent === name || agent === roleOf(name);
    const left = await questionsLeftHere(context.io.env, tree);
    return { output: { nowMs: Date.now(), agents: agents.filter(isAsked), left }, exitCode };
  },
  render({ nowMs, agents, left }, view) {
    const rows = agents.flatMap(({ agent, work }) =>
      work.map((each, index) => {
        const { issue, since, clarificationId, waitingOn, respondingTo } = each;
        return [
          index === 0 ? agentLabel(agent) : "",
          statusCell(each, nowMs),
          issue === null ? "-" : `#${issue}`,
          since === null ? "-" : `${formatDuration(nowMs - Date.parse(since))} ago`,
          clarificationId === null
            ? ""
            : waitingOn === null
            ? `${clarificationId} for ${agentLabel(respondingTo ?? "?")}`
            : `${clarificationId} by ${agentLabel(waitingOn)}`,
        ];
      })
    );
    const table = agents.length > 0
      ? formatTable(["AGENT", "STATUS", "ISSUE", "SINCE", ""], rows, view)
      : "  No agent has done anything here yet.";
    return [table, ...renderLeftQuestions(left, view)].join("\n");
  },
});

/** Whoever is asked answers only where somebody is on it, or the run may be over. */
function statusCell({ status, run }: Work, nowMs: number): Cell {
  const text = status !== "clarifying" || run?.state === "running"
    ? status
    : run?.state === "unseen"
    ? describeSeen(run, nowMs)
    : NOBODY_ON_IT;
  return { text, mark: text === NOBODY_ON_IT ? "yellow" : COLOURS[status] };
}

/** Every session, and each role that is more than its sessions. */
function statesOf(
  file: AgentStatusFile,
  work: (name: string, entry: AgentStatus) => Work[],
): AgentState[] {
  const hasSessions = (name: string) => Object.hasOwn(file, name) && file[name].sessions;
  return Array.from(agentsOf(file), ([agent, entry]): AgentState => {
    const [first, ...others] = work(agent, entry);
    return { ...entry, ...first, agent, work: [first, ...others] };
  })
    .filter(({ agent, status, base }) =>
      !hasSessions(agent) || status !== "idle" || base.since !== null
    )
    .sort((a, b) => a.agent < b.agent ? -1 : 1);
}

/** The ledger knows better than the status file, which changes for other reasons too. */
function sinceOf(
  { status, issue, clarificationId }: Overlay,
  { base, lastActivity }: AgentStatus,
  records: readonly ClarificationRecord[],
): string | null {
  const record = records.find(({ id }) => id === clarificationId);
  const question = record?.thread.findLast(({ type }) => type === "question");
  const since = status === "clarifying" ? question?.timestamp : record?.created;
  const isBase = status === base.status && issue === base.issue;
  const time = since ?? (isBase ? base.since ?? lastActivity : "");
  return Number.isNaN(Date.parse(time)) ? null : time;
}
