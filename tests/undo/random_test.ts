/**
 * Random operations, undone the newest first: after each undo every command says what it said before the operation.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { sys } from "../../lib/sys/mod.ts";
import { askWords } from "../gate/samples.ts";
import { inMemory, TempWorkspace } from "../temp_workspace.ts";
import { IS_FULL } from "../often.ts";
import { NOTES, shown } from "./shown.ts";

const COUNT = IS_FULL ? 1_000 : 24;

/** The generator of Park and Miller: a seed that failed can be run again. */
class Chance {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  below(limit: number): number {
    this.#state = this.#state * 48_271 % 0x7fffffff;
    return this.#state % limit;
  }

  of<T>(values: readonly T[]): T | undefined {
    return values[this.below(Math.max(1, values.length))];
  }
}

interface Known {
  issues: number[];
  clarifications: string[];
  questions: string[];
  assumptions: string[];
  observations: string[];
  /** Those that correct no other one, which would be back without them. */
  plain: string[];
  operations: string[];
  claimers: string[];
}

type Words = readonly string[];

/** Where there is none of its kind, no command line. */
type MaybeWords = Words | "" | undefined;

/** A command line, some of which are refused. */
function words(chance: Chance, known: Known, turn: number): Words | undefined {
  const issue = `${chance.of(known.issues) ?? 1}`;
  const other = `${chance.of(known.issues) ?? 1}`;
  const clarification = chance.of(known.clarifications);
  const question = chance.of(known.questions);
  const assumption = chance.of(known.assumptions);
  const observation = chance.of(known.observations);
  const plain = chance.of(known.plain);
  const operation = chance.of(known.operations);
  const claimer = chance.of(known.claimers);
  const as = chance.of([[], ["--as", "engineer"], ["--as", "reviewer"]])!;
  const status = chance.of(["Backlog", "In Progress", "In Review", "Ready", "Done"])!;
  const note = ["memory", "note", "--agent", "engineer", "--issue", issue];
  const made: MaybeWords[] = [
    ["issue", "create", `Title ${turn}`, "-l", chance.of(["p1", "type:bug", "size:small"])!],
    ["issue", "create", `Part ${turn}`, "--parent", issue, ...as],
    ["issue", "edit", issue, "-t", `Title ${turn}`, "-b", `- [ ] do ${turn}`, ...as],
    ["issue", "edit", issue, "-s", status, "--force", "--because", `Reason ${turn}`],
    ["issue", "edit", issue, "-l", `area:${turn % 3}`, ...as],
    ["issue", "edit", issue, "--remove-label", `area:${turn % 3}`],
    ["issue", "edit", issue, "--due", "2026-12-24", "--milestone", `M${turn % 4}`],
    ["issue", "edit", issue, "--assignee", "engineer"],
    ["issue", "comment", issue, "-c", `Comment ${turn}`, ...as],
    ["issue", "close", issue, "--force", "--because", `Reason ${turn}`],
    ["issue", "delete", issue],
    ["issue", "deps", issue, "--on", other],
    ["issue", "split", issue, `Left ${turn}`, `Right ${turn}`],
    ["issue", "import", "more.jsonl"],
    // Not whoever asks, or has claimed one: the monitor would abandon its questions, a claim would last longer.
    ["ready", "--claim", `reviewer@w${turn}`],
    claimer && ["ready", "--release", claimer],
    [
      ...["clarify", "ask", "--issue", issue, "--from", "engineer", "--to", "architect"],
      ...["--topic", `Topic ${turn}`, "--non-blocking", `Which of ${turn}?`],
    ],
    clarification && ["answer", clarification, `Answer ${turn}`, "--as", "architect"],
    clarification && ["clarify", "resolve", clarification, `Decision ${turn}`],
    clarification && ["clarify", "escalate", clarification, "--reason", `Reason ${turn}`],
    clarification && ["answer", clarification, "a"],
    [
      ...askWords({ issue, session: `s${turn}`, topic: `T${turn}`, question: `Which ${turn}?` }),
      ...["--timeout", "never", "--no-wait"],
    ],
    question && ["answer", question, chance.of(["a", "b", "Something else"])!],
    question && ["answer", question, "--decline"],
    [
      ...["assumptions", "add", "-i", issue, "--from", "pm", "--because", `Because ${turn}`],
      ...["--risk", "low", `Assumed ${turn}`],
    ],
    assumption && ["assumptions", "confirm", assumption],
    assumption && ["assumptions", "revert", assumption, "--because", `Reason ${turn}`],
    [...note, `Cards of kind ${turn} are kept in file ${turn}`],
    observation && [...note, "--supersedes", observation, `Cards of ${turn} are gone`],
    observation && ["memory", "retract", observation, "--because", `Reason ${turn}`],
    plain && ["memory", "delete", plain],
    operation && ["undo", operation],
    operation && ["undo", operation],
  ];
  return chance.of(made) || undefined;
}

Deno.test(`${COUNT} random operations are undone, the newest first`, async (test) => {
  const seed = Number(Deno.env.get("AGENTX_SEED") ?? (IS_FULL ? Date.now() % 1e9 : 8));
  const chance = new Chance(seed);
  using _ = slowClock();
  using temp = new TempWorkspace({ parent: inMemory(), config: { clarify: { maxTurns: 999 } } });
  await temp.run(["issue", "create", "Begin", "-l", "type:bug"]);
  const forgotten = new Set<string>();
  const done: { id: string; line: Words; before: Record<string, unknown> }[] = [];
  let before = await shown(temp);
  let last: string = (await temp.json(["log", "--undoable"])).operations[0].id;
  for (let turn = 0; done.length < COUNT; turn++) {
    assert(turn < 20 * COUNT, "too few operations are made");
    const known = knownIn(before, done);
    const line = words(chance, known, turn);
    if (line === undefined) continue;
    temp.write("more.jsonl", importOf(turn));
    const { code } = await temp.run(
      line.map((word) => word === "more.jsonl" ? `${temp.root}/more.jsonl` : word),
    );
    const [latest] = (await temp.json(["log", "--undoable", "--limit", "1"])).operations;
    if (line[1] === "delete" && line[0] === "memory" && code === 0) forgotten.add(line[2]);
    const after = await shown(temp);
    const isNew = latest !== undefined && latest.id !== last &&
      !done.some(({ id }) => id === latest.id);
    if (isNew) done.push({ id: latest.id, line, before });
    else assertEquals(without(forgotten, after), without(forgotten, before), `${seed} ${line}`);
    last = latest?.id ?? last;
    before = after;
  }
  for (const { id, line, before } of done.toReversed()) {
    const isUndone = await test.step(`${line.join(" ").slice(0, 60)}`, async () => {
      const { code, err } = await temp.run(["undo", id]);
      // What it noted may have been deleted since: then nothing of it is left.
      if (code !== 0) {
        assert(
          forgotten.size > 0 && /all of it is undone already|was undone already/.test(err),
          err,
        );
      }
      const now = await shown(temp);
      assertEquals(without(forgotten, now), without(forgotten, before), `seed ${seed}`);
    });
    if (!isUndone) return;
  }
});

/** However long a loaded machine takes, no lease ends and nobody is silent for half an hour. */
function slowClock(): Disposable {
  const { now } = sys;
  const startMs = now();
  sys.now = () => Math.trunc(startMs + (now() - startMs) / 4);
  return { [Symbol.dispose]: () => void (sys.now = now) };
}

/** A file of beads with two issues, of which one waits for the other, and a note. */
function importOf(turn: number): string {
  const issue = { title: `Imported ${turn}`, status: "open", priority: 1, issue_type: "task" };
  const link = { issue_id: `b-${turn}b`, depends_on_id: `b-${turn}a`, type: "blocks" };
  return [
    { id: `b-${turn}a`, ...issue },
    { id: `b-${turn}b`, ...issue, dependencies: [link] },
    { _type: "memory", key: `key-${turn}`, value: `Imported note ${turn} about cards` },
  ].map((each) => JSON.stringify(each)).join("\n");
}

// deno-lint-ignore no-explicit-any -- whatever the commands print
function knownIn(shown: Record<string, any>, done: readonly { id: string }[]): Known {
  const ids = (pattern: RegExp) => [...new Set(JSON.stringify(shown).match(pattern) ?? [])];
  const [list] = Object.values(shown);
  const noted: { id: string; summary: string }[] = shown[NOTES.join(" ")].observations ?? [];
  return {
    issues: (list.issues ?? []).map(({ number }: { number: number }) => number),
    clarifications: ids(/CLR-\d+-\d+/g),
    questions: ids(/ASK-\d+/g),
    assumptions: ids(/ASM-\d+/g),
    observations: ids(/obs-[a-z]+-\d+-\d+-[0-9a-z]{6}/g),
    plain: noted.filter(({ summary }) => summary.startsWith("Cards of kind")).map(({ id }) => id),
    operations: done.slice(-5).map(({ id }) => id),
    claimers: ids(/reviewer@w\d+/g),
  };
}

/** Without what was deleted, and how well the rest fits a query. */
function without(forgotten: ReadonlySet<string>, value: unknown): unknown {
  if (forgotten.size === 0) return value;
  if (Array.isArray(value)) {
    return value.filter((each) => !forgotten.has(each?.id)).map((each) => without(forgotten, each));
  }
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value).filter(([key]) => key !== "score" && key !== "next")
      .map(([key, each]) => [key, without(forgotten, each)]),
  );
}
