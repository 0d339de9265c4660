import { assertEquals, assertThrows } from "@std/assert";
import { AgentxError } from "../../lib/base/errors.ts";
import { checkIssueNumber, checkText } from "../../lib/base/input_checks.ts";
import { refusal } from "../refusal.ts";

Deno.test("checkIssueNumber() takes whole numbers from 1 to 999,999,999", () => {
  assertEquals([1, 42, 999_999_999].map(checkIssueNumber), [1, 42, 999_999_999]);
});

for (const value of [0, -1, 1.5, 1e9, NaN, Infinity, "42", "../../x", null, undefined, [42]]) {
  Deno.test(`checkIssueNumber() refuses ${JSON.stringify(value)} (${typeof value} ${value})`, async () => {
    const { details } = await refusal("INVALID_INPUT", () => checkIssueNumber(value));
    assertEquals(details, { field: "issue", value });
  });
}

Deno.test("checkText() leaves a text as it is", () => {
  for (const text of [" x\n", "\u{1f600}".repeat(200), "a".repeat(200)]) {
    assertEquals(checkText("topic", text, 200), text);
  }
});

Deno.test("checkText() counts characters, not code units", async () => {
  await refusal("INVALID_INPUT", () => checkText("topic", "\u{1f600}".repeat(201), 200));
});

for (const text of ["", "  \n\t", 42, null, undefined, {}, "a\ud800b"]) {
  Deno.test(`checkText() refuses ${JSON.stringify(text) ?? "undefined"}`, async () => {
    const { details } = await refusal("INVALID_INPUT", () => checkText("question", text, 2_000));
    assertEquals(details, { field: "question", value: text });
  });
}

Deno.test("checkText() quotes only the beginning of a text that is too long", () => {
  const error = assertThrows(() => checkText("answer", "x".repeat(100_000), 2_000), AgentxError);
  assertEquals(error.message.length < 300, true);
});
