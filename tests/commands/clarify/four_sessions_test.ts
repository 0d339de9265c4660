/**
 * Four sessions in one repository, as processes: three roles, two sessions of one, from two worktrees,
 * one of them on Node. They ask and answer each other, and any program is killed at any moment.
 *
 * It is short unless `AGENTX_STRESS=full`, which takes ten minutes. `AGENTX_SEED` repeats a run as far as
 * processes can be repeated.
 *
 * @module
 */

import { assertEquals } from "@std/assert";
import type { LedgerFile } from "../../../lib/clarify/schema.ts";
import { agentsOf, type AgentStatusFile } from "../../../lib/clarify/status/status_file.ts";
import type { Finding } from "../../../lib/doctor/finding.ts";
import { openState } from "../../../lib/workspace/open_state.ts";
import { nodeProgram } from "../../node_program.ts";
import { TempUser } from "../../temp_user.ts";
import { ended, signal, snapshotOf, spawnAgentx } from "../../temp_workspace.ts";
import { TempRepository, testWithGit } from "../../workspace/temp_repository.ts";
import { Book, randomOf, Session } from "./session.ts";
import { countsOf, faultsOf } from "./session_oracle.ts";
import { SessionScript, WORKFLOW } from "./session_script.ts";
import { IS_FULL } from "../../often.ts";

const WORK_MS = IS_FULL ? 600_000 : 6_000;

/** So long it is quiet between two kills. */
const [KILL_MIN_MS, KILL_MAX_MS] = IS_FULL ? [1_000, 3_000] : [200, 600];

/** The role that a command answers for. */
const CONFIGURED = "product-manager";

/** Answers, and kills itself on demand: no question twice, for its target would have failed then. */
const AGENT = `cd "$(dirname "$0")"
word=$(sed -n '/^## Question/,/^## Issue/s/^> .*\\(q[0-9][0-9]*\\).*/\\1/p' | head -n 1)
sleep "0.$((\${word#q} % 9 + 1))"
if [ ! -e "$word" ] && rmdir die 2>/dev/null; then : >"$word"; kill -9 $$; fi
echo "Answer to $word"
`;

/** A repository with a worktree, and a role that is a script. */
class TempOffice implements Disposable {
  readonly #user = new TempUser();
  readonly #repository = new TempRepository();
  readonly root = this.#repository.root;
  readonly agents = this.#repository.folder("agents");
  tree = "";

  async open(): Promise<void> {
    assertEquals((await ended(spawnAgentx(["init"], { cwd: this.root }))).code, 0);
    const config = {
      agents: { [CONFIGURED]: { command: ["sh", `${this.agents}/agent.sh`] } },
      clarify: { retryDelaySeconds: 0 },
    };
    this.#user.configure({ clarify: { maxTurns: 10_000 } });
    Deno.writeTextFileSync(`${this.agents}/agent.sh`, AGENT);
    Deno.writeTextFileSync(`${this.root}/.agentx/config.json`, JSON.stringify(config));
    Deno.writeTextFileSync(`${this.root}/.agentx/workflows/feature.toml`, WORKFLOW);
    this.#repository.git("add", ".");
    this.#repository.git("commit", "--quiet", "--message", "workspace");
    this.tree = this.#repository.worktree();
    const trust = await openState({ root: this.root }).trust();
    await trust.allow(await trust.plan()); // a variable would not count in a session
  }

  /** The words that start `agentx` on Node, as its package does; undefined where there is no Node. */
  async onNode(): Promise<string[] | undefined> {
    return await nodeProgram(this.#repository.folder("node"));
  }

  ledgers(): LedgerFile[] {
    const folder = `${this.root}/.agentx/state/clarifications`;
    return Array.from(Deno.readDirSync(folder), ({ name }) => name)
      .filter((name) => name.endsWith(".json"))
      .map((name) => JSON.parse(Deno.readTextFileSync(`${folder}/${name}`)));
  }

  /** How many agents have killed themselves. */
  counts(): { killedAgents: number } {
    const names = Array.from(Deno.readDirSync(this.agents), ({ name }) => name);
    return { killedAgents: names.filter((name) => /^q\d/.test(name)).length };
  }

  [Symbol.dispose](): void {
    this.#repository[Symbol.dispose]();
    this.#user[Symbol.dispose]();
  }
}

testWithGit(
  "four sessions ask and answer while any program is killed: no question is lost or orphaned",
  async () => {
    const seed = Number(Deno.env.get("AGENTX_SEED") ?? Math.trunc(Math.random() * 2 ** 31));
    using office = new TempOffice();
    await office.open();
    const { root, tree } = office;
    const book = new Book();
    const sessions = [
      new Session(book, { role: "engineer", host: "claude", digits: "3f2a", cwd: root }),
      new Session(book, { role: "engineer", host: "claude", digits: "9c80", cwd: tree }),
      new Session(book, {
        role: "architect",
        host: "codex",
        digits: "0f13",
        cwd: tree,
        program: await office.onNode(),
      }),
      new Session(book, { role: "product-manager", host: "codex", digits: "77aa", cwd: root }),
    ];
    const scripts = sessions.map((session, index) =>
      new SessionScript({ session, random: randomOf(seed + index), configured: CONFIGURED })
    );

    const over = AbortSignal.timeout(WORK_MS);
    let working = scripts.length;
    const note = ({ stack }: Error) => void book.faults.push(stack ?? "");
    const work = async (script: SessionScript) => {
      while (!over.aborted) await script.turn().catch(note);
      working--;
      while (working > 0) await script.answerOthers().catch(note);
    };
    await Promise.all([
      ...scripts.map(work),
      serveNowAndThen(sessions[1], randomOf(seed + 4), over),
      killNowAndThen(book, { random: randomOf(seed + 5), agents: office.agents, over }),
    ]);
    await settle(office, sessions, scripts);

    const ledgers = office.ledgers();
    if (IS_FULL) {
      console.log({ seed, ...book.counts, ...office.counts(), ...countsOf(ledgers) });
    }
    const found = [...book.faults, ...faultsOf(ledgers, book), ...await leftovers(office)];
    assertEquals(found, [], `AGENTX_SEED=${seed}`);
  },
);

/** A runner that comes and goes. */
async function serveNowAndThen(
  session: Session,
  random: () => number,
  over: AbortSignal,
): Promise<void> {
  while (!over.aborted) {
    const child = session.start(["serve"]);
    const ending = session.end(child, "serve", [130]);
    await Promise.race([ending, pause(1_000 + random() * 9_000, over)]);
    signal(child, "SIGINT");
    await ending;
    await pause(random() * 5_000, over);
  }
}

/** Kills any program of a session, or lets the next agent that is about to answer kill itself. */
async function killNowAndThen(
  book: Book,
  { random, agents, over }: { random: () => number; agents: string; over: AbortSignal },
): Promise<void> {
  while (true) {
    await pause(KILL_MIN_MS + random() * (KILL_MAX_MS - KILL_MIN_MS), over);
    if (over.aborted) break;
    const running = [...book.running];
    if (random() < 0.25) Deno.mkdirSync(`${agents}/die`, { recursive: true });
    else if (running.length > 0) book.kill(running[Math.trunc(random() * running.length)]);
  }
  await Deno.remove(`${agents}/die`).catch(() => {}); // an agent has taken it
}

/** Nothing is killed any more: all that is open is run again, and answered. */
async function settle(
  office: TempOffice,
  sessions: Session[],
  scripts: SessionScript[],
): Promise<void> {
  const { book } = sessions[0];
  const { runs } = JSON.parse((await sessions[0].run(["clarify", "--json"])).out);
  for (const { clarificationId, state } of runs) {
    if (state !== "nobody") book.faults.push(`${clarificationId}: it seems that it is run still`);
  }
  const records = office.ledgers().flatMap(({ clarifications }) => clarifications);
  for (const { id, to, status } of records) {
    const asked = book.asked.get(id);
    if (asked === undefined || !["pending", "stale", "answered"].includes(status)) continue;
    const target = scripts.find(({ session }) => session.role === to)!;
    if (status !== "answered" && to !== CONFIGURED) await target.answerOthers();
    await scripts[sessions.indexOf(asked.asker)].answerTo(asked);
  }
  for (const script of scripts) await script.finish();
}

/** What commands find amiss when all have finished, but for the workflow, which is ours. */
async function leftovers({ root }: TempOffice): Promise<string[]> {
  const session = new Session(new Book(), { role: "x", host: "claude", digits: "0000", cwd: root });
  await session.run(["state"]);
  await session.run(["doctor"]); // what dead writers left is a warning
  await session.run(["doctor", "--fix"]);
  const { findings } = JSON.parse((await session.run(["doctor", "--json"])).out);
  const amiss = findings.filter(({ check, level }: Finding) =>
    level !== "ok" && check !== "workflows"
  );
  const status: AgentStatusFile = JSON.parse(
    Deno.readTextFileSync(`${root}/.agentx/state/agent-status.json`),
  );
  const atWork = [...agentsOf(status)].filter(([name, { base }]) =>
    name.includes("@") && base.status !== "done"
  );
  const files = Object.keys(snapshotOf(`${root}/.agentx`));
  return [
    ...session.book.faults,
    ...amiss.map(({ check, message }: Finding) => `${check}: ${message}`),
    ...atWork.map(([name, { base }]) => `${name} is ${base.status}`),
    ...files.filter((path) => /\.(?:lock|tmp)$|\/runs\/./.test(path)),
  ];
}

async function pause(ms: number, over: AbortSignal): Promise<void> {
  const deadlineMs = performance.now() + ms;
  while (!over.aborted && performance.now() < deadlineMs) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
