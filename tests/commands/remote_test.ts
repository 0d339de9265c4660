/**
 * Consent to share a workspace over a git remote.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { git, TempMachines, YES } from "../remote/temp_machines.ts";

Deno.test("remote git shows content and address, and shares nothing before a person agrees", async () => {
  using machines = await TempMachines.make(["desk"], { areShared: false });
  const [desk] = machines.all;
  const noAnswer = await desk.run(["remote", "git"], { terminal: true, stdin: "n\n" });
  assertEquals(noAnswer.code, 6);
  for (const shown of [machines.bare, "claims", "questions", "user-of-desk"]) {
    assert(noAnswer.err.includes(shown), shown);
  }
  assertEquals((await desk.run(["remote", "git"])).code, 6, "nobody is at a pipe");
  assertEquals((await desk.run(["sync"])).code, 2);
  assertEquals(git(machines.bare, "for-each-ref", "refs/agentx"), "");
});

Deno.test("the settings of a repository share nothing", async () => {
  using machines = await TempMachines.make(["desk"], { areShared: false });
  const [desk] = machines.all;
  const config = `${desk.root}/.agentx/config.json`;
  Deno.writeTextFileSync(config, JSON.stringify({ remotes: { [desk.root]: "origin" } }));
  const { err } = await desk.run(["ready", "--claim", "engineer"]);
  assert(err.includes("remotes is ignored"), err);
  assertEquals(git(machines.bare, "for-each-ref", "refs/agentx"), "");
});

Deno.test("remote none ends it: claims stay on this machine", async () => {
  using machines = await TempMachines.make(["desk", "box"]);
  const [desk, box] = machines.all;
  await desk.ok(["remote", "none"]);
  await desk.ok(["ready", "--claim", "engineer", "--issue", "1"]);
  await box.ok(["ready", "--claim", "engineer", "--issue", "1"]);
});

Deno.test("remote git refuses an address at which git would run a program", async () => {
  using machines = await TempMachines.make(["desk"], { areShared: false });
  const [desk] = machines.all;
  git(desk.root, "config", "remote.origin.url", `ext::touch ${machines.folder}/ran`);
  assertEquals((await desk.run(["remote", "git"], YES)).code, 2);
});

Deno.test("remote git runs nothing that the settings of the repository name", async () => {
  using machines = await TempMachines.make(["desk"]);
  const [desk] = machines.all;
  const before = git(desk.root, "status", "--porcelain=v2", "--branch");
  const touch = `touch ${machines.folder}/ran; false`;
  const hook = `${desk.root}/.git/hooks/pre-push`;
  Deno.mkdirSync(`${desk.root}/.git/hooks`, { recursive: true });
  Deno.writeTextFileSync(hook, `#!/bin/sh\n${touch}\n`, { mode: 0o755 });
  for (
    const [key, value] of [
      ["core.sshCommand", touch],
      ["core.fsmonitor", touch],
      ["core.hooksPath", ".git/hooks"],
      ["remote.origin.uploadpack", touch],
      ["remote.origin.receivepack", touch],
      ["credential.helper", `!${touch}`],
      ["gpg.program", hook],
      ["push.gpgSign", "true"],
    ]
  ) git(desk.root, "config", key, value);
  await desk.ok(["ready", "--claim", "engineer"]);
  await desk.ok(["sync"]);
  assertEquals([...Deno.readDirSync(machines.folder)].some(({ name }) => name === "ran"), false);
  git(desk.root, "config", "core.fsmonitor", "false");
  assertEquals(git(desk.root, "for-each-ref", "refs/agentx"), "");
  assertEquals(
    git(desk.root, "status", "--porcelain=v2", "--branch").split("\n")[1],
    before.split("\n")[1],
  );
});

Deno.test("remote git --branches shares over branches; a remote that refuses refs says so at once", async () => {
  using machines = await TempMachines.make(["desk", "box"]);
  const [desk, box] = machines.all;
  const hook = `${machines.bare}/hooks/pre-receive`;
  Deno.writeTextFileSync(hook, "#!/bin/sh\ngrep -v refs/heads/ && exit 1; exit 0\n", {
    mode: 0o755,
  });
  const refused = await desk.run(["ready", "--claim", "engineer"]);
  assert(refused.code === 1 && refused.err.includes("refuses the ref"), refused.err);
  for (const each of [desk, box]) await each.ok(["remote", "git", "--branches"], YES);
  await desk.ok(["ready", "--claim", "engineer", "--issue", "1"]);
  assertEquals((await box.run(["ready", "--claim", "engineer", "--issue", "1"])).code, 6);
  const branches = git(
    machines.bare,
    "for-each-ref",
    "--format=%(refname)",
    "refs/heads/agentx/claims",
  );
  assertEquals(branches.trim().split("\n").length, 1);
});
