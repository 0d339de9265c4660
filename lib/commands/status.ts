// `agentx status`: one screen with running work, work that waits for the human or for others, and ready issues.

import type { AgentState, AgentWork } from "../clarify/status/agent_states.ts";
import { agentLabel, onMachine } from "../text/agent_label.ts";
import { type OpenRun, REPLY_HERE } from "../clarify/reach.ts";
import { askerOf, issueNumberOf } from "../clarify/schema.ts";
import { defineCommand, type Result } from "../cli/command.ts";
import type { Io } from "../cli/io.ts";
import { memoryAlerts } from "../memory/alerts.ts";
import { note, noteProblems, paragraph } from "../cli/note.ts";
import { flag } from "../cli/spec.ts";
import { AgentxError } from "../base/errors.ts";
import { SessionFiles } from "../hooks/session_files.ts";
import { type SharedFile, sharedFiles } from "../hooks/shared_files.ts";
import type { InboxEntry } from "../inbox/entry.ts";
import { readInbox } from "../inbox/inbox.ts";
import { reasonLines } from "../inbox/render.ts";
import { pause } from "../sys/pause.ts";
import { sys } from "../sys/mod.ts";
import { enterScreen } from "../sys/screen.ts";
import { formatTable } from "../text/table.ts";
import type { RenderView } from "../text/view.ts";
import { formatDuration, minuteOf } from "../base/time.ts";
import type { SharingState } from "../remote/remote.ts";
import { terminalLine } from "../text/text.ts";
import { unmergedIssues } from "../pipeline/unmerged.ts";
import { type IssueRow, issueRow } from "../work/issue/row.ts";
import { priorityOf } from "../work/issue/labels.ts";
import type { GitHubStanding } from "../workspace/github.ts";
import type { Workspace } from "../workspace/open.ts";
import { agentsNow } from "./state/agents_now.ts";

/** Maximum rows of each section. */
const MAX_ROWS = 5;

/** Number of screen lines besides the rows: titles and next steps of four sections. */
const OTHER_LINES = 12;

const POLL_MS = 1_000;

/** Number of looks after which the screen is redrawn without a change, because it shows ages. */
const REDRAW_EVERY = 30;

/** The indent below a title. */
const INDENT = "  ";

const CLEAR = "\x1b[H\x1b[2J";

/** A question between agents that has no answer yet. */
interface Waiting {
  id: string;
  from: string;
  to: string;
  issue: number;
  created: string;
  topic: string;
  run: OpenRun;
}

/** An agent's current work. */
type Running = Pick<AgentState, "agent"> & AgentWork;

interface Status {
  running: Running[];
  /** Work that may have ended: nothing shows that it goes on. */
  lastSeen: Running[];
  /** Files that several live sessions changed within half an hour. */
  sharedFiles: SharedFile[];
  waitingForYou: InboxEntry[];
  waitingForOthers: Waiting[];
  /** Issues with work of agents that is done, but not merged. */
  unmerged: IssueRow[];
  ready: IssueRow[];
}

interface StatusOutput extends Status {
  nowMs: number;
  /** Present only if the workspace is shared with other machines. */
  sharing?: SharingState;
  /** Present only in mode github. */
  gitHub?: GitHubStanding;
  /** Number of lines that fit on the screen; absent if the output is no screen. */
  maxLines?: number;
  /** For each list, the number of entries that are not shown. */
  more: Record<keyof Status, number>;
}

export const command = defineCommand({
  kind: "status",
  runsMonitor: true,
  examples: ["agentx status", "agentx status --watch"],
  jsonLines: true,
  input: { watch: flag("Show the status again whenever it changes, until Ctrl-C") },
  async *run(context, { watch }): AsyncGenerator<Result<StatusOutput>> {
    const { io, signal, isJson } = context;
    const workspace = await context.openWorkspace();
    let changed = new AbortController();
    const screen = watch && io.isTerminal.stdout && !isJson
      ? enterScreen((text) => io.stdout(text), () => changed.abort())
      : undefined;
    signal.addEventListener("abort", () => screen?.leave());
    if (screen === undefined) await noteAlerts(io, workspace);
    try {
      let last = "";
      for (let look = 0; !signal.aborted; look++) {
        const isDue = changed.signal.aborted || look % REDRAW_EVERY === 0;
        changed = new AbortController();
        const { status, problems } = await statusOf(workspace);
        const remote = await workspace.remote();
        const sharing = remote?.sharing(workspace.issues);
        const gitHub = await gitHubOf(workspace);
        const now = JSON.stringify([status, sharing, gitHub]);
        if (now !== last || (screen !== undefined && isDue)) {
          if (signal.aborted) return;
          if (screen !== undefined) io.stdout(CLEAR);
          const exitCode = noteProblems(io, problems);
          const noted = problems.flatMap(({ oneLine }) => paragraph(io, oneLine, "note:")).length;
          const maxLines = screen && screen.rows() - noted - 1;
          const more = { ...sharing && { sharing }, ...gitHub && { gitHub } };
          yield { output: { ...outputOf(status, maxLines), ...more }, exitCode };
        }
        if (!watch) return;
        last = now;
        await pause(POLL_MS, AbortSignal.any([signal, changed.signal]));
      }
    } finally {
      screen?.leave();
    }
  },
  render(output: StatusOutput, view) {
    const { nowMs, maxLines = Infinity, running, waitingForYou, waitingForOthers, ready } = output;
    const { more, lastSeen, sharedFiles, unmerged } = output;
    const age = (time: string | null) =>
      time === null ? "" : formatDuration(Math.max(0, nowMs - Date.parse(time)));
    const isIdle = waitingForOthers.some(({ run }) =>
      run.state === "nobody" && run.reach.by === "run"
    );
    const rowOf = ({ agent, status, issue, since, ...asked }: Running) => [
      agentLabel(agent),
      issue === null ? "" : `#${issue}`,
      age(since),
      asked.clarificationId === null
        ? asked.hasEvidence ? status : ""
        : `answers ${agentLabel(asked.respondingTo ?? "?")}, ${asked.clarificationId}`,
    ];
    const sections: Section[] = [
      { title: "Running", rows: running.map(rowOf), more: more.running },
      ...lastSeen.length === 0
        ? []
        : [{ title: "Last seen", rows: lastSeen.map(rowOf), more: more.lastSeen }],
      ...sharedFiles.length === 0 ? [] : [{
        title: "Changed by several sessions",
        rows: sharedFiles.map(({ path, edits }) => [
          path,
          "",
          age(edits.at(-1)!.at),
          edits.map(({ by, issue }) => issue === null ? by : `${by} (#${issue})`).join(", "),
        ]),
        more: more.sharedFiles,
      }],
      {
        title: "Waiting for you",
        rows: waitingForYou.map(({ id, kind, issue, created, topic }) => [
          id,
          issue === 0 ? "" : `#${issue}`,
          age(created),
          `${kind}: ${topic}`,
        ]),
        more: more.waitingForYou,
        notes: reasonLines(waitingForYou, { ...view, width: view.width - INDENT.length }),
        next: "Decide: agentx inbox, or agentx answer ID a|b|c|TEXT",
      },
      {
        title: "Waiting for others",
        rows: waitingForOthers.map(({ id, from, to, issue, created, topic, run }) => [
          id,
          `#${issue}`,
          age(created),
          `${agentLabel(to)} for ${agentLabel(from)}, ${stateOf(run)}: ${topic}`,
        ]),
        more: more.waitingForOthers,
        next: isIdle ? "Run them: agentx clarify run" : "Read one: agentx clarify ID",
      },
      ...unmerged.length === 0 ? [] : [{
        title: "Done, not merged",
        rows: unmerged.map(({ number, title }) => [`#${number}`, "", "", title]),
        more: more.unmerged,
        next: `Merge: agentx workflow merge ${unmerged[0].number}`,
      }],
      {
        title: "Ready",
        rows: ready.map(({ number, labels, status, title }) => [
          `#${number}`,
          priorityOf({ labels }) ?? "-",
          status,
          title,
        ]),
        more: more.ready,
        next: "Claim one: agentx ready --claim ROLE",
      },
    ];
    const lines = sections.flatMap((section) => sectionLines(section, view));
    if (output.sharing !== undefined) lines.push(...sharingLines(output.sharing, age, view));
    if (output.gitHub !== undefined) lines.push(view.style.dim(gitHubLine(output.gitHub, age)));
    if (lines.length > maxLines) {
      lines.splice(Math.max(0, maxLines - 1), Infinity, view.style.dim("  (more than fits here)"));
    }
    return lines.join("\n");
  },
});

/** Notes alerts that have a remedy. Failures and other alerts are left to the doctor. */
async function noteAlerts(io: Io, { root, memory }: Workspace): Promise<void> {
  try {
    const getStats = async () => await (await memory()).store.getStats();
    for (const { message, next } of await memoryAlerts(`${root}/.agentx`, getStats)) {
      if (next !== null) note(io, `${message}. ${next}`);
    }
  } catch (error) {
    if (!(error instanceof AgentxError)) throw error;
  }
}

function stateOf({ state, hasReply }: OpenRun): string {
  if (state !== "nobody") return state === "running" ? "running" : "perhaps running";
  return hasReply ? REPLY_HERE : "not running";
}

async function statusOf(
  workspace: Workspace,
): Promise<{ status: Status; problems: AgentxError[] }> {
  const issues = workspace.issues.scan(); // the longest of all reads in this function
  const { entries, problems } = await readInbox(workspace, issues);
  const { agents, open, runs } = await agentsNow(workspace, issues);
  const runById = new Map(runs.map((run) => [run.clarificationId, run]));
  const isYours = new Set(entries.map(({ id }) => id));
  const working = agents.flatMap(({ agent, work }) =>
    work.filter(({ status, run }) =>
      status === "working" || (status === "clarifying" && run?.state === "running")
    ).map((each) => ({ agent, ...each }))
  );
  const isSure = ({ hasEvidence, clarificationId }: Running) =>
    hasEvidence || clarificationId !== null;
  const sessions = new SessionFiles(`${workspace.root}/.agentx`, () => workspace.locks);
  return {
    status: {
      running: working.filter(isSure),
      lastSeen: working.filter((each) => !isSure(each)),
      sharedFiles: sharedFiles(sessions, sys.now()),
      waitingForYou: entries,
      waitingForOthers: open.filter(({ id }) => runById.has(id) && !isYours.has(id))
        .map((record) => ({
          id: record.id,
          from: askerOf(record),
          to: record.to,
          issue: issueNumberOf(record.id),
          created: record.created,
          topic: record.topic,
          run: runById.get(record.id)!,
        })),
      unmerged: (await unmergedIssues(issues.issues, workspace)).map(issueRow),
      ready: (await workspace.ready.list(issues)).ready.map(issueRow),
    },
    problems,
  };
}

function outputOf(status: Status, maxLines = Infinity): StatusOutput {
  const lists = Object.entries(status) as [keyof Status, unknown[]][];
  let rows = MAX_ROWS;
  const needed = () =>
    OTHER_LINES + lists.reduce((sum, [, all]) => sum + Math.min(all.length, rows), 0);
  while (rows > 1 && needed() > maxLines) rows--;
  const of = <T>(valueOf: (all: unknown[]) => T) =>
    Object.fromEntries(lists.map(([name, all]) => [name, valueOf(all)]));
  return {
    nowMs: sys.now(),
    ...maxLines < Infinity && { maxLines },
    ...of((all) => all.slice(0, rows)) as unknown as Status,
    more: of((all) => Math.max(0, all.length - rows)) as Record<keyof Status, number>,
  };
}

/** Renders the claims of other machines, and whether these can be reached. */
function sharingLines(
  { remote, synced, failed, claims, notices }: SharingState,
  age: (time: string) => string,
  view: RenderView,
): string[] {
  const rows = claims.map(({ agent, issue, machine, until }) => [
    `${agentLabel(agent)}${onMachine(machine === null ? {} : { machine })}`,
    `#${issue}`,
    machine === null ? "" : `until ${minuteOf(until!)} UTC`,
    machine === null ? "claimed offline, not settled yet" : "",
  ]);
  const when = synced === null ? "never synced" : `synced ${age(synced)} ago`;
  const state = failed === null ? when : `${when}; ${failed}`;
  return [
    ...sectionLines({ title: "On other machines", rows, more: 0 }, view),
    ...notices.map((notice) => `${INDENT}  ${terminalLine(notice)}`),
    view.style.dim(`    Shared over ${terminalLine(remote)}, ${terminalLine(state)}`),
  ];
}

async function gitHubOf(workspace: Workspace): Promise<GitHubStanding | undefined> {
  if (workspace.config.mode !== "github") return undefined;
  return await (await import("../workspace/github.ts")).gitHubStanding(workspace);
}

function gitHubLine(
  { repository, read, waiting, refused, failed }: GitHubStanding,
  age: (time: string) => string,
): string {
  const parts = [
    read === null ? "never read" : `read ${age(read)} ago`,
    ...waiting === 0 ? [] : [`${waiting} comments wait`],
    ...refused === 0 ? [] : [`${refused} were refused`],
    ...failed === null ? [] : [failed],
  ];
  return terminalLine(`    On GitHub: ${repository}, ${parts.join("; ")}`);
}

/** A title, and the lines below it. */
interface Section {
  title: string;
  rows: string[][];
  more: number;
  notes?: string[];
  next?: string;
}

function sectionLines(
  { title, rows, more, notes = [], next }: Section,
  view: RenderView,
): string[] {
  const { style } = view;
  if (rows.length === 0) return [style.dim(`  ${title}: nothing`)];
  const table = formatTable(["", { whole: "" }, { spare: "" }, ""], rows, {
    ...view,
    width: view.width - INDENT.length,
  });
  const rest = [...(more > 0 ? [`${more} more`] : []), ...(next === undefined ? [] : [next])];
  return [
    style.bold(`  ${title}`),
    ...table.split("\n").slice(1).map((line) => `${INDENT}${line}`),
    ...notes.map((line) => `${INDENT}${line}`),
    ...(rest.length > 0 ? [style.dim(`    ${rest.join(". ")}`)] : []),
  ];
}
