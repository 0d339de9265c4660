/**
 * The lines of a machine, which its processes write side by side.
 *
 * @module
 */

import { assertEquals } from "@std/assert";
import { LineFiles } from "../../lib/remote/line_files.ts";

const WRITERS = 4;
const LINES = 150;

Deno.test("LineFiles.add() loses no line of processes that write at the same time", async () => {
  const folder = Deno.makeTempDirSync({ prefix: "agentx-lines-" });
  try {
    const script = new URL("./line_writer.ts", import.meta.url).pathname;
    const ends = Array.from({ length: WRITERS }, (_, index) =>
      new Deno.Command(Deno.execPath(), {
        args: ["run", "-A", "--quiet", "--no-check", script, folder, `w${index}`, String(LINES)],
      }).output());
    for (const { code } of await Promise.all(ends)) assertEquals(code, 0);
    const lines = new LineFiles(folder, "desk00000000").of("desk00000000");
    assertEquals(lines.length, WRITERS * LINES);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});
