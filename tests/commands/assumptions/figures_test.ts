/**
 * What the digest says of the gate.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { askWords } from "../../gate/samples.ts";
import { TempWorkspace } from "../../temp_workspace.ts";

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
