/**
 * Runs `program.ts` on any runtime and as another user: bundled, since that user may read neither
 * this repository nor the cache.
 *
 * @module
 */

import { assertEquals } from "@std/assert";
import type { TempFolder } from "../lock/temp_folder.ts";
import type { Case, Outcome } from "./program.ts";

const PROGRAM = new URL("program.ts", import.meta.url).pathname;

/** Far more than all cases of one run take; a hang takes for ever. */
const HANGS_AFTER_MS = 120_000;

/** The unprivileged user, and its group. */
export const NOBODY = 65_534;

/** Options of {@linkcode runCases}. */
export interface RunCasesOptions {
  /** Whether as the unprivileged user. */
  asNobody: boolean;
  /**
   * Variables of the process.
   *
   * @default {{}}
   */
  env?: Record<string, string>;
}

/** Runs a program to its end; gives what it prints. */
export function run(...[program, ...args]: string[]): string {
  const { success, stdout, stderr } = new Deno.Command(program, { args }).outputSync();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
  return new TextDecoder().decode(stdout);
}

/** Whether a program is on PATH; what is not tried is said. */
export function isInstalled(program: string): boolean {
  try {
    return new Deno.Command(program, { args: ["--version"] }).outputSync().success;
  } catch {
    console.warn(`${program} is not on PATH: what needs it was not tried`);
    return false;
  }
}

/** Writes the program into a folder. */
export function bundleProgram(folder: TempFolder): void {
  run(Deno.execPath(), "bundle", "--quiet", PROGRAM, "-o", folder.file("program.mjs"));
  Deno.chmodSync(folder.path, 0o755);
}

/** Runs all cases in one process, and gives the outcomes by name; a case that hangs is named. */
export async function runCases(
  command: readonly string[],
  cases: readonly Case[],
  folder: TempFolder,
  { asNobody, env = {} }: RunCasesOptions,
): Promise<Map<string, Outcome[]>> {
  const list = cases.map(({ name, root, commands }) => ({ name, root, commands }));
  Deno.writeTextFileSync(folder.file("cases.json"), JSON.stringify(list));
  const as = asNobody
    ? ["setpriv", `--reuid=${NOBODY}`, `--regid=${NOBODY}`, "--clear-groups"]
    : [];
  const [program, ...args] = [
    ...as,
    ...command,
    folder.file("program.mjs"),
    folder.file("cases.json"),
  ];
  const base = { PATH: Deno.env.get("PATH")!, HOME: folder.path, DENO_DIR: folder.file("deno") };
  const child = new Deno.Command(program, {
    args,
    clearEnv: true,
    env: { ...base, NO_COLOR: "1", ...env },
    cwd: folder.path,
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const timer = setTimeout(() => child.kill("SIGKILL"), HANGS_AFTER_MS);
  const { code, stdout, stderr } = await child.output();
  clearTimeout(timer);
  const lines = new TextDecoder().decode(stdout).split("\n").slice(0, -1);
  const outcomes: Outcome[] = lines.map((line) => JSON.parse(line));
  const last = outcomes.at(-1);
  const error = new TextDecoder().decode(stderr);
  assertEquals([code, last?.code === "BEGUN" ? last : undefined], [0, undefined], error);
  return Map.groupBy(outcomes.filter(({ code }) => code !== "BEGUN"), ({ name }) => name);
}
