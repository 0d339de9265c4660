/**
 * `agentx undo` and `agentx log --undoable`.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { sys } from "../../lib/sys/mod.ts";
import { askWords, DANGEROUS } from "../gate/samples.ts";
import { ASK, TempWorkspace } from "../temp_workspace.ts";
import { shown } from "../undo/shown.ts";

for (
  const [name, words] of Object.entries<readonly (readonly string[])[]>({
    "a new issue": [["issue", "create", "Pay"]],
    "an edit": [["issue", "edit", "1", "-t", "Other", "-l", "p1", "-b", "Body"]],
    "a close with a comment": [["issue", "close", "1", "-c", "Done"]],
    "a question": [[...ASK, "--non-blocking"]],
    "an answer": [["answer", "CLR-1-001", "PostgreSQL", "--as", "architect"]],
    "a resolution": [["clarify", "resolve", "CLR-1-001", "Yes"]],
    "a question to the human": [
      [...askWords({ issue: "1", session: "s2", question: "Which bank?" }), "--no-wait"],
    ],
    "an answer of the human": [["answer", "ASK-001", "a"]],
    "an assumption": [
      ["assumptions", "add", "-i", "1", "--from", "pm", "--because", "x", "--risk", "high", "y"],
    ],
    "a judgement": [["assumptions", "confirm", "ASM-001"]],
    "a note": [["memory", "note", "--agent", "engineer", "--issue", "1", "Cards are stored"]],
    "a correction": [["memory", "retract", "ID", "--because", "wrong"]],
  })
) {
  Deno.test(`undo takes back ${name}, and an undo of it makes it again`, async () => {
    using temp = new TempWorkspace();
    await temp.run(["issue", "create", "Begun"]);
    await temp.run([
      ...["clarify", "ask", "--issue", "1", "--from", "engineer", "--to", "architect"],
      ...["--topic", "Store", "--non-blocking", "Which?"],
    ]);
    if (!name.endsWith("to the human")) { // one at a time
      await temp.run([...askWords({ issue: "1" }), "--no-wait"]);
    }
    await temp.run([
      ...["assumptions", "add", "-i", "1", "--from", "pm", "--because", "x", "--risk", "low", "z"],
    ]);
    await temp.run(["memory", "note", "--agent", "engineer", "--issue", "1", "Gold cards cost"]);
    const { observations } = await temp.json(["memory", "search", "gold"]);
    const before = await shown(temp);
    for (const each of words) {
      const { code, err } = await temp.run(
        each.map((word) => word === "ID" ? observations[0].id : word),
      );
      assert(code === 0 || code === 7, err);
    }
    const after = await shown(temp);
    assert(JSON.stringify(after) !== JSON.stringify(before));
    const { operations } = await temp.json(["log", "--undoable"]);
    const { undo } = await temp.json(["undo", operations.at(-1).id]);
    assertEquals(await shown(temp), before);
    await temp.json(["undo", undo]);
    assertEquals(await shown(temp), after);
  });
}

/** In a session of Claude Code, as this agent. */
const as = (name: string) => ({ env: { CLAUDECODE: "1", AGENTX_AGENT: name } });

/** The id of the latest operation. */
async function latest(temp: TempWorkspace): Promise<string> {
  return (await temp.json(["log", "--undoable"])).operations.at(-1).id;
}

Deno.test("undo takes the latest of whoever runs it, then the one before", async () => {
  using temp = new TempWorkspace();
  await temp.run(["issue", "create", "Pay"]);
  await temp.run(["issue", "comment", "1", "-c", "Mine"]);
  await temp.run(["issue", "comment", "1", "-c", "Hers"], as("reviewer"));
  await temp.run(["issue", "close", "1"]);
  await temp.run(["issue", "close", "1"]); // changes nothing
  await temp.run(["undo"]);
  await temp.run(["undo"]);
  const { state, comments } = temp.issue(1);
  assertEquals([state, comments.map(({ body }) => body)], ["open", ["Hers"]]);
  assertEquals((await temp.run(["undo"], as("engineer"))).code, 4);
  await temp.run(["undo"], as("reviewer"));
  assertEquals(temp.issue(1).comments, []);
});

Deno.test("undo takes an import back as one operation, with its notes", async () => {
  using temp = new TempWorkspace();
  await temp.run(["issue", "create", "Pay"]);
  const issue = { status: "open", priority: 1, issue_type: "task" };
  temp.write(
    "b.jsonl",
    [
      { id: "b-1", title: "One", ...issue },
      { id: "b-2", title: "Two", ...issue, status: "closed" },
      { _type: "memory", key: "deploys", value: "Deploys run from the main branch" },
    ].map((each) => JSON.stringify(each)).join("\n"),
  );
  const before = await shown(temp);
  const words = ["issue", "import", `${temp.root}/b.jsonl`];
  const { remembered: [note] } = await temp.json(words);
  const operation = await latest(temp);
  await temp.run(["issue", "edit", "2", "-t", "Other"]);
  await temp.run(["memory", "retract", note, "--because", "wrong"]);
  const { code, err } = await temp.run(["undo", operation]);
  assertEquals(code, 6);
  assert(err.includes("#2 was changed since by human") && err.includes(note), err);
  assert(err.endsWith(`Undo that first: agentx undo ${await latest(temp)}\n`), err);
  await temp.run(["undo"]);
  await temp.run(["undo"]);
  assertEquals((await temp.run(["undo"])).code, 0);
  assertEquals(await shown(temp), before);
  // The file can be imported again.
  const again = await temp.json(words);
  assertEquals([again.imported.length, again.remembered.length], [2, 1]);
});

Deno.test("undo names what was said about an issue since it was created", async () => {
  using temp = new TempWorkspace();
  await temp.run(["issue", "create", "Pay"]);
  const operation = await latest(temp);
  await temp.run(["clarify", "ask", "--issue", "1", ...ASK.slice(4), "--non-blocking"]);
  await temp.run(["issue", "create", "Part", "--parent", "1"]);
  const { err } = await temp.run(["undo", operation]);
  assert(err.includes("CLR-1-001 is about what it created"), err);
  assert(err.includes("#2 is linked to what it created"), err);
  assertEquals(temp.issue(1).title, "Pay");
});

Deno.test("no agent undoes what a person did, or another agent", async () => {
  using temp = new TempWorkspace();
  await temp.run(["issue", "create", "Pay"]);
  await temp.run(["issue", "comment", "1", "-c", "Mine"]);
  const mine = await latest(temp);
  await temp.run(["issue", "comment", "1", "-c", "Hers"], as("reviewer"));
  const hers = await latest(temp);
  for (const [id, why] of [[mine, "a person made it"], [hers, "made it"]]) {
    const { code, err } = await temp.run(["undo", id], as("engineer"));
    assertEquals(code, 6);
    assert(err.includes(why), err);
  }
  const { changes: [, first] } = await temp.json(["issue", "history", "1"]);
  assertEquals((await temp.run(["issue", "undo", "1", first.change], as("engineer"))).code, 6);
  assertEquals(temp.issue(1).comments.length, 2);
});

Deno.test("undo of an expired answer names the fallback in force", async () => {
  using temp = new TempWorkspace();
  await temp.run(["issue", "create", "Pay"]);
  await temp.run([...askWords({ issue: "1" }), "--no-wait"]);
  await temp.run(["answer", "ASK-001", "b"], { terminal: true });
  const { now } = sys;
  sys.now = () => now() + 3_600_000;
  try {
    const { code, err } = await temp.run(["undo"], { terminal: true });
    assertEquals(code, 0, err);
    assert(err.includes("the time of ASK-001 is over: (a) counts until you decide"), err);
  } finally {
    sys.now = now;
  }
});

Deno.test("undo of a decision about security needs the surface of the decision", async () => {
  using temp = new TempWorkspace();
  await temp.run(["issue", "create", "Pay"]);
  await temp.run([...askWords({ issue: "1", ...DANGEROUS }), "--no-wait"]);
  const terminal = { terminal: true };
  assertEquals((await temp.run(["answer", "ASK-001", "a"], terminal)).code, 0);
  const { code, err } = await temp.run(["undo"]);
  assertEquals(code, 6);
  assert(err.includes("ASK-001 is about security"), err);
  assertEquals((await temp.run(["undo", await latest(temp)], as("pm"))).code, 6);
  assertEquals((await temp.run(["undo"], terminal)).code, 0);
  assertEquals((await temp.json(["inbox"])).entries.length, 1);
});

Deno.test("deleted observations stay deleted, and undo says so", async () => {
  using temp = new TempWorkspace();
  const note = ["memory", "note", "--agent", "engineer", "--issue", "0"];
  const { observation } = await temp.json([...note, "The key lies under the mat"]);
  await temp.run(["memory", "delete", observation.id, "--yes"]);
  const { code, err } = await temp.run(["undo"]);
  assertEquals(code, 2);
  const [, id] = /agentx undo (\w+)/.exec(err) ?? [];
  assert((await temp.run(["undo", id])).err.includes("all of it is undone already"));
  assertEquals((await temp.json(["memory", "search", "mat"])).observations, []);
  const all = Object.entries(temp.snapshot());
  assertEquals(all.filter(([, text]) => text.includes("under the mat")), []);
});

Deno.test("an undo on two branches is undone by one undo", async () => {
  using temp = new TempWorkspace();
  await temp.run(["issue", "create", "Pay"]);
  await temp.run(["issue", "comment", "1", "-c", "Said"]);
  const { changes } = await temp.json(["issue", "history", "1"]);
  const { undo } = await temp.json(["undo"]);
  // The other branch undid the same, and its line comes with a merge.
  const line = { v: 1, id: "other.0", uid: temp.issue(1).uid, time: "2026-01-01T00:00:00.000Z" };
  const undone = [`${changes[0].change}.0`];
  const theirs = { ...line, by: "human", op: "undo", undone };
  temp.write(".agentx/issues/2026-01/theirs.jsonl", `${JSON.stringify(theirs)}\n`);
  assertEquals(temp.issue(1).comments, []);
  await temp.run(["undo", undo]);
  assertEquals(temp.issue(1).comments.length, 1);
});

Deno.test("a state that came from elsewhere has nothing that can be undone", async () => {
  using temp = new TempWorkspace();
  await temp.run(["issue", "create", "Pay"]);
  temp.write(".agentx/state/birth", `${"0".repeat(32)}\n`);
  assertEquals((await temp.json(["log", "--undoable"])).operations, []);
  const { code, err } = await temp.run(["undo"]);
  assertEquals([code, err.includes("you have done nothing that can be undone")], [4, true], err);
});

Deno.test("log --undoable shows what each operation changed", async () => {
  using temp = new TempWorkspace();
  await temp.run(["issue", "create", "Pay"]);
  await temp.run([...ASK, "--non-blocking"]);
  const { operations } = await temp.json(["log", "--undoable"]);
  const rows = operations.map(({ by, command, changed }: Record<string, string>) => {
    return [by, command, changed];
  });
  assertEquals(rows, [
    ["human", "issue create", ["#1"]],
    ["engineer", "clarify ask", ["CLR-42-001"]],
  ]);
  assert((await temp.run(["log", "--undoable"])).out.includes("issue create"));
});
