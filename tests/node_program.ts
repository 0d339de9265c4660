/**
 * The program on Node, bundled as its package has it.
 *
 * @module
 */

import { assertEquals } from "@std/assert";
import { isInstalled } from "./installed_package.ts";

const ROOT = new URL("../", import.meta.url).pathname;

/**
 * @param folder for the bundle
 * @returns the words that start `agentx`; undefined where there is no Node
 */
export async function nodeProgram(folder: string): Promise<string[] | undefined> {
  if (!await isInstalled("node")) return undefined;
  const args = ["bundle", "--quiet", "--code-splitting", "--outdir", folder, `${ROOT}cli.ts`];
  assertEquals((await new Deno.Command(Deno.execPath(), { args }).output()).success, true);
  Deno.writeTextFileSync(`${folder}/package.json`, '{"type":"module"}');
  const program = 'import("./cli.js").then(({ runProgram }) => runProgram());\n';
  Deno.writeTextFileSync(`${folder}/agentx.js`, program);
  return ["node", `${folder}/agentx.js`];
}
