import { defineCommand } from "../cli/command.ts";
import { agentName, durationMs, firstRows, issueNumber, rowLimit } from "../cli/inputs.ts";
import type { Io } from "../cli/io.ts";
import { note, noteProblems } from "../cli/note.ts";
import { flag, optional } from "../cli/spec.ts";
import { AgentxError, hasCode } from "../base/errors.ts";
import { isoTime, minuteOf } from "../base/time.ts";
import { sys } from "../sys/mod.ts";
import type { Issue } from "../work/issue/issue.ts";
import { issueRow } from "../work/issue/row.ts";
import { runMonitorIfNeeded } from "../workspace/run_monitor.ts";
import { renderChange, renderIssue } from "./issue/render.ts";
import { noteUnnumbered } from "./issue/unnumbered_note.ts";
import { type QueueView, renderQueue } from "./ready/render.ts";
import { actingAgent, agentHere } from "../cli/acting_agent.ts";
import { knownAgent } from "../config/known_agent.ts";
import type { Workspace } from "../workspace/open.ts";
import { trySync } from "../workspace/machines.ts";
import { openWork } from "../workspace/work.ts";

/** Maximum time that a list waits for news of other machines. */
const SYNC_MS = 10_000;

/** The queue, or the issue that was claimed or released. */
type ReadyOutput = QueueView | { issue: Issue };

export const command = defineCommand({
  runsMonitor: true,
  kind: "ready",
  examples: [
    "agentx ready",
    "agentx ready --claim engineer",
    "agentx ready --claim engineer@2 --issue 42 --lease 2h",
    "agentx ready --release engineer",
  ],
  input: {
    claim: optional(agentName("Claim the first ready issue for this agent")),
    release: optional(agentName("Release the issue that this agent has claimed")),
    issue: optional(issueNumber, "Issue to claim, or to release if the agent has several"),
    force: flag("Claim the issue although it is another role's turn (people only)"),
    offline: flag("Claim the issue on this machine alone, without asking the others"),
    lease: optional(durationMs, "How long the claim lasts (default: 30m)"),
    limit: rowLimit,
  },
  needs: {
    issue: ["claim", "release"],
    lease: ["claim"],
    offline: ["claim"],
    force: ["issue"],
  },
  conflicts: { claim: ["release"], force: ["release"], limit: ["claim", "release"] },
  async run(context, { claim, release, issue, force, offline, lease, limit }) {
    const agent = claim ?? release;
    if (agent === undefined) {
      const state = await context.openState();
      const { ready, issues } = await openWork(state);
      await trySync({ ...state, ready }, { signal: context.signal, timeoutMs: SYNC_MS });
      const scan = issues.scan();
      const { ready: all, waiting: allWaiting, problems } = await ready.list(scan);
      noteUnnumbered(context.io, scan);
      const { rows, more } = firstRows(all, limit);
      const { rows: waiting, more: moreWaiting } = firstRows(allWaiting, limit);
      const output: ReadyOutput = { issues: rows.map(issueRow), more, waiting, moreWaiting };
      return { output, exitCode: noteProblems(context.io, problems) };
    }
    const workspace = await context.openWorkspace();
    const { ready } = workspace;
    knownAgent(agent, { field: claim ? "--claim" : "--release", known: workspace.knownAgents() });
    const { name: own, session } = agentHere(context.io, agent);
    await workspace.status.checkName(own, session);
    if (claim !== undefined) {
      const { session: host } = actingAgent(context.io, undefined);
      if (force && host !== undefined) throw onlyPeople(issue!, host);
      const begun = isoTime(sys.now());
      const claimed = await ready.claim(own, {
        issueNumber: issue,
        session,
        leaseMs: lease,
        isForced: force,
        isOffline: offline,
      }).catch((error) => {
        throw offlineHint(error);
      });
      noteOld(context.io, claimed, begun);
      await runMonitorIfNeeded(workspace, context.signal); // questions that the agent leaves behind
      return { output: { issue: claimed } };
    }
    const number = issue ?? theirIssue(own, workspace);
    const output: ReadyOutput = {
      issue: await ready.release(number, own) ?? await ready.release(number, agent) ??
        notTheirs(workspace.issues.get(number), own),
    };
    return { output };
  },
  render(output: ReadyOutput, view) {
    if ("issue" in output) {
      const { issue } = output;
      if (issue.assignee === null) return renderChange("Released", issue, view);
      return [renderChange("Claimed", issue, view), "", renderIssue(issue, view)].join("\n");
    }
    return renderQueue(output, view);
  },
});

/** Notes a claim that is not new: another terminal may have made it under the same name. */
function noteOld(io: Io, { number, assignee, claimed }: Issue, begun: string): void {
  if (assignee === null || claimed === null || claimed >= begun) return;
  const other = /@/.test(assignee) ? "" : `; somebody else of this role claims as ${assignee}@2`;
  note(
    io,
    `${assignee} has had #${number} since ${minuteOf(claimed)}, and has it longer now${other}`,
  );
}

/** Adds the hint `--offline` if other machines cannot be asked: only they know whether an issue is free. */
function offlineHint(error: unknown): unknown {
  if (!hasCode(error, "SYNC_ERROR") || error.details.isRefused) return error;
  const why = `other machines cannot be asked: ${error.details.reason}`;
  return new AgentxError("SYNC_ERROR", `Cannot claim an issue: ${why}`, {
    details: error.details,
    next: "Claim it on this machine alone with --offline; agentx sync settles it later",
    cause: error,
  });
}

function onlyPeople(number: number, session: string): AgentxError<"NOT_READY"> {
  const why = `only a person forces it, and this is a session of an agent, since ${session}`;
  return new AgentxError("NOT_READY", `Cannot claim #${number}: ${why}`, {
    details: { issueNumber: number, reasons: [why] },
    next: "Claim without --force: agentx ready lists what can be worked on",
  });
}

/** Returns the only issue that an agent has claimed, whole or a step of it. */
function theirIssue(agent: string, { issues }: Workspace): number {
  const held = issues.scan().issues.filter(({ assignee, stepClaims = [] }) =>
    assignee === agent || stepClaims.some((claim) => claim.agent === agent)
  );
  if (held.length === 1) return held[0].number;
  const why = held.length === 0
    ? "it has none"
    : `it has ${held.map(({ number }) => `#${number}`).join(", ")}`;
  throw new AgentxError("NOT_FOUND", `Cannot release the issue of ${agent}: ${why}`, {
    details: { kind: "issue", id: agent },
    next: `Name it with: agentx ready --release ${agent} --issue N`,
  });
}

function notTheirs({ number, assignee }: Issue, agent: string): never {
  const why = assignee === null ? "nobody has claimed it" : `${assignee} has claimed it`;
  throw new AgentxError("NOT_READY", `Cannot release #${number} for ${agent}: ${why}`, {
    details: { issueNumber: number, reasons: [why] },
    next: "See who has which issue with: agentx ready",
  });
}
