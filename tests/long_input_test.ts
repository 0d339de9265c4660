/**
 * Files of strangers, made so that a careless regular expression would try every way to read them:
 * with a quarter of a million characters, these tests would not end.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { normalizeTopic } from "../lib/text/topic.ts";
import { blocksOf } from "../lib/memory/extract/blocks.ts";
import { sentencesOf } from "../lib/memory/extract/sentences.ts";
import { outlineOf } from "../lib/text/outline.ts";
import { TempWorkspace } from "./temp_workspace.ts";

const MANY = 250_000;

Deno.test("sentencesOf() looks at a run of full stops once", () => {
  assertEquals(sentencesOf(`${".".repeat(MANY)}x`).length, 1);
});

Deno.test("blocksOf() looks at the marks that close a heading once", () => {
  const line = `# ${"#".repeat(7_000)}x`;
  const blocks = [...blocksOf(`${line}\n`.repeat(1_000), { readQuotes: true })];
  assertEquals(blocks.length, 1_000);
});

Deno.test("outlineOf() looks at the marks of a fence once", () => {
  assertEquals([...outlineOf(`${"~".repeat(MANY)}\u2028`)].length, 1);
});

Deno.test("normalizeTopic() looks at the signs within a topic once", () => {
  assertEquals(normalizeTopic(`a${"-".repeat(MANY)}b.`).length, MANY + 2);
});

Deno.test("validate looks at the brackets in a heading of a template once", async () => {
  using workspace = new TempWorkspace();
  workspace.write(
    ".agentx/workflows/feature.toml",
    '[[steps]]\nid = "a"\nagent = "engineer"\noutput = "o.md"\ntemplate = "t.md"\n',
  );
  workspace.write("t.md", `## ${"[<".repeat(MANY)}\n`);
  workspace.write("o.md", "## Other\n");
  await workspace.run(["issue", "create", "-t", "Long"]);
  const { code, out } = await workspace.run(["validate", "1", "engineer"]);
  assertEquals(code, 6);
  assert(out.includes("is missing the heading"));
});
