/**
 * What nobody captured: an issue file that came with a pull, or from the original AgentX.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import type { Observation } from "../../../lib/memory/schema.ts";
import { openWorkspaceParts } from "../../../lib/workspace/open.ts";
import { sample } from "../../memory/temp_store.ts";
import { TempWorkspace } from "../../temp_workspace.ts";

const HIDDEN = /hunter2Zq9x|OLDPRIV/;

/** Two old observations of issue 42, the first with what must not be shown. */
function planted(temp: TempWorkspace): Observation[] {
  const changes = { issueNumber: 42, timestamp: "2025-01-01T00:00:00.000Z" };
  const observations = [
    sample("The gateway wants password hunter2Zq9x <private>OLDPRIV</private>", changes),
    sample("The gateway rejects cards without a postal code", changes),
  ];
  const file = { version: 1, issueNumber: 42, updatedAt: changes.timestamp, observations };
  temp.write(".agentx/memory/issue-42.json", JSON.stringify(file));
  return observations;
}

const COMMANDS: Record<string, (id: string) => string[]> = {
  "search": () => ["search", "gateway password"],
  "search --issue": () => ["search", "--issue", "42"],
  "get": (id) => ["get", id],
  "timeline": (id) => ["timeline", id],
  "recall": () => ["recall", "--agent", "engineer", "--issue", "42"],
  "export": () => ["export"],
  "retract": (id) => ["retract", id, "--because", "It was rotated"],
  "compact": () => ["compact"],
};

for (const [name, argvOf] of Object.entries(COMMANDS)) {
  for (const flags of [[], ["--json"]]) {
    const title = ["memory", name, ...flags].join(" ");
    Deno.test(`${title} redacts what an issue file brought`, async () => {
      using temp = new TempWorkspace();
      const [{ id }] = planted(temp);
      const { code, out, err } = await temp.run(["memory", ...argvOf(id), ...flags]);
      assertEquals([code, HIDDEN.test(out + err)], [0, false], out + err);
      assert(out.includes("[redacted: password]") || name === "compact", out);
    });
  }
}

Deno.test("memory compact --undo redacts what it brings back", async () => {
  using temp = new TempWorkspace();
  planted(temp);
  await temp.json(["memory", "compact"]);
  const { restored } = await temp.json(["memory", "compact", "--undo", "--issue", "42"]);
  assertEquals([restored.length, HIDDEN.test(JSON.stringify(restored))], [2, false]);
});

Deno.test("MemoryPipeline redacts what it finds, and leaves the file as it is", async () => {
  using temp = new TempWorkspace();
  const [{ id }] = planted(temp);
  const before = temp.read(".agentx/memory/issue-42.json");
  const pipeline = await (await openWorkspaceParts({ root: temp.root })).memory();
  const found = [await pipeline.searchMemory("gateway"), await pipeline.getObservation(id)];
  assertEquals(HIDDEN.test(JSON.stringify(found)), false);
  assertEquals(await pipeline.getObservation("obs-engineer-42-1-aaaaaa"), null);
  assertEquals(temp.read(".agentx/memory/issue-42.json"), before);
});
