import { durationMs, issueNumber, text } from "../../lib/cli/inputs.ts";
import { assertAccepts, assertRefuses } from "./spec_cases.ts";

Deno.test("issueNumber reads plain positive numbers", () => {
  assertAccepts(issueNumber, { "1": 1, "42": 42, "#42": 42, "999999999": 999_999_999 });
});

Deno.test("issueNumber refuses everything else", () => {
  const texts = ["0", "-1", "1.5", "../x", " 42", "42 ", "42\n", "+42", "042", "1e3", "0x1", ""];
  assertRefuses(issueNumber, [...texts, "\u0664\u0662", "1000000000"]);
});

Deno.test("durationMs reads a number with its unit", () => {
  assertAccepts(durationMs, { "1500ms": 1_500, "90s": 90_000, "5m": 300_000, "2h": 7_200_000 });
});

Deno.test("durationMs refuses everything else", () => {
  assertRefuses(durationMs, ["90", "s", "-1s", "1.5m", "5 m", "1d", "5M", "99999999s", ""]);
});

Deno.test("text() leaves a text as it is", () => {
  assertAccepts(text(5), { " a ": " a ", "12345": "12345", "a\nb": "a\nb" });
});

Deno.test("text() counts characters, not UTF-16 units", () => {
  assertAccepts(text(1), { "\u{1f600}": "\u{1f600}" });
});

Deno.test("text() refuses a blank or over-long text", () => {
  assertRefuses(text(5), ["", " \n", "123456"]);
});
