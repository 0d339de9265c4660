/**
 * Runs a command line in a process that kills itself at some point, or is killed after some time.
 *
 * @module
 */

import { signal } from "../temp_workspace.ts";

const SCRIPT = new URL("killed_command.ts", import.meta.url).pathname;

/** Before or after which change of what, and of which number, it is killed: see `killed_command.ts`. */
export type Point = readonly [when: "before" | "after", what: string, number: number];

/** What is run. */
export interface KilledRun {
  words: readonly string[];
  /**
   * What it reads.
   *
   * @default {""}
   */
  stdin?: string;
  /**
   * Its variables, besides those of this process.
   *
   * @default {{}}
   */
  env?: Record<string, string>;
  /**
   * It is killed so long after it was begun, in milliseconds.
   *
   * @default {only at its point}
   */
  afterMs?: number;
}

/**
 * @param cwd where it runs
 * @param point at which it kills itself
 * @param run what is run
 * @returns whether it was killed before it ended by itself, and what it had printed by then
 */
export async function runKilled(
  cwd: string,
  point: Point,
  { words, stdin = "", env = {}, afterMs }: KilledRun,
): Promise<{ isKilled: boolean; out: string; err: string }> {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--quiet", "--no-check", SCRIPT, ...point.map(String), ...words],
    cwd,
    env,
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  Deno.writeTextFileSync(`${cwd}/victim`, String(child.pid));
  const timer = afterMs === undefined
    ? undefined
    : setTimeout(() => signal(child, "SIGKILL"), afterMs);
  const writer = child.stdin.getWriter();
  // It may be killed before it reads.
  await writer.write(new TextEncoder().encode(stdin)).then(() => writer.close()).catch(() => {});
  const { signal: by, stdout, stderr } = await child.output();
  clearTimeout(timer);
  const [out, err] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  return { isKilled: by === "SIGKILL", out, err };
}
