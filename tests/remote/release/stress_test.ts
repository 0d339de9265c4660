/**
 * Three machines with four sessions each and a server, cut off and joined at random, with clocks up to 40 s apart and
 * processes that are killed at random: one minute, or ten with `AGENTX_STRESS=full`. `AGENTX_SEED` repeats the choices.
 *
 * The remote ends one push in ten after its refs changed and before it says so.
 *
 * @module
 */

import { assertEquals } from "@std/assert";
import { IS_FULL } from "../../often.ts";
import { ended, type Ran, signal } from "../../temp_workspace.ts";
import { git, type TempMachine, TempMachines } from "../temp_machines.ts";

const RUN_MS = IS_FULL ? 600_000 : 60_000;
const SESSIONS = 4;
const ISSUES = 6;
const FAKETIME = "/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1";
const seed = Number(Deno.env.get("AGENTX_SEED") ?? Date.now() % 1_000_000);

/** Numbers below 1 that a seed repeats: mulberry32. */
function randomFrom(state: number): () => number {
  return () => {
    state = state + 0x6d2b79f5 | 0;
    let t = Math.imul(state ^ state >>> 15, 1 | state);
    t = t + Math.imul(t ^ t >>> 7, 61 | t) ^ t;
    return ((t ^ t >>> 14) >>> 0) / 4_294_967_296;
  };
}

/** A claim that was acknowledged, by the clock of the test. */
export interface Held {
  issue: number;
  by: string;
  fromMs: number;
  toMs: number;
}

/** A run of the architect, as its script wrote it down. */
export interface AgentRun {
  question: string;
  machine: string;
  fromMs: number;
  toMs: number;
}

/** Pairs of claims of one issue that were held at the same time. */
export function doubleClaims(held: readonly Held[]): string[] {
  return held.flatMap((a, index) =>
    held.slice(index + 1)
      .filter((b) => a.issue === b.issue && a.fromMs < b.toMs && b.fromMs < a.toMs)
      .map((b) => `#${a.issue}: ${a.by} and ${b.by}`)
  );
}

/** Questions that two machines ran to the end. */
export function doubleRuns(runs: readonly AgentRun[]): string[] {
  return runs.flatMap((a, index) =>
    runs.slice(index + 1)
      .filter((b) => a.question === b.question && a.machine !== b.machine)
      .map((b) => `${a.question}: ${a.machine} and ${b.machine}`)
  );
}

Deno.test("the oracles of the stress see a double claim and a double run", () => {
  const claim = { issue: 1, fromMs: 0, toMs: 10 };
  assertEquals(
    doubleClaims([{ ...claim, by: "a" }, { ...claim, by: "b", fromMs: 9 }]).length,
    1,
  );
  assertEquals(doubleClaims([{ ...claim, by: "a" }, { ...claim, by: "b", fromMs: 10 }]), []);
  const run = { question: "Q", fromMs: 0, toMs: 1 };
  assertEquals(doubleRuns([{ ...run, machine: "a" }, { ...run, machine: "b" }]).length, 1);
});

Deno.test(`stress of three machines, seed ${seed}: no double claim, no lost answer, no question run twice, equal folds`, async () => {
  const random = randomFrom(seed);
  using machines = await TempMachines.make(["desk", "box", "cave"], {
    issues: Array.from({ length: ISSUES }, (_, index) => `Issue ${index + 1}`),
    areShared: false,
  });
  const runsFile = `${machines.folder}/runs`;
  Deno.writeTextFileSync(
    `${machines.bare}/hooks/reference-transaction`,
    `#!/bin/sh\n[ "$1" = committed ] && [ $(( $(od -An -N2 -tu2 /dev/urandom) % 10 )) = 0 ] && kill -9 $PPID\nexit 0\n`,
    { mode: 0o755 },
  );
  for (const machine of machines.all) {
    const { home, root } = machine;
    Deno.symlinkSync(machines.bare, `${home}/hub`);
    git(root, "remote", "set-url", "origin", `${home}/hub`);
    await machine.ok(["remote", "git"], { terminal: true, stdin: "y\n" });
    answersIn(machine, runsFile);
  }
  const world = new World(machines, random);
  await world.run(RUN_MS);
  await world.settle();

  const runs = Deno.readTextFileSync(runsFile).split("\n").filter((line) => line !== "")
    .map((line): AgentRun => {
      const [machine, from, to, ...question] = line.split(" ");
      return { question: question.join(" "), machine, fromMs: Number(from), toMs: Number(to) };
    });
  const folds: Question[][] = [];
  for (const machine of machines.all) folds.push(await questionsOn(machine));
  const texts = folds.map((fold) =>
    new Set(fold.flatMap(({ thread }) => thread.map(({ body }) => body)))
  );
  const lost = world.said.filter((body) => texts.some((known) => !known.has(body)));
  const { counts } = world;
  console.log(
    `    ${
      JSON.stringify({
        ...counts,
        held: world.held.length,
        said: world.said.length,
        runs: runs.length,
      })
    }`,
  );
  assertEquals(doubleClaims(world.held), []);
  assertEquals(doubleRuns(runs), []);
  assertEquals(lost, [], "acknowledged questions and answers that a machine does not have");
  for (const fold of folds) assertEquals(JSON.stringify(fold), JSON.stringify(folds[0]));
  assertEquals(counts.bugs, 0);
  assertEquals([world.held.length > 0, world.said.length > 0, runs.length > 0], [true, true, true]);
});

/** The architect of a machine takes a moment, and notes each run. */
function answersIn({ home, name }: TempMachine, runsFile: string): void {
  const script = `${home}/architect.sh`;
  const ms = "$(date +%s%3N)";
  Deno.writeTextFileSync(
    script,
    `q=$(grep -o 'Question [0-9a-f-]*' | tail -1); b=${ms}; sleep 0.3; ` +
      `echo "${name} $b ${ms} $q" >> ${runsFile}; echo "Answer of ${name} to $q"`,
  );
  const path = `${home}/config/agentx/config.json`;
  const now = JSON.parse(Deno.readTextFileSync(path));
  const agents = { architect: { command: ["sh", script] } };
  Deno.writeTextFileSync(path, JSON.stringify({ ...now, agents }));
}

interface Question {
  uid: string;
  status: string;
  round: number;
  thread: Record<"type" | "from" | "body" | "timestamp" | "line", string>[];
}

/** All questions as a machine shows them, without what differs by machine: their ids, and who wrote elsewhere. */
async function questionsOn(machine: TempMachine): Promise<Question[]> {
  const questions: Question[] = [];
  for (let issue = 1; issue <= ISSUES; issue++) {
    const said = await machine.ok(["clarify", "--issue", String(issue), "--json"]);
    for (const { shared, status, round, thread } of JSON.parse(said).clarifications) {
      const entries = thread.map(({ type, from, body, timestamp, line }: Question["thread"][0]) => {
        return { type, from, body, timestamp, line };
      });
      questions.push({ uid: shared.uid, status, round, thread: entries });
    }
  }
  return questions.sort((a, b) => a.uid < b.uid ? -1 : 1);
}

/** All that happens at random. */
class World {
  /** Claims that were acknowledged. */
  readonly held: Held[] = [];
  /** Texts that were acknowledged. */
  readonly said: string[] = [];
  readonly counts = { commands: 0, killed: 0, refused: 0, cuts: 0, bugs: 0 };
  readonly #machines: TempMachines;
  readonly #random: () => number;
  #isOver = false;
  #isCalm = false;

  constructor(machines: TempMachines, random: () => number) {
    this.#machines = machines;
    this.#random = random;
  }

  async run(ms: number): Promise<void> {
    const timer = setTimeout(() => this.#isOver = true, ms);
    await Promise.all(this.#machines.all.flatMap((machine, index) => [
      this.#weather(machine),
      this.#server(machine, index),
      ...Array.from({ length: SESSIONS }, (_, session) => this.#session(machine, index, session)),
    ]));
    clearTimeout(timer);
  }

  /** Joins all, and lets them hear of each other. */
  async settle(): Promise<void> {
    this.#isCalm = true;
    Deno.removeSync(`${this.#machines.bare}/hooks/reference-transaction`);
    for (const machine of this.#machines.all) await this.#join(machine);
    for (let round = 0; round < 3; round++) {
      for (const [index, machine] of this.#machines.all.entries()) {
        const { code, err } = await this.#command(machine, index, ["sync"]);
        assertEquals(code, 0, err);
      }
    }
  }

  /** Cuts a machine off, and joins it again. */
  async #weather(machine: TempMachine): Promise<void> {
    while (!this.#isOver) {
      await this.#wait(3_000, 12_000);
      this.counts.cuts++;
      Deno.removeSync(`${machine.home}/hub`);
      await this.#wait(300, 3_000);
      await this.#join(machine);
    }
  }

  async #join({ home }: TempMachine): Promise<void> {
    try {
      await Deno.symlink(this.#machines.bare, `${home}/hub`);
    } catch (error) {
      if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
    }
  }

  async #server(machine: TempMachine, index: number): Promise<void> {
    while (!this.#isOver) {
      const child = machine.spawn(["serve", "--as", "architect"], envOf(index));
      const output = ended(child);
      await this.#wait(4_000, 15_000);
      signal(child, this.#random() < 0.5 ? "SIGKILL" : "SIGTERM");
      await output;
    }
  }

  async #session(machine: TempMachine, index: number, session: number): Promise<void> {
    const agent = `engineer@${machine.name}${session + 1}`;
    while (!this.#isOver) {
      const dice = this.#random();
      if (dice < 0.45) await this.#claims(machine, index, agent);
      else if (dice < 0.8) await this.#asks(machine, index, agent);
      else await this.#answers(machine, index);
      await this.#wait(0, 400);
    }
  }

  async #claims(machine: TempMachine, index: number, agent: string): Promise<void> {
    const issue = 1 + Math.floor(this.#random() * ISSUES);
    const words = [agent, "--issue", String(issue)];
    const claim = await this.#command(machine, index, ["ready", "--claim", ...words]);
    if (claim.code === 0) {
      const held = { issue, by: `${agent} on ${machine.name}`, fromMs: Date.now(), toMs: Infinity };
      this.held.push(held);
      await this.#wait(0, 1_500);
      held.toMs = Date.now();
    }
    // A claim that was killed may have been made.
    await this.#command(machine, index, ["ready", "--release", ...words]);
  }

  async #asks(machine: TempMachine, index: number, agent: string): Promise<void> {
    const text = `Question ${crypto.randomUUID()}`;
    const issue = 1 + Math.floor(this.#random() * ISSUES);
    const from = ["-i", String(issue), "--from", agent];
    const { code } = await this.#command(
      machine,
      index,
      ["ask", "architect", ...from, "--non-blocking", "--again", text],
    );
    if (code === 0 || code === 7) this.said.push(text);
  }

  /** The human answers in the place of the architect. */
  async #answers(machine: TempMachine, index: number): Promise<void> {
    const list = await this.#command(machine, index, ["clarify", "--json"]);
    if (list.code !== 0 && list.code !== 7) return;
    const { clarifications } = JSON.parse(list.out);
    const open = clarifications.filter(({ status }: { status: string }) => status === "pending");
    if (open.length === 0) return;
    const { id } = open[Math.floor(this.#random() * open.length)];
    const text = `Answer ${crypto.randomUUID()}`;
    const { code } = await this.#command(machine, index, ["answer", id, text, "--as", "human"]);
    if (code === 0) this.said.push(text);
  }

  /** Runs a command line, which is killed now and then. */
  async #command(machine: TempMachine, index: number, words: string[]): Promise<Ran> {
    const child = machine.spawn(words, envOf(index));
    const isKilled = !this.#isCalm && this.#random() < 0.1;
    const timer = isKilled
      ? setTimeout(() => signal(child, "SIGKILL") && this.counts.killed++, this.#random() * 2_500)
      : undefined;
    const ran = await ended(child);
    clearTimeout(timer);
    this.counts.commands++;
    if (ran.code !== 0 && ran.code !== 7) this.counts.refused++;
    if (ran.code === 70) {
      this.counts.bugs++;
      console.log(words.join(" "), ran.err);
    }
    return ran;
  }

  async #wait(fromMs: number, toMs: number): Promise<void> {
    const endMs = Date.now() + fromMs + this.#random() * (toMs - fromMs);
    while (Date.now() < endMs && !(this.#isOver && toMs > 2_000)) {
      await new Promise((resolve) => setTimeout(resolve, Math.min(200, endMs - Date.now())));
    }
  }
}

/** The clock of a machine, where one can be set. */
function envOf(index: number): Record<string, string> {
  try {
    Deno.statSync(FAKETIME);
  } catch {
    return {};
  }
  return {
    LD_PRELOAD: FAKETIME,
    FAKETIME: `+${index * 20}s`,
    FAKETIME_DONT_FAKE_MONOTONIC: "1",
  };
}
