import { assertEquals } from "@std/assert";
import { authorByNote, authorByTrace } from "../../lib/why/agent_records.ts";

const NOTE = `src/cart.ts
  h_dca485b1adf836 1-2
  d4a7828bfdafe456 3,7-9
"src/with space.ts"
  s_a76964380084ef::t_a3a130d3e145e3 28
---
${
  JSON.stringify({
    schema_version: "authorship/3.0.0",
    prompts: { d4a7828bfdafe456: { agent_id: { tool: "claude", id: "abc", model: "opus" } } },
    sessions: { s_a76964380084ef: { agent_id: { tool: "codex", id: "def", model: "gpt" } } },
    humans: { h_dca485b1adf836: { author: "Ada" } },
  })
}`;

Deno.test("authorByNote() finds the agent of a line, and none for a person's", () => {
  const by = (path: string, line: number) => authorByNote(NOTE, { path, line })?.session;
  assertEquals(by("src/cart.ts", 8), "abc");
  assertEquals(by("src/with space.ts", 28), "def");
  assertEquals([by("src/cart.ts", 1), by("src/cart.ts", 4), by("src/other.ts", 8)], [
    undefined,
    undefined,
    undefined,
  ]);
});

Deno.test("authorByNote() takes no other note for one of git-ai", () => {
  for (const note of ["", "Reviewed-by: Ada", "a\n  __proto__ 1\n---\n{}", "a\n  b 1\n---\n[1"]) {
    assertEquals(authorByNote(note, { path: "a", line: 1 }), undefined, note);
  }
});

function trace(revision: string, contributor: object, range: object = {}): string {
  const ranges = [{ start_line: 3, end_line: 5, ...range }];
  const conversations = [{ url: "https://example.org/c/1", contributor, ranges }];
  const files = [{ path: "src/cart.ts", conversations }];
  return JSON.stringify({
    version: "0.1.0",
    vcs: { type: "git", revision },
    tool: { name: "cursor" },
    files,
  });
}

const LINE = { path: "src/cart.ts", line: 4 };
const AI = { type: "ai", model_id: "anthropic/opus" };

Deno.test("authorByTrace() finds the agent of a line by the commit or by its parent", () => {
  const found = {
    source: "agent-trace",
    tool: "cursor",
    model: "anthropic/opus",
    session: "https://example.org/c/1",
  };
  for (const revision of ["own", "parent"]) {
    assertEquals(authorByTrace([trace(revision, AI)], LINE, ["own", "parent"]), found as never);
  }
});

Deno.test("authorByTrace() claims nothing for another commit, another line or a person", () => {
  const lines = [
    trace("else", AI),
    trace("own", AI, { end_line: 3 }),
    trace("own", { type: "human" }),
    trace("own", AI, { contributor: { type: "unknown" } }),
    "{ranges",
    '{"ranges":1,"vcs":{"revision":"own"},"files":{"path":1}}',
  ];
  assertEquals(authorByTrace(lines, LINE, ["own"]), undefined);
});
