/**
 * Two roles at work in each form that a repository has: they share one state, or are refused.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { main } from "../../cli.ts";
import { findWorkspace } from "../../lib/workspace/find.ts";
import { FakeIo } from "../cli/fake_io.ts";
import { ended, spawnAgentx } from "../temp_workspace.ts";
import { TempUser } from "../temp_user.ts";
import { TempRepository, testWithGit } from "./temp_repository.ts";

/** A repository whose only commit has a workspace with one issue, and its user. */
class Project extends TempRepository {
  readonly #user = new TempUser();

  static async make(): Promise<Project> {
    const project = new Project();
    const { root } = project;
    await project.run(root, "init");
    await project.run(root, "issue", "create", "The only one");
    project.git("add", "--all");
    project.git("commit", "--quiet", "--message", "a workspace");
    project.git("config", "--local", "user.name", "t");
    project.git("config", "--local", "user.email", "t@example.org");
    return project;
  }

  // deno-lint-ignore no-explicit-any -- a test looks into it
  async run(folder: string, ...argv: string[]): Promise<any> {
    const io = new FakeIo();
    const code = await main(["--root", folder, ...argv, "--json"], io);
    return { code, ...JSON.parse(io.out || io.err) };
  }

  /** Clones the project; without its checkout, `git worktree add` is what makes any. */
  clone(path: string, ...options: string[]): string {
    const folder = `${this.outside}/${path}`;
    this.git("clone", "--quiet", ...options, this.root, folder);
    this.gitIn(folder, "config", "user.name", "t");
    this.gitIn(folder, "config", "user.email", "t@example.org");
    return folder;
  }

  /** Adds a worktree with a branch of its own to a repository. */
  add(repository: string, name: string): string {
    const path = `${this.outside}/${name}`;
    this.gitIn(repository, "worktree", "add", "--quiet", "-b", name, path);
    return path;
  }

  override [Symbol.dispose](): void {
    this.#user[Symbol.dispose]();
    super[Symbol.dispose]();
  }
}

/** As `git worktree add` links the two with `worktree.useRelativePaths`. */
function makeRelative(project: Project, name: string): void {
  const { root, outside } = project;
  Deno.writeTextFileSync(`${outside}/${name}/.git`, `gitdir: ../main/.git/worktrees/${name}\n`);
  Deno.writeTextFileSync(`${root}/.git/worktrees/${name}/gitdir`, `../../../../${name}/.git\n`);
}

/** The folders in which the two roles work. */
type Form = (project: Project) => [string, string];

const FORMS: Record<string, Form> = {
  "one checkout": ({ root }) => [root, root],
  "a linked worktree": (project) => [project.root, project.add(project.root, "two")],
  "two linked worktrees, by relative paths": (project) => {
    const trees = ["one", "two"].map((name) => project.add(project.root, name));
    for (const name of ["one", "two"]) makeRelative(project, name);
    return [trees[0], trees[1]];
  },
  "worktrees of a checkout without a workspace": (project) => {
    const folders = [project.add(project.root, "one"), project.add(project.root, "two")];
    project.git("checkout", "--quiet", "HEAD~");
    Deno.removeSync(`${project.root}/.agentx`, { recursive: true });
    return [folders[1], folders[0]];
  },
  "worktrees of a bare clone": (project) => {
    const hub = project.clone("hub.git", "--bare");
    return [project.add(hub, "one"), project.add(hub, "two")];
  },
  "worktrees of a bare clone beside a .git file": (project) => {
    project.clone("hub/.bare", "--bare");
    const hub = `${project.outside}/hub`;
    Deno.writeTextFileSync(`${hub}/.git`, "gitdir: ./.bare\n");
    return [project.add(hub, "hub/one"), project.add(hub, "hub/two")];
  },
  "a separate git folder and a worktree": (project) => {
    const one = project.clone("one", `--separate-git-dir=${project.outside}/data`);
    return [one, project.add(one, "two")];
  },
  "a worktree of a separate git folder, and its checkout": (project) => {
    const one = project.clone("one", `--separate-git-dir=${project.outside}/data`);
    project.gitIn(one, "config", "core.worktree", one);
    return [project.add(one, "two"), one];
  },
  "a submodule, and the same one in a worktree": (project) => {
    const top = project.folder("top");
    project.gitIn(top, "init", "--quiet");
    project.gitIn(top, "submodule", "--quiet", "add", project.root, "sub");
    project.gitIn(top, "commit", "--quiet", "--message", "submodule");
    const second = project.add(top, "second");
    project.gitIn(second, "submodule", "--quiet", "update", "--init");
    for (const sub of [`${top}/sub`, `${second}/sub`]) {
      project.gitIn(sub, "config", "user.name", "t");
      project.gitIn(sub, "config", "user.email", "t@example.org");
    }
    return [`${second}/sub`, `${top}/sub`];
  },
  "a repository nested in another": (project) => {
    const inner = project.clone("main/inner");
    return [inner, project.add(inner, "two")];
  },
  "jj beside git, and its worktree": (project) => {
    project.folder("main/.jj/repo/store");
    project.git("checkout", "--quiet", "--detach");
    const two = project.add(project.root, "two");
    makeRelative(project, "two");
    project.folder("two/.jj");
    Deno.writeTextFileSync(`${two}/.jj/repo`, "../../main/.jj/repo");
    return [project.root, two];
  },
  "a sparse checkout and one without": (project) => {
    const two = project.add(project.root, "two");
    project.gitIn(two, "sparse-checkout", "set", "--cone", "--sparse-index", "src");
    return [two, project.root];
  },
  "a split index": (project) => {
    const two = project.add(project.root, "two");
    for (const tree of [project.root, two]) {
      project.gitIn(tree, "update-index", "--split-index");
    }
    return [project.root, two];
  },
};

for (const [name, make] of Object.entries(FORMS)) {
  testWithGit(`two roles share claims, questions, notes and issues: ${name}`, async () => {
    using project = await Project.make();
    const [one, two] = make(project);
    const claims = await Promise.all([
      project.run(one, "ready", "--claim", "engineer", "--issue", "1"),
      project.run(two, "ready", "--claim", "reviewer", "--issue", "1"),
    ]);
    assertEquals(claims.map(({ code }) => code).sort(), [0, 6]);

    const names = ["--from", "engineer", "--to", "architect", "--topic", "The key"];
    await project.run(two, "clarify", "ask", "--issue", "1", ...names, "Which key?");
    const { clarifications } = await project.run(one, "clarify", "list");
    assertEquals(clarifications.length, 1);

    await project.run(one, "memory", "note", "--agent", "pm", "--issue", "1", "The cache is cold");
    const { observations } = await project.run(two, "memory", "search", "cache");
    assertEquals(observations.length, 1);

    const { code, files, root } = await project.run(two, "issue", "commit");
    assertEquals([code, root], [0, findWorkspace(one).root]);
    assert(files.length >= 2, JSON.stringify(files));
    const { findings } = await project.run(two, "doctor");
    const problems = findings.filter(({ level }: { level: string }) => level === "fail");
    assertEquals(problems, []);
    const said = JSON.stringify(
      findings.filter(({ check }: { check: string }) => check === "worktree"),
    );
    assert(two === root || said.includes(root), said);
  });
}

testWithGit("a jj workspace that git does not know is refused, for work and for init", async () => {
  using project = await Project.make();
  project.folder("main/.jj/repo");
  const path = project.clone("workspace");
  Deno.removeSync(`${path}/.git`, { recursive: true });
  project.folder("workspace/.jj");
  Deno.writeTextFileSync(`${path}/.jj/repo`, "../../main/.jj/repo");
  const { code, error } = await project.run(path, "ready", "--claim", "reviewer", "--issue", "1");
  assertEquals([code, error.code, error.details.reason], [6, "UNTRUSTED", "jj-workspace"]);
  Deno.removeSync(`${path}/.agentx`, { recursive: true });
  const { code: initCode } = await ended(spawnAgentx(["init"], { cwd: path }));
  assertEquals(initCode, 6);
});

testWithGit("processes that begin in two worktrees of a hub at once find one state", async () => {
  using project = await Project.make();
  const hub = project.clone("hub.git", "--bare");
  const trees = ["engineer", "reviewer", "tester"].map((role) => [role, project.add(hub, role)]);
  const claimed = await Promise.all(
    trees.map(([role, cwd]) =>
      ended(spawnAgentx(["ready", "--claim", role, "--issue", "1"], { cwd }))
    ),
  );
  assertEquals(claimed.filter(({ code }) => code === 0).length, 1, JSON.stringify(claimed));
});

testWithGit(
  "git refuses to remove the worktree that holds the state, and a lost one is named",
  async () => {
    using project = await Project.make();
    const hub = project.clone("hub.git", "--bare");
    const [one, two] = [project.add(hub, "one"), project.add(hub, "two")];
    await project.run(one, "ready");
    let refused = "";
    try {
      project.gitIn(hub, "worktree", "remove", "--force", one);
    } catch (error) {
      refused = String(error);
    }
    assert(refused.includes("agentx keeps the state"), refused);
    Deno.removeSync(one, { recursive: true });
    const { code, error } = await project.run(two, "ready");
    assertEquals([code, error.code], [8, "CORRUPT_STATE"]);
    Deno.removeSync(error.details.path);
    assertEquals((await project.run(two, "ready")).code, 0);
  },
);

testWithGit(
  "the worktree on the hub's own branch holds the state, whoever comes first",
  async () => {
    using project = await Project.make();
    const hub = project.clone("hub.git", "--bare");
    const one = project.add(hub, "one");
    const stays = `${project.outside}/stays`;
    const [branch] = project.outputOf("branch", "--show-current");
    project.gitIn(hub, "worktree", "add", "--quiet", stays, branch);
    await project.run(one, "ready");
    project.gitIn(hub, "worktree", "unlock", "stays");
    const moved = `${project.outside}/moved`;
    project.gitIn(hub, "worktree", "move", stays, moved);
    assertEquals(findWorkspace(one), { root: moved, tree: one });
  },
);

testWithGit("a record that came with a copied repository leads to nobody's state", async () => {
  using project = await Project.make();
  const clone = project.clone("clone");
  Deno.mkdirSync(`${clone}/.git/agentx`);
  for (const name of [project.root, "worktrees/../../../main/.git", "worktrees/none"]) {
    Deno.writeTextFileSync(`${clone}/.git/agentx/root`, `${name}\n`);
    const { code, error } = await project.run(clone, "ready");
    assertEquals([code, error.code], [8, "CORRUPT_STATE"], name);
  }
});

testWithGit("a .git file that names another's separate git folder is refused", async () => {
  using project = await Project.make();
  const one = project.clone("one", `--separate-git-dir=${project.outside}/data`);
  await project.run(one, "ready");
  const copy = project.folder("copy");
  Deno.copyFileSync(`${one}/.git`, `${copy}/.git`);
  project.folder("copy/.agentx");
  const { code, error } = await project.run(copy, "ready");
  assertEquals([code, error.details.reason], [6, "git-file"]);
});
