import { assert, assertEquals } from "@std/assert";
import { ended, TempWorkspace } from "../temp_workspace.ts";

const CAPTURE = ["memory", "capture", "--agent", "engineer", "--issue", "42", "--from"];

function makePipe(path: string): void {
  new Deno.Command("mkfifo", { args: [path] }).outputSync();
}

Deno.test("A named pipe for a recording is refused at once, and standard input named", async () => {
  using temp = new TempWorkspace();
  makePipe(`${temp.root}/pipe`);
  const { code, err } = await ended(temp.spawn([...CAPTURE, "pipe"]));
  assertEquals(code, 1);
  assert(err.includes('Cannot read "pipe": it is a pipe'), err);
  assert(err.includes("give - for standard input"), err);
});

Deno.test("hook finish is not held up by a named pipe for a recording", async () => {
  using temp = new TempWorkspace();
  makePipe(`${temp.root}/pipe`);
  const argv = ["hook", "finish", "engineer", "42", "--transcript", "pipe"];
  const { code, err } = await ended(temp.spawn(argv));
  assertEquals(code, 1);
  assert(err.includes("it is a pipe"), err);
});

Deno.test("A link to a recording is followed: what the user names is the user's own", async () => {
  using temp = new TempWorkspace();
  temp.write("session.md", "User: hello\n\nAssistant: We decided to use SQLite for the cache.\n");
  Deno.symlinkSync("session.md", `${temp.root}/link.md`);
  const { code, err } = await temp.run([...CAPTURE, `${temp.root}/link.md`]);
  assertEquals([code, err.includes("Cannot")], [0, false], err);
});

Deno.test("Standard input without end is refused", async () => {
  using temp = new TempWorkspace();
  const child = new Deno.Command("sh", {
    args: ["-c", `exec "$@" </dev/zero`, "sh", Deno.execPath(), "run", "-A", "--quiet"]
      .concat(new URL("../../cli.ts", import.meta.url).pathname, ...CAPTURE, "-", "--json"),
    cwd: temp.root,
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const { code, err } = await ended(child);
  assertEquals([code, JSON.parse(err).error.details.errno], [1, "EFBIG"]);
});

for (const signal of ["SIGTERM", "SIGINT"] as const) {
  Deno.test(`${signal} ends a command while it waits for standard input`, async () => {
    using temp = new TempWorkspace();
    makePipe(`${temp.root}/pipe`);
    const child = new Deno.Command("sh", {
      args: ["-c", `exec "$@" <pipe`, "sh", Deno.execPath(), "run", "-A", "--quiet"]
        .concat(new URL("../../cli.ts", import.meta.url).pathname, ...CAPTURE, "-"),
      cwd: temp.root,
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    using pipe = await Deno.open(`${temp.root}/pipe`, { write: true });
    // Far more than a pipe holds: once all of it is gone, the command is at its reading.
    const text = new TextEncoder().encode("User: hello\n".repeat(100_000));
    for (let rest = text; rest.length > 0;) rest = rest.subarray(await pipe.write(rest));
    child.kill(signal);
    const { code, err } = await ended(child);
    assertEquals([code, err.includes(`stopped by ${signal}`)], [130, true], err);
  });
}
