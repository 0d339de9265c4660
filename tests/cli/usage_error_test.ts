import { assertEquals } from "@std/assert";
import { nearest } from "../../lib/text/nearest.ts";

Deno.test("nearest() finds a word in spite of a missing, extra, wrong or swapped letter", () => {
  const words = ["ask", "answer", "resolve", "escalate", "wait"];
  const typed = ["aks", "anwser", "resolv", "escallate", "wiat", "wail"];
  const meant = ["ask", "answer", "resolve", "escalate", "wait", "wait"];
  assertEquals(typed.map((word) => nearest(word, words)), meant);
});

Deno.test("nearest() prefers the nearest word", () => {
  assertEquals(nearest("statee", ["stats", "state"]), "state");
});

Deno.test("nearest() suggests nothing where nothing is near", () => {
  assertEquals(nearest("xyz", ["ask", "wait"]), undefined);
  assertEquals(nearest("", ["ask"]), undefined);
});
