/**
 * What `deno task compile` puts into the binary. The runtime that is its first part comes from
 * outside and may be out of reach, so a stub stands in for it here: the binary is looked at, not run.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { TempFolder } from "./lock/temp_folder.ts";

const ROOT = new URL("../", import.meta.url).pathname;

Deno.test("deno task compile makes one small executable file of the bundled program", async () => {
  using temporary = new TempFolder();
  const folder = temporary.path;
  Deno.copyFileSync("/bin/true", `${folder}/stub`);
  const { tasks } = JSON.parse(Deno.readTextFileSync(`${ROOT}deno.json`));
  const words: string[] = tasks.compile.command.replace("agentx cli.ts", `${folder}/agentx cli.ts`)
    .split(" ");
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: words.slice(1),
    cwd: ROOT,
    env: { DENORT_BIN: `${folder}/stub`, NO_COLOR: "1" },
  }).output();
  const output = new TextDecoder().decode(stderr);
  assert(success, output);

  const embedded = output.split("Embedded Files")[1]?.match(/\S+\.(ts|mjs|js|json|toml)\b/g);
  assertEquals(embedded?.length, 1, output);
  const binary = Deno.statSync(`${folder}/agentx`);
  const payload = binary.size - Deno.statSync(`${folder}/stub`).size;
  assert(payload > 50_000 && payload < 3_000_000, `the payload has ${payload} bytes`);
  assertEquals((binary.mode ?? 0) & 0o111, 0o111);
});
