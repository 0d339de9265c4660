import { assertEquals } from "@std/assert";
import * as z from "zod/mini";
import { TRANSCRIPT, transcriptProblem } from "../../lib/run/transcript_schema.ts";

const PATH = new URL("../../docs/schemas/transcript.json", import.meta.url);

const WHOLE = {
  version: 1,
  id: "engineer-1709035200000-x7y8z9",
  agent: "engineer@run-3f2a",
  hostSession: "run-3f2a",
  issueNumber: 42,
  started: "2026-02-27T10:00:00.000Z",
  system: "",
  recalled: "",
  iterations: 0,
  tokens: 0,
  countedFrom: { iterations: 0, tokens: 0 },
  turns: [{ role: "user", text: "Do it", at: "2026-02-27T10:00:00.000Z" }],
  settled: [],
  compaction: null,
  end: null,
};

Deno.test("TRANSCRIPT is what docs/schemas/ publishes", () => {
  const published = JSON.parse(Deno.readTextFileSync(PATH));
  assertEquals(published, { ...z.toJSONSchema(TRANSCRIPT, { target: "draft-7" }) });
});

const WRONG: readonly (readonly [change: object, problem: string])[] = [
  [{ version: 2 }, "version is not as it must be"],
  [{ agent: "../x" }, "agent is not as it must be"],
  [{ turns: [] }, "turns is not as it must be"],
  [{ turns: [{ role: "system", text: "", at: "" }] }, "turns.0 is not as it must be"],
  [{ compaction: { turns: 9, summary: "" } }, "compaction is not as it must be"],
  [{ end: { exit: "toString", text: "", at: "" } }, "end.exit is not as it must be"],
];

Deno.test("transcriptProblem() names what does not fit, and lets other keys be", () => {
  assertEquals(transcriptProblem({ ...WHOLE, other: 1 }), undefined);
  assertEquals(transcriptProblem(null), "it is not a transcript");
  for (const [change, problem] of WRONG) {
    assertEquals(transcriptProblem({ ...WHOLE, ...change }), problem);
  }
});
