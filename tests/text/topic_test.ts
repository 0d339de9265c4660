import { assertEquals } from "@std/assert";
import { normalizeTopic } from "../../lib/text/topic.ts";

Deno.test("normalizeTopic() joins what differs only in writing", () => {
  const written = ["Database layer", " database  LAYER?", "\u201cDatabase\tlayer\u201d..."];
  assertEquals(written.map(normalizeTopic), written.map(() => "database layer"));
});

Deno.test("normalizeTopic() keeps a topic of nothing but punctuation", () => {
  assertEquals(normalizeTopic(" ??? "), "???");
});
