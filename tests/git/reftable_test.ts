import { assert, assertEquals } from "@std/assert";
import { TempWorkspace } from "../temp_workspace.ts";
import { testWithGit } from "../workspace/temp_repository.ts";

const REAL_GIT = new TextDecoder().decode(
  new Deno.Command("sh", { args: ["-c", "command -v git"] }).outputSync().stdout,
).trim();

/**
 * A workspace whose repository looks as git 2.55 makes one with reftables. The git on its PATH opens it, as a
 * newer one does: the references are in a folder beside it.
 */
class Reftable implements Disposable {
  readonly workspace = new TempWorkspace();
  readonly root = this.workspace.root;
  readonly #path = Deno.env.get("PATH")!;

  constructor() {
    const { root, workspace } = this;
    this.#run("init", "-q", "-b", "issue-7-cache");
    this.#run("config", "user.name", "t");
    this.#run("config", "user.email", "t@example.org");
    this.#run("add", "--all");
    this.#run("commit", "-q", "-m", "begin");
    Deno.renameSync(`${root}/.git`, `${root}-real`);
    workspace.write(".git/HEAD", "ref: refs/heads/.invalid\n");
    workspace.write(".git/refs/heads", "this repository uses the reftable format\n");
    workspace.write(".git/reftable/tables.list", "0x000000000001-0x000000000002-5c2f1b3a.ref\n");
    workspace.write(
      ".git/config",
      "[core]\n\trepositoryformatversion = 1\n\tbare = false\n[extensions]\n\trefstorage = reftable\n",
    );
    Deno.copyFileSync(`${root}-real/index`, `${root}/.git/index`);
  }

  /** Puts a git first on the PATH that opens the repository, and notes each question. */
  useNewGit(): void {
    const { root } = this;
    this.#useGit([
      `echo "$*" >> ${root}-bin/asked`,
      "case $1 in --git-dir=*) shift;; esac",
      `export GIT_INDEX_FILE=${root}/.git/index`,
      `${REAL_GIT} --git-dir=${root}-real --work-tree=${root} "$@"; code=$?`,
      'case "$*" in *commit*|*symbolic-ref\\ HEAD\\ *)',
      `  echo new > ${root}/.git/new; mv ${root}/.git/new ${root}/.git/reftable/tables.list;; esac`,
      "exit $code",
    ]);
  }

  /** Puts one first that does not, and says what git 2.39.5 says. */
  useOldGit(): void {
    this.#useGit([
      "case $1 in --version) echo git version 2.39.5; exit 0;; esac",
      "printf 'fatal: unknown repository extension found:\\n\\trefstorage\\n' >&2; exit 128",
    ]);
  }

  #useGit(lines: string[]): void {
    const folder = `${this.root}-bin`;
    Deno.mkdirSync(folder);
    Deno.writeTextFileSync(`${folder}/git`, ["#!/bin/sh", ...lines].join("\n"), { mode: 0o755 });
    Deno.env.set("PATH", `${folder}:${this.#path}`);
  }

  asked(word: string): number {
    const lines = Deno.readTextFileSync(`${this.root}-bin/asked`).split("\n");
    return lines.filter((line) => line.includes(word)).length;
  }

  #run(...args: string[]): void {
    const { success } = new Deno.Command(REAL_GIT, { args, cwd: this.root }).outputSync();
    assert(success, args.join(" "));
  }

  [Symbol.dispose](): void {
    Deno.env.set("PATH", this.#path);
    for (const end of ["real", "bin"]) {
      try {
        Deno.removeSync(`${this.root}-${end}`, { recursive: true });
      } catch {
        // it was not made
      }
    }
    this.workspace[Symbol.dispose]();
  }
}

const SESSION = { CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: "3f2a" };

testWithGit(
  "in a repository with reftables, the branch names the issue and each change is committed",
  async () => {
    using repository = new Reftable();
    repository.useNewGit();
    const { workspace, root } = repository;
    const { issue, issueFrom } = await workspace.json(["here"], { env: SESSION });
    assertEquals([issue, issueFrom], [7, "branch"]);
    await workspace.json(["here"], { env: SESSION });
    assertEquals(repository.asked("symbolic-ref --quiet HEAD"), 1);

    await workspace.run(["issue", "create", "The only one"]);
    const [first, second] = await Promise.all([
      workspace.run(["ready", "--claim", "engineer", "--issue", "1"]),
      workspace.run(["ready", "--claim", "reviewer", "--issue", "1"]),
    ]);
    assertEquals([first.code, second.code].sort(), [0, 6]);
    const { files, branch } = await workspace.json(["issue", "commit"]);
    assertEquals([files.length > 0, branch], [true, "issue-7-cache"]);
    const before = filesOf(root);
    await workspace.run(["issue", "edit", "1", "--title", "Another"]);
    assertEquals(filesOf(root), before + 1, "a file that was committed is not appended to");

    new Deno.Command(`${root}-bin/git`, {
      args: ["symbolic-ref", "HEAD", "refs/heads/issue-8"],
      cwd: root,
    }).outputSync();
    assertEquals((await workspace.json(["here"], { env: SESSION })).issue, 8);
  },
);

testWithGit(
  "a git that is too old for reftables is refused by its name, and doctor says so",
  async () => {
    using repository = new Reftable();
    const { workspace } = repository;
    repository.useOldGit();
    const { error } = await workspace.json(["here"], { env: SESSION });
    assertEquals(error.code, "IO_ERROR");
    assert(
      /git version 2.39.5 is too old to open it: .*refstorage/.test(error.message),
      error.message,
    );
    const { findings } = await workspace.json(["doctor"]);
    const said = findings.find(({ check }: { check: string }) => check === "repository");
    assert(said.level === "fail" && said.message.includes("too old"), JSON.stringify(said));
  },
);

function filesOf(root: string): number {
  return Array.from(Deno.readDirSync(`${root}/.agentx/issues`)).flatMap(({ name }) =>
    Array.from(Deno.readDirSync(`${root}/.agentx/issues/${name}`))
  ).length;
}
