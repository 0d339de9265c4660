/**
 * What older versions, people and git wrote is shown without its secrets, and stays as it is.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { leaks, LEAKY } from "../secrets.ts";
import { ASK, TempWorkspace } from "../temp_workspace.ts";
import { sampleAssumption } from "../gate/samples.ts";

const LEDGER = ".agentx/state/clarifications/issue-42.json";
const ISSUE = ".agentx/issues/42.json";
const WORKFLOW = ".agentx/workflows/leaky.toml";
const LOOPS = ".agentx/state/loop-state.json";

/** A workspace whose files were written by others, each with a secret in every text. */
function planted(): TempWorkspace {
  const temp = new TempWorkspace({ config: { note: LEAKY } });
  const timestamp = "2026-02-26T10:00:00.000Z";
  const entry = { round: 1, from: "engineer", type: "question", body: LEAKY, timestamp };
  const clarification = {
    id: "CLR-42-001",
    from: "engineer",
    to: "architect",
    topic: LEAKY,
    blocking: true,
    status: "escalated",
    round: 1,
    maxRounds: 5,
    created: timestamp,
    staleAfter: timestamp,
    resolvedAt: null,
    thread: [entry, { ...entry, type: "escalation", from: "agent-x" }],
  };
  temp.write(LEDGER, JSON.stringify({ issueNumber: 42, clarifications: [clarification] }));
  const comments = [{ author: "human", body: LEAKY, created: timestamp }];
  const labels = ["type:story", LEAKY];
  temp.write(ISSUE, JSON.stringify({ number: 42, title: LEAKY, body: LEAKY, labels, comments }));
  const history = [{ iteration: 1, summary: LEAKY, timestamp }];
  const loop = { issueNumber: 42, status: "active", iteration: 2, maxIterations: 10, history };
  temp.write(LOOPS, JSON.stringify({ 42: { ...loop, started: timestamp, updated: timestamp } }));
  temp.write(
    WORKFLOW,
    `name = ${JSON.stringify(LEAKY)}\n[[steps]]\nid = "implement"\nagent = "engineer"\n` +
      `title = ${JSON.stringify(LEAKY)}\n`,
  );
  const decision = sampleAssumption({ decision: LEAKY, created: timestamp, risk_if_wrong: LEAKY });
  const assumptions = { version: 1, assumptions_made: [decision] };
  temp.write(".agentx/state/assumptions.json", JSON.stringify(assumptions));
  return temp;
}

const COMMANDS: readonly (readonly string[])[] = [
  ["clarify"],
  ["clarify", "--issue", "42"],
  ["clarify", "stale"],
  ["stats"],
  ["clarify", "graph"],
  ["clarify", "wait", "CLR-42-001"],
  ["state"],
  ["ready"],
  ["issue", "list"],
  ["issue", "get", "42"],
  ["deps", "42"],
  ["route", "42"],
  ["workflow", "leaky"],
  ["loop", "status", "42"],
  ["config", "show"],
  ["config", "get", "note"],
  ["hook", "start", "engineer", "42"],
  ["digest", "--week", "2026-W09"],
  ["doctor"],
  ["__complete", "--", "clarify\x1fwait\x1f"],
  ["__complete", "--", "issue\x1fget\x1f"],
];

for (const words of COMMANDS) {
  for (const flags of [[], ["--json"]]) {
    const title = [...words, ...flags].join(" ").replaceAll("\x1f", " ");
    Deno.test(`${title} shows no secret of a file, and leaves the file as it is`, async () => {
      using temp = planted();
      const before = temp.snapshot();
      const { code, out, err } = await temp.run([...flags, ...words]);
      assert(code !== 70 && out !== "", err);
      assertEquals([leaks(out), leaks(err)], [false, false], out + err);
      const after = temp.snapshot();
      for (const path of [LEDGER, ISSUE, WORKFLOW, LOOPS]) {
        assertEquals(after[`/${path}`], before[`/${path}`]);
      }
    });
  }
}

Deno.test("digest writes no secret of an issue or an assumption", async () => {
  using temp = planted();
  const issue = JSON.parse(temp.read(ISSUE));
  const closed = { ...issue, state: "closed", status: "Done", updated: "2026-02-26T10:00:00.000Z" };
  temp.write(ISSUE, JSON.stringify(closed));
  assertEquals((await temp.run(["digest", "--week", "2026-W09"])).code, 0);
  const digest = temp.read(".agentx/digests/DIGEST-2026-W09.md");
  assertEquals(digest.split("Then run the tests.").length, 4, digest);
  assertEquals(leaks(digest), false, digest);
});

Deno.test("An error and a note quote no secret", async () => {
  for (const flags of [[], ["--json"]]) {
    using temp = new TempWorkspace();
    const refused = await temp.run([...ASK.slice(0, -1), LEAKY.repeat(40), ...flags]);
    assertEquals([refused.code, leaks(refused.err)], [2, false], refused.err);
    temp.write(LEDGER, `{"issueNumber":42,"clarifications":[]} ${LEAKY}`);
    temp.write(".agentx/state/clarifications/issue-43.json", `{ "${LEAKY}`);
    for (const words of [["clarify"], ["clarify", "--issue", "42"], ["doctor"]]) {
      const { code, out, err } = await temp.run([...words, ...flags]);
      assertEquals([code === 0, leaks(out + err)], [false, false], out + err);
    }
  }
});
