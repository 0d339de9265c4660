import { assert, assertEquals } from "@std/assert";
import { clarificationId, durationMs, issueNumber, text } from "../../lib/cli/inputs.ts";
import type { Spec } from "../../lib/cli/spec.ts";

function assertAccepts(spec: Spec, cases: Record<string, unknown>): void {
  for (const [given, expected] of Object.entries(cases)) {
    assertEquals(spec.refuse(given), undefined, given);
    assertEquals(spec.read(given), expected, given);
  }
}

function assertRefuses(spec: Spec, cases: readonly string[]): void {
  for (const given of cases) {
    const why = spec.refuse(given);
    assert(why !== undefined, `accepts ${given}`);
    assert(why.startsWith("must "));
  }
}

Deno.test("issueNumber reads plain positive numbers", () => {
  assertAccepts(issueNumber, { "1": 1, "42": 42, "#42": 42, "999999999": 999_999_999 });
});

Deno.test("issueNumber refuses everything else", () => {
  const texts = ["0", "-1", "1.5", "../x", " 42", "42 ", "42\n", "+42", "042", "1e3", "0x1", ""];
  assertRefuses(issueNumber, [...texts, "\u0664\u0662", "1000000000"]);
});

Deno.test("clarificationId reads sequences of three digits or more", () => {
  const ids = ["CLR-42-001", "CLR-1-1000"];
  assertAccepts(clarificationId, Object.fromEntries(ids.map((id) => [id, id])));
});

Deno.test("clarificationId completes what is short", () => {
  assertAccepts(clarificationId, {
    "CLR-42-1": "CLR-42-001",
    "clr-42-001": "CLR-42-001",
    "42-1": "CLR-42-001",
    "42-1000": "CLR-42-1000",
  });
});

Deno.test("clarificationId refuses everything else", () => {
  const ids = [
    "CLR-42-0",
    "CLR-0-001",
    "42-001-1",
    "CLR-42-001 ",
    "CLR-../x-001",
    "42",
    "##42",
    "",
  ];
  assertRefuses(clarificationId, ids);
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
