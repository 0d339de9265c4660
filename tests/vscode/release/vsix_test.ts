/**
 * The extension as `deno task vscode` packs it.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { ended } from "../../temp_workspace.ts";

const ROOT = new URL("../../../", import.meta.url).pathname;

const MAX_BYTES = 2_000_000;

Deno.test("the vsix is small, is packed without a warning, and holds the program", async () => {
  const folder = Deno.makeTempDirSync();
  const run = (program: string, ...args: string[]) =>
    ended(
      new Deno.Command(program, { args, cwd: ROOT, stdout: "piped", stderr: "piped" }).spawn(),
    );
  try {
    const built = await run(Deno.execPath(), "run", "-A", "--quiet", ".ci/vscode.ts", folder);
    assertEquals(built.code, 0, built.err);
    assert(!/warning/i.test(built.out + built.err), built.out + built.err);
    const { size } = Deno.statSync(`${folder}/agentx.vsix`);
    assert(size <= MAX_BYTES, `${size} bytes`);
    assert(!built.out.includes("node_modules"), built.out);
    const { version } = JSON.parse(Deno.readTextFileSync(`${ROOT}deno.json`));
    const printed = await run("node", `${folder}/vscode/agentx.cjs`, "version");
    assert(printed.out.includes(version), printed.out + printed.err);
    const texts = Deno.readTextFileSync(`${folder}/vscode/package.nls.json`);
    const used = Deno.readTextFileSync(`${folder}/vscode/package.json`).match(/%[\w.]+%/g) ?? [];
    assertEquals(
      [...new Set(used)].map((key) => key.slice(1, -1)).sort(),
      Object.keys(JSON.parse(texts)).sort(),
    );
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});
