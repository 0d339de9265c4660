/**
 * Makes files and folders under the umask of its process, twice each: `modes_program.ts SYSTEM FOLDER`.
 *
 * @module
 */

import { nodeSystem } from "../../lib/sys/node.ts";

const [name, inside] = Deno.args;
const sys = nodeSystem({ isDeno: name === "sys" });
sys.makeDir(inside, 0o2770);
for (const turn of [1, 2]) {
  sys.createFile(`${inside}/created${turn}`, 0o600)?.close();
  sys.writeNewFile(`${inside}/written${turn}`, "1", { fsync: false, mode: 0o660 });
  sys.appendTextFile(`${inside}/appended${turn}`, "1", 0o600);
  sys.appendTextFile(`${inside}/appended${turn}`, "2", 0o644);
}
