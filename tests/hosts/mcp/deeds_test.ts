import { assertEquals } from "@std/assert";
import { Deeds } from "../../../lib/hosts/mcp/deeds.ts";
import { refusal } from "../../refusal.ts";

/** Goes on until it is ended, and gives why. */
function patient({ signal }: { signal: AbortSignal }): Promise<string> {
  return new Promise((resolve) => {
    signal.addEventListener("abort", () => resolve(signal.reason.summary));
  });
}

Deno.test("Deeds.ask() begins equal questions once, and ends one that all have left", async () => {
  const deeds = new Deeds(1_000);
  let begun = 0;
  const begin = (how: { signal: AbortSignal }) => (begun++, patient(how));
  const [one, other] = [deeds.ask("a", begin), deeds.ask("a", begin)];
  assertEquals(begun, 1);
  one.leave();
  const isOver = Promise.race([other.done, new Promise((resolve) => setTimeout(resolve, 20))]);
  assertEquals(await isOver, undefined);
  other.leave();
  assertEquals(await one.done, "Cannot get an answer: the client has cancelled the call");
  deeds.ask("a", begin).leave();
  assertEquals(begun, 2);
});

Deno.test("Deeds.close() ends all questions, and none begins after it", async () => {
  const deeds = new Deeds(1_000);
  const asked = [
    deeds.ask("a", patient),
    deeds.ask("b", () => Promise.reject(new Error("failed"))),
  ];
  await deeds.close();
  const ends = await Promise.allSettled(asked.map(({ done }) => done));
  assertEquals(ends.map(({ status }) => status), ["fulfilled", "rejected"]);
  await refusal("INTERRUPTED", () => deeds.ask("c", patient));
});

Deno.test("Deeds.ask() tells when a question is written, left for a runner, or over", async () => {
  const deeds = new Deeds(1_000);
  const left = deeds.ask("a", ({ signal, onLeft }) => {
    onLeft();
    return patient({ signal });
  });
  await left.begun;
  assertEquals(left.id, undefined);
  const failed = deeds.ask("b", () => Promise.reject(new Error("failed")));
  await failed.begun;
  assertEquals(failed.id, undefined);
  await deeds.close();
});
