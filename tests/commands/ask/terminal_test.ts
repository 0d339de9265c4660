/**
 * The gate at a pseudo-terminal: the countdown, the keys that stop it, and what becomes of a terminal that
 * goes away.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { askWords, DANGEROUS, STRIPE } from "../../gate/samples.ts";
import { until } from "../../mcp/mcp_client.ts";
import { Pty, terminalTest } from "../../pty.ts";
import { AGENTX, environment, TempWorkspace } from "../../temp_workspace.ts";

/** A command line at a terminal where no agent is. */
function at(temp: TempWorkspace, words: readonly string[]): Pty {
  return new Pty([...AGENTX.split(" "), ...words], { cwd: temp.root, env: environment() });
}

// deno-lint-ignore no-explicit-any -- a test looks into it
function first(temp: TempWorkspace): any {
  return JSON.parse(temp.read(".agentx/state/agent-interactions.json")).agent_interactions[0];
}

terminalTest(
  "At a terminal a countdown is seen, any key stops it, and a letter answers",
  async () => {
    using temp = new TempWorkspace();
    await using pty = at(temp, askWords());
    await pty.shows("| Which Stripe environment should I configure?");
    await pty.shows(/ASK-001: 4:5\d until option \(a\) is taken; press a key to answer/);
    await pty.type(" ");
    await pty.shows("a, b, c, or your own words");
    assertEquals(typeof first(temp).heldBy.pid, "number");
    await pty.type("z\n");
    await pty.shows("there is no such option; there are a, b, c");
    await pty.type("c\n");
    assertEquals(await pty.ended(), 0);
    assert(pty.out.includes("ASK-001 is answered by a human: (c) Both"), pty.out);
    const { outcome, verified, heldBy } = first(temp);
    assertEquals([outcome, verified, heldBy], ["human", true, null]);
  },
);

terminalTest(
  "At a terminal the letter that stopped the countdown is the answer, with Enter behind it",
  async () => {
    using temp = new TempWorkspace();
    await using pty = at(temp, askWords());
    await pty.shows("press a key");
    await pty.type("B");
    await pty.shows("Enter for b");
    await pty.type("\n");
    assertEquals(await pty.ended(), 0);
    assert(pty.out.includes("ASK-001 is answered by a human: (b) Production mode"), pty.out);
  },
);

terminalTest("At a terminal silence takes the fallback, seen as it comes", async () => {
  using temp = new TempWorkspace();
  await using pty = at(temp, [...askWords(), "--timeout", "2s"]);
  await pty.shows("0:02 until option (a) is taken");
  await pty.shows("0:01 until option (a) is taken");
  assertEquals(await pty.ended(), 0);
  assert(pty.out.includes("the fallback is taken: (a) Test mode"), pty.out);
  const { outcome, deadline, resolved_at } = first(temp);
  assertEquals([outcome, resolved_at], ["timeout", deadline]);
});

terminalTest(
  "A countdown that is stopped outlasts its deadline, and Enter lets it go on",
  async () => {
    using temp = new TempWorkspace();
    await using pty = at(temp, [...askWords(), "--timeout", "2s"]);
    await pty.shows("until option (a) is taken");
    await pty.type("x");
    await pty.shows("or your own words");
    const { deadline } = first(temp);
    await until(() => Date.now() > Date.parse(deadline) + 100);
    assertEquals((await temp.json(["assumptions"])).assumptions, []);
    await pty.type("\n");
    assertEquals(await pty.ended(), 0);
    const { outcome, deadline: later } = first(temp);
    assertEquals(outcome, "timeout");
    assert(Date.parse(later) > Date.parse(deadline), later);
  },
);

for (
  const [key, outcome] of [["\x04", "cancelled"], ["\x1b", "cancelled"], ["xdecline\n", "declined"]]
) {
  terminalTest(`At a terminal a human may refuse: ${JSON.stringify(key)}`, async () => {
    using temp = new TempWorkspace();
    await using pty = at(temp, askWords());
    await pty.shows("press a key");
    await pty.type(key[0]);
    if (key.length > 1) {
      await pty.shows("or your own words");
      await pty.type(key.slice(1));
    }
    assertEquals(await pty.ended(), 0);
    assertEquals(first(temp).outcome, outcome);
    const { code, err } = await temp.run(["answer", "ASK-001", "a"]);
    assertEquals(code, 6);
    assert(err.includes("that is final"), err);
  });
}

terminalTest("At a terminal a high-risk decision about security has no countdown", async () => {
  using temp = new TempWorkspace();
  await using pty = at(temp, [...askWords(DANGEROUS), "--timeout", "1s"]);
  await pty.shows("it is open until you answer; press a key to answer");
  assertEquals(await pty.ended(), 7);
  assertEquals([first(temp).status, first(temp).decision], ["pending", null]);
});

terminalTest(
  "A terminal that goes away leaves the question open, answered by anybody later",
  async () => {
    using temp = new TempWorkspace();
    await using pty = at(temp, askWords());
    await pty.shows("press a key");
    await pty.hangUp();
    await pty.ended();
    assertEquals([first(temp).status, first(temp).outcome], ["pending", null]);
    assertEquals((await temp.run(["answer", "1", "b"])).code, 0);
    assertEquals(first(temp).outcome, "human");
  },
);

terminalTest(
  "A terminal that goes away while somebody answers ends nothing, and holds nothing up",
  async () => {
    using temp = new TempWorkspace();
    await using pty = at(temp, [...askWords(), "--timeout", "2s"]);
    await pty.shows("press a key");
    await pty.type("x");
    await pty.shows("or your own words");
    await pty.hangUp();
    await pty.ended();
    await until(async () => (await temp.json(["assumptions"])).assumptions.length > 0);
    const { outcome, deadline, resolved_at } = first(temp);
    assertEquals([outcome, resolved_at], ["timeout", deadline]);
  },
);

terminalTest("A terminal that goes away behind a letter has answered nothing", async () => {
  using temp = new TempWorkspace();
  await using pty = at(temp, askWords());
  await pty.shows("press a key");
  await pty.type("b");
  await pty.shows("Enter for b");
  await pty.hangUp();
  await pty.ended();
  assertEquals([first(temp).status, first(temp).outcome], ["pending", null]);
});

terminalTest(
  "Ctrl-C leaves the question open, and says with 130 that nobody answered",
  async () => {
    using temp = new TempWorkspace();
    await using pty = at(temp, askWords());
    await pty.shows("press a key");
    await pty.type("\x03");
    assertEquals(await pty.ended(), 130);
    assertEquals(first(temp).status, "pending");
  },
);

terminalTest("At a terminal an answer that is given elsewhere ends the countdown", async () => {
  using temp = new TempWorkspace();
  await using pty = at(temp, askWords());
  await pty.shows("press a key");
  assertEquals((await temp.run(["answer", "1", "b"])).code, 0);
  assertEquals(await pty.ended(), 0);
  assert(pty.out.includes(`(b) ${STRIPE.options[1]}`), pty.out);
});

terminalTest("Nobody is asked at the terminal of an agent's session", async () => {
  using temp = new TempWorkspace();
  temp.user.hasOneSecond();
  const words = [...AGENTX.split(" "), ...askWords({ from: "pm" }), "--timeout", "300ms"];
  const env = { ...environment(), AGENTX_AGENT: "product-manager" };
  await using pty = new Pty(words, { cwd: temp.root, env });
  assertEquals(await pty.ended(), 0);
  assert(!pty.out.includes("press a key"), pty.out);
  const { code, err } = await temp.run(["answer", "1", "b"], { env });
  assertEquals(code, 6);
  assert(err.includes("only a human can"), err);
});

/** Runs a command line at a terminal to its end. */
async function runAt(temp: TempWorkspace, words: readonly string[]) {
  await using pty = at(temp, words);
  return { code: await pty.ended(), out: pty.out };
}

terminalTest(
  "At a terminal each condition refuses with its reason, and nothing is asked",
  async () => {
    using temp = new TempWorkspace();
    const refusals: [changes: Record<string, string>, why: string][] = [
      [{ "blocker-type": "technical_detail" }, "the blocker type is not one of the three"],
      [{ "codebase-search": "-" }, "the evidence lacks what was searched in the codebase"],
      [{ "similar-features": STRIPE.question }, "repeats another part of the request"],
      [{ phase: "qa" }, "this is not the planning phase"],
    ];
    for (const [changes, why] of refusals) {
      const { code, out } = await runAt(temp, askWords(changes));
      assertEquals(code, 6, out);
      assert(out.replace(/\s+/g, " ").includes(why), out);
      assert(!out.includes("press a key"), out);
    }
    assertEquals((await runAt(temp, [...askWords(), "--no-wait"])).code, 7);
    const project = await runAt(temp, askWords({ session: "s2" }));
    assert(project.code === 6 && project.out.includes("ASK-001 is waiting"), project.out);
    assertEquals((await runAt(temp, ["answer", "1", "a"])).code, 0);
    const session = await runAt(temp, askWords());
    assert(session.code === 6 && session.out.includes("has asked already"), session.out);
  },
);

terminalTest(
  "At a terminal a late answer replaces the fallback, and a standing one needs no human",
  async () => {
    using temp = new TempWorkspace();
    const silent = await runAt(temp, [...askWords(), "--timeout", "300ms"]);
    assert(silent.out.includes("the fallback is taken: (a)"), silent.out);
    const late = await runAt(temp, ["answer", "ASK-001", "b", "--always"]);
    assert(late.code === 0 && late.out.includes("is answered by a human: (b)"), late.out);
    const { assumptions } = await temp.json(["assumptions"]);
    assertEquals(assumptions.map((one: { status: string }) => one.status), [
      "superseded",
      "confirmed",
    ]);
    const standing = await runAt(temp, askWords({ session: "s2" }));
    assertEquals(standing.code, 0);
    assert(standing.out.includes("answered by the standing answer of ASK-001: (b)"), standing.out);
    assert(!standing.out.includes("press a key"), standing.out);
  },
);
