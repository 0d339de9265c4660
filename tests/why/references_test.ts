import { assertEquals } from "@std/assert";
import { issueNamedBy } from "../../lib/why/references.ts";

const NAMED: readonly (readonly [message: string, number: number, isLocal?: boolean])[] = [
  ["feat(fix): cap the discount (#3)", 3],
  ["feat(fix): cap the discount\n\nIssue: 7", 7, true],
  ["fix: cap (#12)\n\nCloses #9", 9],
  ["Fixes: GH-44 in the parser", 44],
  ["Merge pull request #31 from ada/discount", 31],
  ["see #5 and #6", 5],
];

Deno.test("issueNamedBy() reads each form, the surest first", () => {
  for (const [message, number, isLocal = false] of NAMED) {
    assertEquals(issueNamedBy(message), { number, isLocal }, message);
  }
});

const NOT_NAMED = [
  "fix: cap the discount",
  "style: use #336699 for links and #111-dark",
  "docs: as in acme/shop#12",
  "fix: &#39; in titles",
  "feat: #0",
  "",
];

Deno.test("issueNamedBy() takes no colour, no entity and no other repository's issue", () => {
  for (const message of NOT_NAMED) assertEquals(issueNamedBy(message), undefined, message);
});
