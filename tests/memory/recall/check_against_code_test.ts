/**
 * What a recall says of observations whose code has changed.
 *
 * @module
 */

import { assertEquals } from "@std/assert";
import { anchorsOf } from "../../../lib/memory/anchors/anchors.ts";
import { checkAgainstCode } from "../../../lib/memory/recall/check_against_code.ts";
import type { Observation } from "../../../lib/memory/schema.ts";
import { treeOf } from "../anchors/files.ts";
import { sample } from "../temp_store.ts";

const THEN = { "a.ts": "const ALPHA = 1;", "b.ts": "const BETA = 1;", "c.ts": "const GAMMA = 1;" };
const NOW = { "a.ts": "const ALPHA = 2;", "c.ts": "const GAMMA = 1;" };

function anchored(content: string): Observation {
  const tree = treeOf(THEN);
  return sample(content, { anchors: anchorsOf([content], tree)[0], commit: tree.commit() });
}

const CHANGED = anchored("`ALPHA` in a.ts is one");
const GONE = anchored("`BETA` in b.ts is one");
const SAME = anchored("`GAMMA` in c.ts is one");
const OTHER = sample("Nothing about code");

Deno.test("checkAgainstCode puts what holds first, and leaves out what is gone", () => {
  const { candidates, remarks } = checkAgainstCode([CHANGED, GONE, OTHER, SAME], treeOf(NOW));
  assertEquals(candidates.map(({ id }) => id), [OTHER.id, SAME.id, CHANGED.id]);
  assertEquals([...remarks], [[
    CHANGED.id,
    "changed since 1a2b3c4d: ALPHA in a.ts: 1 of 1 lines changed; now: const ALPHA = 2;",
  ]]);
});

Deno.test("checkAgainstCode brings what is gone on request, with a remark", () => {
  const { candidates, remarks } = checkAgainstCode([GONE, SAME], treeOf(NOW), { withGone: true });
  assertEquals(candidates.map(({ id }) => id), [SAME.id, GONE.id]);
  assertEquals(remarks.get(GONE.id), "gone since 1a2b3c4d: b.ts is gone");
});

Deno.test("checkAgainstCode without a tree changes nothing", () => {
  const ranked = [CHANGED, GONE, SAME];
  assertEquals(checkAgainstCode(ranked, undefined), {
    candidates: ranked,
    remarks: new Map(),
  });
});

Deno.test("of two that contradict each other, the younger one leads", () => {
  const older = sample("The time-out is 30 s", { timestamp: "2026-01-01T00:00:00.000Z" });
  const younger = sample("The time-out is 45 s", { timestamp: "2026-02-01T00:00:00.000Z" });
  const { candidates, remarks } = checkAgainstCode([OTHER, older, SAME, younger], undefined);
  assertEquals(candidates, [OTHER, younger, older, SAME]);
  assertEquals([...remarks], [[older.id, `contradicted by the later ${younger.id}`]]);
});

Deno.test("a retracted observation contradicts nothing", () => {
  const older = sample("The time-out is 30 s", { timestamp: "2026-01-01T00:00:00.000Z" });
  const retracted = { because: "wrong", timestamp: "2026-03-01T00:00:00.000Z" };
  const younger = sample("The time-out is 45 s", {
    timestamp: "2026-02-01T00:00:00.000Z",
    retracted,
  });
  assertEquals(checkAgainstCode([older, younger], undefined).remarks.size, 0);
});
