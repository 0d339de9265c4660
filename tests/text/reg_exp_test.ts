import { assert } from "@std/assert";
import { escapeRegExp } from "../../lib/text/reg_exp.ts";

Deno.test("escapeRegExp() makes what matches a text and nothing else", () => {
  const text = "a.b|c$ (d) [e] {f} g+h*i?j^k\\l/";
  assert(new RegExp(`^${escapeRegExp(text)}$`, "u").test(text));
  assert(!new RegExp(`^${escapeRegExp("a.b")}$`).test("a-b"));
});
