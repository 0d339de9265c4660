/**
 * Writes in every way while each call of the system takes half of what it is given:
 * `short_write_program FOLDER`. Prints what the files hold then.
 *
 * @module
 */

import fs from "node:fs";
import process from "node:process";
import { sys } from "../../lib/sys/mod.ts";

const TEXT = "acknowledged means kept\n";

const half = (length: number) => Math.ceil(length / 2);

const { writeSync } = fs;
fs.writeSync =
  ((file: number, bytes: Uint8Array, _: unknown, __: unknown, at?: number | null) =>
    writeSync(file, bytes, 0, half(bytes.length), at)) as typeof writeSync;
if ("Deno" in globalThis) {
  const stream = Deno.FsFile.prototype;
  const write = stream.writeSync;
  stream.writeSync = function (this: Deno.FsFile, bytes) {
    return write.call(this, bytes.subarray(0, half(bytes.length)));
  };
}

const path = (name: string) => `${process.argv[2]}/${name}`;
const created = sys.createFile(path("filled"))!;
const length = created.fill(TEXT);
created.writeAt(TEXT, "end");
created.writeAt("A", 0);
created.writeAt(TEXT, length);
created.close();
sys.writeNewFile(path("written"), TEXT, { fsync: true });
sys.appendTextFile(path("written"), TEXT);
const texts = ["filled", "written"].map((name) => sys.readTextFile(path(name)));
sys.writeStdout(JSON.stringify({ texts, length }));
