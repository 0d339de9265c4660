// The commands in the inbox, which sessions want to run.

import { AgentxError, orElse } from "../../base/errors.ts";
import { type Decision, DECISIONS, type GuardRequest } from "../../guard/request.ts";
import { GuardRequests } from "../../guard/requests.ts";
import { allowLine } from "../../guard/user_policy.ts";
import { hasEnded } from "../../hooks/session_files.ts";
import { isHostRunning } from "../../who/host_process.ts";
import type { Workspace } from "../../workspace/open.ts";
import { originOf } from "../../workspace/state_origin.ts";
import { type InboxKind, kindOf, type NewEntry, notTaken } from "../entry.ts";
import { sessionFilesOf } from "./permission.ts";

const MEANINGS: Readonly<Record<Decision, string>> = {
  once: "allow it this time",
  session: "allow it until its session ends",
  refuse: "keep it refused",
  rule: "allow such lines from now on, in all sessions",
};

export const command: InboxKind = kindOf("command", {
  id: /^GRD-\d{3,9}$/,
  read({ workspace }) {
    return requestsOf(workspace).pending().filter((request) => !isOver(request, workspace));
  },
  entry: commandEntry,
  /**
   * Decides a request. Only a person at a terminal can make a rule, because it applies to all later sessions of this
   * user's agents.
   */
  async decide(workspace, id, answer, { verified }) {
    const requests = requestsOf(workspace);
    const request = requests.get(id);
    const { line } = request;
    const word = answer.trim().toLowerCase();
    const decision = offered(line).find((each) => each === word);
    if (decision === undefined || decision === "rule" && !verified) {
      const next = decision === undefined
        ? `Say ${offered(line).join(", ")}`
        : "A rule is made by a person at a terminal; once and session may be said anywhere";
      throw notTaken(id, answer, next);
    }
    if (decision !== "rule" && isOver(request, workspace)) throw ended(request, decision);
    if (decision === "rule") allowLine(line!);
    await requests.decide(id, decision);
    return decision;
  },
});

function requestsOf({ root, locks }: Workspace): GuardRequests {
  return new GuardRequests(`${root}/.agentx`, locks, originOf(root));
}

/** Whether the session of a request has ended, so that it will not ask again. */
function isOver({ session, process }: GuardRequest, workspace: Workspace): boolean {
  const file = orElse(undefined, () => sessionFilesOf(workspace).read({ session }));
  return hasEnded(file) || process !== undefined && isHostRunning(process) === false;
}

function ended(
  { id, issue, line }: GuardRequest,
  decision: string,
): AgentxError<"GATE_REFUSED"> {
  const why = "the session that asked has ended";
  return new AgentxError("GATE_REFUSED", `Cannot answer ${id} with ${decision}: ${why}`, {
    details: { gate: "command", issueNumber: issue, reasons: [why] },
    next: "The next session asks again. A rule decides for all later sessions" +
      (line === null ? " in your policy.toml" : `: agentx answer ${id} rule`),
  });
}

function offered(line: GuardRequest["line"]) {
  return DECISIONS.filter((decision) => decision !== "rule" || line !== null);
}

/** Makes the entry of a request. The session was refused, and may try again. */
function commandEntry({ id, issue, agent, created, ...asked }: GuardRequest): NewEntry {
  const { command, reason, rule, session, line } = asked;
  return {
    id,
    issue: issue ?? 0,
    agent: agent ?? "agent",
    created,
    topic: command,
    reason,
    content: `${command}\n\n${reason} (${rule}); session ${session}`,
    options: offered(line).map((label) => ({ label, text: MEANINGS[label] })),
    blocks: [`session ${session}`],
  };
}
