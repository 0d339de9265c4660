/**
 * What commands write and send has no secrets, and whoever gave one is told which kind was cut.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { leaks, LEAKY, privatePart, TOKEN } from "../secrets.ts";
import { ASK, TempWorkspace } from "../temp_workspace.ts";

const ASK_WITH = (topic: string, question: string) => [...ASK.slice(0, -2), topic, question];
const CREATE = ["issue", "create", "-t", "Crash on start"];
const START = ["loop", "start", "42"];
const NOTE = ["memory", "note", "--agent", "engineer", "--issue", "42"];

/** Command lines that write the last one's last word, each after what it builds on. */
const WRITERS: Record<string, readonly (readonly string[])[]> = {
  "clarify ask, the topic": [ASK_WITH(LEAKY, "Which?")],
  "clarify ask, the question": [ASK_WITH("Access", LEAKY)],
  "clarify ask, a follow-up": [
    ASK,
    ["clarify", "answer", "CLR-42-001", "PostgreSQL."],
    ["clarify", "ask", "CLR-42-001", LEAKY],
  ],
  "clarify ask, a refused question": [
    [...ASK.slice(0, -1), "--max-rounds", "1", "Which?"],
    ["clarify", "answer", "CLR-42-001", "PostgreSQL."],
    ["clarify", "ask", "CLR-42-001", LEAKY],
  ],
  "clarify answer": [ASK, ["clarify", "answer", "CLR-42-001", LEAKY]],
  "clarify answer, too late": [
    ASK,
    ["clarify", "resolve", "CLR-42-001", "Clear."],
    ["clarify", "answer", "CLR-42-001", LEAKY],
  ],
  "clarify resolve": [ASK, ["clarify", "resolve", "CLR-42-001", LEAKY]],
  "clarify escalate": [ASK, ["clarify", "escalate", "CLR-42-001", LEAKY]],
  "issue create, the title": [["issue", "create", "-t", LEAKY]],
  "issue create, the body": [[...CREATE, "-b", LEAKY]],
  "issue update, the title": [CREATE, ["issue", "update", "1", "-t", LEAKY]],
  "issue update, the body": [CREATE, ["issue", "update", "1", "-b", LEAKY]],
  "issue comment": [CREATE, ["issue", "comment", "1", "-c", LEAKY]],
  "issue close": [CREATE, ["issue", "close", "1", "-c", LEAKY]],
  "loop iterate": [START, ["loop", "iterate", "42", "-m", LEAKY]],
  "loop complete": [START, ["loop", "complete", "42", "-m", LEAKY]],
  "loop cancel": [START, ["loop", "cancel", "42", "-m", LEAKY]],
  "memory note": [[...NOTE, LEAKY]],
};

for (const [name, lines] of Object.entries(WRITERS)) {
  for (const flags of [[], ["--json"]]) {
    Deno.test(`${[name, ...flags].join(" ")} writes and prints no secret, and names its kind`, async () => {
      using temp = new TempWorkspace();
      for (const line of lines.slice(0, -1)) await temp.run(line);
      const { out, err } = await temp.run([...lines.at(-1)!, ...flags]);
      const files = JSON.stringify(temp.snapshot());
      assertEquals([leaks(files), leaks(out), leaks(err)], [false, false, false], out + err);
      assert(files.includes("Then run the tests."));
      assert(
        /Cut from .* before it was written: private \(1\), github-token \(1\)\n/.test(err),
        err,
      );
    });
  }
}

Deno.test("issue create and issue update write no secret into a label", async () => {
  using temp = new TempWorkspace();
  for (const words of [CREATE, ["issue", "update", "1"]]) {
    const { out, err } = await temp.run([...words, "-l", `old ${TOKEN}`]);
    assertEquals([leaks(JSON.stringify(temp.snapshot())), leaks(out + err)], [false, false]);
    assert(err.includes("github-token (1)"), err);
  }
});

Deno.test("memory retract --because writes no secret", async () => {
  using temp = new TempWorkspace();
  const { observation } = await temp.json([...NOTE, "Tests need TZ=UTC."]);
  const { err } = await temp.run(["memory", "retract", observation.id, "--because", LEAKY]);
  assertEquals([leaks(JSON.stringify(temp.snapshot())), err.includes("Cut from")], [false, true]);
});

/** A workspace with an architect that is a shell script. */
function withArchitect(script: string): TempWorkspace {
  const temp = new TempWorkspace({ agents: { architect: script } });
  temp.write("reply", LEAKY);
  return temp;
}

Deno.test("The answer of an agent is written and shown without its secrets", async () => {
  using temp = withArchitect("cat >/dev/null; cat reply");
  const { code, out, err } = await temp.run(ASK);
  assertEquals([code, leaks(out + err), err.includes("github-token (1)")], [0, false, true]);
  const { thread } = temp.ledger().clarifications[0];
  assertEquals([leaks(thread[1].body), thread[1].body.endsWith("Then run the tests.")], [
    false,
    true,
  ]);
});

Deno.test("An agent's answer of which nothing is left counts as a failed run", async () => {
  using temp = withArchitect(`cat >/dev/null; echo '${privatePart("all of it")}'`);
  const { code } = await temp.run(ASK);
  const [{ status, thread }] = temp.ledger().clarifications;
  assertEquals([code, status], [7, "escalated"]);
  assert(thread[1].body.includes("nothing is left"), thread[1].body);
});

Deno.test("the complaint of a failing agent is written and shown without secrets", async () => {
  using temp = withArchitect("cat reply >&2; exit 1");
  const { code, out, err } = await temp.run(ASK);
  const [{ thread }] = temp.ledger().clarifications;
  assert(thread[1].body.includes("Then run the tests."), thread[1].body);
  const files = JSON.stringify({ ...temp.snapshot(), "/reply": "" });
  assertEquals([code, leaks(out + err), leaks(files)], [7, false, false], out + err);
});

Deno.test("The prompt of an agent has no secrets of records, issues and artifacts", async () => {
  using temp = withArchitect("cat >prompt; echo Done.");
  temp.write("docs/adr/ADR-42.md", `# ADR\n\n${LEAKY}\n`);
  const issue = { number: 42, title: `Deploy with ${TOKEN}`, body: LEAKY };
  temp.write(".agentx/issues/42.json", JSON.stringify(issue));
  const before = temp.snapshot();
  assertEquals((await temp.run(ASK)).code, 0);
  const prompt = temp.read("prompt");
  assertEquals(prompt.split("Then run the tests.").length, 3, prompt);
  assertEquals(leaks(prompt), false, prompt);
  for (const path of ["/docs/adr/ADR-42.md", "/.agentx/issues/42.json"]) {
    assertEquals(temp.snapshot()[path], before[path]); // people wrote them
  }
});

Deno.test("A text of which nothing is left is refused, and nothing is written", async () => {
  const whole = [privatePart("all of it"), TOKEN, ` ${TOKEN} ${privatePart("x")}.`];
  for (const [name, lines] of Object.entries(WRITERS)) {
    if (name.endsWith("a refused question")) continue; // its escalation says more than that
    for (const text of whole) {
      using temp = new TempWorkspace();
      for (const line of lines.slice(0, -1)) await temp.run(line);
      const before = temp.snapshot();
      const words = lines.at(-1)!.map((word) => word === LEAKY ? text : word);
      const { error } = await temp.json(words);
      assertEquals([error?.code, error?.details.value], ["INVALID_INPUT", null], name);
      assertEquals(error.message.includes("nothing is left"), true, error.message);
      assertEquals(Object.keys(temp.snapshot()), Object.keys(before), name);
    }
  }
});

Deno.test("The marks of a cut count for the limit of a text", async () => {
  using temp = new TempWorkspace();
  const short = ["password:", "hunter2Zq9x "].join(" "); // shorter than its mark
  const { error } = await temp.json(ASK_WITH("Access", short + "x".repeat(2_000 - short.length)));
  assertEquals([error.code, error.details.field], ["INVALID_INPUT", "question"]);
  assertEquals((await temp.run(ASK_WITH("Access", short + "x".repeat(1_900)))).code, 7);
});

Deno.test("A record of an older version stays as it is, and what is written later has no secret of it", async () => {
  using temp = new TempWorkspace();
  await temp.run(ASK);
  const old = temp.read(temp.ledgerPath(42)).replace("PostgreSQL or SQLite?", LEAKY);
  temp.write(temp.ledgerPath(42), old);
  await temp.run(["clarify", "escalate", "CLR-42-001", "No answer"]);
  const [{ thread }] = temp.ledger().clarifications;
  assertEquals(thread.map(({ body }) => leaks(body)), [true, false]);
  assert(thread[1].body.includes("Then run the tests."), thread[1].body);
});
