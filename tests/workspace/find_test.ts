import { assertEquals } from "@std/assert";
import { findWorkspace } from "../../lib/workspace/find.ts";
import { refusal } from "../refusal.ts";
import { TempRepository, testWithGit } from "./temp_repository.ts";

Deno.test("findWorkspace() finds it in the folder itself and from a folder below", () => {
  using repository = new TempRepository();
  const { root } = repository;
  repository.folder("main/.agentx");
  repository.folder("main/a/b c");
  for (const start of [root, `${root}/a/b c`, `${root}/a/..`, `${root}/`]) {
    assertEquals(findWorkspace(start), { root, tree: root });
  }
});

Deno.test("findWorkspace() takes the nearest of two", () => {
  using repository = new TempRepository();
  repository.folder("main/.agentx");
  const inner = repository.folder("main/inner");
  repository.folder("main/inner/.agentx");
  assertEquals(findWorkspace(inner), { root: inner, tree: inner });
});

Deno.test("findWorkspace() does without git", () => {
  using repository = new TempRepository();
  const root = repository.folder("plain");
  repository.folder("plain/.agentx");
  assertEquals(findWorkspace(repository.folder("plain/sub")), { root, tree: root });
});

Deno.test("findWorkspace() follows a symlink to the folder it leads to", () => {
  using repository = new TempRepository();
  const { root, outside } = repository;
  repository.folder("main/.agentx");
  repository.folder("main/sub");
  Deno.symlinkSync(`${root}/sub`, `${outside}/link`);
  assertEquals(findWorkspace(`${outside}/link`), { root, tree: root });
});

testWithGit("findWorkspace() goes from a worktree to the main checkout", () => {
  using repository = new TempRepository();
  const { root } = repository;
  repository.folder("main/.agentx");
  const tree = repository.worktree();
  assertEquals(findWorkspace(tree), { root, tree });
  assertEquals(findWorkspace(repository.folder("second/sub")), { root, tree });
});

testWithGit("findWorkspace() prefers the main checkout to a copy in the worktree", () => {
  using repository = new TempRepository();
  const { root } = repository;
  repository.folder("main/.agentx");
  const tree = repository.worktree();
  repository.folder("second/.agentx");
  assertEquals(findWorkspace(tree), { root, tree });
});

testWithGit("findWorkspace() goes from a worktree inside the main checkout to it", () => {
  using repository = new TempRepository();
  const { root } = repository;
  repository.folder("main/.agentx");
  repository.git("worktree", "add", "--quiet", "--detach", "trees/second");
  const tree = `${root}/trees/second`;
  assertEquals(findWorkspace(tree), { root, tree });
});

testWithGit(
  "findWorkspace() finds a workspace in a folder of the repository from a worktree",
  () => {
    using repository = new TempRepository();
    const { root } = repository;
    repository.folder("main/packages/app/.agentx");
    repository.worktree();
    const start = repository.folder("second/packages/app/src");
    const tree = `${repository.outside}/second/packages/app`;
    assertEquals(findWorkspace(start), { root: `${root}/packages/app`, tree });
  },
);

testWithGit("findWorkspace() stays in a worktree whose main checkout has no workspace", () => {
  using repository = new TempRepository();
  const tree = repository.worktree();
  repository.folder("second/.agentx");
  assertEquals(findWorkspace(tree), { root: tree, tree });
});

/** Makes `main/sub` a submodule. */
function addSubmodule(repository: TempRepository): string {
  const other = repository.folder("other");
  repository.gitIn(other, "init", "--quiet");
  repository.gitIn(other, "commit", "--quiet", "--allow-empty", "--message", "begin");
  repository.git("submodule", "--quiet", "add", other, "sub");
  repository.git("commit", "--quiet", "--message", "submodule");
  return `${repository.root}/sub`;
}

testWithGit("findWorkspace() takes a submodule for a repository of its own", () => {
  using repository = new TempRepository();
  const { root } = repository;
  repository.folder("main/.agentx");
  const submodule = addSubmodule(repository);
  assertEquals(findWorkspace(submodule), { root, tree: root });
  repository.folder("main/sub/.agentx");
  assertEquals(findWorkspace(submodule), { root: submodule, tree: submodule });
});

testWithGit("findWorkspace() goes from a submodule in a worktree to the main checkout", () => {
  using repository = new TempRepository();
  const { root } = repository;
  repository.folder("main/.agentx");
  addSubmodule(repository);
  const tree = repository.worktree();
  repository.gitIn(tree, "submodule", "--quiet", "update", "--init");
  repository.folder("second/.agentx");
  assertEquals(findWorkspace(`${tree}/sub`), { root, tree });
});

Deno.test("findWorkspace() is not misled by a broken .git file", () => {
  using repository = new TempRepository();
  const root = repository.folder("broken");
  repository.folder("broken/.agentx");
  for (const text of ["", "gitdir: /nowhere/at/all\n", "gitdir: .git\n", "gitdir: \0", "\0"]) {
    Deno.writeTextFileSync(`${root}/.git`, text);
    assertEquals(findWorkspace(root), { root, tree: root });
  }
});

testWithGit("findWorkspace() looks past an empty .git for the worktree around it", () => {
  using repository = new TempRepository();
  const { root } = repository;
  repository.folder("main/sub/.agentx");
  const tree = repository.worktree();
  repository.folder("second/sub/.agentx");
  repository.folder("second/sub/.git");
  assertEquals(findWorkspace(`${tree}/sub`), { root: `${root}/sub`, tree: `${tree}/sub` });
});

testWithGit("findWorkspace() refuses a .git file that was copied to another folder", async () => {
  using repository = new TempRepository();
  repository.folder("main/.agentx");
  const worktree = repository.worktree();
  const copy = repository.folder("clone/sub");
  Deno.copyFileSync(`${worktree}/.git`, `${repository.outside}/clone/.git`);
  const { details } = await refusal("UNTRUSTED", () => findWorkspace(copy.slice(0, -4)));
  assertEquals(details, { path: `${repository.outside}/clone/.git`, reason: "git-file" });
  await refusal("NOT_INITIALISED", () => findWorkspace(repository.folder("elsewhere")));
});

Deno.test("findWorkspace() refuses a .git file with a git folder of its own making", async () => {
  using repository = new TempRepository();
  repository.folder("main/.agentx");
  const clone = repository.folder("clone");
  repository.folder("clone/forged");
  repository.folder("clone/.agentx");
  Deno.writeTextFileSync(`${clone}/.git`, "gitdir: forged\n");
  Deno.writeTextFileSync(`${clone}/forged/commondir`, "../../main/.git\n");
  Deno.writeTextFileSync(`${clone}/forged/gitdir`, "../.git\n");
  await refusal("UNTRUSTED", () => findWorkspace(clone));
});

testWithGit(
  "findWorkspace() follows a worktree that was moved once git has repaired it",
  async () => {
    using repository = new TempRepository();
    const { root, outside } = repository;
    repository.folder("main/.agentx");
    repository.worktree();
    const tree = `${outside}/moved`;
    Deno.renameSync(`${outside}/second`, tree);
    await refusal("UNTRUSTED", () => findWorkspace(tree));
    repository.gitIn(tree, "worktree", "repair");
    assertEquals(findWorkspace(tree), { root, tree });
  },
);

Deno.test("findWorkspace() does not take a file for a workspace", async () => {
  using repository = new TempRepository();
  Deno.writeTextFileSync(`${repository.root}/.agentx`, "x");
  await refusal("NOT_INITIALISED", () => findWorkspace(repository.root));
});

Deno.test("findWorkspace() refuses where there is none, and says how to make one", async () => {
  using repository = new TempRepository();
  const { root } = repository;
  for (const start of [root, `${root}/no/such/folder`]) {
    const { details, message } = await refusal("NOT_INITIALISED", () => findWorkspace(start));
    assertEquals(details, { path: start });
    assertEquals(message.endsWith("agentx init"), true);
  }
});
