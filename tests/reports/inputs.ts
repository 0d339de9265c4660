/**
 * What public reports of other tools and real files describe, each as a small input with a script, which ends
 * with 0 where agentx does what is right. `docs/design/reports.md` says which report it follows.
 *
 * @module
 */

import { TempFolder } from "../lock/temp_folder.ts";

const INPUTS = new URL("inputs/", import.meta.url).pathname;

export const REPORTS: readonly string[] = Array.from(Deno.readDirSync(INPUTS), ({ name }) => name)
  .sort();

/** Runs the script of an input with a command line for agentx; empty where it ends with 0, else what it printed. */
export async function failureOf(report: string, agentx: string): Promise<string> {
  using folder = new TempFolder();
  const { PATH = "", HOME, DENO_DIR = `${HOME}/.cache/deno` } = Deno.env.toObject();
  const { code, stdout, stderr } = await new Deno.Command("sh", {
    args: [`${INPUTS}${report}/run.sh`],
    env: { PATH, DENO_DIR, TMPDIR: folder.path, AX: agentx },
    clearEnv: true,
    stdin: "null",
  }).output();
  const [out, err] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  return code === 0 ? "" : `exit ${code}\n${out}\n${err}`;
}
