import { assert, assertEquals } from "@std/assert";
import { DEV } from "./labelled_dev.ts";
import { HELD_OUT } from "./labelled_held_out.ts";
import { DEV_NEGATIVES } from "./negatives_dev.ts";
import { HELD_OUT_NEGATIVES } from "./negatives_held_out.ts";
import { prose } from "./ordinary.ts";
import {
  changedNegatives,
  type LabelledCase,
  renderScores,
  scoreCases,
  scoreOrdinary,
  survives,
  visible,
} from "./score.ts";

const HALVES = { DEV, HELD_OUT };

/** Knows the answers: what a perfect redaction would do. */
function oracle(cases: readonly LabelledCase[]): (text: string) => string {
  const secrets = new Map(cases.map(({ text, secrets }) => [text, secrets]));
  return (text) =>
    secrets.get(text)!.reduce((rest, secret) => rest.replaceAll(secret, "[gone]"), visible(text));
}

for (const [name, cases] of Object.entries(HALVES)) {
  Deno.test(`scoreCases() gives the oracle of ${name} everything`, () => {
    for (const [name, score] of scoreCases(cases, oracle(cases))) {
      assertEquals([name, score.leaks, score.overCuts], [name, [], []]);
    }
  });

  Deno.test(`scoreCases() gives no case of ${name} to a redaction that does nothing`, () => {
    const caught = [...scoreCases(cases, (text) => text).values()].map(({ caught }) => caught);
    assertEquals(caught.filter((count) => count > 0), []);
  });

  Deno.test(`scoreCases() sees in ${name} that a redaction which keeps nothing cuts too much`, () => {
    const scores = [...scoreCases(cases, () => "").values()];
    assert(scores.every(({ cases, caught }) => cases === caught));
    assert(scores.every(({ keep, lost }) => keep > 0 && keep === lost));
  });

  Deno.test(`${name} has 25 classes or more, of 16 cases or more each`, () => {
    const counts = [...scoreCases(cases, () => "").values()].map((score) => score.cases);
    assert(counts.length >= 25 && Math.min(...counts) >= 16);
  });
}

Deno.test("the halves have no text and no secret in common", () => {
  const seen = new Set(DEV.flatMap(({ text, secrets }) => [text, ...secrets]));
  const long = HELD_OUT.flatMap(({ text, secrets }) => [text, ...secrets]).filter((value) =>
    value.length >= 12
  );
  assertEquals(long.filter((value) => seen.has(value)), []);
  const negatives = new Set(DEV_NEGATIVES.map(({ text }) => text));
  assertEquals(HELD_OUT_NEGATIVES.filter(({ text }) => negatives.has(text)), []);
});

Deno.test("survives() sees 12 characters of a secret, and a short secret whole", () => {
  const secret = "abcdefghijklmnopqrstuvwxyz";
  assert(survives("... hijklmnopqrs ...", secret));
  assert(!survives("... hijklmnopqr ...", secret));
  assert(survives("tail: opqrstuvwxyz", secret));
  assert(survives("use swordfish", "swordfish"));
  assert(!survives("use swordfis*", "swordfish"));
});

Deno.test("survives() looks through terminal escapes and invisible characters", () => {
  assert(survives("abcdef\x1b[31mghi\u200bjkl\u202em", "abcdefghijklm"));
});

Deno.test("changedNegatives() gives back what was changed, with what came out", () => {
  const [changed, ...more] = changedNegatives(
    [{ class: "words", text: "token" }, { class: "words", text: "words" }],
    (text) => text.replace("token", "[gone]"),
  );
  assertEquals([changed, more], [{ class: "words", text: "token", output: "[gone]" }, []]);
});

Deno.test("scoreOrdinary() counts each place that was cut once", () => {
  const text = "one two three four five six seven eight nine ten eleven twelve\n".repeat(50);
  const cut = (text: string) => {
    let line = 0;
    return text.replace(/seven/g, (word) => line++ % 10 === 3 ? "[REDACTED]" : word);
  };
  const { alarms, characters, rate } = scoreOrdinary([{ name: "a.txt", text }], cut);
  assertEquals([alarms.length, characters], [5, text.length]);
  assertEquals(rate, 5 / text.length * 100_000);
  assert(alarms.every((alarm) => alarm.name === "a.txt" && alarm.cut.endsWith("seven")));
});

Deno.test("scoreOrdinary() counts a cut at the end, and nothing in a text that stays", () => {
  const text = "The end of this line is cut";
  assertEquals(scoreOrdinary([{ name: "a", text }], () => "The end of").alarms.length, 1);
  assertEquals(scoreOrdinary([{ name: "a", text }], () => text).alarms, []);
  assertEquals(scoreOrdinary([], () => "").rate, 0);
});

Deno.test("renderScores() has the worst class first and all of them last", () => {
  const cases = [
    { class: "good", text: "gone", secrets: ["gone"], keep: [] },
    { class: "bad", text: "here word", secrets: ["here"], keep: ["word"] },
  ];
  const table = renderScores(scoreCases(cases, (text) => text.replace("gone", "")));
  assertEquals(table.split("\n").slice(1).map((line) => line.split(/ +/)), [
    ["bad", "1", "0", "0.0%", "0/1"],
    ["good", "1", "1", "100.0%", "0/0"],
    ["all", "2", "1", "50.0%", "0/1"],
  ]);
});

Deno.test("prose() is ASCII and long enough for a rate", () => {
  for (const half of ["dev", "held_out"] as const) {
    const text = prose(half).map(({ text }) => text).join("");
    // deno-lint-ignore no-control-regex -- that is what ASCII is
    assert(text.length >= 250_000 && !/[^\x00-\x7f]/.test(text));
  }
});
