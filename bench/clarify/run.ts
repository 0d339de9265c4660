// Has all cases asked through one of the two systems, by processes that ask at the same time, and
// collects what they left behind.

import { readInbox } from "../../lib/inbox/inbox.ts";
import { figuresOf } from "../../lib/work/figures/figures.ts";
import { factsSince } from "../../lib/workspace/figures.ts";
import { initWorkspace } from "../../lib/workspace/init.ts";
import { openWorkspaceParts } from "../../lib/workspace/open.ts";
import { run, runDeno } from "../process.ts";
import { type Case, TARGETS } from "./cases.ts";
import {
  agentCommand,
  appendLine,
  linesFrom,
  mailPath,
  type Message,
  RETRY_DELAY_MS,
  rootOf,
  runsPath,
  type SystemName,
  timeoutOf,
  writeCases,
} from "./folder.ts";
import type { Evidence, Report } from "./judge.ts";

const ASKER = new URL("./asker.ts", import.meta.url).pathname;
const POLL_MS = 20;

/** Every agent may ask every other one that it needs. */
const WORKFLOW = `[workflow]
name = "bench"

[[steps]]
id = "implement"
agent = "engineer"
can_clarify = ${JSON.stringify(TARGETS)}

[[steps]]
id = "answer"
agent = "circling"
can_clarify = ["engineer"]
`;

/** What the hub left behind. */
export interface HubEvidence extends Evidence {
  /** What `agentx stats` makes of the same ledgers: also of what targets asked back. */
  stats: Record<string, number>;
  /** How many clarifications a monitor still finds stale, stuck, overdue or deadlocked at the end. */
  troubled: number;
}

export async function runHub(folder: string, cases: readonly Case[]): Promise<HubEvidence> {
  const root = rootOf(folder);
  Deno.mkdirSync(root);
  await initWorkspace(root);
  Deno.writeTextFileSync(`${root}/.agentx/workflows/bench.toml`, WORKFLOW);
  const clarify = { retryDelaySeconds: RETRY_DELAY_MS / 1_000 };
  const settings = { defaultWorkflow: "bench", clarify };
  Deno.writeTextFileSync(`${root}/.agentx/config.json`, JSON.stringify(settings));
  Deno.mkdirSync(`${folder}/user/agentx`, { recursive: true });
  const agents = TARGETS.map((name) => {
    const timeoutSeconds = timeoutOf(name) / 1_000;
    return [name, { command: agentCommand(name, folder, "agentx"), timeoutSeconds }];
  });
  const own = { agents: Object.fromEntries(agents) };
  Deno.writeTextFileSync(`${folder}/user/agentx/config.json`, JSON.stringify(own));
  writeCases(folder, cases);
  const reports = await askAll(folder, cases, "agentx");
  return { reports, ...await readHub(folder, cases) };
}

/** What the files of a workspace show, once all processes have ended. */
export async function readHub(
  folder: string,
  cases: readonly Case[],
): Promise<Omit<HubEvidence, "reports">> {
  const workspace = await openWorkspaceParts({ root: rootOf(folder) });
  const { entries } = await readInbox(workspace);
  const waiting = new Set(entries.map(({ id }) => id));
  const { clarifications } = workspace.ledger.scan();
  const topics = new Map(cases.map(({ id }) => [`Limit of ${id}`, id]));
  const casesOf = (isMeant: (record: typeof clarifications[number]) => boolean) =>
    new Set(clarifications.filter(isMeant).flatMap(({ topic }) => topics.get(topic) ?? []));
  const found = await (await workspace.monitor()).runCheck();
  const { facts } = await factsSince(workspace, 0);
  return {
    runs: linesFrom(runsPath(folder)),
    settled: casesOf(({ status }) => status === "resolved"),
    withHuman: casesOf(({ id }) => waiting.has(id)),
    stats: Object.fromEntries(
      figuresOf(facts).figures.map(({ name, count, value }) => [name, count ?? value ?? 0]),
    ),
    troubled: [found.stale, found.overdue, found.stuck, found.deadlocked].flat().length,
  };
}

/**
 * The same agents behind a file for each of them. Whoever is written to is run at once, as often as
 * that happens; what it prints is put into the file of the sender.
 */
export async function runMailbox(folder: string, cases: readonly Case[]): Promise<Evidence> {
  Deno.mkdirSync(`${folder}/mail`);
  writeCases(folder, cases);
  const isOver = new AbortController();
  const posts = TARGETS.map((name) => deliverTo(name, folder, isOver.signal));
  const reports = await askAll(folder, cases, "mailbox");
  isOver.abort();
  await Promise.all(posts);
  const settled = reports.filter(({ limit }) => limit !== null).map(({ id }) => id);
  const runs = linesFrom(runsPath(folder));
  return { reports, runs, settled: new Set(settled), withHuman: new Set() };
}

async function deliverTo(name: string, folder: string, isOver: AbortSignal): Promise<void> {
  const runs: Promise<void>[] = [];
  let read = 0;
  while (!isOver.aborted) {
    const messages: Message[] = linesFrom(mailPath(folder, name), read);
    read += messages.length;
    runs.push(...messages.map((message) => replyTo(message, name, folder)));
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  await Promise.all(runs);
}

/** What fails, or is stopped, sends nothing. */
async function replyTo({ from, text }: Message, name: string, folder: string): Promise<void> {
  const [program, ...args] = agentCommand(name, folder, "mailbox");
  const input = `The agent "${from}" writes to you:\n\n${text}\n`;
  const signal = AbortSignal.timeout(timeoutOf(name));
  const reply = await run(program, args, { input, signal }).catch(() => "");
  if (reply !== "") appendLine(mailPath(folder, from), { from: name, text: reply.trim() });
}

/** One process for each asker, all at the same time, in an environment without an agent. */
async function askAll(
  folder: string,
  cases: readonly Case[],
  system: SystemName,
): Promise<Report[]> {
  const kept = ["PATH", "HOME", "DENO_DIR", "TMPDIR"].flatMap((name) => {
    const value = Deno.env.get(name);
    return value === undefined ? [] : [[name, value]];
  });
  const user = `${folder}/user`;
  const env = { ...Object.fromEntries(kept), XDG_CONFIG_HOME: user, XDG_STATE_HOME: user };
  const askers = [...new Set(cases.map(({ asker }) => asker))];
  const outputs = await Promise.all(
    askers.map((asker) => runDeno([ASKER, asker, folder, system], { env })),
  );
  return outputs.flatMap((output) =>
    output.trim().split("\n").map((line): Report => JSON.parse(line))
  );
}
