import { AgentxError } from "../base/errors.ts";
import { type Context, defineCommand } from "../cli/command.ts";
import { note } from "../cli/note.ts";
import { isoTime } from "../base/time.ts";
import type { GitHubRead } from "../github/read.ts";
import { problemsIn, type SharingState } from "../remote/remote.ts";
import { sys } from "../sys/mod.ts";
import { terminalLine } from "../text/text.ts";
import { syncMachines } from "../workspace/machines.ts";
import { once } from "../workspace/open_state.ts";
import type { Workspace } from "../workspace/open.ts";

/** Maximum number of problems of a read to name one by one. */
const MAX_PROBLEMS = 20;

/** Number of read records between two notes on progress. */
const NOTE_EVERY = 1_000;

/** Number of sent issues or comments between two notes on progress. */
const NOTE_POSTS = 20;

export const command = defineCommand({
  kind: "sync",
  examples: ["agentx sync"],
  async run(context) {
    const workspace = await context.openWorkspace();
    const readsGitHub = workspace.config.mode === "github";
    const machines = await withMachines(workspace, context.signal);
    if (machines === undefined && !readsGitHub) throw notShared(workspace.root);
    const output = {
      remote: null,
      at: isoTime(sys.now()),
      machines: [],
      claims: [],
      notices: [],
      problems: [],
      ...machines,
      ...readsGitHub && { github: await withGitHub(workspace, context) },
      ...readsGitHub && machines === undefined && await withClaims(workspace),
    };
    return { output };
  },
  render({ remote, machines, claims, notices, problems, github }) {
    const others = machines.length === 0 ? "no other machine yet" : machines.join(", ");
    return [
      ...remote === null ? [] : [`  In sync with ${remote}: ${terminalLine(others, 200)}`],
      ...claims.map(({ issue, agent, machine }) =>
        `  #${issue} is claimed by ${agent} on ${machine}`
      ),
      ...notices.map((notice) => `  ${notice}`),
      ...problems.map((problem) => `  Refused: ${problem}`),
      ...github === undefined ? [] : gitHubLines(github),
    ].map((line) => terminalLine(line)).join("\n");
  },
});

/** The output of `agentx sync`. */
interface Synced {
  /** The git remote; null if the workspace is not shared over one. */
  remote: string | null;
  machines: string[];
  claims: SharingState["claims"];
  notices: string[];
  problems: string[];
}

/** The result of an exchange with GitHub. */
interface SyncedGitHub extends GitHubRead {
  /** Number of comments that were posted. */
  posted: number;
  /** Numbers of the issues here that were changed on GitHub. */
  sent: number[];
}

/** Syncs over the git remote; undefined if the workspace is not shared over one. */
async function withMachines(
  workspace: Workspace,
  signal: AbortSignal,
): Promise<Synced | undefined> {
  const remote = await workspace.remote();
  if (remote === undefined) return undefined;
  await syncMachines(remote, workspace, { signal });
  const view = remote.view();
  const { claims } = remote.sharing(workspace.issues);
  return {
    remote: remote.name,
    machines: Object.values(view.machines).map(({ name }) => name),
    claims,
    notices: await remote.takeNotices(),
    problems: problemsIn(view),
  };
}

/** Settles claims with other machines over GitHub. */
async function withClaims(
  { claims, ready, issues }: Workspace,
): Promise<Partial<Synced>> {
  const shared = await claims();
  if (shared === undefined) return {};
  const all = await shared.fetch();
  await shared.settle(all, await ready.held(), ({ issue }) => ready.lose(issue.number));
  return shared.news(issues);
}

/** Reads issues and decisions, then sends local changes and posts the waiting comments. */
async function withGitHub(
  workspace: Workspace,
  { io, signal }: Context,
): Promise<SyncedGitHub> {
  const [
    { gitHubClient, gitHubPlace, parkedPosts, postAll },
    { readGitHub },
    { decideFromGitHub },
  ] = await Promise.all([
    import("../workspace/github.ts"),
    import("../github/read.ts"),
    import("../inbox/github_answers.ts"),
  ]);
  const place = gitHubPlace(workspace);
  if (place === undefined) throw notShared(workspace.root);
  const { root, tree, issues } = workspace;
  const { birth, target, outbox } = place;
  const client = once(() => gitHubClient(place, { tree, signal }));
  const read = await readGitHub({
    root,
    target,
    birth,
    issues,
    client,
    types: workspace.workflowTypes(),
    async onComments({ posts, commands }, client) {
      await outbox.sweep(posts, client);
      return await decideFromGitHub(workspace, commands, { place, client });
    },
    onProgress(what, count) {
      if (count % NOTE_EVERY === 0 && count > 0) note(io, `${count} ${what} so far`);
    },
  });
  const done = await postAll(workspace, place, await client(), {
    types: workspace.workflowTypes(),
    signal,
    onProgress(what, done, of) {
      if (done % NOTE_POSTS === 0 && done > 0) note(io, `${done} of ${of} ${what}`);
    },
  });
  const { failed } = outbox.state() ?? {};
  return {
    ...read,
    posted: done?.posted ?? 0,
    sent: done?.sent ?? [],
    problems: [
      ...read.problems,
      ...done?.problems ?? ["Another process is posting just now"],
      ...failed == null ? [] : [failed.why],
      ...parkedPosts(place),
    ],
  };
}

function gitHubLines(
  { repository, imported, changed, posted, sent, problems }: SyncedGitHub,
): string[] {
  const said = imported.length + changed.length === 0
    ? "nothing new"
    : `${imported.length} new issues, ${changed.length} changed`;
  const more = problems.length - MAX_PROBLEMS;
  return [
    `  Read ${repository}: ${said}`,
    ...sent.length === 0 ? [] : [`  Changed ${sent.length} issues there`],
    ...posted === 0 ? [] : [`  Posted ${posted} comments there`],
    ...problems.slice(0, MAX_PROBLEMS).map((problem) => `  ${problem}`),
    ...more > 0 ? [`  ${more} more; --json has them all`] : [],
  ];
}

function notShared(root: string): AgentxError<"INVALID_INPUT"> {
  const why = "it is neither shared with other machines nor in mode github";
  return new AgentxError("INVALID_INPUT", `Cannot sync "${root}": ${why}`, {
    details: { field: "remote", value: null },
    next:
      "Share it with: agentx remote git; or read issues of GitHub: agentx config set mode github",
  });
}
