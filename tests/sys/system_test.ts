/**
 * What the operating system promises, here by Deno's version of the `node:` modules.
 *
 * @module
 */

import process from "node:process";
import { assert, assertEquals } from "@std/assert";
import { hasCode } from "../../lib/base/errors.ts";
import { type RunOptions, sys, type System } from "../../lib/sys/mod.ts";
import { nodeSystem } from "../../lib/sys/node.ts";
import { Pty, terminalTest } from "../pty.ts";
import { environment } from "../temp_workspace.ts";

/** Files that stay open are of two kinds. */
const SYSTEMS: Record<string, System> = { sys, nodeSystem: nodeSystem({ isDeno: false }) };

const RUN: RunOptions = {
  cwd: "/",
  env: { PATH: Deno.env.get("PATH") ?? "" },
  stdin: "",
  timeoutMs: 20_000,
  maxOutputBytes: 1_000,
};

/** The system's error, such as `ENOENT`, that an action is refused with. */
function errnoOf(action: () => unknown): string | undefined {
  try {
    action();
  } catch (error) {
    if (hasCode(error, "IO_ERROR")) return error.details.errno;
    throw error;
  }
}

function later(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** A folder that is removed at the end of the block that is `using` it. */
function temporary(): Disposable & { path: string } {
  const path = sys.makeTempDir("agentx-sys-");
  return { path, [Symbol.dispose]: () => Deno.removeSync(path, { recursive: true }) };
}

/** Refuses to kill until its end, as the kernel does where the program runs as another user. */
function refusingKills(): Disposable & { end(): void } {
  const refuse = (): never => {
    throw Object.assign(new Error("Operation not permitted"), { code: "EPERM" });
  };
  const { kill } = process;
  const end = () => {
    process.kill = kill;
  };
  process.kill = refuse;
  return { end, [Symbol.dispose]: end };
}

const MODULE = JSON.stringify(new URL("../../lib/sys/mod.ts", import.meta.url).href);

Deno.test(`sys says what is missing by a value, not by an error`, () => {
  using folder = temporary();
  const path = `${folder.path}/none`;
  const found = [sys.readTextFile(path), sys.openFile(path), sys.lstat(path), sys.realPath(path)];
  assertEquals(found, [undefined, undefined, undefined, undefined]);
  assertEquals([sys.removeFile(path), sys.readDir(path)], [false, []]);
});

terminalTest(
  `sys.readKey() waits for no Enter, and readLine() goes on after it`,
  async () => {
    const code = `import { sys } from ${MODULE};
    for (let turn = 0; turn < 2; turn++) {
      const { key } = sys.readKey();
      console.log("ready " + turn);
      console.log("key " + await key);
      console.log("line " + await sys.readLine());
    }
    const { key, stop } = sys.readKey();
    stop();
    Deno.exit(0);`;
    const args = ["eval", "--no-check", "--ext=ts", code];
    await using pty = new Pty([Deno.execPath(), ...args], { cwd: ".", env: environment() });
    for (const [turn, line] of ["a line", ""].entries()) {
      await pty.shows(`ready ${turn}`);
      await pty.type(String(turn));
      await pty.shows(`key ${turn}`);
      await pty.type(`${line}\n`);
      await pty.shows(turn === 0 ? "line a line" : /line \r?\n/);
    }
    assertEquals(await pty.ended(), 0);
  },
);

for (const [input, line] of [["y\nrest\n", "y"], ["yes", "yes"], ["", ""], ["\ny\n", ""]]) {
  Deno.test(`sys.readLine() reads ${JSON.stringify(line)} of ${JSON.stringify(input)}`, async () => {
    const code = `import { sys } from ${MODULE};
      console.log(JSON.stringify(await sys.readLine()));`;
    const args = ["eval", "--no-check", "--ext=ts", code];
    const options = { args, stdin: "piped", stdout: "piped", stderr: "inherit" } as const;
    const child = new Deno.Command(Deno.execPath(), options).spawn();
    const writer = child.stdin.getWriter();
    await writer.write(new TextEncoder().encode(input));
    if (input.includes("\n")) {
      const reader = child.stdout.getReader(); // while standard input is still open
      const { value } = await reader.read();
      assertEquals(JSON.parse(new TextDecoder().decode(value)), line);
      reader.releaseLock();
      await writer.close();
      await child.stdout.cancel();
    } else {
      await writer.close();
      assertEquals(JSON.parse(await new Response(child.stdout).text()), line);
    }
    await child.status;
  });
}

Deno.test(`sys gives a file and a folder the mode that is asked for`, () => {
  using folder = temporary();
  sys.makeDir(`${folder.path}/a`, 0o700);
  sys.writeNewFile(`${folder.path}/a/b`, "", { fsync: false, mode: 0o600 });
  const modes = ["a", "a/b"].map((path) => Deno.statSync(`${folder.path}/${path}`).mode! & 0o777);
  assertEquals(modes, [0o700, 0o600]);
});

Deno.test(`sys.wait() ends early with what its signal says`, async () => {
  await sys.wait(1);
  const reason = new Error("stopped");
  const stopped = await sys.wait(600_000, AbortSignal.abort(reason)).catch((error) => error);
  assertEquals(stopped, reason);
});

for (const [name, sys] of Object.entries(SYSTEMS)) {
  Deno.test(`${name}.createFile() creates a file for one`, () => {
    using folder = temporary();
    const path = `${folder.path}/a`;
    const file = sys.createFile(path);
    assertEquals([file !== undefined, sys.createFile(path)], [true, undefined]);
    file?.close();
  });

  Deno.test(`${name}.createFile() does not follow a symlink`, () => {
    using folder = temporary();
    Deno.symlinkSync(`${folder.path}/target`, `${folder.path}/a`);
    assertEquals(sys.createFile(`${folder.path}/a`), undefined);
    assertEquals(sys.readDir(folder.path), ["a"]);
  });

  Deno.test(`${name} open files are filled, read again, written into and appended to`, () => {
    using folder = temporary();
    const file = sys.createFile(`${folder.path}/a`);
    assert(file);
    assertEquals(file.fill("h\u00e9llo"), 6);
    assertEquals(file.read(100), "h\u00e9llo");
    file.writeAt("J", 0);
    file.writeAt("\n", "end");
    assertEquals([file.read(100), file.read(1)], ["J\u00e9llo\n", "J"]);
    file.writeAt("more", "end");
    file.truncate(7);
    file.sync();
    file.close();
    assertEquals(sys.readTextFile(`${folder.path}/a`), "J\u00e9llo\n");
  });

  Deno.test(`${name} open files know that their name is gone, or another's`, () => {
    using folder = temporary();
    const [a, b] = [`${folder.path}/a`, `${folder.path}/b`];
    const file = sys.createFile(a);
    assert(file);
    assertEquals([file.info().id, file.info().links], [sys.lstat(a)?.id, 1]);
    sys.writeNewFile(b, "", { fsync: false });
    sys.rename(b, a);
    assertEquals(file.info().links, 0);
    assert(file.info().id !== sys.lstat(a)?.id);
    file.close();
  });
}

Deno.test(`sys.lstat() tells files, folders, symlinks and others apart`, () => {
  using folder = temporary();
  sys.writeNewFile(`${folder.path}/file`, "12", { fsync: false });
  sys.makeDir(`${folder.path}/folder/deep`);
  Deno.symlinkSync(`${folder.path}/file`, `${folder.path}/link`);
  const kindOf = (path: string) => sys.lstat(path)?.kind;
  assertEquals(
    sys.readDir(folder.path).map((name) => kindOf(`${folder.path}/${name}`)),
    [
      "file",
      "folder",
      "link",
    ].map((name) => ({ file: "file", folder: "directory", link: "symlink" })[name]),
  );
  assertEquals([kindOf("/dev/null"), sys.lstat(`${folder.path}/file`)?.size], ["device", 2]);
});

Deno.test(`sys.writeNewFile() refuses to overwrite`, () => {
  using folder = temporary();
  const path = `${folder.path}/a`;
  sys.writeNewFile(path, "1", { fsync: true });
  assertEquals(errnoOf(() => sys.writeNewFile(path, "2", { fsync: true })), "EEXIST");
  assertEquals(sys.readTextFile(path), "1");
});

Deno.test(`sys.appendTextFile() creates and appends`, () => {
  using folder = temporary();
  const path = `${folder.path}/a`;
  sys.appendTextFile(path, "1\n");
  sys.appendTextFile(path, "2\n");
  assertEquals(sys.readTextFile(path), "1\n2\n");
});

Deno.test(`sys names the system's error`, () => {
  using folder = temporary();
  const path = `${folder.path}/none/a`;
  assertEquals(errnoOf(() => sys.createFile(path)), "ENOENT");
  assertEquals(errnoOf(() => sys.rename(path, folder.path)), "ENOENT");
  assertEquals(errnoOf(() => sys.readTextFile(folder.path)), "EISDIR");
  assertEquals(errnoOf(() => sys.openFile(folder.path)), "EISDIR");
  assertEquals(errnoOf(() => sys.appendTextFile(folder.path, "")), "EISDIR");
  assertEquals(errnoOf(() => sys.lstat(`${path}\0`)), "EINVAL");
});

Deno.test({
  name: `sys.processStart() tells processes apart, and knows which have ended`,
  ignore: Deno.build.os !== "linux",
  async fn() {
    const [child, ended] = [["sleep", "60"], ["true"]].map(([program, ...args]) =>
      new Deno.Command(program, { args }).spawn()
    );
    await ended.status;
    const starts = [Deno.pid, child.pid].map(sys.processStart);
    assert(starts.every((start) => typeof start === "string"), String(starts));
    assertEquals(sys.processSpace()?.start, starts[0]);
    for (const pid of [ended.pid, 0, -1, 2 ** 31, 2 ** 40]) {
      assertEquals(sys.processStart(pid), null, String(pid));
    }
    child.kill();
    await child.status;
  },
});

Deno.test(`sys.every() calls until it is stopped`, async () => {
  let calls = 0;
  const stop = sys.every(1, () => void (++calls === 3 && stop()));
  while (calls < 3) await later(2);
  await later(10);
  assertEquals(calls, 3);
});

Deno.test(`sys.run() gives input, output and exit code`, async () => {
  const script = 'cat; echo "$ONLY$HOME" >&2; exit 3';
  const env = { ...RUN.env, ONLY: "this" };
  const result = await sys.run(["sh", "-c", script], { ...RUN, stdin: "in", env });
  const printed = { stdout: "in", stderr: "this\n" };
  assertEquals(result, { outcome: "exited", exitCode: 3, ...printed, unkilled: null });
});

Deno.test(`sys.run() passes on the path of this runtime among the arguments, and adds none`, async () => {
  for (
    const words of [["--bind", sys.execPath, sys.execPath], ["--", sys.execPath, "run", "a.ts"]]
  ) {
    const { stdout } = await sys.run(["printf", "%s\\n", ...words], RUN);
    const said = stdout.trim().split("\n").map((word) =>
      word.startsWith("/") ? sys.realPath(word) : word
    );
    assertEquals(said, words);
  }
});

Deno.test(`sys.run() says that there is no such program`, async () => {
  assertEquals((await sys.run(["agentx-no-such-program"], RUN)).outcome, "not-found");
});

Deno.test(`sys.run() ends a program with all that it started when its time is up`, async () => {
  using folder = temporary();
  const script = `(sleep 0.6; touch ${folder.path}/survived) & sleep 20`;
  const { outcome, exitCode } = await sys.run(["sh", "-c", script], { ...RUN, timeoutMs: 100 });
  assertEquals([outcome, exitCode], ["timeout", null]);
  await later(800);
  assertEquals(sys.readDir(folder.path), []);
});

Deno.test(`sys.run() ends a program that says too much`, async () => {
  const { outcome, stdout } = await sys.run(["sh", "-c", "yes"], RUN);
  assertEquals([outcome, stdout.length <= RUN.maxOutputBytes], ["output-limit", true]);
});

Deno.test(`sys.run() keeps the last part of what a program complains about`, async () => {
  const script = "i=0; while [ $i -lt 999 ]; do echo line $i >&2; i=$((i + 1)); done; echo good";
  const { outcome, exitCode, stdout, stderr } = await sys.run(["sh", "-c", script], RUN);
  assertEquals([outcome, exitCode, stdout], ["exited", 0, "good\n"]);
  assertEquals([stderr.length, stderr.endsWith("line 998\n")], [RUN.maxOutputBytes, true]);
});

Deno.test({
  name: `sys.run() returns where a program may not be killed, and names it`,
  sanitizeOps: false, // the program is awaited by nobody
  sanitizeResources: false,
  async fn() {
    using refused = refusingKills();
    const { outcome, exitCode, unkilled, stdout } = await sys.run(
      ["sh", "-c", "echo begun; exec sleep 60"],
      { ...RUN, timeoutMs: 100 },
    );
    refused.end();
    assertEquals([outcome, exitCode, stdout], ["timeout", null, "begun\n"]);
    assertEquals(unkilled !== null && typeof sys.processStart(unkilled), "string");
    Deno.kill(unkilled!, "SIGKILL");
  },
});

Deno.test(`sys.run() ends a program when it is told to`, async () => {
  const signal = AbortSignal.timeout(50);
  assertEquals((await sys.run(["sleep", "20"], { ...RUN, signal })).outcome, "aborted");
  assertEquals((await sys.run(["sleep", "20"], { ...RUN, signal })).outcome, "aborted");
});

Deno.test(`sys.run() gives no input to a program that may not go on`, async () => {
  using folder = temporary();
  const script = `read -r go && touch ${folder.path}/went`;
  let pid = 0;
  const onStart = (started: number) => {
    pid = started;
    throw new TypeError("full");
  };
  const run = { ...RUN, stdin: "go\n", onStart };
  const failure = await sys.run(["sh", "-c", script], run).catch((error) => error.message);
  assertEquals(failure, "full");
  await later(50);
  assertEquals([sys.processStart(pid), sys.readDir(folder.path)], [null, []]);
});

Deno.test(`sys.killGroup() ends a program with what it has started`, async () => {
  const run = { ...RUN, onStart: (pid: number) => void setTimeout(() => sys.killGroup(pid), 50) };
  const { outcome, exitCode } = await sys.run(["sh", "-c", "sleep 20 & wait"], run);
  assertEquals([outcome, exitCode !== 0], ["exited", true]);
  sys.killGroup(2 ** 22 + 1); // there is none
});

Deno.test(`sys.run() does not mind a program that leaves its input unread`, async () => {
  const result = await sys.run(["true"], { ...RUN, stdin: "x".repeat(1 << 20) });
  assertEquals([result.outcome, result.exitCode], ["exited", 0]);
});

Deno.test(`sys.run() does not wait for a grandchild that keeps the output open`, async () => {
  const startMs = performance.now();
  const result = await sys.run(["sh", "-c", "sleep 20 & echo done"], RUN);
  assertEquals([result.outcome, result.stdout], ["exited", "done\n"]);
  assert(performance.now() - startMs < 10_000);
});

Deno.test("sys.run() kills the program alone where Deno may not signal its group", async () => {
  const { kill } = process;
  process.kill = () => {
    throw new Deno.errors.NotCapable(
      'Requires run access to "kill", run again with the --allow-run flag',
    );
  };
  try {
    const { outcome, unkilled } = await sys.run(["sleep", "60"], { ...RUN, timeoutMs: 100 });
    assertEquals([outcome, unkilled], ["timeout", null]);
  } finally {
    process.kill = kill;
  }
});

Deno.test("sys kernel locks exclude, and end with the file", () => {
  using folder = temporary();
  const path = `${folder.path}/a`;
  const [first, second] = [sys.createFile(path), sys.openFile(path)];
  assert(first && second);
  assertEquals([first.tryLock(), second.tryLock()], [true, false]);
  first.close();
  assertEquals(second.tryLock(), true);
  second.close();
});
