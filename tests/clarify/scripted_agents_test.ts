/**
 * The oracle of `bench/clarify_bench.ts`: its figures cannot be better than what happened.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { type Case, planCases, TARGETS } from "../../bench/clarify/cases.ts";
import { rootOf } from "../../bench/clarify/folder.ts";
import { type Evidence, figuresOf, judge } from "../../bench/clarify/judge.ts";
import { readHub, runHub, runMailbox } from "../../bench/clarify/run.ts";
import type { ClarificationRecord } from "../../lib/clarify/schema.ts";
import { TempUser } from "../temp_user.ts";
import { removeFolder } from "../remove_folder.ts";

const CASES = planCases({ perTarget: 1, askers: 2, seed: 1 });
const [HONEST, VAGUE, SILENT, LYING, CIRCLING] = CASES;

/** Everything went as well as it can. */
function evidence(changes: Partial<Evidence> = {}): Evidence {
  const resolved = CASES.filter((asked) => asked !== SILENT);
  return {
    reports: CASES.map(({ id, limit, target }) => ({
      id,
      questions: 1,
      limit: target === "silent" ? null : limit,
    })),
    runs: CASES.map(({ id }) => id),
    settled: new Set(resolved.map(({ id }) => id)),
    withHuman: new Set([SILENT.id]),
    ...changes,
  };
}

function endings(changes: Partial<Evidence> = {}): string {
  return judge(CASES, evidence(changes)).map(({ ending }) => ending).join(" ");
}

function without<T>(all: Iterable<T>, left: T): Set<T> {
  return new Set([...all].filter((one) => one !== left));
}

Deno.test("planCases() gives the same cases for the same seed, of each kind alike", () => {
  const options = { perTarget: 12, askers: 4, seed: 7 };
  const cases = planCases(options);
  assertEquals(cases, planCases(options));
  assert(cases[0].limit !== planCases({ ...options, seed: 8 })[0].limit);
  for (const target of TARGETS) {
    const asked = cases.filter((one) => one.target === target);
    assertEquals([asked.length, new Set(asked.map(({ asker }) => asker)).size], [12, 4]);
  }
  const lies = cases.flatMap(({ lie }) => lie === null ? [] : [`${lie.form} ${lie.lasts}`]);
  const counts = Array.from(Map.groupBy(lies, (lie) => lie).values(), ({ length }) => length);
  assertEquals(counts, [3, 3, 3, 3]);
});

Deno.test("judge() counts a case as resolved only where its asker and the files agree on the right answer", () => {
  assertEquals(endings(), "resolved resolved human resolved resolved");
  const { reports, settled } = evidence();
  const lost = "unanswered resolved human resolved resolved";
  assertEquals(endings({ reports: reports.slice(1) }), lost, "its asker never spoke of it");
  assertEquals(endings({ settled: without(settled, HONEST.id) }), lost, "it is in no ledger");
  const told = (limit: number | null) =>
    endings({ reports: reports.map((one) => one.id === HONEST.id ? { ...one, limit } : one) });
  assertEquals(told(null), lost, "the answer never came");
  const wrong = "wrong resolved human resolved resolved";
  assertEquals(told(VAGUE.limit), wrong, "it is the answer to another question");
  assertEquals(endings({ withHuman: new Set() }), "resolved resolved unanswered resolved resolved");
});

Deno.test("figuresOf() counts each case once, and names what its shares are of", () => {
  const runs = [LYING, LYING, CIRCLING].map(({ id }) => id);
  const { reports } = evidence();
  const figures = figuresOf(judge(CASES, evidence({ runs, reports: reports.slice(1) })));
  assertEquals(figures, {
    cases: 5,
    ended: { resolved: 3, human: 1, wrong: 0, unanswered: 1 },
    resolvedOfSettleable: 0.75,
    roundsOfResolved: 1,
    turns: 4 + 3,
  });
});

/** Changes one clarification behind the back of the hub, or takes it out. */
function tamper(folder: string, { id, issue }: Case, status?: ClarificationRecord["status"]): void {
  const path = `${rootOf(folder)}/.agentx/state/clarifications/issue-${issue}.json`;
  const file = JSON.parse(Deno.readTextFileSync(path));
  const clarifications = file.clarifications.flatMap((record: ClarificationRecord) =>
    record.topic !== `Limit of ${id}`
      ? [record]
      : status === undefined
      ? []
      : [{ ...record, status }]
  );
  Deno.writeTextFileSync(path, JSON.stringify({ ...file, clarifications }));
}

Deno.test("runHub(): five agents as processes; a hub that loses a question, or forgets to tell of it, is noticed", async () => {
  using _user = new TempUser();
  const folder = Deno.makeTempDirSync({ prefix: "agentx-test-" });
  try {
    const left = await runHub(folder, CASES);
    const judged = judge(CASES, left);
    assertEquals(
      judged.map(({ asked, ending, questions }) => [asked.target, ending, questions]),
      [
        ["honest", "resolved", 1],
        ["vague", "resolved", VAGUE.attempts],
        ["silent", "human", 1],
        ["lying", "resolved", 1],
        ["circling", "resolved", 1],
      ],
    );
    const { ended } = figuresOf(judged);
    const { clarifications: total, resolvedWithoutHuman, escalated, open } = left.stats;
    const all = [total, resolvedWithoutHuman, escalated, open];
    assertEquals(
      all,
      [CASES.length + 1, ended.resolved, ended.human + 1, 0],
      "with what was asked back",
    );
    assertEquals(left.troubled, 0);

    const { reports } = left;
    tamper(folder, HONEST);
    tamper(folder, SILENT, "abandoned");
    const after = judge(CASES, { reports, ...await readHub(folder, CASES) });
    assertEquals(
      after.filter(({ ending }) => ending === "unanswered").map(({ asked }) => asked),
      [HONEST, SILENT],
    );
  } finally {
    removeFolder(folder);
  }
});

Deno.test("runMailbox(): the same agents; of whom says nothing, nobody is told", async () => {
  const folder = Deno.makeTempDirSync({ prefix: "agentx-test-" });
  try {
    const judged = judge(CASES, await runMailbox(folder, CASES));
    assertEquals(
      judged.map(({ asked, ending }) => [asked.target, ending]),
      [
        ["honest", "resolved"],
        ["vague", "resolved"],
        ["silent", "unanswered"],
        ["lying", "resolved"],
        ["circling", "unanswered"],
      ],
    );
  } finally {
    removeFolder(folder);
  }
});
