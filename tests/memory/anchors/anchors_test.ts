import { assertEquals } from "@std/assert";
import { anchorsIn, anchorsOf, anchorStanding } from "../../../lib/memory/anchors/anchors.ts";
import type { Anchor, Observation } from "../../../lib/memory/schema.ts";
import { sample } from "../temp_store.ts";
import { treeOf } from "./files.ts";

const SOURCE = `export const OTHER = 1;

export function retryDelay(turn: number): number {
  const base = 200;
  return turn * base;
}
`;

/** What became of a text's anchors, after a file was replaced. */
function after(
  text: string,
  now: Record<string, string | undefined>,
  then = { "lib/a.ts": SOURCE },
) {
  const [anchors] = anchorsOf([text], treeOf(then));
  return anchorStanding(anchors, treeOf(now));
}

const TEXT = "retryDelay() in lib/a.ts waits 200 ms.";

Deno.test("an untouched anchor is the same", () => {
  assertEquals(after(TEXT, { "lib/a.ts": SOURCE }), { state: "same", changes: [] });
});

Deno.test("white space, and the place in the file, do not count", () => {
  const moved = `// first\n${SOURCE.replaceAll("  ", "\t").replaceAll("\n", "\r\n")}`;
  assertEquals(after(TEXT, { "lib/a.ts": moved }).state, "same");
});

Deno.test("another definition of the same file may change", () => {
  assertEquals(after(TEXT, { "lib/a.ts": SOURCE.replace("OTHER = 1", "OTHER = 2") }).state, "same");
});

Deno.test("a changed line is named", () => {
  assertEquals(after(TEXT, { "lib/a.ts": SOURCE.replace("200", "500") }), {
    state: "changed",
    changes: ["retryDelay in lib/a.ts: 1 of 3 lines changed; now: const base = 500;"],
  });
});

Deno.test("a definition that was removed is gone, and so is a file", () => {
  assertEquals(after(TEXT, { "lib/a.ts": SOURCE.replaceAll("retryDelay", "delay") }), {
    state: "gone",
    changes: ["retryDelay is no longer defined in lib/a.ts"],
  });
  assertEquals(after(TEXT, {}), { state: "gone", changes: ["lib/a.ts is gone"] });
});

Deno.test("a symbol without a file is found where it is defined once", () => {
  const used = { "lib/a.ts": SOURCE, "lib/b.ts": "retryDelay(1);" };
  assertEquals(anchorsOf(["`retryDelay` waits"], treeOf(used))[0].map(({ path }) => path), [
    "lib/a.ts",
  ]);
  const twice = { "lib/a.ts": SOURCE, "lib/b.ts": SOURCE };
  assertEquals(anchorsOf(["`retryDelay` waits"], treeOf(twice)), [[]]);
});

Deno.test("a line that is named is looked for in the whole file", () => {
  const text = "lib/a.ts:4 sets it";
  assertEquals(after(text, { "lib/a.ts": `\n\n${SOURCE}` }).state, "same");
  assertEquals(after(text, { "lib/a.ts": SOURCE.replace("200", "300") }), {
    state: "changed",
    changes: ["line 4 of lib/a.ts was rewritten"],
  });
});

Deno.test("a file as a whole has changed once most of it is other lines", () => {
  const lines = Array.from({ length: 30 }, (_, index) => `line number ${index}`);
  const then = { "lib/a.ts": lines.join("\n") };
  const few = lines.with(3, "another line").join("\n");
  const most = lines.map((line, index) => index % 5 === 0 ? line : `${line} anew`).join("\n");
  assertEquals(after("See lib/a.ts", { "lib/a.ts": few }, then).state, "same");
  assertEquals(after("See lib/a.ts", { "lib/a.ts": most }, then).state, "changed");
});

Deno.test("of several places, one that is gone is a change, and all that are gone are gone", () => {
  const then = { "lib/a.ts": SOURCE, "lib/b.ts": "export const LIMIT_B = 1;" };
  const text = "lib/a.ts and lib/b.ts";
  const [anchors] = anchorsOf([text], treeOf(then));
  assertEquals(anchorStanding(anchors, treeOf({ "lib/a.ts": SOURCE })).state, "changed");
  assertEquals(anchorStanding(anchors, treeOf({})).state, "gone");
});

Deno.test("an unreadable anchor is unknown", () => {
  assertEquals(after(TEXT, { "lib/a.ts": undefined }).state, "unknown");
  assertEquals(anchorStanding([], treeOf({})).state, "unknown");
});

Deno.test("anchors that somebody wrote by hand do no harm", () => {
  const hostile = [null, 1, { path: 1 }, { path: "a", lines: 5 }, {
    path: "a",
    lines: "",
    symbol: "",
  }];
  const { anchors: _, ...observation } = sample("x");
  for (const anchors of [hostile, "x", 5]) {
    assertEquals(anchorsIn({ ...observation, anchors } as unknown as Observation), []);
  }
  const pattern: Anchor = { path: "a", symbol: "(a+)+$", lines: "zzzzz" };
  assertEquals(anchorStanding([pattern], treeOf({ a: "a".repeat(50_000) })).state, "gone");
  const many = Array.from({ length: 5_000 }, (_, n) => ({ path: `${n}`, lines: "" }));
  assertEquals(anchorsIn({ anchors: many }).length, 4);
});
