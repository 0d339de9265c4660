import { HUB, HUMAN, roleOf } from "../base/agent_names.ts";
import { hostSessionId, hostWorker } from "../who/host_session.ts";
import { agentLabel } from "../text/agent_label.ts";
import { defineCommand } from "../cli/command.ts";
import { agentName, issueNumber } from "../cli/inputs.ts";
import { flag, optional } from "../cli/spec.ts";
import { usageError } from "../cli/usage_error.ts";
import type { Identity, IdentitySource } from "../hooks/identity.ts";
import { SessionFiles, type SessionKey } from "../hooks/session_files.ts";
import { terminalLine } from "../text/text.ts";
import { isOpen } from "../work/issue/issue.ts";
import { noteOutside } from "./clarify/outside.ts";
import { identityHere } from "./here/identity_here.ts";

interface HereOutput extends Omit<Identity, "session" | "worker" | "hostSession"> {
  /** The folder that holds the state in use. */
  root: string;
  /** The same folder in the current working tree. */
  tree: string;
  /** The session as its host names it; null outside a session. */
  session: string | null;
  /**
   * A name that distinguishes the session from others of the same role, such as `claude-3f2a`; null if there is none.
   */
  worker: string | null;
  /** Whether this call set the role or the issue. */
  isSaid: boolean;
}

/** Shows which role this session plays on which issue, or sets it. */
export const command = defineCommand({
  kind: "here",
  examples: ["agentx here", "agentx here --as engineer --issue 42", "agentx here --forget"],
  input: {
    as: optional(agentName("The role of this session")),
    issue: optional(issueNumber, "The issue of this session"),
    forget: flag("Forget what was set here"),
  },
  async run({ name, io, openState, openWorkspace }, { as, issue, forget }) {
    const role = as === undefined ? undefined : roleOf(as);
    if (role === HUMAN || role === HUB) {
      const why = role === HUB ? "nobody acts as the hub" : "a human is not an agent";
      throw usageError(name, { field: "--as", value: as, why });
    }
    if (forget && (as !== undefined || issue !== undefined)) {
      throw usageError(name, {
        field: "--forget",
        value: true,
        why: "--forget goes with neither --as nor --issue",
      });
    }
    const state = await (as === undefined ? openState : openWorkspace)(); // a workspace knows the roles
    const { root, tree } = state;
    const { locks } = state.records();
    const files = new SessionFiles(`${root}/.agentx`, () => locks);
    const session = hostSessionId(io.env);
    const key: SessionKey = session === undefined ? { tree } : { session };
    const isSaid = role !== undefined || issue !== undefined;
    if (forget || isSaid) {
      const issues = await state.issueStore();
      const uid = issue === undefined ? undefined : issues.findReadable(issue)?.uid;
      if (issue !== undefined) {
        noteOutside(io, "what the session asks and notes", { number: issue, issues });
      }
      await files.update(key, (file) => {
        file.agent = forget ? null : role ?? file.agent;
        file.issue = forget ? null : issue ?? file.issue;
        if (forget || issue !== undefined) delete file.issueUid;
        if (uid !== undefined) file.issueUid = uid;
      });
    }
    const { hostSession: _, ...who } = identityHere(io, state);
    const about = issue ?? who.issue;
    const known = about === null ? undefined : (await state.issueStore()).findReadable(about);
    if (known !== undefined && !isOpen(known)) {
      state.notify(
        `#${about} is closed (${known.status}); to forget it here: agentx here --forget`,
      );
    }
    const worker = hostWorker(io.env) ?? null;
    return { output: { ...who, root, tree, session: session ?? null, worker, isSaid } };
  },
  render(output: HereOutput) {
    const { agent, agentFrom, issue, issueFrom, folderIssue, root, tree } = output;
    const { session, worker, isSaid } = output;
    const place = root === tree ? root : `${root}, for the worktree ${tree}`;
    const role = agent === null ? "not set" : `${agentLabel(agent)} (${FROM[agentFrom!]})`;
    const isOverruled = issueFrom === "branch" && folderIssue !== null && folderIssue !== issue;
    return [
      `  Workspace  ${terminalLine(place)}`,
      `  Session    ${
        session === null ? "not one of a coding agent" : terminalLine(worker ?? session)
      }`,
      `  Role       ${role}`,
      `  Issue      ${issue === null ? "not set" : `#${issue} (${FROM[issueFrom!]})`}` +
      (isOverruled ? `, not #${folderIssue} (${FROM.folder})` : ""),
      ...isOverruled ? ["  Forget that, in your own terminal, with: agentx here --forget"] : [],
      ...(agent === null || issue === null
        ? ["  Set them with: agentx here --as ROLE --issue N"]
        : isSaid && session !== null // the session began without a recall
        ? [`  Recall what is known: agentx memory recall --agent ${agent} --issue ${issue}`]
        : []),
    ].join("\n");
  },
});

const FROM: Record<IdentitySource, string> = {
  session: "set for this session",
  folder: "set for all sessions in this folder",
  environment: "from AGENTX_AGENT",
  host: "from the host",
  branch: "from the branch name",
};
