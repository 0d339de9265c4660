// What does a start cost the processor, beside programs that do the like? Whole processes of the npm package on the
// `node` of the PATH, user and system time over an empty program; the peers are installed into a temporary folder.

import { DatabaseSync } from "node:sqlite";
import { encodeLine } from "../lib/lines/line.ts";
import { lineOf } from "../lib/memory/memory_line.ts";
import { corpus } from "./memory_corpus.ts";
import { insertFts5 } from "./memory_fixture.ts";
import { run, runDeno } from "./process.ts";
import { freshFolder, median, target } from "./target.ts";

const ROOT = new URL("../", import.meta.url).pathname;
const ROUNDS = 11;
const PEERS = ["backlog.md@1.52.0", "@modelcontextprotocol/server-memory@2026.8.31"];
const ISSUES = 20;
const OBSERVATIONS = 10_000;
const QUESTION = "package issuesinfo publishing level";

/** A process to measure. */
interface Start {
  words: readonly string[];
  cwd: string;
  input?: string;
  env?: Record<string, string>;
}

interface Place {
  folder: string;
  agentx: string;
  env: Record<string, string>;
}

let place: Promise<Place> | undefined;

async function prepare(): Promise<Place> {
  const folder = freshFolder("disk");
  const env = { PATH: Deno.env.get("PATH")!, HOME: folder, NO_COLOR: "1" };
  Deno.writeTextFileSync(`${folder}/empty.js`, "");
  await runDeno([`${ROOT}.ci/npm.ts`, `${folder}/npm`], { cwd: ROOT });
  await run("npm", ["install", "--silent", "--prefix", `${folder}/peers`, ...PEERS]);
  return { folder, agentx: `${folder}/npm/agentx.cjs`, env };
}

/** Milliseconds of the processor, user and system. */
async function cpuOf({ words, cwd, input = "", env }: Start): Promise<number> {
  const script = 'TIMEFORMAT="%U %S"; { time "$@" >/dev/null 2>&1; } 2>&1';
  const out = await run("bash", ["-c", script, "bash", ...words], { cwd, input, env });
  const [user, system] = out.trim().split(" ").map(Number);
  return (user + system) * 1_000;
}

/** The median of each over an empty program, all in turns. */
async function overEmpty({ folder, env }: Place, starts: readonly Start[]): Promise<number[]> {
  const all = [{ words: ["node", `${folder}/empty.js`], cwd: folder }, ...starts]
    .map((start) => ({ env, ...start }));
  const times: number[][] = all.map(() => []);
  for (const start of all) await cpuOf(start);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [at, start] of all.entries()) times[at].push(await cpuOf(start));
  }
  const [empty, ...others] = times.map(median);
  return others.map((each) => each - empty);
}

async function repository({ folder, agentx, env }: Place, name: string): Promise<string> {
  const root = `${folder}/${name}`;
  Deno.mkdirSync(root);
  await run("git", ["init", "-q"], { cwd: root, env });
  await run("node", [agentx, "init"], { cwd: root, env });
  return root;
}

/** A repository in which so many questions were settled a year ago, each of another issue. */
async function withThreads(place: Place, count: number): Promise<string> {
  const root = await repository(place, `threads-${count}`);
  const folder = `${root}/.agentx/state/clarifications`;
  Deno.mkdirSync(folder, { recursive: true });
  const at = new Date(Date.now() - 365 * 86_400_000).toISOString();
  for (let issueNumber = 1; issueNumber <= count; issueNumber++) {
    const entry = { round: 1, from: "engineer", body: "How long do we keep them?", timestamp: at };
    const record = {
      ...{ id: `CLR-${issueNumber}-001`, from: "engineer", to: "architect", topic: "Retention" },
      ...{ blocking: false, status: "resolved", round: 1, maxRounds: 5 },
      ...{ created: at, staleAfter: at, resolvedAt: at },
      thread: [{ ...entry, type: "question" }, { ...entry, type: "resolution" }],
    };
    const text = JSON.stringify({ issueNumber, clarifications: [record] }, null, 2);
    Deno.writeTextFileSync(`${folder}/issue-${issueNumber}.json`, text);
  }
  const old = new Date(Date.now() - 60_000);
  Deno.utimeSync(folder, old, old);
  return root;
}

target({
  name: "hook after a tool at 5,000 settled threads / at 100, CPU over an empty program",
  limit: { atMost: 1.1 },
  async measure() {
    const made = await (place ??= prepare());
    const starts: Start[] = [];
    for (const count of [5_000, 100]) {
      const cwd = await withThreads(made, count);
      const input = JSON.stringify({ session_id: "s-1", cwd, hook_event_name: "PostToolUse" });
      starts.push({
        words: ["node", made.agentx, "hook", "host", "claude", "PostToolUse"],
        cwd,
        input,
      });
    }
    const [many, few] = await overEmpty(made, starts);
    return many / few;
  },
});

target({
  name:
    `issue list / backlog task list (Backlog.md) with ${ISSUES} issues, CPU over an empty program`,
  limit: { atMost: 0.3 },
  async measure() {
    const made = await (place ??= prepare());
    const { folder, agentx, env } = made;
    const cwd = await repository(made, "issues");
    const backlog = `${folder}/peers/node_modules/.bin/backlog`;
    await run(backlog, ["init", "bench", "--defaults"], { cwd, env });
    for (let at = 1; at <= ISSUES; at++) {
      const title = `Payment form rejects cards (${at})`;
      await run("node", [agentx, "issue", "create", "--title", title], { cwd, env });
      await run(backlog, ["task", "create", title], { cwd, env });
    }
    const [ours, theirs] = await overEmpty(made, [
      { words: ["node", agentx, "issue", "list"], cwd },
      { words: [backlog, "task", "list", "--plain"], cwd },
    ]);
    return ours / theirs;
  },
});

/** The same observations for each of the three, and how each is asked. */
async function searches(made: Place): Promise<Start[]> {
  const { folder, agentx, env } = made;
  const cwd = await repository(made, "memory");
  const observations = corpus(OBSERVATIONS);
  const month = `${cwd}/.agentx/memory/2026-01`;
  Deno.mkdirSync(month, { recursive: true });
  const lines = observations.map((each) => encodeLine(lineOf(each))).join("");
  Deno.writeTextFileSync(`${month}/all.jsonl`, lines);
  await run("node", [agentx, "memory", "search", QUESTION], { cwd, env }); // it makes the index

  const database = new DatabaseSync(`${folder}/raw.db`);
  database.exec(
    "CREATE VIRTUAL TABLE memory USING fts5(content, entry UNINDEXED, tokenize = porter)",
  );
  insertFts5(database, observations);
  database.close();
  const words = QUESTION.split(" ").map((word) => `"${word}"`).join(" OR ");
  const raw = `const { DatabaseSync } = require("node:sqlite");
console.log(new DatabaseSync("${folder}/raw.db").prepare("SELECT entry FROM memory WHERE memory MATCH ?
  ORDER BY bm25(memory) LIMIT 20").all(${JSON.stringify(words)}));`.replaceAll("\n", " ");
  Deno.writeTextFileSync(`${folder}/raw.cjs`, raw);

  const entities = observations.map(({ id, content }) =>
    JSON.stringify({ type: "entity", name: id, entityType: "fact", observations: [content] })
  );
  Deno.writeTextFileSync(`${folder}/graph.jsonl`, entities.join("\n"));
  const requests = [
    {
      id: 1,
      method: "initialize",
      params: {
        protocolVersion: "2025-06-18",
        capabilities: {},
        clientInfo: { name: "bench", version: "1" },
      },
    },
    { method: "notifications/initialized" },
    {
      id: 2,
      method: "tools/call",
      params: {
        name: "search_nodes",
        arguments: { query: QUESTION.split(" ")[0] },
      },
    },
  ];
  return [
    { words: ["node", agentx, "memory", "search", QUESTION], cwd },
    { words: ["node", "--no-warnings", `${folder}/raw.cjs`], cwd },
    {
      words: [`${folder}/peers/node_modules/.bin/mcp-server-memory`],
      cwd,
      input: requests.map((each) => JSON.stringify({ jsonrpc: "2.0", ...each }) + "\n").join(""),
      env: { ...env, MEMORY_FILE_PATH: `${folder}/graph.jsonl` },
    },
  ];
}

let found: Promise<number[]> | undefined;
const search = async () => {
  const made = await (place ??= prepare());
  return await overEmpty(made, await searches(made));
};

target({
  name: "memory search at 10,000, CPU over an empty program, ms",
  limit: { atMost: 120 },
  measure: async () => (await (found ??= search()))[0],
});

target({
  name: "memory search at 10,000 / one shot of raw node:sqlite FTS5, CPU over an empty program",
  limit: { atMost: 16 },
  measure: async () => (await (found ??= search()))[0] / (await found)[1],
});

target({
  name: "memory search at 10,000 / search_nodes of server-memory, CPU over an empty program",
  limit: { atMost: 1 },
  measure: async () => (await (found ??= search()))[0] / (await found)[2],
});
