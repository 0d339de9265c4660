import { assertEquals } from "@std/assert";
import { commitMessage, messageProblem } from "../../lib/guard/commit_message.ts";

Deno.test("commitMessage() takes the type from the label, and stays within what checkers of messages take", () => {
  const at = (scope: string, title: string, ...labels: string[]) =>
    commitMessage({ number: 7, title, labels }, { scope, place: "/" });
  const of = (title: string, ...labels: string[]) => at("Step 1", title, ...labels);
  assertEquals(at("fix", "Fix it.", "type:bug"), "fix: fix it (#7)");
  assertEquals(
    [
      of("Fix it.", "type:bug", "p1"),
      of("API keys expire", "type:feature"),
      of("\u00c4rger", "type:docs"),
      of("x", "type:spike"),
      of("x"),
    ],
    [
      "fix(step-1): fix it (#7)",
      "feat(step-1): API keys expire (#7)",
      "docs(step-1): \u00e4rger (#7)",
      "chore(step-1): x (#7)",
      "chore(step-1): x (#7)",
    ],
  );
  const long = of("Word ".repeat(40), "type:bug");
  assertEquals([long.length <= 100, long.endsWith(" (#7)"), messageProblem(long, () => true)], [
    true,
    true,
    undefined,
  ]);
});
