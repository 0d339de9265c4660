/** What people expect of a tracker: days, milestones, criteria, filters and sorting. */

import { assert, assertEquals } from "@std/assert";
import { TempWorkspace } from "../../temp_workspace.ts";

const BODY = [
  "Why",
  "- [ ] not a criterion",
  "## Acceptance criteria",
  "- [ ] It pays",
  "- [x] It refunds",
  "### More",
  "1. [ ] It is fast",
  "```",
  "- [ ] quoted",
  "```",
  "## Notes",
  "- [ ] not one either",
].join("\r\n");

Deno.test("issue create and edit take a day and a milestone, and none takes them away", async () => {
  using workspace = new TempWorkspace();
  const flags = ["--due", "2026-12-24", "--milestone", "1.0"];
  const { issue } = await workspace.json(["issue", "create", "-t", "x", ...flags]);
  assertEquals([issue.due, issue.milestone], ["2026-12-24", "1.0"]);
  assert(
    (await workspace.run(["issue", "view", "1"])).out.includes("due 2026-12-24, milestone 1.0"),
  );
  assert((await workspace.run(["issue", "list"])).out.includes("2026-12-24"));
  const none = ["issue", "edit", "1", "--due", "none", "--milestone", "none"];
  const edited = (await workspace.json(none)).issue;
  assertEquals([edited.due, edited.milestone], [null, null]);
});

for (const day of ["2026-02-30", "tomorrow", "2026-1-1", "2026-12-24T10:00:00Z"]) {
  Deno.test(`issue create refuses --due ${day}`, async () => {
    using workspace = new TempWorkspace();
    const { code } = await workspace.run(["issue", "create", "-t", "x", "--due", day]);
    assertEquals(code, 2);
  });
}

Deno.test("issue check ticks a criterion in the body and leaves the rest as it is", async () => {
  using workspace = new TempWorkspace();
  await workspace.run(["issue", "create", "-t", "x", "-b", BODY]);
  const { issue } = await workspace.json(["issue", "check", "1", "3"]);
  assertEquals(issue.body, BODY.replace("[ ] It is fast", "[x] It is fast"));
  const { out } = await workspace.run(["issue", "check", "1", "3", "--undo"]);
  assertEquals(out.trimEnd().split("\n").slice(1), [
    "  1. [ ] It pays",
    "  2. [x] It refunds",
    "  3. [ ] It is fast",
  ]);
  assert(
    (await workspace.run(["issue", "view", "1"])).out.includes("acceptance criteria: 1/3 done"),
  );
  assert((await workspace.run(["issue", "list"])).out.includes("1/3"));
  assert((await workspace.run(["issue", "tree"])).out.includes("criteria 1/3"));
  const { code, err } = await workspace.run(["issue", "check", "1", "4"]);
  assertEquals(code, 4);
  assert(err.includes("it has 3"), err);
});

async function numbers(workspace: TempWorkspace, ...argv: string[]): Promise<number[]> {
  const { issues } = await workspace.json(["issue", "list", ...argv]);
  return issues.map(({ number }: { number: number }) => number);
}

Deno.test("issue list filters and sorts", async () => {
  using workspace = new TempWorkspace();
  await workspace.run(["issue", "create", "-t", "Pay by Card", "-l", "p2", "--milestone", "1.0"]);
  await workspace.run(["issue", "create", "-t", "Refund", "-l", "p0", "-b", "to the card"]);
  await workspace.run(["issue", "create", "-t", "Ship"]);
  await workspace.run(["issue", "close", "3"]);
  await workspace.run(["ready", "--claim", "engineer", "--issue", "1"]);
  assertEquals(await numbers(workspace), [1, 2]);
  assertEquals(await numbers(workspace, "--state", "closed"), [3]);
  assertEquals(await numbers(workspace, "--state", "all", "--order", "desc"), [3, 2, 1]);
  assertEquals(await numbers(workspace, "--search", "CARD"), [1, 2]);
  assertEquals(await numbers(workspace, "--search", "card pay"), [1]);
  assertEquals(await numbers(workspace, "--milestone", "1.0"), [1]);
  assertEquals(await numbers(workspace, "--milestone", "none"), [2]);
  assertEquals(await numbers(workspace, "--assignee", "engineer"), [1]);
  await workspace.run(["issue", "create", "-t", "Design", "--as", "architect@2"]);
  assertEquals(await numbers(workspace, "--author", "architect"), [4]);
  assertEquals(await numbers(workspace, "--author", "architect@3"), []);
  assertEquals(await numbers(workspace, "--author", "human"), [1, 2]);
  await workspace.run(["issue", "close", "4"]);
  assertEquals(await numbers(workspace, "--sort", "priority"), [2, 1]);
  assertEquals(await numbers(workspace, "--sort", "updated", "--order", "desc"), [1, 2]);
  assertEquals((await workspace.run(["issue", "list", "-a", "--state", "open"])).code, 2);
});

Deno.test("issue search finds words in titles, bodies, comments and clarifications", async () => {
  using workspace = new TempWorkspace();
  await workspace.run(["issue", "create", "-t", "Pay by card"]);
  await workspace.run(["issue", "create", "-t", "Refund", "-b", "first\nback to the CARD"]);
  await workspace.run(["issue", "create", "-t", "Ship"]);
  await workspace.run(["issue", "comment", "3", "-c", "a \u001b[31mcard in the box"]);
  const hits = async (...words: string[]) =>
    (await workspace.json(["issue", "search", ...words])).hits
      .map(({ number, where }: { number: number; where: string }) => [number, where]);
  assertEquals(await hits("card"), [[1, "title"], [2, "body"], [3, "comment"]]);
  assertEquals(await hits("card refund"), [[2, "title"]]);
  assertEquals(await hits("cardigan"), []);
  await workspace.run(["issue", "close", "1"]);
  assertEquals(await hits("pay"), []);
  assertEquals(await hits("pay", "--closed"), [[1, "title"]]);
  const asked = ["--issue", "3", "--from", "engineer", "--to", "architect", "--topic", "Parcels"];
  await workspace.run([
    "clarify",
    "ask",
    ...asked,
    "--non-blocking",
    "Which carrier takes a piano?",
  ]);
  assertEquals(await hits("piano"), [[3, "CLR-3-001"]]);
  assertEquals(await hits("ship carrier"), [[3, "title"]]);
  const { out } = await workspace.run(["issue", "search", "card"]);
  assert(out.includes("back to the CARD") && out.includes("\\u{1b}[31mcard"), out);
  assert(out.split("\n").every((line) => line.length <= 80), out);
  const long = `${"Many words come before what is searched. ".repeat(5)}Harpsichord`;
  await workspace.run(["issue", "create", "-t", `T${"itle ".repeat(30)}`, "-b", long]);
  const found = (await workspace.run(["issue", "search", "harpsichord"], { terminal: true })).out;
  assert(found.includes("Harpsichord"), found);
});
