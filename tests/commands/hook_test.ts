import { assert, assertEquals } from "@std/assert";
import { ASK, ended, TempWorkspace } from "../temp_workspace.ts";

/** Lets the SLA of the first question be over. */
function makeOverdue(temp: TempWorkspace): void {
  const ledger = temp.ledger();
  ledger.clarifications[0].staleAfter = "2026-01-01T00:00:00.000Z";
  temp.write(temp.ledgerPath(42), JSON.stringify(ledger));
}

Deno.test("hook start notes that an agent works on an issue", async () => {
  using temp = new TempWorkspace();
  const { state } = await temp.json(["hook", "start", "engineer", "42"]);
  assertEquals([state.status, state.issue], ["working", 42]);
});

Deno.test("hook finish notes that an agent is done with the issue it worked on", async () => {
  using temp = new TempWorkspace();
  await temp.run(["hook", "start", "engineer", "42"]);
  const { state } = await temp.json(["hook", "finish", "engineer"]);
  assertEquals([state.status, state.issue], ["done", 42]);
});

Deno.test("hook takes the spelling of the original AgentX", async () => {
  using temp = new TempWorkspace();
  const words = ["hook", "-Phase", "start", "-Agent", "engineer", "-Issue", "42"];
  const { phase, state } = await temp.json(words);
  assertEquals([phase, state.status], ["start", "working"]);
});

for (
  const [what, words] of Object.entries({
    "a phase that is none": ["hook", "-Phase", "pause", "-Agent", "engineer"],
    "an agent that is no name": ["hook", "start", "../x"],
    "a human": ["hook", "start", "human", "42"],
    "an issue that is no number": ["hook", "start", "engineer", "0"],
  })
) {
  Deno.test(`hook refuses ${what} and writes nothing`, async () => {
    using temp = new TempWorkspace();
    const before = temp.snapshot();
    assertEquals((await temp.run(words)).code, 2);
    assertEquals(temp.snapshot(), before);
  });
}

Deno.test("hook finish is refused while the loop of the engineer is active", async () => {
  using temp = new TempWorkspace();
  await temp.run(["loop", "start", "42"]);
  const { code, err } = await temp.run(["hook", "finish", "engineer", "42", "--json"]);
  assertEquals([code, JSON.parse(err).error.code], [6, "GATE_REFUSED"]);
  await temp.run(["loop", "complete", "42"]);
  assertEquals((await temp.run(["hook", "finish", "engineer", "42"])).code, 0);
});

Deno.test("hook finish runs the monitor, whose notes leave the JSON alone", async () => {
  using temp = new TempWorkspace();
  await temp.run(ASK);
  makeOverdue(temp);
  const { out, err } = await temp.run(["hook", "finish", "reviewer", "--json"]);
  assertEquals(JSON.parse(out).kind, "hook");
  assert(err.includes("CLR-42-001 is stale"), err);
  assertEquals(temp.ledger().clarifications[0].status, "stale");
});

Deno.test("state does not run the monitor", async () => {
  using temp = new TempWorkspace();
  await temp.run(ASK);
  makeOverdue(temp);
  await temp.run(["state"]);
  assertEquals(temp.ledger().clarifications[0].status, "pending");
});

Deno.test("a record lives through pending, stale and escalated, from the command line", async () => {
  using temp = new TempWorkspace();
  await temp.run(ASK);
  const lives: string[] = [temp.ledger().clarifications[0].status];
  for (let check = 0; check < 2; check++) {
    makeOverdue(temp);
    await temp.run(["hook", "finish", "reviewer"]);
    lives.push(temp.ledger().clarifications[0].status);
  }
  assertEquals(lives, ["pending", "stale", "escalated"]);
});

/** A question that is overdue, and an architect that leaves a trace when it is run. */
async function overdueWithArchitect(): Promise<TempWorkspace> {
  const temp = new TempWorkspace();
  await temp.run(ASK);
  makeOverdue(temp);
  temp.write("agents/architect.sh", "cat >/dev/null; echo run >>runs; echo PostgreSQL.");
  await temp.run(["config", "set", "agents.architect.command", '["sh", "agents/architect.sh"]']);
  return temp;
}

Deno.test("neither a hook nor a listing runs an agent; clarify retry does", async () => {
  using temp = await overdueWithArchitect();
  const listings = ["", "stale", "graph", "--issue 42", "stats"].map((words) => `clarify ${words}`);
  for (const words of [...listings, "ready", "hook start reviewer 42", "hook finish reviewer"]) {
    await temp.run(words.trim().split(" "));
    assertEquals(temp.has("runs"), false, words);
  }
  assertEquals(temp.ledger().clarifications[0].status, "stale");
  assertEquals((await temp.run(["clarify", "retry", "CLR-42-001"])).code, 0);
  const { status, thread } = temp.ledger().clarifications[0];
  assertEquals([status, thread.at(-1)?.body], ["answered", "PostgreSQL."]);
  assertEquals(temp.read("runs"), "run\n");
});

Deno.test("eight processes that find one overdue record act once", async () => {
  using temp = await overdueWithArchitect();
  const words = ["hook", "finish", "reviewer"];
  await Promise.all(Array.from({ length: 8 }, () => ended(temp.spawn(words))));
  const [log] = Array.from(Deno.readDirSync(`${temp.root}/.agentx/log`), ({ name }) => name);
  const lines = temp.read(`.agentx/log/${log}`).split("\n");
  const stale = lines.filter((line) => line.includes('"clarification-stale"'));
  assertEquals([stale.length, temp.has("runs")], [1, false]);
});

Deno.test("of three processes that wait in a circle, one is sent to a person", async () => {
  using temp = new TempWorkspace();
  const agents = ["reviewer", "engineer", "architect"];
  const steps = agents.map((agent) =>
    `[[steps]]\nid = "${agent}"\nagent = "${agent}"\ncan_clarify = ${JSON.stringify(agents)}\n`
  );
  temp.write(".agentx/workflows/feature.toml", steps.join("\n"));
  const waits = agents.map(async (from, index) => {
    const to = agents[(index + 1) % 3];
    const ask = ["clarify", "ask", "--json", "--issue", "42", "--from", from, "--to", to];
    const asked = await ended(temp.spawn([...ask, "--topic", `${from}'s`, `Of ${from}?`]));
    const id = JSON.parse(asked.out).clarificationId;
    const waited = await ended(temp.spawn(["clarify", "wait", id, "--timeout", "4s"]));
    return { from, code: waited.code };
  });
  const codes = Object.fromEntries(
    (await Promise.all(waits)).map(({ from, code }) => [from, code]),
  );
  assertEquals(codes, { reviewer: 7, engineer: 124, architect: 124 });
});

Deno.test("hook start shows at once what its agent leaves behind", async () => {
  using temp = new TempWorkspace();
  await temp.run(ASK.map((word) => word === "engineer" ? "engineer@2" : word));
  await new Promise((resolve) => setTimeout(resolve, 5));
  const { state } = await temp.json(["hook", "start", "engineer@2", "7"]);
  assertEquals(temp.ledger().clarifications[0].status, "abandoned");
  assertEquals([state.status, state.issue], ["working", 7]);
});

/** What `hook finish` is refused for. */
const REFUSED_ENDS: Record<string, string[]> = {
  "a human": ["human", "42"],
  "the hub": ["agent-x", "42"],
  "a bad name": ["../x", "42"],
  "no agent": [],
  "a bad issue": ["engineer", "0"],
  "an unknown option": ["engineer", "--nonsense"],
};

for (const [what, words] of Object.entries(REFUSED_ENDS)) {
  Deno.test(`hook finish refuses ${what} with 1, so that no host goes on`, async () => {
    using temp = new TempWorkspace();
    const { code, err } = await temp.run(["hook", "finish", ...words, "--json"]);
    assertEquals([code, JSON.parse(err).error.code], [1, "INVALID_INPUT"]);
    assertEquals((await temp.run(["hook", "start", ...words])).code, 2);
  });
}

Deno.test("hook -Phase finish refuses with 1 too", async () => {
  using temp = new TempWorkspace();
  const words = ["hook", "-Phase", "finish", "-Agent", "human"];
  assertEquals((await temp.run(words)).code, 1);
});

for (const name of ["", "human", "agent-x"]) {
  Deno.test(`hooks, state and ready refuse AGENTX_AGENT="${name}"`, async () => {
    using temp = new TempWorkspace();
    await temp.run(["issue", "create", "-t", "Pay by card"]);
    const before = temp.snapshot();
    const env = { AGENTX_AGENT: name };
    for (
      const [words, code] of [
        [["hook", "start", "architect", "1"], 2],
        [["hook", "finish", "architect", "1"], 1],
        [["state", "architect", "--set", "working"], 2],
        [["ready", "--claim", "architect"], 2],
      ] as const
    ) {
      const ran = await temp.run([...words], { env });
      assertEquals([ran.code, ran.err.includes("AGENTX_AGENT")], [code, true], ran.err);
    }
    assertEquals(temp.snapshot(), before);
  });
}
