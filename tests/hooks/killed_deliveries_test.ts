/**
 * Deliveries whose processes are killed in each of their states: no answer is lost, and one is told twice only
 * with a mark, after a kill between its offer and its proof.
 *
 * It is short unless `AGENTX_STRESS=full`, which runs 1,000. `AGENTX_SEED` repeats the order of a run.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import type { DeliveryState } from "../../lib/hooks/delivery_report.ts";
import { randomOf } from "../commands/clarify/session.ts";
import { TempWorkspace } from "../temp_workspace.ts";
import { HookSession } from "./hook_session.ts";
import { type KilledRun, type Point, runKilled } from "./run_killed.ts";
import { IS_FULL } from "../often.ts";

const RUNS = IS_FULL ? 1_000 : 34;

/** So many share a workspace: what is there is read in each of them. */
const RUNS_OF_WORKSPACE = 25;

/** A run that its dead process has left goes on for a while. */
const TOLD_MS = 30_000;

/** The host: it records what it is given, where it records, and may take the process that gave it along. */
const HOST = `
if [ -e die-before ]; then rm die-before; kill -9 "$(cat victim)"; exit 1; fi
cat >given
cat given >>"$(cat recording)"
cp given "shown-$$"
if [ -e die-after ]; then rm die-after; kill -9 "$(cat victim)"; exit 1; fi
echo Read.
`;

/** Where a process is killed: in what it does, or by its host. */
type Kill = {
  of: "deliver" | "hook" | "proof" | "resolve";
  at: Point | "die-before" | "die-after" | "any time";
};

/** The file of the session, and the ledger of its issue. */
const SESSION = "SESSION";
const LEDGER = "LEDGER";

const KILLS: readonly Kill[] = [
  ...([1, 2, 3] as const).flatMap((number): Kill[] => [
    { of: "deliver", at: ["before", SESSION, number] }, // woken, offered, shown
    { of: "deliver", at: ["after", SESSION, number] },
  ]),
  { of: "deliver", at: "die-before" },
  { of: "deliver", at: "die-after" },
  { of: "deliver", at: "any time" },
  { of: "hook", at: ["before", SESSION, 1] }, // offered
  { of: "hook", at: ["after", SESSION, 1] },
  { of: "hook", at: ["before", "stdout", 1] },
  { of: "hook", at: ["after", "stdout", 1] },
  { of: "hook", at: "any time" },
  { of: "proof", at: ["before", SESSION, 1] }, // shown
  { of: "proof", at: ["after", SESSION, 1] },
  { of: "resolve", at: ["before", LEDGER, 1] }, // acknowledged
  { of: "resolve", at: ["after", LEDGER, 1] },
];

/** One answer on its way to one session. */
class Run {
  readonly #temp: TempWorkspace;
  readonly #issue: number;
  readonly #session: HookSession;
  readonly #records: boolean;
  readonly #random: () => number;
  readonly #shown: string[] = [];

  constructor(temp: TempWorkspace, issue: number, random: () => number) {
    this.#temp = temp;
    this.#issue = issue;
    const digits = issue.toString(16).padStart(4, "0");
    this.#session = new HookSession(temp, { id: `11111111-2222-4333-8444-55556666${digits}` });
    this.#random = random;
    this.#records = random() < 0.5;
    if (this.#records) temp.write(this.#recording, "begins\n");
    temp.write("recording", this.#records ? this.#recording : "/dev/null");
  }

  get #recording(): string {
    return `session-${this.#issue}.jsonl`;
  }

  get #id(): string {
    return `CLR-${this.#issue}-001`;
  }

  get #answer(): string {
    return `Answer number ${this.#issue}.`;
  }

  get #fields(): object {
    return this.#records ? { transcript_path: `${this.#temp.root}/${this.#recording}` } : {};
  }

  /** Kills once on the way, and then lets it go its way. Gives the state in which it was killed. */
  async go({ of, at }: Kill): Promise<{ state: DeliveryState; shown: string[] }> {
    const session = this.#session;
    await session.run(["here", "--as", "engineer", "--issue", `${this.#issue}`]);
    const ask = ["clarify", "ask", "--issue", `${this.#issue}`, "--from", "engineer"];
    await session.run([...ask, "--to", "architect", "--topic", "Database", "Which?"]);
    if (of === "deliver") await session.fire("SessionEnd", { reason: "other", ...this.#fields });
    await this.#temp.run(["clarify", "answer", this.#id, this.#answer]);
    if (of === "proof") this.#take((await session.fire("PostToolUse", this.#fields)).text);
    if (of === "resolve") await this.#finish("hook");

    const event = session.payload("PostToolUse", this.#fields);
    const resolve = ["clarify", "resolve", this.#id, "Clear."];
    const runs: Record<Kill["of"], KilledRun> = {
      deliver: { words: ["clarify", "deliver"] },
      hook: { words: ["hook", "host", "claude", "PostToolUse"], stdin: event },
      proof: { words: ["hook", "host", "claude", "PostToolUse"], stdin: event },
      resolve: { words: resolve, env: session.env },
    };
    const out = await this.#kill(runs[of], at);
    if (of === "hook" && out !== "") {
      // A host that reads what a killed hook has printed need not take it; what was put out, it has.
      const isPutOut = session.deliveries[0].offers[0].putOut;
      if (isPutOut || this.#random() < 0.5) this.#take(out);
    }
    const state = await this.#state();
    await this.#finish(of === "deliver" ? "deliver" : "hook");
    await session.run(resolve);
    assertEquals(await this.#state(), "acknowledged");
    return { state, shown: [...this.#shown, ...this.#readShown()] };
  }

  async #kill(run: KilledRun, at: Kill["at"]): Promise<string> {
    const { root } = this.#temp;
    const never: Point = ["after", "nothing", 1];
    if (at === "any time") {
      return (await runKilled(root, never, { ...run, afterMs: this.#random() * 500 })).out;
    }
    if (typeof at === "string") this.#temp.write(at, "");
    const [when, what, number] = typeof at === "string" ? never : at;
    const file = what === SESSION
      ? `${this.#session.id}.json`
      : what === LEDGER
      ? `issue-${this.#issue}.json`
      : what;
    const { isKilled, out, err } = await runKilled(root, [when, file, number], run);
    assert(isKilled, `not killed: ${out}${err}`);
    return out;
  }

  /** Lets it be told, as often as it takes. */
  async #finish(way: "deliver" | "hook"): Promise<void> {
    const isTold = async () => ["shown", "acknowledged"].includes(await this.#state());
    for (const endMs = Date.now() + TOLD_MS; !await isTold();) {
      assert(Date.now() < endMs, `${this.#id} is not told`);
      if (way === "deliver") await this.#temp.run(["clarify", "deliver"]);
      else this.#take((await this.#session.fire("PostToolUse", this.#fields)).text);
    }
  }

  /** The host takes what a hook says. */
  #take(text: string): void {
    if (!text.includes(this.#answer)) return;
    this.#shown.push(text);
    if (!this.#records) return;
    const path = `${this.#temp.root}/${this.#recording}`;
    Deno.writeTextFileSync(path, `${JSON.stringify({ text })}\n`, { append: true });
  }

  async #state(): Promise<DeliveryState> {
    const { deliveries } = await this.#temp.json(["clarify", this.#id]);
    return deliveries.at(-1).state;
  }

  /** What the runs of its session were given, in their order. */
  #readShown(): string[] {
    const { root } = this.#temp;
    const files = Array.from(Deno.readDirSync(root), ({ name }) => `${root}/${name}`)
      .filter((path) => path.startsWith(`${root}/shown-`));
    const shown = files
      .map((path) => ({
        ms: Deno.statSync(path).mtime!.getTime(),
        text: Deno.readTextFileSync(path),
      }))
      .sort((a, b) => a.ms - b.ms)
      .map(({ text }) => text);
    for (const path of files) Deno.removeSync(path);
    return shown.filter((text) => text.includes(this.#answer));
  }
}

Deno.test(`${RUNS} deliveries are killed in each state: none is lost, none told twice without a mark`, async () => {
  const seed = Number(Deno.env.get("AGENTX_SEED") ?? Math.trunc(Math.random() * 2 ** 31));
  const random = randomOf(seed);
  const counts: Record<string, number> = {};
  const count = (what: string) => counts[what] = (counts[what] ?? 0) + 1;
  for (let first = 0; first < RUNS; first += RUNS_OF_WORKSPACE) {
    using temp = new TempWorkspace({ agents: { engineer: HOST } });
    for (let issue = first + 1; issue <= Math.min(first + RUNS_OF_WORKSPACE, RUNS); issue++) {
      const kill = KILLS[issue % KILLS.length];
      const { state, shown } = await new Run(temp, issue, random).go(kill);
      const what = `AGENTX_SEED=${seed}, run ${issue}, ${
        JSON.stringify(kill)
      }, killed while ${state}`;
      const repeats = shown.slice(1);
      if (shown.length === 0) count("lost");
      if (repeats.length > 0) count("told again");
      count(state);
      assert(shown.length > 0, `lost: ${what}`);
      assert(state === "offered" || repeats.length === 0, `told twice: ${what}`);
      for (const text of repeats) assert(text.includes(", repeated"), `not marked: ${what}`);
    }
  }
  console.log({ seed, ...counts });
  const states = ["queued", "woken", "offered", "shown", "acknowledged"];
  assertEquals(states.filter((state) => counts[state] === undefined), []);
});
