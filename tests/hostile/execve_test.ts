/**
 * Which programs the listings and the hooks start in a hostile clone, as the kernel saw it. Where
 * `strace` is missing or may not trace, `sys.run` is the witness: it starts every program there is.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { main } from "../../cli.ts";
import { sys } from "../../lib/sys/mod.ts";
import { FakeIo } from "../cli/fake_io.ts";
import { replace } from "../lock/faults.ts";
import { STATE_CLONES } from "./state_clones.ts";
import { removeFolder } from "../remove_folder.ts";

const CLI = new URL("../../cli.ts", import.meta.url).pathname;

const COMMANDS = [
  "clarify",
  "ready",
  "hook start engineer 1",
  "hook finish engineer 1",
  "state",
  "doctor",
  "doctor --fix",
  "issue list",
];

const HAS_STRACE = await canTrace();

async function canTrace(): Promise<boolean> {
  try {
    return (await new Deno.Command("strace", { args: ["-f", "true"] }).output()).success;
  } catch {
    return false; // there is no such program
  }
}

/** Each path that a program of Deno, which prints something, and its children tried to execute. */
async function traced(folder: string, ...program: string[]): Promise<string[]> {
  const log = `${folder}/strace`;
  const argv = [Deno.execPath(), "run", "-A", "--quiet", "--no-check", ...program];
  const { stdout } = await new Deno.Command("strace", {
    args: ["-f", "-qq", "-e", "trace=execve,execveat", "-o", log, ...argv],
  }).output();
  assert(stdout.length > 0);
  const calls = Deno.readTextFileSync(log).matchAll(/execve(?:at)?\([^"]*"([^"]*)"/g);
  const [own, ...others] = Array.from(calls, ([, path]) => path);
  assertEquals(own, Deno.execPath());
  return others;
}

/** Each program that `sys.run` is asked for. */
async function recorded(run: () => Promise<unknown>): Promise<string[]> {
  const paths: string[] = [];
  using _ = replace("run", (real) => (argv, options) => {
    paths.push(argv[0]);
    return real(argv, options);
  });
  await run();
  return paths;
}

/** Runs a test in the first clone of the corpus, whose agents are the beacon. */
async function inClone(
  test: (clone: { root: string; outside: string; beacon: string }) => Promise<void>,
): Promise<void> {
  const outside = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "agentx-test-" }));
  const beacon = `${outside}/beacon`;
  const root = `${outside}/clone`;
  try {
    Deno.writeTextFileSync(beacon, "#!/bin/sh\necho answer\n");
    Deno.chmodSync(beacon, 0o755);
    Deno.mkdirSync(root);
    STATE_CLONES[0].build(root, beacon);
    await test({ root, outside, beacon });
  } finally {
    removeFolder(outside);
  }
}

for (const words of COMMANDS) {
  Deno.test(`agentx ${words} starts nothing but git to mend in a hostile clone`, () =>
    inClone(async ({ root, outside }) => {
      const argv = ["--root", root, ...words.split(" ")];
      const started = HAS_STRACE
        ? await traced(outside, CLI, ...argv)
        : await recorded(() => main(argv, new FakeIo()));
      const isGits = (path: string) => words === "doctor --fix" && path.endsWith("/git");
      assertEquals(started.filter((path) => !isGits(path)), []);
    }));
}

Deno.test("the witness sees a program that is started", () =>
  inClone(async ({ outside, beacon }) => {
    const program = `${outside}/start.ts`;
    Deno.writeTextFileSync(program, "console.log(await new Deno.Command(Deno.args[0]).output());");
    const options = { cwd: outside, env: {}, stdin: "", timeoutMs: 9_000, maxOutputBytes: 9_000 };
    const started = HAS_STRACE
      ? await traced(outside, program, beacon)
      : await recorded(() => sys.run([beacon], options));
    assert(started.includes(beacon), `${started}`);
  }));
