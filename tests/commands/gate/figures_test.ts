/**
 * What the figures and the digest say of the gate.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { askWords } from "../../gate/samples.ts";
import { TempWorkspace } from "../../temp_workspace.ts";

Deno.test("clarify stats has the share of tasks that asked a human", async () => {
  using temp = new TempWorkspace();
  temp.user.hasOneSecond();
  for (let number = 1; number <= 39; number++) {
    temp.write(`.agentx/issues/${number}.json`, JSON.stringify({ number, title: "x" }));
  }
  assert(!(await temp.run(["clarify", "stats"])).out.includes("human  0 of"));
  await temp.run([...askWords(), "--timeout", "50ms"]);
  const { gate } = await temp.json(["clarify", "stats"]);
  assertEquals(gate, {
    tasks: 40,
    asked: 1,
    share: 0.025,
    target: 0.05,
    outcomes: { pending: 0, human: 0, timeout: 1, declined: 0, cancelled: 0 },
    standing: 0,
  });
  await temp.run([...askWords({ session: "s2" }), "--no-wait"]);
  await temp.run(["answer", "2", "c", "--always"]);
  await temp.run([...askWords({ session: "s3", issue: "7" })]);
  const { out } = await temp.run(["clarify", "stats"]);
  assert(out.includes("1 of 40 (2.5%, target under 5%)"), out);
  assert(out.includes("human 1, timeout 1, standing answer 1"), out);
});

Deno.test("The digest has what was assumed, and how it stands, also where nobody looked before", async () => {
  using temp = new TempWorkspace();
  temp.user.hasOneSecond();
  await temp.run([...askWords(), "--timeout", "50ms", "--no-wait"]);
  await new Promise((resolve) => setTimeout(resolve, 1_100));
  const { digest } = await temp.json(["digest"]);
  const [{ decision, status, agent, issue }] = digest.assumptions;
  assertEquals([status, agent, issue], ["open", "product-manager", 42]);
  assert(decision.startsWith("Which Stripe environment should I configure? Test mode"), decision);
  await temp.run(["assumptions", "revert", "1", "--because", "We go live"]);
  const { out } = await temp.run(["digest"]);
  assert(/product-manager +#42 +medium +reverted +Which Stripe/.test(out), out);
});

Deno.test("An assumption that is confirmed becomes an observation; reverted, it is retracted", async () => {
  using temp = new TempWorkspace();
  const add = ["assumptions", "add", "-i", "42", "--from", "pm", "--risk", "low", "--because"];
  const { assumption: { id, status } } = await temp.json([...add, "api/auth.py", "Use JWT"]);
  assertEquals([id, status], ["ASM-001", "open"]);
  const { out } = await temp.run(["assumptions", "show", "1"]);
  for (const part of ["Use JWT", "api/auth.py", "low"]) assert(out.includes(part), out);
  assertEquals((await temp.run(["assumptions", "show", "2"])).code, 4);
  const find = async () => (await temp.json(["memory", "search", "JWT"])).observations;
  assertEquals(await find(), []);
  const { assumption: confirmed } = await temp.json(["assumptions", "confirm", id]);
  const [observation] = await find();
  assertEquals([confirmed.status, confirmed.observation], ["confirmed", observation.id]);
  const because = ["--because", "We leave JWT"];
  const { assumption: reverted } = await temp.json(["assumptions", "revert", id, ...because]);
  assertEquals([reverted.status, reverted.because, reverted.observation], [
    "reverted",
    "We leave JWT",
    null,
  ]);
  assertEquals(await find(), []);
  const { observation: kept } = await temp.json(["memory", "get", observation.id]);
  assertEquals(kept.retracted.because, "We leave JWT");
});

Deno.test("Only a human confirms or reverts an assumption", async () => {
  using temp = new TempWorkspace();
  temp.user.hasOneSecond();
  await temp.run([...askWords(), "--timeout", "50ms"]);
  for (const verb of ["confirm", "revert"]) {
    const { code, err } = await temp.run(["assumptions", verb, "1"], {
      env: { AGENTX_AGENT: "product-manager" },
    });
    assertEquals(code, 6);
    assert(err.includes("only a human can"), err);
  }
});
