/**
 * Random histories of issues on several branches, against an oracle that knows who had seen what: the
 * fold is the same for every order of the lines, and undoes no edit that its author had not seen.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { byTime, type Line } from "../../../lib/lines/line.ts";
import type { IssueChange, IssueLine, SingleField } from "../../../lib/work/issue/change.ts";
import { type FoldedIssue, foldIssues } from "../../../lib/work/issue/fold.ts";
import { DONE, ISSUE_STATUSES } from "../../../lib/work/issue/issue.ts";
import { changesBetween, linesFor } from "../../../lib/work/issue/issue_lines.ts";
import { IS_FULL } from "../../often.ts";
import { randomBelow } from "../../random_below.ts";

const HISTORIES = IS_FULL ? 10_000 : 1_000;

/** A branch, and the lines that it has. */
type Branch = Map<string, IssueLine>;

interface History {
  /** All lines of all branches. */
  lines: Map<string, IssueLine>;
  /** What the author of each line had seen. */
  seen: Map<string, ReadonlySet<string>>;
}

/** Some branches edit one issue, and take over what others have, with clocks that are years apart. */
function makeHistory(seed: number): History {
  const random = randomBelow(seed);
  const history: History = { lines: new Map(), seen: new Map() };
  const branches: Branch[] = Array.from({ length: 2 + random(3) }, () => new Map());
  const skews = branches.map(() => (random(3) - 1) * random(4) * 31_536_000_000);
  let tick = 0;
  const write = (branch: number, changes: IssueChange[]) => {
    if (changes.length === 0) return;
    const time = new Date(1_800_000_000_000 + skews[branch] + 1_000 * random(20)).toISOString();
    const head = { changeId: `c${++tick}`, uid: "u1", time, by: `agent-${branch}` };
    for (const line of linesFor(changes, head) as IssueLine[]) {
      history.seen.set(line.id, new Set(branches[branch].keys()));
      history.lines.set(line.id, line);
      branches[branch].set(line.id, line);
    }
  };
  const fields = { number: 1, title: "t0", body: "", status: "Backlog", labels: ["a", "b"] };
  write(0, [{ op: "create", fields }]);
  const [creation] = history.lines.values();
  for (const branch of branches) branch.set(creation.id, creation);
  for (let step = 0; step < 4 + random(16); step++) {
    const at = random(branches.length);
    if (random(4) === 0) {
      for (const [id, line] of branches[random(branches.length)]) branches[at].set(id, line);
      continue;
    }
    const known = foldOf([...branches[at].values()]);
    const issue = structuredClone(known.issue);
    const what = random(7);
    if (what === 0) issue.title = `t${tick}`;
    if (what === 1) issue.body = `b${tick}`;
    if (what === 2) issue.status = ISSUE_STATUSES[random(ISSUE_STATUSES.length)];
    if (what === 3) issue.labels = [...new Set([...issue.labels, "abcd"[random(4)]])];
    if (what === 4) issue.labels = issue.labels.filter((label) => label !== "abcd"[random(4)]);
    if (what === 5) issue.number = 1 + random(5);
    if (what === 6) issue.comments.push({ author: "x", body: `m${tick}`, created: "" });
    write(at, changesBetween(issue, known));
  }
  return history;
}

function foldOf(lines: Line[]): FoldedIssue {
  const folded = foldIssues(lines).issues.get("u1");
  assert(folded !== undefined);
  return folded;
}

function shuffled<T>(values: readonly T[], random: (n: number) => number): T[] {
  const all = [...values];
  for (let at = all.length - 1; at > 0; at--) {
    const other = random(at + 1);
    [all[at], all[other]] = [all[other], all[at]];
  }
  return all;
}

/** The value that the rules give a field, found by who had seen what. */
function expected(field: SingleField, lines: readonly IssueLine[], { seen }: History): unknown {
  const edits = lines.filter((line) => line.op === "set" && line.field === field).sort(byTime);
  const heads = edits.filter(({ id }) => !edits.some((other) => seen.get(other.id)!.has(id)));
  const values = heads.map((line) => line.value as string);
  if (field === "status" && values.includes(DONE)) return DONE;
  const rank = (value: string) => (ISSUE_STATUSES as readonly string[]).indexOf(value);
  if (field === "status" && values.length > 0) {
    return values.reduce((best, value) => rank(value) >= rank(best) ? value : best);
  }
  return values.at(-1);
}

function expectedLabels(lines: readonly IssueLine[], { seen }: History): string[] {
  const additions = lines.flatMap((line) => {
    const values = line.op === "create" ? ["a", "b"] : line.op === "add" ? line.values : [];
    return values.map((value) => ({ id: line.id, value }));
  });
  const stays = additions.filter(({ id, value }) =>
    !lines.some((line) =>
      line.op === "remove" && line.values.includes(value) && seen.get(line.id)!.has(id)
    )
  );
  return [...new Set(stays.map(({ value }) => value))].sort();
}

Deno.test(`foldIssues() keeps every edit of ${HISTORIES} random histories, whatever the order`, () => {
  for (let seed = 1; seed <= HISTORIES; seed++) {
    const random = randomBelow(seed + 7_919);
    const history = makeHistory(seed);
    const all = [...history.lines.values()];
    const folded = foldOf(all);
    assertEquals(foldOf(shuffled(all, random)), folded, `order, seed ${seed}`);
    assertEquals(new Set(folded.lines.map(({ id }) => id)), new Set(history.lines.keys()));
    // Lines of another branch may be absent: what is there follows the same rules.
    const [creation, ...rest] = all;
    for (const part of [all, [creation, ...rest.filter(() => random(4) > 0)]]) {
      const { issue, contests } = foldOf(part);
      for (const field of ["title", "body", "status", "number"] as const) {
        const want = expected(field, part, history);
        if (want !== undefined) assertEquals(issue[field], want, `${field}, seed ${seed}`);
      }
      assertEquals([...issue.labels].sort(), expectedLabels(part, history), `labels, seed ${seed}`);
      const comments = part.filter(({ op }) => op === "comment").length;
      assertEquals(issue.comments.length, comments, `comments, seed ${seed}`);
      for (const { shown, others } of contests) {
        for (const { value } of others) assert(value !== shown.value, `contest, seed ${seed}`);
      }
    }
  }
});

const base = { v: 1, uid: "u1", by: "engineer" };
const at = (second: number) => new Date(1_800_000_000_000 + second * 1_000).toISOString();
const creation = {
  ...base,
  id: "c.0",
  time: at(0),
  op: "create",
  fields: { number: 1, title: "Pay", status: "Backlog", labels: [] },
};

function set(
  id: string,
  second: number,
  field: string,
  value: unknown,
  after: string[] = [],
): Line {
  return { ...base, id, time: at(second), op: "set", field, value, after };
}

Deno.test("foldIssues() shows the later of two titles, and keeps the other as a choice", () => {
  const lines = [creation, set("a", 2, "title", "Pay by card"), set("b", 1, "title", "Cards")];
  const { issue, contests } = foldOf(lines);
  assertEquals(issue.title, "Pay by card");
  assertEquals(contests.map(({ field, others }) => [field, others[0].value]), [["title", "Cards"]]);
  const decided = [...lines, set("c", 3, "title", "Cards", ["a", "b"])];
  assertEquals([foldOf(decided).issue.title, foldOf(decided).contests], ["Cards", []]);
});

Deno.test("foldIssues() keeps an issue closed that another branch moved", () => {
  const lines = [creation, set("a", 1, "status", "Done"), set("b", 9, "status", "In Progress")];
  assertEquals(foldOf(lines).issue.state, "closed");
});

Deno.test("foldIssues() takes away only those additions that a removal had seen", () => {
  const add = (id: string) => ({
    ...base,
    id,
    time: at(1),
    op: "add",
    field: "labels",
    values: ["p1"],
  });
  const removal = { ...base, id: "r", time: at(9), op: "remove", field: "labels", values: ["p1"] };
  assertEquals(foldOf([creation, add("a"), { ...removal, after: ["a"] }]).issue.labels, []);
  assertEquals(foldOf([creation, add("a"), add("b"), { ...removal, after: ["a"] }]).issue.labels, [
    "p1",
  ]);
});

Deno.test("foldIssues() undoes a change, and an undoing", () => {
  const undo = (id: string, undone: string) => ({
    ...base,
    id,
    time: at(id.length),
    op: "undo",
    undone: [undone],
  });
  const lines = [creation, set("a", 1, "title", "Cards")];
  assertEquals(foldOf([...lines, undo("xxx", "a")]).issue.title, "Pay");
  assertEquals(foldOf([...lines, undo("xxx", "a"), undo("xxxx", "xxx")]).issue.title, "Cards");
  const labelled = { ...creation, fields: { ...creation.fields, labels: ["ui"] } };
  assertEquals(foldOf([labelled, undo("xxx", "c.0")]).issue.labels, ["ui"], "a beginning stays");
});

Deno.test("foldIssues() deletes an issue, unless somebody edited it meanwhile", () => {
  const deletion = { ...base, id: "d", time: at(5), op: "delete", after: ["c.0", "a"] };
  const lines = [creation, set("a", 1, "title", "Cards"), deletion];
  assertEquals(foldOf(lines).isDeleted, true);
  const edited = foldOf([...lines, set("b", 2, "body", "More")]);
  assertEquals([edited.isDeleted, edited.deletedBy, edited.issue.body], [
    false,
    "engineer",
    "More",
  ]);
});

Deno.test("foldIssues() names what it does not know, and goes by the rest", () => {
  const strange: Line = { ...base, id: "s", time: at(1), op: "explode" };
  const fold = foldIssues([creation, strange, {
    ...base,
    id: "o",
    uid: "u2",
    time: at(1),
    op: "delete",
  }]);
  assertEquals(fold.problems.map(({ id }) => id), ["s"]);
  assertEquals([...fold.headless.keys()], ["u2"]);
  assertEquals(fold.issues.get("u1")?.issue.title, "Pay");
});

Deno.test("foldIssues() copes with edits that name each other, and with an unknown one", () => {
  const lines = [set("a", 1, "title", "A", ["b"]), set("b", 2, "title", "B", ["a", "nowhere"])];
  assertEquals(foldOf([creation, ...lines]).issue.title, "B");
});
