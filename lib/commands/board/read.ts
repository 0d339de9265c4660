// Reads the data of the board's views as the commands read it, without secrets.

import { addTo } from "../../base/groups.ts";
import { factsSince } from "../../workspace/figures.ts";
import { activityView } from "../../board/views/activity.ts";
import { figuresView } from "../../board/views/figures.ts";
import { inboxView } from "../../board/views/inbox.ts";
import { issueView } from "../../board/views/issue.ts";
import { issuesFor, issuesView } from "../../board/views/issues.ts";
import { doubtView, memoryView, observationView } from "../../board/views/memory.ts";
import { nowView } from "../../board/views/now.ts";
import { empty, type Html, problemList } from "../../board/views/parts.ts";
import { threadsView, threadView } from "../../board/views/threads.ts";
import { type AgentxError, hasCode, orElse } from "../../base/errors.ts";
import { roleOf } from "../../base/agent_names.ts";
import { waitGraph } from "../../clarify/monitor/wait_graph.ts";
import { commandsOf, settingsOf } from "../../config/runnable.ts";
import { logIssue } from "../../events/log_line.ts";
import { readLog } from "../../events/read_log.ts";
import { readInbox } from "../../inbox/inbox.ts";
import { branchOf, repositoryAbove } from "../../git/repository.ts";
import { type SessionFile, SessionFiles } from "../../hooks/session_files.ts";
import { sharedFiles } from "../../hooks/shared_files.ts";
import { MemorySearch } from "../../memory/dedupe.ts";
import { stepChanges } from "../../pipeline/step_change.ts";
import { withoutSecrets } from "../../redact/border.ts";
import { sys } from "../../sys/mod.ts";
import { terminalLine } from "../../text/text.ts";
import { type WeeklyFigures, weeklyFigures } from "../../work/figures/figures.ts";
import { weeksBefore } from "../../work/figures/iso_week.ts";
import { isOpen, type Issue } from "../../work/issue/issue.ts";
import { deliveriesOf } from "../../workspace/deliveries.ts";
import type { Workspace } from "../../workspace/open.ts";
import { runMonitorIfNeeded } from "../../workspace/run_monitor.ts";
import { stillAsked } from "../../work/issue/still_asked.ts";
import { unmergedIssues } from "../../pipeline/unmerged.ts";
import { agentsNow } from "../state/agents_now.ts";
import { choicesFor, issueReader, typesIn } from "./issue_data.ts";

/** The content of a view, and the errors of reading it. */
interface Shown {
  html: Html;
  problems?: readonly AgentxError[];
}

/** Reads the content of a view. */
type Read = (workspace: Workspace, query: URLSearchParams) => Promise<Shown>;

/** Maximum number of observations, or of lines of the log, on a page. */
const MAX_ROWS = 200;

/** Number of weeks in the figures. */
const WEEKS = 12;

/** Maximum number of observations on the page of an issue. */
const MAX_REMEMBERED = 20;

/** The views, by name. */
const READERS: Readonly<Record<string, Read>> = {
  async inbox(workspace) {
    const { entries, problems } = await readInbox(workspace);
    return { html: inboxView(await withoutSecrets(entries)), problems };
  },
  async now(workspace) {
    const scan = workspace.issues.scan();
    const { agents, problems } = await agentsNow(workspace, scan);
    const { clarifications } = workspace.ledger.scan();
    const holds = claimsOf(scan.issues);
    const files = new SessionFiles(`${workspace.root}/.agentx`, () => workspace.locks);
    const sessions = files.readAll();
    const rows = agents.map((each) => ({
      ...each,
      place: placeOf(each.session, sessions),
      holds: holds.get(each.agent) ?? [],
    }));
    const asked = stillAsked(clarifications, workspace.issues);
    const graph = waitGraph(await withoutSecrets(asked));
    const remote = await workspace.remote();
    const elsewhere = remote?.sharing(workspace.issues).claims;
    const shared = await withoutSecrets(sharedFiles(files, sys.now()));
    const unmerged = await withoutSecrets(await unmergedIssues(scan.issues, workspace));
    const data = { agents: await withoutSecrets(rows), shared, unmerged, elsewhere, graph };
    return { html: nowView(data), problems };
  },
  async issues(workspace, query) {
    const scan = workspace.issues.scan();
    const { waiting, problems } = await workspace.ready.list(scan);
    const reasons = new Map(waiting.map(({ number, reasons }) => [number, reasons]));
    const newTypes = typesIn(workspace);
    const found = await withoutSecrets(issuesFor(scan.issues, query));
    return { html: issuesView({ ...found, reasons, newTypes }, query), problems };
  },
  async issue(workspace, query) {
    const known = workspace.issues.getKnown(query.get("n") ?? "");
    const { number } = known.issue;
    const store = async () => (await workspace.memory()).store;
    const data = await withoutSecrets({
      ...(await issueReader(workspace))(known),
      threads: workspace.ledger.getByIssue(number),
      observations: await new MemorySearch(store).list({ issueNumber: number }, MAX_REMEMBERED),
      changes: await changesOf(number, workspace),
    });
    return { html: issueView({ ...data, choices: choicesFor(known, workspace) }) };
  },
  async threads({ ledger }) {
    const { clarifications, problems } = ledger.scan();
    return { html: threadsView(await withoutSecrets(clarifications)), problems };
  },
  async thread(workspace, query) {
    const { ledger, runs, config } = workspace;
    const record = ledger.getById(query.get("id") ?? "");
    const [run] = await runs.ofAll([record]);
    const settings = settingsOf(config.agents, roleOf(record.to));
    const argv = settings === undefined ? [] : commandsOf(settings);
    const data = await withoutSecrets({
      record,
      run,
      deliveries: await deliveriesOf([record], workspace),
      runs: run?.reach.by === "run" ? argv.map((words) => words.join(" ")).join("\n") : undefined,
    });
    return { html: threadView(data) };
  },
  async memory(workspace, query) {
    const search = new MemorySearch(async () => (await workspace.memory()).store);
    if (query.get("as") === "doubt") {
      const inDoubt = await (await workspace.memory()).findInDoubt();
      return { html: doubtView(inDoubt.slice(0, MAX_ROWS), query) };
    }
    const words = query.get("q")?.trim() ?? "";
    const filters = { to: query.get("to") || undefined };
    const found = words === ""
      ? await search.list(filters, MAX_ROWS)
      : await search.search(words, MAX_ROWS, filters);
    return { html: memoryView(await withoutSecrets(found), query) };
  },
  async observation(workspace, query) {
    const memory = await workspace.memory();
    const id = query.get("id") ?? "";
    const observation = await memory.store.getById(id);
    if (observation === null) return { html: empty("There is no such observation any more.") };
    const data = {
      observation,
      standing: await memory.standingOf(observation),
      session: await memory.store.getSession(id),
    };
    return { html: observationView(await withoutSecrets(data)) };
  },
  async figures(workspace) {
    const { stats, problems } = await figuresUpTo(workspace, sys.now());
    return { html: figuresView(stats), problems };
  },
  async activity({ root, issues }) {
    // A session uses hundreds of tools, which would hide all else.
    const lines = readLog(`${root}/.agentx/log`)
      .filter(({ operation }) => operation !== "tool-invoked").slice(-MAX_ROWS);
    const named = new Set(lines.map(logIssue));
    const titles = issues.scan().issues.filter(({ number }) => named.has(number))
      .map(({ number, title }): [number, string] => [number, title]);
    return { html: activityView(lines, new Map(await withoutSecrets(titles))) };
  },
};

/** Returns the changes of an issue's steps; none if git refuses to show them. */
async function changesOf(issueNumber: number, { root, workflowOf }: Workspace) {
  try {
    const steps = orElse([], () => workflowOf(issueNumber).steps);
    return await stepChanges(steps, { root, issueNumber });
  } catch (error) {
    if (!hasCode(error, "IO_ERROR")) throw error;
    return [];
  }
}

/** Returns the figures of the shown weeks, up to a time. */
export async function figuresUpTo(
  workspace: Workspace,
  nowMs: number,
): Promise<{ stats: WeeklyFigures; problems: readonly AgentxError[] }> {
  const startMs = weeksBefore(nowMs, WEEKS - 1);
  const { facts, problems } = await factsSince(workspace, startMs);
  return { stats: await withoutSecrets(weeklyFigures(facts, { startMs, nowMs })), problems };
}

/** Returns the open issues of each agent: those it has claimed whole, and those with a claimed step. */
function claimsOf(issues: readonly Issue[]): Map<string, number[]> {
  const claims = new Map<string, number[]>();
  for (const { number, assignee, stepClaims = [] } of issues.filter(isOpen)) {
    for (const name of new Set([assignee, ...stepClaims.map(({ agent }) => agent)])) {
      if (name !== null) addTo(claims, name, number);
    }
  }
  return claims;
}

/** Returns the host of a session such as `claude:3f2a...`, the branch in its folder, and the folder. */
function placeOf(session: string | undefined, sessions: readonly SessionFile[]): string[] {
  const [, host, id] = /([^: ]+):([^ ]+)$/.exec(session ?? "") ?? [];
  if (id === undefined) return [];
  const folder = sessions.find((file) => file.session?.toLowerCase() === id)?.cwd;
  const gitFolder = folder ? repositoryAbove(folder)?.gitFolder : undefined;
  const branch = gitFolder === undefined ? undefined : branchOf(gitFolder);
  return [host, branch, folder].filter((part) => typeof part === "string");
}

/**
 * @param name the name of the view
 * @param query the values of its form
 * @returns its HTML; undefined if the view or its subject does not exist
 */
export async function readView(
  workspace: Workspace,
  name: string,
  query: URLSearchParams,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (!Object.hasOwn(READERS, name)) return undefined;
  await runMonitorIfNeeded(workspace, signal);
  try {
    const { html, problems = [] } = await READERS[name](workspace, query);
    return `${await html}${await problemList(problems)}`;
  } catch (error) {
    if (hasCode(error, "NOT_FOUND") || hasCode(error, "INVALID_INPUT")) return undefined;
    if (!hasCode(error, "CORRUPT_STATE")) throw error;
    return `${await problemList([error])}`;
  }
}

/** @returns the name of the repository for people: the name of its folder */
export function repositoryName({ root }: Pick<Workspace, "root">): string {
  return terminalLine(root.slice(root.lastIndexOf("/") + 1));
}

/** @returns how many things wait for the human */
export async function waitingNow(workspace: Workspace, signal: AbortSignal): Promise<number> {
  await runMonitorIfNeeded(workspace, signal);
  return (await readInbox(workspace)).entries.length;
}
