import { assert, assertEquals } from "@std/assert";
import { ASK, TempWorkspace } from "../temp_workspace.ts";

async function ask(temp: TempWorkspace, issue: number): Promise<void> {
  await temp.run([...ASK.map((word) => word === "42" ? `${issue}` : word), "--again"]);
}

Deno.test("clarify says that there are none, and how to ask", async () => {
  using temp = new TempWorkspace();
  assertEquals(await temp.run(["clarify"]), {
    code: 0,
    out: "  No active clarifications.\n  Ask one with: agentx ask --help\n",
    err: "",
  });
});

Deno.test("clarify lists the active ones of all issues in a table", async () => {
  using temp = new TempWorkspace();
  for (const issue of [42, 7]) await ask(temp, issue);
  await ask(temp, 7);
  await temp.run(["clarify", "resolve", "CLR-7-001", "Clear."]);
  const { code, out } = await temp.run(["clarify"]);
  assertEquals([code, out.replace(/\d+s/g, "0s").replace(/(29|30)m/g, "30m")], [
    0,
    "  ID          FROM      TO         STATUS   ROUND  AGE  SLA  TOPIC\n" +
    "  CLR-7-002   engineer  architect  pending  1/5    0s   30m  Database layer\n" +
    "  CLR-42-001  engineer  architect  pending  1/5    0s   30m  Database layer\n" +
    "\n" +
    "  CLR-7-002, CLR-42-001: nobody answers: no agent is configured for architect\n" +
    '    answer it: agentx answer ID "..."\n' +
    "    or configure it: agentx config set --global agents.default.preset claude\n",
  ]);
});

for (const count of [0, 1, 2]) {
  Deno.test(`clarify --json has a list also of ${count}`, async () => {
    using temp = new TempWorkspace();
    for (let index = 0; index < count; index++) await ask(temp, 42);
    const { schemaVersion, kind, clarifications } = await temp.json(["clarify"]);
    assertEquals([schemaVersion, kind], [1, "clarification.list"]);
    assertEquals(clarifications, count === 0 ? [] : temp.ledger().clarifications);
  });
}

Deno.test("clarify --issue N --json has the list of that issue, closed ones included", async () => {
  using temp = new TempWorkspace();
  for (const issue of [42, 7]) await ask(temp, issue);
  await temp.run(["clarify", "resolve", "CLR-42-001", "Clear."]);
  const { kind, clarifications } = await temp.json(["clarify", "--issue", "42"]);
  assertEquals([kind, clarifications], ["clarification.list", temp.ledger().clarifications]);
  assertEquals((await temp.json(["clarify", "-i", "9"])).clarifications, []);
});

Deno.test("clarify --issue N shows all threads of an issue, or says that there are none", async () => {
  using temp = new TempWorkspace();
  for (const issue of [42, 42]) await ask(temp, issue);
  const { out } = await temp.run(["clarify", "--issue", "42"]);
  assertEquals(out.match(/Clarification Thread: CLR-42-00[12]/g)?.length, 2);
  const none = await temp.run(["clarify", "--issue", "9"]);
  assertEquals([none.code, none.out], [0, "  Issue #9 has no clarifications.\n"]);
});

Deno.test("clarify names a corrupt ledger on stderr, lists the others and exits 8", async () => {
  using temp = new TempWorkspace();
  for (const issue of [7, 42]) await ask(temp, issue);
  temp.write(temp.ledgerPath(9), '{"issueNumber": 9,');
  const before = temp.snapshot();
  const { code, out, err } = await temp.run(["clarify"]);
  assertEquals([code, err.split("\n").length], [8, 2]);
  assert(err.startsWith("note: Cannot read ") && err.includes("issue-9.json"));
  assert(out.includes("CLR-7-001") && out.includes("CLR-42-001"));
  const json = await temp.run(["clarify", "--json"]);
  assertEquals([json.code, JSON.parse(json.out).clarifications.length], [8, 2]);
  assertEquals(temp.snapshot(), before);
});

Deno.test("clarify --issue N exits 8 for a corrupt ledger", async () => {
  using temp = new TempWorkspace();
  temp.write(temp.ledgerPath(9), '{"issueNumber": 7, "clarifications": []}');
  const { code, out, err } = await temp.run(["clarify", "--issue", "9", "--json"]);
  const { error } = JSON.parse(err);
  assertEquals([code, out, error.code], [8, "", "CORRUPT_STATE"]);
  assertEquals(error.details.path, `${temp.root}/${temp.ledgerPath(9)}`);
});

Deno.test("clarify answer prints the answer and what can be done next", async () => {
  using temp = new TempWorkspace();
  await ask(temp, 42);
  const { code, out } = await temp.run(["clarify", "answer", "CLR-42-001", "Both."]);
  assertEquals(code, 0);
  assert(
    /human, unverified -> engineer .*\n {4}A: Both\.\n\n {2}CLR-42-001 is answered\./.test(out),
  );
});

Deno.test("clarify answer says that a late answer changes nothing", async () => {
  using temp = new TempWorkspace();
  await ask(temp, 42);
  await temp.run(["clarify", "resolve", "CLR-42-001", "Clear."]);
  const { code, err } = await temp.run(["clarify", "answer", "CLR-42-001", "Both."]);
  const note = "note: CLR-42-001 is resolved: the late answer is kept in its thread\n";
  assertEquals([code, err], [0, note]);
});

Deno.test("clarify answer --round does not answer a question that was asked since", async () => {
  using temp = new TempWorkspace();
  await ask(temp, 42);
  const answer = ["clarify", "answer", "CLR-42-001", "--round", "1"];
  assertEquals((await temp.run([...answer, "Both."])).code, 0);
  await temp.run(["clarify", "ask", "CLR-42-001", "And pooling?"]);
  const { code, err } = await temp.run([...answer, "SQLite."]);
  assertEquals(code, 6);
  assert(err.includes("Cannot answer CLR-42-001: its last question is that of round 2"), err);
  assertEquals((await temp.run(answer.with(-1, "2").concat("Yes."))).code, 0);
  assertEquals(temp.ledger().clarifications[0].thread.map(({ body }) => body).slice(1), [
    "Both.",
    "And pooling?",
    "Yes.",
  ]);
});

Deno.test("clarify answer is the target's, also as the agent that runs it", async () => {
  using temp = new TempWorkspace();
  await ask(temp, 42);
  const answer = ["clarify", "answer", "CLR-42-001", "Both."];
  assertEquals((await temp.run([...answer, "--as", "reviewer"])).code, 6);
  assertEquals((await temp.run(answer, { env: { AGENTX_AGENT: "engineer" } })).code, 6);
  assertEquals((await temp.run(answer, { env: { AGENTX_AGENT: "architect@2" } })).code, 0);
  assertEquals(temp.ledger().clarifications[0].thread[1].from, "architect@2");
});

Deno.test("clarify answer takes its text from standard input where a dash asks for it", async () => {
  using temp = new TempWorkspace();
  await ask(temp, 42);
  await temp.run(["clarify", "answer", "CLR-42-001", "-"], { stdin: "One.\n\nTwo.\n" });
  assertEquals(temp.ledger().clarifications[0].thread[1].body, "One.\n\nTwo.");
});

for (const agent of ["architect", "engineer", "agent-x"]) {
  Deno.test(`clarify resolve does not let ${agent} decide what is escalated`, async () => {
    using temp = new TempWorkspace();
    await ask(temp, 42);
    await temp.run(["clarify", "escalate", "CLR-42-001", "The ADR contradicts itself"]);
    const before = temp.snapshot();
    const resolve = ["clarify", "resolve", "CLR-42-001", "Mine.", "--json"];
    for (const [more, env] of [[[], { AGENTX_AGENT: agent }], [["--as", agent], {}]] as const) {
      const { code, err } = await temp.run([...resolve, ...more], { env });
      assertEquals([code, JSON.parse(err).error.code], [6, "INVALID_TRANSITION"]);
    }
    assertEquals(temp.snapshot(), before);
  });
}

Deno.test("clarify resolve does not let an agent say that it is human", async () => {
  using temp = new TempWorkspace();
  await ask(temp, 42);
  await temp.run(["clarify", "escalate", "CLR-42-001"]);
  const { code } = await temp.run(["clarify", "resolve", "CLR-42-001", "--as", "human"], {
    env: { AGENTX_AGENT: "architect" },
  });
  assertEquals([code, temp.ledger().clarifications[0].status], [2, "escalated"]);
});

for (const AGENTX_AGENT of ["", "human", "human@2"]) {
  for (const more of [[], ["--as", "human"]]) {
    Deno.test(`clarify resolve refuses AGENTX_AGENT=${AGENTX_AGENT} ${more.join(" ")}`, async () => {
      using temp = new TempWorkspace();
      await ask(temp, 42);
      await temp.run(["clarify", "escalate", "CLR-42-001"]);
      const before = temp.snapshot();
      const resolve = ["clarify", "resolve", "CLR-42-001", "Mine.", ...more];
      const { error } = await temp.json(resolve, { env: { AGENTX_AGENT } });
      assertEquals([error.code, error.details], ["INVALID_INPUT", {
        field: "AGENTX_AGENT",
        value: AGENTX_AGENT,
      }]);
      assertEquals(temp.snapshot(), before);
    });
  }
}

for (const verb of ["answer", "resolve", "escalate", "ask"]) {
  Deno.test(`clarify ${verb} lets nobody act as the hub`, async () => {
    using temp = new TempWorkspace();
    await ask(temp, 42);
    const words = ["clarify", verb, "CLR-42-001", "Mine."];
    for (
      const [more, env] of [[[], { AGENTX_AGENT: "agent-x" }], [["--as", "agent-x"], {}]] as const
    ) {
      assertEquals((await temp.run([...words, ...more], { env })).code, 6);
    }
    assertEquals(temp.ledger().clarifications[0].thread.length, 1);
  });
}

Deno.test("clarify ask lets nobody ask for another as the hub", async () => {
  using temp = new TempWorkspace();
  assertEquals((await temp.run([...ASK, "--as", "agent-x"])).code, 2);
  assertEquals(temp.has(temp.ledgerPath(42)), false);
});

Deno.test("clarify resolve has a conclusion of its own where an answer stands, and only there", async () => {
  using temp = new TempWorkspace();
  await ask(temp, 42);
  assertEquals((await temp.run(["clarify", "resolve", "CLR-42-001"])).code, 2);
  await temp.run(["answer", "CLR-42-001", "PostgreSQL.", "--as", "architect"]);
  await temp.run(["clarify", "resolve", "CLR-42-001"]);
  assertEquals(temp.ledger().clarifications[0].thread[2].body, "Resolved.");
});

Deno.test("clarify escalate prints the block and how to decide it", async () => {
  using temp = new TempWorkspace();
  await ask(temp, 42);
  const { code, out } = await temp.run(["clarify", "escalate", "CLR-42-001", "It contradicts"]);
  assertEquals(code, 0);
  assert(
    /^ {2}\[ESCALATED\] human, unverified .*\n {4}Reason: It contradicts\n {4}Topic: Data/.test(
      out,
    ),
  );
  assert(out.endsWith('Decide it with: agentx answer CLR-42-001 a or "..."\n'), out);
});

Deno.test("a decision typed at a terminal is verified, and one of a script is not", async () => {
  using temp = new TempWorkspace();
  for (const [issue, terminal] of [[7, true], [42, false]] as const) {
    await ask(temp, issue);
    const id = `CLR-${issue}-001`;
    await temp.run(["clarify", "answer", id, "Both."], { terminal });
    await temp.run(["clarify", "escalate", id], { terminal });
    await temp.run(["clarify", "resolve", id, "SQLite."], { terminal });
    const { thread: [question, ...entries] } = temp.ledger(issue).clarifications[0];
    assertEquals("verified" in question, false);
    assertEquals(entries.map(({ from, verified }) => [from, verified]), [
      ["human", terminal],
      ["human", terminal],
      ["human", terminal],
    ]);
    const { out } = await temp.run(["clarify", "--issue", `${issue}`]);
    const shown = out.split("\n").filter((line) => /human|unverified/.test(line));
    assertEquals(
      shown.filter((line) => line.includes("human, unverified")).length,
      terminal ? 0 : 3,
    );
  }
});

Deno.test("an agent's answer is not said to be verified, at a terminal neither", async () => {
  using temp = new TempWorkspace();
  await ask(temp, 42);
  const answer = ["clarify", "answer", "CLR-42-001", "Both.", "--as", "architect"];
  await temp.run(answer, { terminal: true });
  assertEquals("verified" in temp.ledger().clarifications[0].thread[1], false);
});

Deno.test("a decision of an older version is shown as unverified", async () => {
  using temp = new TempWorkspace();
  await ask(temp, 42);
  await temp.run(["clarify", "resolve", "CLR-42-001", "Clear."], { terminal: true });
  const ledger = temp.ledger();
  delete ledger.clarifications[0].thread[1].verified;
  temp.write(temp.ledgerPath(42), JSON.stringify(ledger));
  const { out } = await temp.run(["clarify", "--issue", "42"]);
  assert(out.includes("[RESOLVED] human, unverified  ("), out);
});
