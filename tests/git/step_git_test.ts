import { assertEquals } from "@std/assert";
import { runGit } from "../../lib/git/run_git.ts";
import { gitIn } from "../../lib/git/step_git.ts";
import { changedSettings, noteSettings } from "../../lib/git/step_guard.ts";
import { isGitName } from "../../lib/git/git_name.ts";
import { sys } from "../../lib/sys/mod.ts";
import { refusal } from "../refusal.ts";
import { TempRepository, testWithGit } from "../workspace/temp_repository.ts";

testWithGit("gitIn() fetches nothing, whatever a remote names", async () => {
  using repository = new TempRepository();
  const { root, outside } = repository;
  const top = `${root}/.agentx/state/worktrees/1-prd`;
  repository.git("worktree", "add", "--quiet", "-b", "agentx/1-prd", top);
  const [program, ran] = [`${outside}/pack`, `${outside}/ran`];
  Deno.writeTextFileSync(program, `#!/bin/sh\ntouch ${ran}\n`, { mode: 0o755 });
  const settings = {
    "core.repositoryFormatVersion": "1",
    "extensions.partialClone": "far",
    "remote.far.url": root,
    "remote.far.promisor": "true",
    "remote.far.uploadpack": program,
    "protocol.file.allow": "always",
  };
  for (const [key, value] of Object.entries(settings)) repository.git("config", key, value);
  const missing = ["cat-file", "blob", "1234567890123456789012345678901234567890"];
  const tree = { top, path: top, branch: "agentx/1-prd" };
  await refusal("IO_ERROR", () => gitIn(tree)(...missing));
  assertEquals(sys.lstat(ran), undefined);
  await refusal("IO_ERROR", () => runGit(root, missing, { action: "read" }));
  assertEquals(sys.lstat(ran)?.kind, "file", "the user's own git would");
});

testWithGit(
  "changedSettings() names a changed setting of a git folder that has another name",
  async () => {
    using repository = new TempRepository();
    const { root, outside } = repository;
    const top = `${root}/.agentx/state/worktrees/1-prd`;
    repository.git("init", "--quiet", "--separate-git-dir", `${outside}/store`);
    repository.git("worktree", "add", "--quiet", "-b", "agentx/1-prd", top);
    repository.git("update-ref", "refs/agentx/start/1-prd", "HEAD");
    const tree = { top, path: top, branch: "agentx/1-prd" };
    await noteSettings(tree);
    repository.git("config", "core.editor", "true");
    const config = `${sys.realPath(outside)}/store/config`;
    assertEquals(await changedSettings(tree), [`${config} was changed; put it back`]);
  },
);

Deno.test("isGitName() takes what git takes, on any system", () => {
  const names = {
    yes: [
      ".git",
      ".GIT",
      ".Git ",
      ".git...",
      "git~1",
      "GIT~1",
      ".git::$INDEX_ALLOCATION",
      "a\\.git",
    ]
      .concat(".g\u200cit", "\ufeff.git", "git~1 . ."),
    no: [".gitignore", ".github", "git", "git~2", ".git_", "x.git", ".gitmodules", "", "."],
  };
  assertEquals(names.yes.filter((name) => !isGitName(name)), []);
  assertEquals(names.no.filter(isGitName), []);
});
