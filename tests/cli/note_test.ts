import { assert, assertEquals } from "@std/assert";
import { note } from "../../lib/cli/note.ts";
import { TempWorkspace } from "../temp_workspace.ts";
import { FakeIo } from "./fake_io.ts";

const WORDS = "Codex skips a hook until you trust it: start codex, and enter /hooks ".repeat(3);

Deno.test("note() breaks lines between words at a terminal, and nowhere else", () => {
  const io = new FakeIo({ terminal: true, env: { NO_COLOR: "1" } });
  note(io, WORDS.trim());
  const lines = io.err.trimEnd().split("\n");
  assertEquals(lines.filter((line) => line.length > 80), []);
  assertEquals(lines.map((line) => line.trim()).join(" "), `note: ${WORDS.trim()}`);
  const pipe = new FakeIo();
  note(pipe, WORDS.trim());
  assertEquals(pipe.err, `note: ${WORDS.trim()}\n`);
});

Deno.test("an error breaks lines between words at a terminal, and nowhere else", async () => {
  using temp = new TempWorkspace();
  const { err } = await temp.run(["memory"], { terminal: true, env: { NO_COLOR: "1" } });
  assertEquals(err.split("\n").filter((line) => line.length > 80), []);
  const { err: piped } = await temp.run(["memory"]);
  assert(piped.trimEnd().split("\n").length === 2, piped);
  assertEquals(err.split(/\s+/), piped.split(/\s+/));
});

Deno.test("a mistyped setting is suggested", async () => {
  using temp = new TempWorkspace();
  for (
    const [typed, meant] of [
      ["agent.architect.preset", "agents.architect.preset"],
      ["gate.timout", "gate.timeout"],
    ]
  ) {
    const { code, err } = await temp.run(["config", "set", typed, "claude"]);
    assertEquals([code, err.includes(`Did you mean "${meant}"?`)], [2, true], err);
  }
});
