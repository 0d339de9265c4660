import { HUB, HUMAN, roleOf } from "../../agent_names.ts";
import { hostSessionId, hostWorker } from "../../agents/host_session.ts";
import { agentLabel } from "../../clarify/render/agent_label.ts";
import { defineCommand } from "../../cli/command.ts";
import { agentName, issueNumber } from "../../cli/inputs.ts";
import { flag, optional } from "../../cli/spec.ts";
import { usageError } from "../../cli/usage_error.ts";
import { HOSTS } from "../../hosts/hook/hosts.ts";
import { identify, type Identity, type Source } from "../../hosts/hook/identity.ts";
import { SessionFiles, type SessionKey } from "../../hosts/hook/session_files.ts";
import type { FileLockManager } from "../../lock/lock_manager.ts";
import { terminalLine } from "../../text/text.ts";
import { repositoryAbove } from "../../workspace/git/repository.ts";
import type { WorkspaceState } from "../../workspace/state.ts";

interface HereOutput extends Omit<Identity, "session" | "worker" | "hostSession"> {
  /** The folder that holds the state in use. */
  root: string;
  /** The same folder in the tree that this works in. */
  tree: string;
  /** The session as its host names it; null where this is not one. */
  session: string | null;
  /** What tells the session from others, such as `claude-3f2a`; null where nothing does. */
  worker: string | null;
  /** Whether this call has said it. */
  isSaid: boolean;
}

/** Shows which role this session plays on which issue, or says it. */
export const command = defineCommand({
  kind: "here",
  examples: ["agentx here", "agentx here --as engineer --issue 42", "agentx here --forget"],
  input: {
    as: optional(agentName("The role it plays")),
    issue: optional(issueNumber, "The issue it works on"),
    forget: flag("Forget what was set here"),
  },
  async run({ name, io, openState }, { as, issue, forget }) {
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
    const state = await openState();
    const { root, tree } = state;
    const { locks } = await state.shared();
    const files = new SessionFiles(`${root}/.agentx`, () => locks);
    const session = hostSessionId(io.env);
    const key: SessionKey = session === undefined ? { tree } : { session };
    const isSaid = role !== undefined || issue !== undefined;
    if (forget || isSaid) {
      const uid = issue === undefined ? undefined : await uidOf(issue, `${root}/.agentx`, locks);
      await files.update(key, (file) => {
        file.agent = forget ? null : role ?? file.agent;
        file.issue = forget ? null : issue ?? file.issue;
        if (forget || issue !== undefined) delete file.issueUid;
        if (uid !== undefined) file.issueUid = uid;
      });
    }
    const gitFolder = repositoryAbove(tree)?.gitFolder;
    const { hostSession: _, ...who } = identify(files, { session, tree, gitFolder, env: io.env });
    if (isSaid) await prepareStart(who, state);
    const worker = hostWorker(io.env) ?? null;
    return { output: { ...who, root, tree, session: session ?? null, worker, isSaid } };
  },
  render(output: HereOutput) {
    const { agent, agentFrom, issue, issueFrom, root, tree, session, worker, isSaid } = output;
    const place = root === tree ? root : `${root}, for the worktree ${tree}`;
    const role = agent === null ? "not set" : `${agentLabel(agent)} (${FROM[agentFrom!]})`;
    return [
      `  Workspace  ${terminalLine(place)}`,
      `  Session    ${
        session === null ? "not one of a coding agent" : terminalLine(worker ?? session)
      }`,
      `  Role       ${role}`,
      `  Issue      ${issue === null ? "not set" : `#${issue} (${FROM[issueFrom!]})`}`,
      ...(agent === null || issue === null
        ? ["  Set them with: agentx here --as ROLE --issue N"]
        : isSaid && session !== null // it began without
        ? [`  Recall what is known: agentx memory recall --agent ${agent} --issue ${issue}`]
        : []),
    ].join("\n");
  },
});

/** The next session that starts here finds what it recalls. */
async function prepareStart(
  { agent, issue }: Pick<Identity, "agent" | "issue">,
  state: WorkspaceState,
): Promise<void> {
  if (agent === null || issue === null) return;
  const { prepareRecall } = await import("../../workspace/session_recall.ts");
  for (const maxCharacters of new Set(Object.values(HOSTS).map((host) => host.maxCharacters))) {
    await prepareRecall({ agent, issue, maxCharacters, tree: state.tree }, state);
  }
}

async function uidOf(
  issue: number,
  home: string,
  locks: FileLockManager,
): Promise<string | undefined> {
  const { IssueStore } = await import("../../work/issue/issue_store.ts");
  return new IssueStore(`${home}/issues`, locks).findReadable(issue)?.uid;
}

const FROM: Record<Source, string> = {
  session: "set for this session",
  folder: "set for all sessions in this folder",
  environment: "from AGENTX_AGENT",
  host: "from the host",
  branch: "from the branch name",
};
