import { sampleRecord } from "../clarify/samples.ts";
import { assertEquals } from "@std/assert";
import { BackgroundCalls } from "../../lib/mcp/background_calls.ts";
import { refusal } from "../refusal.ts";

/** Goes on until it is ended, and gives why. */
function patient({ signal }: { signal: AbortSignal }): Promise<string> {
  return new Promise((resolve) => {
    signal.addEventListener("abort", () => resolve(signal.reason.summary));
  });
}

Deno.test("BackgroundCalls.ask() begins equal questions once, and ends one that all have left", async () => {
  const background = new BackgroundCalls(1_000);
  let begun = 0;
  const begin = (how: { signal: AbortSignal }) => (begun++, patient(how));
  const [one, other] = [background.ask("a", begin), background.ask("a", begin)];
  assertEquals(begun, 1);
  one.leave();
  const isOver = Promise.race([other.done, new Promise((resolve) => setTimeout(resolve, 20))]);
  assertEquals(await isOver, undefined);
  other.leave();
  assertEquals(await one.done, "Cannot get an answer: the client has cancelled the call");
  background.ask("a", begin).leave();
  assertEquals(begun, 2);
});

Deno.test("BackgroundCalls.close() ends all questions, and none begins after it", async () => {
  const background = new BackgroundCalls(1_000);
  const asked = [
    background.ask("a", patient),
    background.ask("b", () => Promise.reject(new Error("failed"))),
  ];
  await background.close();
  const ends = await Promise.allSettled(asked.map(({ done }) => done));
  assertEquals(ends.map(({ status }) => status), ["fulfilled", "rejected"]);
  await refusal("INTERRUPTED", () => background.ask("c", patient));
});

Deno.test("BackgroundCalls.ask() tells when a question is written, or over", async () => {
  const background = new BackgroundCalls(1_000);
  const written = background.ask("a", ({ signal, onAsked }) => {
    onAsked(sampleRecord());
    return patient({ signal });
  });
  await written.begun;
  assertEquals(written.record?.id, sampleRecord().id);
  const failed = background.ask("b", () => Promise.reject(new Error("failed")));
  await failed.begun;
  assertEquals(failed.record, undefined);
  await background.close();
});
