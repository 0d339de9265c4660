/** The bars of the redaction, on both halves of the labelled set and on ordinary text. */

import { assert, assertEquals } from "@std/assert";
import { redact } from "../../lib/redact/redact.ts";
import { DEV } from "./labelled_dev.ts";
import { HELD_OUT } from "./labelled_held_out.ts";
import { DEV_NEGATIVES } from "./negatives_dev.ts";
import { HELD_OUT_NEGATIVES } from "./negatives_held_out.ts";
import { ownFiles, prose } from "./ordinary.ts";
import { changedNegatives, scoreCases, scoreOrdinary } from "./score.ts";

const MIN_RECALL = 0.95;
const MAX_ALARMS = 0.5; // per 100,000 characters

/** Texts that should stay and do not, by half. */
const KNOWN_CUTS: Readonly<Record<string, string[]>> = { dev: [], "held-out": ["placeholder"] };

for (const [half, cases] of Object.entries({ dev: DEV, "held-out": HELD_OUT })) {
  Deno.test(`redact() finds 95 % of the secrets of each class, ${half} half`, () => {
    const missed = [...scoreCases(cases, redact)].filter(([_, { caught, cases }]) =>
      caught / cases < MIN_RECALL
    );
    assertEquals(missed.map(([name, { caught, cases }]) => `${name}: ${caught}/${cases}`), []);
  });
}

for (
  const [name, texts] of Object.entries({ dev: DEV_NEGATIVES, "held-out": HELD_OUT_NEGATIVES })
) {
  Deno.test(`redact() keeps hashes, ids and placeholders, ${name} half`, () => {
    assertEquals(changedNegatives(texts, redact).map((text) => text.class), KNOWN_CUTS[name]);
  });
}

const ORDINARY = { dev: prose("dev"), "held-out": prose("held_out"), own: ownFiles() };
for (const [name, files] of Object.entries(ORDINARY)) {
  Deno.test(`redact() has at most 0.5 false alarms per 100,000 characters, ${name} text`, () => {
    const { rate, alarms } = scoreOrdinary(files, redact);
    assert(rate <= MAX_ALARMS, `${rate.toFixed(2)} (${alarms.length})`);
  });
}
