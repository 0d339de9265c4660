// Runs the tests in several processes side by side: tests share the environment of their process, and most
// of their time is waiting. Types are checked by `deno task static`.
//
// Without arguments all run but the tests of a release; `--release` runs those, `--stress` those that
// have more to do under `AGENTX_STRESS=full`; paths run what is below them. A test that hangs is ended
// and named.

import { walkSync } from "@std/fs/walk";

/**
 * Tests that need other programs, or a build: real hosts, the npm package, the binary, other
 * runtimes.
 */
const RELEASE = [
  "tests/board/browser_test.ts",
  "tests/commands/plugin/libreoffice_test.ts",
  "tests/compile_test.ts",
  "tests/hooks/guard_real_hosts_test.ts",
  "tests/hooks/real_hosts_test.ts",
  "tests/hooks/woken_hosts_test.ts",
  "tests/hosts/",
  "tests/hostile/runtimes_test.ts",
  "tests/hostile_files/",
  "tests/lock/runtimes_test.ts",
  "tests/mcp/inspector_test.ts",
  "tests/npm_test.ts",
  "tests/remote/release/",
  "tests/runtimes_test.ts",
  "tests/setup/plugin_test.ts",
  "tests/setup/real_hosts_test.ts",
  "tests/together/",
  "tests/upgrade_test.ts",
  "tests/vscode/release/",
];

/** Tests wait more than they compute. */
const PROCESSES = navigator.hardwareConcurrency + 1;

/** Files for one process: few, so that all processes end at about the same time. */
const FILES_AT_ONCE = 6;

const isStress = Deno.args.includes("--stress");

/** How long one test may run, and how long one file. */
const MAX_TEST_MS = isStress ? 3_600_000 : 180_000;
const MAX_FILE_MS = 3 * MAX_TEST_MS;

const COMMAND = ["test", "-A", "--no-check", "--sanitize-ops", "--sanitize-resources"];

const running = new Set<Deno.ChildProcess>();
const failures: string[] = [];
const counts = { passed: 0, failed: 0, ignored: 0 };

const beganMs = Date.now();
const queue = chosenFiles();
if (queue.length === 0) throw new RangeError(`No tests are below ${Deno.args.join(", ")}`);
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  Deno.addSignalListener(signal, () => {
    for (const child of running) end(child);
    Deno.exit(130);
  });
}
await Promise.all(Array.from({ length: PROCESSES }, async () => {
  while (queue.length > 0) {
    const files = queue.splice(0, Math.min(FILES_AT_ONCE, Math.ceil(queue.length / PROCESSES)));
    queue.push(...await run(files));
  }
}));
for (const failure of failures) console.log(`\n${failure}`);
const { passed, failed, ignored } = counts;
const seconds = Math.round((Date.now() - beganMs) / 1_000);
const result = failed === 0 ? "ok" : "FAILED";
console.log(
  `\n${result} | ${passed} passed | ${failed} failed | ${ignored} ignored (${seconds}s)`,
);
Deno.exit(failed === 0 ? 0 : 1);

/** Large files first: they take longer. */
function chosenFiles(): string[] {
  const below = Deno.args.filter((word) => !word.startsWith("--"));
  const isIn = (file: string, paths: readonly string[]) =>
    paths.some((path) => file.startsWith(path.replace(/^\.\//, "")));
  const files = Array.from(walkSync("tests"), ({ path }) => path)
    .filter((file) => file.endsWith("_test.ts"))
    .filter((file) => {
      if (below.length > 0) return isIn(file, below);
      if (isStress) return Deno.readTextFileSync(file).includes('often.ts"');
      return isIn(file, RELEASE) === Deno.args.includes("--release");
    });
  const sizes = new Map(files.map((file) => [file, Deno.statSync(file).size]));
  return files.sort((a, b) => sizes.get(b)! - sizes.get(a)!);
}

/** Gives back the files that come after one that hangs. */
async function run(files: readonly string[]): Promise<string[]> {
  const child = new Deno.Command(Deno.execPath(), {
    args: [...COMMAND, ...files],
    env: { NO_COLOR: "1", ...isStress && { AGENTX_STRESS: "full" } },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
    detached: true, // with all that its tests start, it can be ended
  }).spawn();
  running.add(child);
  let text = "";
  const read = async (stream: ReadableStream<Uint8Array>) => {
    for await (const chunk of stream.pipeThrough(new TextDecoderStream())) text += chunk;
  };
  const ended = new AbortController();
  const hung = watch(child, () => text, ended.signal);
  await Promise.all([read(child.stdout), read(child.stderr)]);
  const { success } = await child.status;
  ended.abort();
  running.delete(child);
  const why = hung();
  count(text, success);
  console.log(`${success ? "ok" : "FAILED"} ${files.join(" ")}`);
  if (!success) {
    const errors = text.indexOf("\n ERRORS ");
    const said = errors < 0 ? text.slice(-2_000) : text.slice(errors);
    failures.push(`${why ?? `FAILED ${files.join(" ")}`}\n${said.trim()}`);
  }
  const seen = filesIn(text);
  return why === undefined ? [] : files.filter((file) => seen.length > 0 && !seen.includes(file));
}

/** Ends a process that prints nothing for too long; the function that it returns names the test. */
function watch(
  child: Deno.ChildProcess,
  said: () => string,
  signal: AbortSignal,
): () => string | undefined {
  let why: string | undefined;
  let [file, fileMs, length, testMs] = [0, Date.now(), 0, Date.now()];
  const timer = setInterval(() => {
    const [text, nowMs] = [said(), Date.now()];
    const files = filesIn(text);
    if (files.length > file) [file, fileMs] = [files.length, nowMs];
    if (text.length > length) [length, testMs] = [text.length, nowMs];
    if (nowMs - fileMs <= MAX_FILE_MS && nowMs - testMs <= MAX_TEST_MS) return;
    why ??= `HANGS ${files.at(-1) ?? "before the first test"}: ${text.split("\n").at(-1)}`;
    end(child);
  }, 1_000);
  signal.addEventListener("abort", () => clearInterval(timer));
  return () => why;
}

function filesIn(text: string): string[] {
  return Array.from(text.matchAll(/^running \d+ tests? from \.\/(.+)$/gm), ([, file]) => file);
}

/** A process that was ended prints no total. */
function count(text: string, success: boolean): void {
  const total = /^(?:ok|FAILED) \| (\d+) passed.*? \| (\d+) failed(?:.*? \| (\d+) ignored)?/m
    .exec(text);
  counts.passed += Number(total?.[1] ?? text.match(/^\S.* \.\.\. ok \(/gm)?.length ?? 0);
  counts.failed += Math.max(Number(total?.[2] ?? 0), success ? 0 : 1);
  counts.ignored += Number(total?.[3] ?? 0);
}

/** And what it has started. */
function end({ pid }: Deno.ChildProcess): void {
  try {
    Deno.kill(-pid, "SIGKILL");
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}
