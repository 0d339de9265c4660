import { assertEquals } from "@std/assert";
import { questionText } from "../../../lib/gate/render/interaction.ts";
import { checkQuestion } from "../../../lib/gate/request.ts";
import { STRIPE } from "../samples.ts";

Deno.test("questionText() gives question, options, fallback and evidence, without markdown", () => {
  const request = checkQuestion(STRIPE);
  const text = questionText({ request, deadline: "2026-02-26T10:05:00.000Z", earlier: null });
  const parts = [
    "Which Stripe environment",
    "a) ",
    "b) ",
    "If nobody answers by 2026-02-26 10:05 UTC: (a), because",
    "Risk if that is wrong: low - test mode won't affect production, easy to switch later",
    "Why it asks: ",
    "Searched: ",
  ].map((part) => text.indexOf(part));
  assertEquals(parts, parts.toSorted((a, b) => a - b), text);
  assertEquals([parts[0], /\*\*|##|\n- /.test(text)], [0, false], text);
  const waits = questionText({ request, deadline: null, earlier: null });
  assertEquals(waits.includes("If nobody answers: waits. Fallback: (a), because"), true, waits);
});
