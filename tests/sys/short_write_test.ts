/** A system that takes a part of what it is given, as an almost full disk does, on each runtime. */

import { assertEquals, assertThrows } from "@std/assert";
import { writeAll } from "../../lib/sys/write_all.ts";
import { isInstalled, run } from "../hostile_files/run_cases.ts";
import { TempFolder } from "../lock/temp_folder.ts";

const SOURCE = new URL("short_write_program.ts", import.meta.url).pathname;
const TEXT = "acknowledged means kept\n";

for (
  const [name, ...command] of [["Deno", Deno.execPath(), "run", "-A"], ["Node", "node"], [
    "Bun",
    "bun",
  ]]
) {
  Deno.test({
    name: `sys writes all where each write takes half of it, on ${name}`,
    ignore: !isInstalled(command[0]),
    fn() {
      using folder = new TempFolder();
      const program = folder.file("program.mjs");
      run(Deno.execPath(), "bundle", "--quiet", SOURCE, "-o", program);
      const printed = JSON.parse(run(...command, program, folder.path));
      const texts = [`A${TEXT.slice(1)}${TEXT}`, TEXT + TEXT];
      assertEquals(printed, { texts, length: TEXT.length });
    },
  });
}

Deno.test("writeAll() does not wait for a system that takes nothing", () => {
  assertThrows(
    () => writeAll(new Uint8Array(2), (_, done) => done === 0 ? 1 : 0),
    Error,
    "nothing",
  );
});
