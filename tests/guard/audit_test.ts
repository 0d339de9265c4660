import { assert, assertEquals } from "@std/assert";
import { type AuditEntry, AuditLog } from "../../lib/guard/audit.ts";
import { FileLockManager } from "../../lib/lock/mod.ts";
import { TempWorkspace } from "../temp_workspace.ts";

const ENTRY: Omit<AuditEntry, "time"> = {
  agent: "engineer",
  issue: 42,
  command: "git status",
  verdict: "allow",
  rule: "git-look",
  by: "rules",
  exitCode: 0,
  durationMs: 12,
};

function logIn({ root }: TempWorkspace): AuditLog {
  return new AuditLog(`${root}/.agentx`, new FileLockManager());
}

const PATH = ".agentx/state/audit/s1.jsonl";

Deno.test("AuditLog.add() keeps what was decided, without its secrets", async () => {
  using workspace = new TempWorkspace();
  const log = logIn(workspace);
  const token = `ghp_${"a1B2c3D4e5F6g7H8i9".repeat(2)}`;
  const command = `curl -H "Authorization: Bearer ${token}" x`;
  for (let at = 0; at < 2; at++) {
    await log.add("s1", { ...ENTRY, command, exitCode: null });
    await log.end("s1", command, { exitCode: at, durationMs: 1 });
  }
  assertEquals(log.read().map(({ exitCode }) => exitCode), [0, 1]);
  assert(!workspace.read(PATH).includes(token));
});

Deno.test("AuditLog.verify() finds every single byte that was changed", async () => {
  using workspace = new TempWorkspace();
  const log = logIn(workspace);
  for (let at = 0; at < 3; at++) await log.add("s1", ENTRY);
  assertEquals(await log.verify(), []);
  for (const path of [PATH, PATH.replace("jsonl", "head")]) {
    const full = `${workspace.root}/${path}`;
    const bytes = Deno.readFileSync(full);
    for (let at = 0; at < bytes.length; at++) {
      const changed = bytes.slice();
      changed[at] ^= 1;
      Deno.writeFileSync(full, changed);
      assert((await log.verify()).length > 0, `byte ${at} of ${path}`);
    }
    Deno.writeFileSync(full, bytes);
  }
  assertEquals(await log.verify(), []);
});

Deno.test("AuditLog.verify() finds a line that is missing, moved, or cut off at the end", async () => {
  using workspace = new TempWorkspace();
  const log = logIn(workspace);
  for (let at = 0; at < 4; at++) await log.add("s1", ENTRY);
  const lines = workspace.read(PATH).trimEnd().split("\n");
  const [a, b, c, d] = lines;
  for (const wrong of [[a, c, d], [a, c, b, d], [b, c, d], [a, b, c], [a, b, b, c, d], []]) {
    workspace.write(PATH, wrong.map((line) => `${line}\n`).join(""));
    assertEquals((await log.verify()).length, 1, String(wrong.length));
    await log.add("s1", ENTRY); // what follows hides nothing
    assertEquals((await log.verify()).length, 1, String(wrong.length));
    workspace.write(PATH, lines.map((line) => `${line}\n`).join(""));
    workspace.write(PATH.replace("jsonl", "head"), `000000004 ${JSON.parse(d).hash}\n`);
  }
});

Deno.test("AuditLog: a line that was cut off by a kill is not there, and the record is whole", async () => {
  using workspace = new TempWorkspace();
  const log = logIn(workspace);
  await log.add("s1", ENTRY);
  workspace.write(PATH, `${workspace.read(PATH)}{"seq":2,"pr`);
  assertEquals(await log.verify(), []);
  await log.add("s1", ENTRY);
  assertEquals(await log.verify(), []);
  assertEquals(log.read().map(({ seq }) => seq), [1, 2]);
});

Deno.test("AuditLog is kept in files of a bounded size, which are checked together", async () => {
  using workspace = new TempWorkspace();
  const log = logIn(workspace);
  const big = { ...ENTRY, command: "echo ".padEnd(2_000, "x ") };
  for (let at = 0; at < 520; at++) await log.add("s1", big);
  assertEquals(await log.verify(), []);
  assertEquals(log.read().length, 520);
  const names = [...Deno.readDirSync(`${workspace.root}/.agentx/state/audit`)];
  assertEquals(names.filter(({ name }) => name.endsWith(".jsonl")).length, 2);
});

/** What a rotation leaves: the file of a session under another name. */
function rotate({ root }: TempWorkspace, seq: number): string {
  const old = `${root}/${PATH.replace("jsonl", `${String(seq).padStart(9, "0")}.jsonl`)}`;
  Deno.renameSync(`${root}/${PATH}`, old);
  return old;
}

Deno.test("AuditLog keeps all files of a session that still writes, and none of one that ended long ago", async () => {
  using workspace = new TempWorkspace();
  const log = logIn(workspace);
  await log.add("s1", ENTRY);
  const old = rotate(workspace, 1);
  const longAgo = new Date(Date.now() - 100 * 86_400_000);
  Deno.utimeSync(old, longAgo, longAgo);
  await log.add("s1", ENTRY);
  await log.add("s2", ENTRY); // a new session looks for what is too old
  assertEquals(await log.verify(), []);
  assertEquals(log.read().length, 3);
  for (
    const path of [
      old,
      ...[PATH, PATH.replace("jsonl", "head")].map((each) => `${workspace.root}/${each}`),
    ]
  ) {
    Deno.utimeSync(path, longAgo, longAgo);
  }
  await log.add("s3", ENTRY);
  assertEquals(await log.verify(), []);
  assertEquals(log.read().map(({ writer }) => writer), ["s2", "s3"]);
});

Deno.test("AuditLog.verify() finds that the oldest file of a session is missing", async () => {
  using workspace = new TempWorkspace();
  const log = logIn(workspace);
  const files: string[] = [];
  for (let at = 1; at <= 9; at++) {
    await log.add("s1", ENTRY);
    files.push(rotate(workspace, at));
  }
  await log.add("s1", ENTRY);
  assertEquals(await log.verify(), []);
  Deno.removeSync(files[0]);
  assertEquals((await log.verify()).length, 1);
});

Deno.test("AuditLog: of 16 writers that are killed, nothing acknowledged is lost", async () => {
  using workspace = new TempWorkspace();
  const home = `${workspace.root}/.agentx`;
  const worker = new URL("audit_worker.ts", import.meta.url).pathname;
  const config = new URL("../../deno.json", import.meta.url).pathname;
  const children = Array.from({ length: 16 }, (_, at) =>
    new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--quiet", "--no-check", "--config", config, worker, home, `s${at % 4}`],
      stdout: "piped",
      stderr: "null",
    }).spawn());
  const log = logIn(workspace);
  while (log.read().length < 100) {
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  for (const child of children) child.kill("SIGKILL");
  const outputs = await Promise.all(children.map((child) => child.output()));
  const acknowledged = outputs.flatMap(({ stdout }) =>
    new TextDecoder().decode(stdout).split("\n").slice(0, -1)
  );
  const kept = new Set(log.read().map(({ command }) => command.replace(/^echo s\d+ /, "")));
  assert(acknowledged.length > 0);
  assertEquals(acknowledged.filter((line) => !kept.has(line)), []);
  assertEquals(await log.verify(), []);
});

Deno.test("agentx audit lists what was decided, and verify says what is wrong", async () => {
  using workspace = new TempWorkspace();
  const log = logIn(workspace);
  await log.add("s1", ENTRY);
  await log.add("s1", { ...ENTRY, issue: 7, verdict: "block", command: "git reset --hard" });
  const blocked = JSON.parse((await workspace.run(["audit", "--blocked", "--json"])).out);
  assertEquals(blocked.entries.map(({ issue }: { issue: number }) => issue), [7]);
  assertEquals((await workspace.run(["audit", "verify"])).code, 0);
  workspace.write(PATH, workspace.read(PATH).replace("reset", "xeset"));
  assertEquals((await workspace.run(["audit", "verify"])).code, 8);
});

Deno.test("audit verify: a record of which nothing is left is missed", async () => {
  using workspace = new TempWorkspace();
  const nothing = await workspace.run(["audit", "verify"]);
  assertEquals([nothing.code, nothing.out.trim()], [0, "Nothing is recorded"]);
  const call = { session_id: "s1", cwd: workspace.root, hook_event_name: "PreToolUse" };
  const stdin = JSON.stringify({ ...call, tool_name: "Bash", tool_input: { command: "ls" } });
  await workspace.run(["hook", "host", "claude", "PreToolUse"], { stdin });
  assertEquals((await workspace.run(["audit", "verify"])).code, 0);
  Deno.removeSync(`${workspace.root}/.agentx/state/audit`, { recursive: true });
  const gone = await workspace.run(["audit", "verify"]);
  assertEquals([gone.code, gone.out.includes("all that was recorded is gone")], [8, true]);
});
