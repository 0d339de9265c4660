import { assertEquals } from "@std/assert";
import { termsOf } from "../../../lib/memory/search/tokens.ts";

Deno.test("termsOf() takes a form that no ending tells for its word", () => {
  for (const [form, word] of [["went", "go"], ["rewrote", "rewriting"], ["indices", "index"]]) {
    assertEquals(termsOf(form), termsOf(word));
  }
  assertEquals(termsOf("child_processes"), [...termsOf("children"), "process"]);
});
