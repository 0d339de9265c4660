/** The value that belongs to a name, where what stands around it is read another way at first sight. */

import { assertEquals } from "@std/assert";
import { redact } from "../../lib/redact/redact.ts";
import { scoreCases } from "./score.ts";
import { makeCases } from "./shapes.ts";

const CUT = {
  "set in capitals, which is no outcome of a test": [
    "USERNAME = 'bob'\n# one\n# two\nPASS = '@[{pw:10}]@'",
    'PASS="@[{an:9}7]@"',
  ],
  "with a blank before the closing mark": ["rev token - '@[{b64:27}=]@ '\nnext"],
  "with its own mark within": ["sirv token = '@[aB3#{an:8}&x'{an:9}^{an:4}~{an:6}!]@'"],
  "after a verb that is also the end of a name": ["password set to @[{pw:10}]@ today"],
};

const STAYS = [
  "PASS: TestParse/valid_RFC3339 (0.00s)",
  '"integrity":"sha512-LT/5J605bx5SNyE+LMqZ+2pSw=="}},"3.0.6":{"version":"3.0.6"}',
  '  // "Patience is the key to success"\n  "UGF0aWVuY2UgaXMgdGhlIGtleQ",',
  "const token = 'first', rest = 'other'",
  "a password set is kept for each user",
];

Deno.test("redact() takes out the value of a name, whatever stands around it", () => {
  const scores = scoreCases(makeCases(CUT, { seed: 5, times: 20 }), redact);
  const missed = [...scores].filter(([, { caught, cases }]) => caught < cases);
  assertEquals(missed.map(([name, { leaks }]) => [name, leaks.map(({ text }) => text)]), []);
});

Deno.test("redact() leaves what only looks like the value of a name", () => {
  assertEquals(STAYS.filter((text) => redact(text) !== text), []);
});
