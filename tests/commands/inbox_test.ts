/**
 * `agentx inbox`: one list of what waits for the human, and each thing decided in it.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { askWords } from "../gate/samples.ts";
import { until } from "../mcp/mcp_client.ts";
import { Pty, terminalTest } from "../pty.ts";
import { AGENTX, ASK, environment, TempWorkspace } from "../temp_workspace.ts";

const ASSUMED = [
  ...["assumptions", "add", "--issue", "7", "--from", "pm", "--because", "Found in api/auth.py"],
  ...["--risk", "high - every session would end", "JWT for sessions"],
];

/** A question of the gate, an escalated clarification, and an assumption of high risk. */
async function filled(): Promise<TempWorkspace> {
  const temp = new TempWorkspace();
  await temp.run([...ASK, "--non-blocking"]);
  await temp.run(["clarify", "escalate", "CLR-42-001", "The ADR contradicts itself"]);
  await temp.run([...askWords({ issue: "9" }), "--no-wait"]);
  await temp.run(ASSUMED);
  return temp;
}

Deno.test("inbox --json lists all kinds, that behind which most stands still first", async () => {
  using temp = await filled();
  const { entries } = await temp.json(["inbox"]);
  // deno-lint-ignore no-explicit-any -- a test looks into it
  const brief = entries.map(({ id, kind, issue, blocks }: any) => [id, kind, issue, blocks]);
  assertEquals(brief, [
    ["ASK-001", "question", 9, ["product-manager on #9"]],
    ["CLR-42-001", "escalation", 42, []],
    ["ASM-001", "assumption", 7, []],
  ]);
});

Deno.test("inbox counts the issues that wait behind an entry, also through others", async () => {
  using temp = new TempWorkspace();
  for (const title of ["First", "Second", "Third", "Fourth"]) {
    await temp.run(["issue", "create", "--title", title]);
  }
  await temp.run(["issue", "update", "2", "--label", "blocked_by:#1"]);
  await temp.run(["issue", "update", "3", "--label", "blocked_by:#2"]);
  await temp.run([...askWords({ issue: "1" }), "--no-wait"]);
  const { entries: [{ blocks }] } = await temp.json(["inbox"]);
  assertEquals(blocks, ["product-manager on #1", "#2", "#3"]);
});

Deno.test("inbox prints a table where nobody sits, and says so where nothing waits", async () => {
  using temp = await filled();
  const { out } = await temp.run(["inbox"]);
  assert(/^ {2}ID +KIND +ISSUE +AGE +BLOCKS +TOPIC$/m.test(out), out);
  assert(/^ {2}ASK-001 +question +#9 /m.test(out), out);
  using empty = new TempWorkspace();
  assertEquals((await empty.run(["inbox"])).out.trim(), "Nothing is waiting for you.");
});

for (
  const [id, answer, decision] of [
    ["CLR-42-001", "PostgreSQL.", "PostgreSQL."],
    ["ASM-001", "a", "confirmed"],
    ["ASM-001", "revert: we are leaving JWT", "reverted"],
  ]
) {
  Deno.test(`answer ${id} "${answer}" decides what is in the inbox`, async () => {
    using temp = await filled();
    assertEquals(await temp.json(["answer", id, answer]), {
      schemaVersion: 1,
      kind: "inbox.decision",
      id,
      decision,
    });
    const { entries } = await temp.json(["inbox"]);
    assertEquals(entries.some((entry: { id: string }) => entry.id === id), false);
  });
}

for (
  const [title, argv, code] of [
    ["a letter that is not offered", ["ASK-001", "z"], 2],
    ["what is neither confirmed nor reverted", ["ASM-001", "maybe"], 2],
    ["an id that is not there", ["ASK-009", "a"], 4],
    ["an id of another kind", ["OBS-001", "a"], 2],
  ] as const
) {
  Deno.test(`answer refuses ${title}`, async () => {
    using temp = await filled();
    const { code: got, err } = await temp.run(["answer", ...argv]);
    assertEquals(got, code, err);
  });
}

Deno.test("answer refuses an agent, and a second answer", async () => {
  using temp = await filled();
  const env = { AGENTX_AGENT: "engineer" };
  const { code, err } = await temp.run(["answer", "ASK-001", "a"], { env });
  assertEquals([code !== 0, err.includes("human")], [true, true]);
  await temp.run(["answer", "ASK-001", "a"]);
  const again = await temp.run(["answer", "ASK-001", "b"]);
  assert(again.code !== 0 && again.err.includes("ASK-001"), again.err);
});

terminalTest(
  "At a terminal the inbox is gone through by keys, and the agents that waited go on",
  async () => {
    using temp = await filled();
    const waiting = temp.run(["ask-user", "--id", "ASK-001"]);
    await using pty = new Pty([...AGENTX.split(" "), "inbox"], {
      cwd: temp.root,
      env: environment(),
    });
    await pty.shows("1 of 3");
    await pty.shows("Waiting for this: product-manager on #9");
    await pty.shows("a, b, c, [t]ext, [s]kip or [q]uit?");
    await pty.type("x"); // not offered: asked again
    await pty.shows("That key does nothing here. Press one of: a, b, c, t, s, q, Enter");
    await pty.type("b");
    assertEquals((await waiting).code, 0);
    await pty.shows("2 of 3");
    await pty.shows("Why you are asked");
    await pty.type("t");
    await pty.shows("Your answer");
    await pty.type("PostgreSQL, behind a repository.\n");
    await pty.shows("3 of 3");
    await pty.type("b");
    assertEquals(await pty.ended(), 0);
    assert(pty.out.includes("Nothing is waiting for you."), pty.out);
    assertEquals(pty.out.split(/\r?\n/).filter((line) => line.length > 80), []);
    const { decision, verified } = (await temp.json(["ask-user", "--id", "ASK-001"])).interaction;
    assertEquals([decision.label, verified], ["b", true]);
  },
);

terminalTest("At a terminal q ends the inbox, and what was not decided stays", async () => {
  using temp = await filled();
  await using pty = new Pty([...AGENTX.split(" "), "inbox"], {
    cwd: temp.root,
    env: environment(),
  });
  await pty.shows("[q]uit?");
  await pty.type("s");
  await pty.shows("2 of 3");
  await pty.type("q");
  assertEquals(await pty.ended(), 0);
  await until(async () => (await temp.json(["inbox"])).entries.length === 3);
});

Deno.test("inbox shows the rest where the questions of the gate cannot be read", async () => {
  for (const file of ["agent-interactions", "assumptions"]) {
    using temp = await filled();
    temp.write(`.agentx/state/${file}.json`, '{ "version": 9 }');
    const { code, out, err } = await temp.run(["inbox"]);
    assertEquals(code, 8);
    assert(out.includes("CLR-42-001"), out);
    assert(err.includes("Update agentx"), err);
  }
});
