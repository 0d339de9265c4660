import { assert, assertEquals } from "@std/assert";
import { makeObservationId, parseObservationId, summaryOf } from "../../lib/memory/schema.ts";
import { refusal } from "../refusal.ts";

Deno.test("makeObservationId() makes what parseObservationId() reads", () => {
  const id = makeObservationId("engineer@2", 29, 1709035200000);
  assert(/^obs-engineer@2-29-1709035200000-[a-z0-9]{6}$/.test(id));
  assertEquals(parseObservationId(id), {
    agent: "engineer@2",
    issueNumber: 29,
    timestampMs: 1709035200000,
  });
});

Deno.test("parseObservationId() takes the last three parts for issue, time and chance", () => {
  const { agent, issueNumber } = parseObservationId("obs-data-7-scientist-42-1-a1b2c3");
  assertEquals([agent, issueNumber], ["data-7-scientist", 42]);
});

for (const id of ["", "obs-", "obs-../x-1-1-aaaaaa", "obs-engineer-00-1-aaaaaa", 7, null]) {
  Deno.test(`parseObservationId() refuses ${JSON.stringify(id)}`, async () => {
    await refusal("INVALID_INPUT", () => parseObservationId(id));
  });
}

Deno.test("summaryOf() keeps a short text, and the first sentence of a long one", () => {
  assertEquals(summaryOf("Chose  JSON\nfiles."), "Chose JSON files.");
  const first = "We keep the ledger per issue because writers would wait for each other.";
  assertEquals(summaryOf(`${first} ${"More words follow here. ".repeat(20)}`), first);
});

Deno.test("summaryOf() cuts a long sentence between words", () => {
  const summary = summaryOf("word ".repeat(100));
  assert(/^(word )+word\.\.\.$/.test(summary));
  assertEquals(summary.length <= 200, true);
});

Deno.test("summaryOf() fits also where the first sentence ends right behind the limit", () => {
  for (const length of [198, 199, 200, 201]) {
    const summary = summaryOf(`${"a".repeat(length)}! And more of it.`);
    assert(summary.length <= 200, `${length}: ${summary.length}`);
  }
  assert(summaryOf(`${"\u{1f600}".repeat(150)}! And more.`).length <= 200);
});
