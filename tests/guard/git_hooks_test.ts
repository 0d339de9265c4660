import { assert, assertEquals } from "@std/assert";
import { AGENTX, TempWorkspace } from "../temp_workspace.ts";
import type { Finding } from "../../lib/doctor/finding.ts";
import { changeHooks } from "../../lib/guard/git_hooks.ts";
import type { ScanFinding } from "../../lib/guard/scan.ts";

const TOKEN = `ghp_${"a1B2c3D4e5F6g7H8i9".repeat(2)}`;

/** Runs git as somebody, with agentx in the hooks. */
function git(root: string, ...args: string[]): { code: number; text: string } {
  const names = ["-c", "user.name=t", "-c", "user.email=t@example.org"];
  const { code, stdout, stderr } = new Deno.Command("git", {
    args: [...names, ...args],
    cwd: root,
    env: { GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" },
  }).outputSync();
  return { code, text: new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr) };
}

function hooksIn({ root }: TempWorkspace): Record<string, string> {
  const folder = `${root}/.git/hooks`;
  return Object.fromEntries(
    Array.from(Deno.readDirSync(folder), ({ name }) => name).sort().map((name) => {
      const { mode } = Deno.statSync(`${folder}/${name}`);
      return [name, `${mode} ${Deno.readFileSync(`${folder}/${name}`).join()}`];
    }),
  );
}

const PROGRAM = AGENTX.split(" ");

Deno.test("git-hooks: a commit with a secret, a blocked command or a wrong message is refused", async () => {
  using workspace = new TempWorkspace();
  const { root } = workspace;
  git(root, "init", "-q");
  await workspace.run(["issue", "create", "-t", "Cache"]);
  await changeHooks(root, PROGRAM);
  workspace.write("a.txt", `key = ${TOKEN}\n`);
  git(root, "add", "a.txt");
  const secret = git(root, "commit", "-qm", "feat: a key (#1)");
  assert(secret.code !== 0 && secret.text.includes("a.txt:1") && !secret.text.includes(TOKEN));

  workspace.write("a.txt", "no key\n");
  workspace.write("clean.sh", "#!/bin/sh\nls\ngit reset --hard\n");
  git(root, "add", "a.txt", "clean.sh");
  const command = git(root, "commit", "-qm", "feat: clean (#1)");
  assert(command.code !== 0 && command.text.includes("clean.sh:3"), command.text);

  workspace.write("clean.sh", "#!/bin/sh\nls\n");
  git(root, "add", "clean.sh");
  assert(git(root, "commit", "-qm", "some work").text.includes("type: description"));
  assert(git(root, "commit", "-qm", "feat: clean (#99)").text.includes("no issue #99"));
  assert(git(root, "commit", "-qm", "feat: clean\n\nIssue: 99").text.includes("no issue #99"));
  assert(git(root, "commit", "-qm", "some work\n\nIssue: 1").text.includes("type: description"));
  assertEquals(git(root, "commit", "-qm", "feat(x): clean (#1)"), { code: 0, text: "" });
  const trailer = "feat: clean\n\nWhy.\n\nIssue: 1\nSigned-off-by: t";
  assertEquals(git(root, "commit", "--allow-empty", "-qm", trailer), { code: 0, text: "" });
});

Deno.test("git-hooks: commands are found in scripts, tasks and recipes, over several lines", async () => {
  using workspace = new TempWorkspace();
  const { root } = workspace;
  git(root, "init", "-q");
  workspace.write("a.sh", "ls\ngit push \\\n  --force\n");
  workspace.write("Makefile", "all: b\nclean:\n\t@git clean -fdx\n");
  workspace.write("package.json", '{\n  "scripts": {\n    "x": "git reset --hard"\n  }\n}\n');
  workspace.write("notes.txt", "git reset --hard\n");
  git(root, "add", "a.sh", "Makefile", "package.json", "notes.txt");
  const { findings } = await workspace.json(["scan", "--staged"]) as {
    findings: { path: string; line: number }[];
  };
  const found = findings.map(({ path, line }) => `${path}:${line}`).sort();
  assertEquals(found, ["Makefile:3", "a.sh:2", "package.json:3"]);
});

Deno.test("git-hooks: a secret is found whatever .gitattributes say of its file", async () => {
  using workspace = new TempWorkspace();
  const { root } = workspace;
  git(root, "init", "-q");
  workspace.write(".gitattributes", "a.txt -diff\nb.txt binary\n");
  workspace.write("a.txt", `key = ${TOKEN}\n`);
  workspace.write("b.txt", `key = ${TOKEN}\n`);
  git(root, "add", "a.txt", "b.txt");
  const { findings } = await workspace.json(["scan", "--staged"]);
  assertEquals(findings.map(({ path }: { path: string }) => path), ["a.txt", "b.txt"]);
});

Deno.test("scan: a secret is found in a large file, beside a NUL byte and in UTF-16", async () => {
  using workspace = new TempWorkspace();
  git(workspace.root, "init", "-q");
  const secret = `key = ${TOKEN}\n`;
  const utf16 = (text: string, isLittle: boolean) => {
    const bytes = new Uint8Array(text.length * 2);
    Array.from(
      text,
      (each, at) => new DataView(bytes.buffer).setUint16(at * 2, each.charCodeAt(0), isLittle),
    );
    return bytes;
  };
  const text = (value: string) => new TextEncoder().encode(value);
  const files: Record<string, Uint8Array> = {
    "large.txt": text(`${"one line of many\n".repeat(150_000)}${secret}${"more\n".repeat(9)}`),
    "long.txt": text(`${"x ".repeat(1_500_000)}${secret}`),
    "nul.dat": text(`\0\x01 \0 ${secret}\0`),
    "bom.txt": utf16(`\ufeffone\n${secret}`, true),
    "big.txt": utf16(`\ufeff${secret}`, false),
    "bare.txt": utf16(`one\r\n${secret}`, true),
  };
  for (const [path, bytes] of Object.entries(files)) {
    Deno.writeFileSync(`${workspace.root}/${path}`, bytes);
  }
  const found = async (...words: string[]) => {
    const { findings } = await workspace.json(["scan", ...words]) as { findings: ScanFinding[] };
    return findings.map(({ path, line }) => `${path}:${line}`).sort();
  };
  assertEquals(await found(), [
    ...["bare.txt:2", "big.txt:1", "bom.txt:2", "large.txt:150001", "long.txt:1"],
    ...(await found("nul.dat")),
  ]);
  assertEquals((await found("nul.dat")).length, 1);
  git(workspace.root, "add", "-A", "--", ...Object.keys(files));
  assertEquals(new Set((await found("--staged")).map((each) => each.split(":")[0])).size, 6);
  const noise = new Uint8Array(100_000).map((_, at) => (at * 7919 + (at >> 3) * 104_729) % 256);
  Deno.writeFileSync(`${workspace.root}/noise.bin`, noise);
  assertEquals(await found("noise.bin"), []);
  const drawn = `\0${" key 9CJPW8fISgBYb:D!cEj!W_0R x7Qw2xT9Zr4mBv8aB3dE5fG7hJk".repeat(9)}\0`;
  for (const path of ["logo.eps", "palette.dat"]) workspace.write(path, drawn);
  assertEquals([await found("logo.eps"), await found("palette.dat")], [[], []]);
  workspace.write("text.eps", secret);
  assertEquals(await found("text.eps"), ["text.eps:1"]);
});

Deno.test("scan: a line file is read field by field, so that two fields never make a secret", async () => {
  using workspace = new TempWorkspace();
  const { root } = workspace;
  git(root, "init", "-q");
  await workspace.run(["issue", "create", "-t", "Rotate the api key"]);
  const note = "We chose the cache key: user id and tenant.";
  await workspace.run(["memory", "note", "--agent", "engineer", "--issue", "1", note]);
  await workspace.run(["memory", "note", "--agent", "engineer", "--issue", "1", `Key ${TOKEN}`]);
  git(root, "add", ".agentx");
  assertEquals((await workspace.json(["scan", "--staged"])).findings, []);
  assertEquals((await workspace.json(["scan", ".agentx"])).findings, []);

  const file = ".agentx/memory/2026-11/theirs.jsonl";
  const line = { v: 1, id: "a", uid: "b", time: "2026-11-28T00:00:00.000Z", by: "x", op: "note" };
  workspace.write(
    file,
    [
      JSON.stringify({ ...line, content: `first\nkey ${TOKEN}` }),
      JSON.stringify({ password: "hunter2!Xy" }),
      `key ${TOKEN}\n`,
    ].join("\n"),
  );
  git(root, "add", ".agentx");
  const { findings } = await workspace.json(["scan", "--staged"]);
  assertEquals(
    findings.map(({ path, line, rule }: ScanFinding) => `${path}:${line} ${rule}`),
    [`${file}:1 github-token`, `${file}:2 password`, `${file}:3 github-token`],
  );
});

Deno.test("git-hooks: what is accepted is committed", async () => {
  using workspace = new TempWorkspace();
  const { root } = workspace;
  git(root, "init", "-q");
  workspace.write("a.txt", `key = ${TOKEN}\n`);
  git(root, "add", "a.txt");
  assertEquals((await workspace.run(["scan", "--staged"])).code, 6);
  assertEquals((await workspace.run(["scan", "--staged", "--accept"])).code, 0);
  assertEquals((await workspace.run(["scan", "--staged"])).code, 0);
  assertEquals((await workspace.run(["scan", "a.txt"])).code, 0);
  assert(!workspace.read(".agentx/accepted-findings").includes(TOKEN));
  workspace.write("b.txt", `key = ${TOKEN}\n`);
  const sarif = await workspace.run(["scan", "b.txt", "--sarif"]);
  assertEquals(sarif.code, 6);
  assertEquals(JSON.parse(sarif.out).runs[0].results.length, 1);
});

Deno.test("git-hooks: each hook that was there still runs, and is as it was after remove", async () => {
  using workspace = new TempWorkspace();
  const { root } = workspace;
  git(root, "init", "-q");
  const before = [
    "#!/usr/bin/env bash\n# \xff\xfe made by hand \r\necho ran >> hook.log\nexit 0",
    '#!/usr/bin/env sh\n. "${0%/*}/h"',
  ];
  for (const [at, name] of ["pre-commit", "commit-msg"].entries()) {
    const path = `${root}/.git/hooks/${name}`;
    Deno.writeFileSync(path, Uint8Array.from(before[at], (each) => each.charCodeAt(0)));
    Deno.chmodSync(path, 0o750);
  }
  Deno.writeTextFileSync(`${root}/.git/hooks/h`, "exit 0\n");
  const hooks = hooksIn(workspace);
  assertEquals((await workspace.run(["git-hooks", "install"])).code, 0);
  const installed = hooksIn(workspace);
  assert(installed["pre-commit"] !== hooks["pre-commit"]);
  await workspace.run(["git-hooks", "install"]);
  assertEquals(hooksIn(workspace), installed);
  await changeHooks(root, PROGRAM);
  await workspace.run(["issue", "create", "-t", "Cache"]);
  workspace.write("a.txt", "a\n");
  git(root, "add", "a.txt");
  assertEquals(git(root, "commit", "-qm", "feat: a (#1)"), { code: 0, text: "" });
  assertEquals(workspace.read("hook.log"), "ran\n");
  await workspace.run(["git-hooks", "remove"]);
  assertEquals(hooksIn(workspace), hooks);
});

Deno.test("git-hooks: lines of an older version run, doctor names it, install writes them again", async () => {
  using workspace = new TempWorkspace();
  const { root } = workspace;
  git(root, "init", "-q");
  await changeHooks(root, PROGRAM);
  for (const name of ["pre-commit", "commit-msg"]) {
    const path = `.git/hooks/${name}`;
    workspace.write(path, workspace.read(path).replace(/ by \S+$/m, "")); // as 0.1.0 wrote it
  }
  workspace.write("a.txt", `key = ${TOKEN}\n`);
  git(root, "add", "a.txt");
  assert(git(root, "commit", "-qm", "feat: a (#1)").text.includes("a.txt:1"));
  const outdated = async () => {
    const { findings } = await workspace.json(["doctor"]) as { findings: Finding[] };
    return findings.filter(({ message }) => message.includes("written by agentx 0.1.0")).length;
  };
  assertEquals(await outdated(), 2);
  await changeHooks(root, PROGRAM);
  assertEquals(await outdated(), 0);
  await workspace.run(["git-hooks", "remove"]);
  assertEquals(workspace.has(".git/hooks/pre-commit"), false);
});

Deno.test("git-hooks: what was made for us is gone after remove; a folder of the user's is refused", async () => {
  using workspace = new TempWorkspace();
  git(workspace.root, "init", "-q");
  const hooks = hooksIn(workspace);
  await workspace.run(["git-hooks", "install"]);
  assert("pre-commit" in hooksIn(workspace));
  await workspace.run(["git-hooks", "remove"]);
  assertEquals(hooksIn(workspace), hooks);
  git(workspace.root, "config", "core.hooksPath", "/tmp/hooks-of-all");
  assertEquals((await workspace.run(["git-hooks", "install"])).code, 1);
});

Deno.test("git-hooks: in a worktree, and with core.hooksPath in the repository", async () => {
  using workspace = new TempWorkspace();
  const { root } = workspace;
  git(root, "init", "-q");
  await workspace.run(["issue", "create", "-t", "Cache"]);
  workspace.write("a.txt", "a\n");
  git(root, "add", "a.txt");
  git(root, "commit", "-qm", "x");
  git(root, "worktree", "add", "-q", "tree");
  git(root, "config", "core.hooksPath", ".husky/_");
  Deno.mkdirSync(`${root}/.husky/_`, { recursive: true });
  assertEquals((await workspace.run(["git-hooks", "install"])).code, 0);
  assert(workspace.has(".husky/_/pre-commit"));
  await workspace.run(["git-hooks", "remove"]);
  git(root, "config", "--unset", "core.hooksPath");
  await changeHooks(root, PROGRAM);
  Deno.writeTextFileSync(`${root}/tree/b.txt`, `key = ${TOKEN}\n`);
  git(`${root}/tree`, "add", "b.txt");
  assert(git(`${root}/tree`, "commit", "-qm", "feat: b (#1)").text.includes("b.txt:1"));
  assert(git(`${root}/tree`, "commit", "-qam", "feat: b (#1)").text.includes("b.txt:1"));
});

Deno.test("git-hooks: a relative core.hooksPath is checked in worktrees too, and is back after remove", async () => {
  using workspace = new TempWorkspace();
  const { root } = workspace;
  git(root, "init", "-q");
  const hook = "#!/bin/sh\nexit 0\n";
  workspace.write(".githooks/pre-commit", hook);
  Deno.chmodSync(`${root}/.githooks/pre-commit`, 0o755);
  git(root, "config", "core.hooksPath", ".githooks");
  git(root, "add", ".githooks");
  git(root, "commit", "-qm", "x");
  git(root, "worktree", "add", "-q", `${root}/before`);
  await changeHooks(`${root}/before`, PROGRAM);
  git(root, "worktree", "add", "-q", `${root}/after`);
  for (const tree of ["before", "after"]) {
    workspace.write(`${tree}/b.txt`, `key = ${TOKEN}\n`);
    git(`${root}/${tree}`, "add", "b.txt");
    const { code, text } = git(`${root}/${tree}`, "commit", "-qm", "feat: b (#1)");
    assert(code !== 0 && text.includes("b.txt:1"), text);
  }
  const warnings = async () => {
    const { findings } = await workspace.json(["doctor"]) as { findings: Finding[] };
    return findings.filter(({ check }) => check === "git-hooks").map(({ message }) => message);
  };
  assertEquals(await warnings(), []);
  git(root, "config", "core.hooksPath", ".githooks"); // as husky sets it at each install
  assertEquals(
    (await warnings()).map((text) => text.split(" ")[2]),
    ["after", "before"].map((name) => `${root}/${name}`),
  );
  await workspace.run(["git-hooks", "install"]);
  assertEquals(await warnings(), []);
  const { hooksPath } = await workspace.json(["git-hooks", "remove"]);
  assertEquals(hooksPath, ".githooks");
  assertEquals(git(root, "config", "--get-regexp", "hookspath").text, "core.hookspath .githooks\n");
  assertEquals(workspace.read(".githooks/pre-commit"), hook);
});

Deno.test("git-hooks: a hook that is a link stays one, and the person learns what to add to it", async () => {
  using workspace = new TempWorkspace();
  const { root } = workspace;
  git(root, "init", "-q");
  workspace.write("scripts/check", "#!/bin/sh\n");
  Deno.symlinkSync("../../scripts/check", `${root}/.git/hooks/pre-commit`);
  const { code, err } = await workspace.run(["git-hooks", "install"]);
  assertEquals(code, 1);
  assert(/it is a link.*\n.*git-hooks run pre-commit "\$@"/.test(err), err);
  assertEquals(Deno.readLinkSync(`${root}/.git/hooks/pre-commit`), "../../scripts/check");
  assertEquals((await workspace.run(["git-hooks", "remove"])).code, 0);
});
