// The requests of sessions for permission, in the inbox. Only the terminal of the session takes the answer.

import { SessionFiles } from "../../hooks/session_files.ts";
import type { Workspace } from "../../workspace/open.ts";
import { type InboxKind, kindOf, type NewEntry } from "../entry.ts";
import { type WaitingSession, waitingSessions } from "../permission.ts";

export const permission: InboxKind = kindOf("permission", {
  read: ({ workspace }) => waitingSessions(sessionFilesOf(workspace)),
  entry: permissionEntry,
});

export function sessionFilesOf({ root, locks }: Pick<Workspace, "root" | "locks">): SessionFiles {
  return new SessionFiles(`${root}/.agentx`, () => locks);
}

function permissionEntry(
  { session, cwd, permission: { what, since, worker, agent, issue } }: WaitingSession,
): NewEntry {
  return {
    id: worker ?? session,
    issue: issue ?? 0,
    agent: agent ?? "agent",
    created: since,
    topic: what.split("\n", 1)[0],
    reason: "It waits in its own terminal: answer it there",
    content: [
      ...what.includes("\n") ? [what, ""] : [],
      `Answer it in its own terminal${cwd ? `, in ${cwd}` : ""}.`,
    ].join("\n"),
    blocks: [`session ${session}`],
  };
}
