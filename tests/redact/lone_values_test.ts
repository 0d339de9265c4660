/** Values without a prefix and without a word right before them. */

import { assertEquals } from "@std/assert";
import { redact } from "../../lib/redact/redact.ts";
import { scoreCases } from "./score.ts";
import { makeCases } from "./shapes.ts";

const PLACES = {
  "rare": [
    'client.send("a", "@[{an:40}]@")',
    'apiMaticKey := "@[{b64u:48}1]@"',
    "Using Key=@[{low:32}]@",
    "config.sender = '@[{an:36}]@'",
    "beeboleAuth := @[{low:40}]@",
  ],
  "rare and alone": [
    "@[{an:40}]@",
    "try this one:\n\n@[{an:40}]@\n\nthanks",
    "bob:@[{an:40}]@",
    "| client | @[{an:40}]@ |",
  ],
  "hash of a service": [
    "algolia : @[{hex:32}]@",
    '"amplitudeSecret": "@[{hex:32}]@"',
    "message-bird_token = @[{hex:8}-{hex:4}-{hex:4}-{hex:4}-{hex:12}]@",
    "$env:new_relic_KEY = '@[{hex:40}]@'",
    "heroku_TOKEN=@[{hex:8}-{hex:4}-{hex:4}-{hex:4}-{hex:12}]@",
  ],
};

Deno.test("redact() takes out what only its rarity or the name of a service tells of", () => {
  const scores = scoreCases(makeCases(PLACES, { seed: 11, times: 40 }), redact);
  const missed = [...scores].filter(([, { caught, cases }]) => caught / cases < 0.97);
  assertEquals(missed.map(([name, { leaks }]) => [name, leaks.map(({ text }) => text)]), []);
});

Deno.test("redact() leaves ids, checksums, addresses and tables of letters", () => {
  const hex = "d41d8cd98f00b204e9800998ecf8427e";
  const uuid = "123e4567-e89b-42d3-a456-426614174000";
  const texts = [
    `stripe commit ${hex}`,
    `datadog trace ${hex}`,
    `"sessionId":"${uuid}"`,
    `heroku app id: ${uuid}`,
    `cache key = ${hex}`,
    'id = "01HV7Q2M4Z8T6K9J3N5P0R1S2W"',
    'digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"',
    `text = "${btoa("a text that can be read")}"`,
    '"integrity": "sha512-qY4Rc0Nljl2aJx2qgbK3o6wPBjL9QvhKdD/VqJgaKd5ewn8l4ViqgDpUHJq/JkHT=="',
    "golang.org/x/text v0.3.0 h1:UGzOrNV1mAFSEB63gcqYvBm2ZXTJ4PgcbRkVXQKPtHw=",
    'import "./src-CeKsbNLO9qTz4.mjs"',
    '"GHSA-4p3w-j4w9-5jqw"',
    'call = "toolu_01k7Qw2xT9Zr4mBv8aB3dE5fG7h"',
    'foreignKeyName: "FK3sv28w2o5i03gxi66b80240qk"',
    "ech=AED+DQA8PAAgACD8WhlS7VwEt5bf3lekhHvXrQBGDrZh03n/LsNtAodbUAAEAAEAAQANY292ZXIuZGVmby5pZQAA",
  ];
  assertEquals(texts.map(redact), texts);
});
