import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { extractObservations } from "../../../lib/memory/extract/extract.ts";
import { MAX_CONTENT, MAX_PER_CAPTURE, parseObservationId } from "../../../lib/memory/schema.ts";
import { grownTooFast } from "../../steps/steps.ts";
import { observationsOf } from "../session_of.ts";
import { often } from "../../often.ts";

const ROLES = ["user", "assistant", "tool"];

const PIECES = [
  "We decided to use `x` instead of y, ",
  "because src/a.ts fails. ",
  "## Decisions\n",
  "- item ",
  "**Root cause** - ",
  "```\n",
  "| a | b |\n",
  "> ",
  "Error: ",
  "Applied edit to ",
  "[main 1a2b3c4] ",
  "e.g. ",
  "...",
  "\n",
  "\ud800",
  "\u3002",
  "`",
];

Deno.test("extraction never throws, and what it gives always fits", () => {
  const units = fc.array(fc.nat(0xffff)).map((codes) => String.fromCharCode(...codes));
  const text = fc.array(
    fc.oneof(fc.constantFrom(...PIECES), fc.string(), units),
  )
    .map((parts) => parts.join(""));
  const line = fc.tuple(fc.constantFrom(...ROLES), text).map(([role, text]) => `${role}: ${text}`);
  fc.assert(
    fc.property(fc.array(line), text, (lines, recalled) => {
      const observations = [
        ...observationsOf(lines, [recalled]),
        ...extractObservations(lines.join("\n"), "engineer", 1, "s"),
      ];
      assert(observations.length <= 2 * MAX_PER_CAPTURE);
      for (const { id, content, summary } of observations) {
        parseObservationId(id);
        assert(content.length > 0 && content.length <= MAX_CONTENT && content.isWellFormed());
        assert(summary.length > 0 && summary.length <= 200);
      }
    }),
    often(150),
  );
});

Deno.test("extraction takes steps in proportion to the length", async () => {
  const repeated = [
    ...PIECES,
    "a",
    "(",
    "<!-- ",
    "no ",
    "is a b c d e f g ",
    "`a` ",
    "x/y.",
    "E ",
    "1 ",
    "We use `x` instead of y. ",
    "- We use `x` instead of y.\n",
    "the is because so not, ",
    "**",
    "\u2022 ",
    "A_b ",
    "M a\n",
    "Success. Updated the following files:\nM a.ts\n",
    "<pr_description>",
    "ISSUE:\n",
    "[run] command: ls\n",
    '{"name": "edit"}\n',
    "Tool use: **Bash** ",
    "cat > a.md <<EOF\n",
    "**Add: `a.md`**\n```diff\n+Use a\n",
    "*** Add File: a.md\n+Use a\n",
    "\u279c a\n",
    "/add a\n",
    "Cannot a: ",
    "ls: cannot ",
    "failed to ",
    'git commit -m "',
    "No a exists ",
    "I'll now ",
    "the test, but ",
    "It is so. ",
    "- a:\n  - b\n",
    "? ",
  ];
  for (const role of ROLES) {
    const work = (part: string, characters: number) =>
      void observationsOf([`${role}: ${part.repeat(Math.ceil(characters / part.length))}`]);
    assertEquals(await grownTooFast(repeated, work, 300), []);
  }
});
