import { assert, assertEquals } from "@std/assert";
import { complexityOf, findingsOf } from "../../../lib/work/route/complexity.ts";
import { growth } from "../../count_steps.ts";

const decided = (title: string, body = "", labels: string[] = []) =>
  complexityOf({ title, body, labels }).decided.map(({ rule, label }) => `${rule} ${label}`);

Deno.test("complexityOf() says nothing of an issue that no rule fits", () => {
  assertEquals(decided("Use Postgres instead of SQLite"), []);
  assertEquals(decided(""), []);
  assertEquals(complexityOf({ labels: ["p1"] }).labels, ["p1"]);
});

Deno.test("complexityOf() takes no word for a sign that features have as often", () => {
  const titles = [
    "Document upload",
    "Pipeline view for sales",
    "Return policy page",
    "Website redesign",
  ];
  assertEquals(titles.flatMap((title) => decided(title)), []);
});

Deno.test("complexityOf() takes the type of the first rule that fits, and the size apart", () => {
  assertEquals(decided("Add support for refunds"), ["addition type:feature"]);
  assertEquals(decided("Add a test that fails"), ["defect type:bug"]);
  assertEquals(decided("Basket", "Steps to reproduce: pay twice"), ["report type:bug"]);
  assertEquals(decided("Rewrite what crashes"), ["defect type:bug", "rebuild size:large"]);
});

Deno.test("complexityOf() leaves alone what a label says", () => {
  assertEquals(decided("Rewrite what crashes", "", ["type:feature", "size:s"]), []);
  assertEquals(decided("Rewrite what crashes", "", ["type:feature"]), ["rebuild size:large"]);
});

Deno.test("complexityOf() reads the files that title and body name", () => {
  assertEquals(decided("Reorder docs/cli.md"), ["wording type:docs"]);
  assertEquals(decided("Reorder the pages", "See docs/cli.md and docs/work.md."), [
    "documents type:docs",
  ]);
  assertEquals(decided("Reorder the pages", "See docs/cli.md and lib/cli.ts."), []);
  const files = Array.from({ length: 10 }, (_, index) => `lib/part_${index}.ts`);
  assertEquals(decided("Move these", files.join("\n")), ["many files size:large"]);
  assertEquals(decided("Move these", files.slice(1).join("\n")), []);
});

Deno.test("complexityOf() takes many tasks for a large issue", () => {
  const tasks = (count: number) => "- [ ] one of them\n".repeat(count);
  assertEquals(decided("Checkout", tasks(10)), ["many tasks size:large"]);
  assertEquals(decided("Checkout", tasks(9)), []);
});

Deno.test("findingsOf() looks at a long text once", async () => {
  const look = (length: number) =>
    findingsOf({ title: "a ".repeat(length), body: "not x/y.z - [ ".repeat(length), labels: [] });
  assert(await growth(look, 100) < 15);
});

interface Labelled {
  title: string;
  body: string;
  type: string;
  size: string;
}

/** Of a half of the set, in percent, as README.md beside it says what is right. */
function rightOf(half: string) {
  const url = new URL(`issues/${half}.jsonl`, import.meta.url);
  const issues = Deno.readTextFileSync(url).trim().split("\n")
    .map((line): Labelled => JSON.parse(line));
  const typeIn = (labels: readonly string[]) => labels.find((label) => label.startsWith("type:"));
  const isLong = (labels: readonly string[]) =>
    labels.includes("size:large") || [undefined, "type:feature"].includes(typeIn(labels));
  const judged = issues.map(({ title, body, type, size }) => {
    const { labels } = complexityOf({ title, body, labels: [] });
    const wanted = [`type:${type}`, `size:${size}`];
    return { type: typeIn(labels), isLong: isLong(labels), wantsLong: isLong(wanted), wanted };
  });
  type One = typeof judged[number];
  const percent = (all: readonly One[], fits: (one: One) => boolean) =>
    Math.round(100 * all.filter(fits).length / all.length);
  const hasType = ({ type, wanted }: One) => type === wanted[0];
  return {
    route: percent(judged, (one) => one.isLong === one.wantsLong),
    alwaysLong: percent(judged, (one) => one.wantsLong),
    type: percent(judged, hasType),
    typeWhereSure: percent(judged.filter(({ type }) => type !== undefined), hasType),
    cutShort: percent(judged.filter(({ wantsLong }) => wantsLong), (one) => !one.isLong),
  };
}

Deno.test("the rules are as often right of 300 changes as their README says", () => {
  assertEquals(rightOf("develop"), {
    route: 67,
    alwaysLong: 28,
    type: 51,
    typeWhereSure: 78,
    cutShort: 13,
  });
  assertEquals(rightOf("held_out"), {
    route: 63,
    alwaysLong: 21,
    type: 48,
    typeWhereSure: 76,
    cutShort: 11,
  });
});
