import { assert, assertEquals } from "@std/assert";
import { sampleRecord } from "../clarify/samples.ts";
import { leaks, LEAKY } from "../secrets.ts";
import { TempWorkspace } from "../temp_workspace.ts";

const LOOPS = ".agentx/state/loop-state.json";
const ISSUE = ".agentx/issues/42.json";

/** Ledger and loops as an older version wrote them, and an issue that somebody wrote by hand. */
function oldWorkspace(): TempWorkspace {
  const temp = new TempWorkspace();
  const record = sampleRecord({ topic: LEAKY });
  record.thread[0].body = LEAKY;
  temp.write(temp.ledgerPath(42), JSON.stringify({ issueNumber: 42, clarifications: [record] }));
  const history = [{ iteration: 1, summary: LEAKY, timestamp: record.created }];
  const loop = { issueNumber: 42, status: "active", iteration: 2, maxIterations: 10, history };
  temp.write(LOOPS, JSON.stringify({ 42: loop, 43: { ...loop, issueNumber: 43, history: [] } }));
  temp.write(ISSUE, JSON.stringify({ number: 42, title: "By hand", body: LEAKY }));
  return temp;
}

Deno.test("doctor names the files of the state with secrets, and writes nothing", async () => {
  using temp = oldWorkspace();
  const before = temp.snapshot();
  const { findings } = await temp.json(["doctor"]);
  const found = findings.filter(({ check }: { check: string }) => check === "secrets");
  assertEquals(found.map(({ level }: { level: string }) => level), ["warn", "warn"]);
  assert(found[0].message.includes("loop-state.json") && found[1].message.includes("issue-42"));
  assertEquals([leaks(JSON.stringify(found)), temp.snapshot()], [false, before]);
});

Deno.test("doctor --fix cuts secrets in the state, keeps the rest, and leaves issues alone", async () => {
  using temp = oldWorkspace();
  const { clarifications: [before] } = temp.ledger();
  const issue = temp.read(ISSUE);
  await temp.json(["doctor", "--fix"]);
  assertEquals([leaks(temp.read(temp.ledgerPath(42))), leaks(temp.read(LOOPS))], [false, false]);
  assertEquals(temp.read(ISSUE), issue);
  const { clarifications: [after] } = temp.ledger();
  const { topic, thread: [entry] } = after;
  assert(topic.endsWith("Then run the tests.") && entry.body === topic);
  assertEquals(after, { ...before, topic, thread: [{ ...before.thread[0], body: topic }] });
  const { findings } = await temp.json(["doctor"]);
  const found = findings.filter(({ check }: { check: string }) => check === "secrets");
  assertEquals(found.map(({ level }: { level: string }) => level), ["ok"]);
});
