/**
 * What an agent leaves in its tree for git to obey: each would leave a mark outside of it when our own git, run as the
 * user, does what it says.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { refusal } from "../refusal.ts";
import { git, GOOD, place, type Script } from "./feature.ts";

/** What a hostile tree knows: itself, the main checkout, and a program that leaves a mark. */
interface Hostile {
  tree: string;
  main: string;
  program: string;
}

function sh(cwd: string, line: string): void {
  const env = { GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" };
  const { success, stderr } = new Deno.Command("sh", { args: ["-ec", line], cwd, env })
    .outputSync();
  assert(success, new TextDecoder().decode(stderr));
}

/** A repository of its own, whose git would run a program. */
const nested = (name: string, folder = ".git") => ({ tree, program }: Hostile) =>
  sh(
    tree,
    `mkdir -p '${name}' && cd '${name}' && git init -q . && echo x >x && git add x
     git -c user.name=t -c user.email=t@e.org commit -qm x
     git config core.fsmonitor '${program}' && echo y >x
     [ '${folder}' = .git ] || mv .git '${folder}'`,
  );

const config = (line: string) => ({ main, program }: Hostile) =>
  sh(main, `git config ${line.replace("PROGRAM", `'${program}'`)}`);

const HOSTILE: Record<string, { leave: (hostile: Hostile) => void; says: RegExp }> = {
  "a repository inside the tree": { leave: nested("lib"), says: /lib\/\.git is a repository/ },
  "a repository below a folder of its own": {
    leave: nested("a/b/c"),
    says: /a\/b\/c\/\.git is a repository/,
  },
  "a repository in other letters": {
    leave: nested("lib", ".GIT"),
    says: /lib\/\.GIT is a repository/,
  },
  "a repository under its short name": {
    leave: nested("lib", "git~1"),
    says: /lib\/git~1 is a repository/,
  },
  "a repository with a character that some systems ignore": {
    leave: nested("lib", ".g\u200cit"),
    says: /is a repository/,
  },
  "a submodule that nobody made": {
    leave: (hostile) => {
      nested("lib")(hostile);
      sh(hostile.tree, "git add lib; git -c user.name=t -c user.email=t@e.org commit -qm x");
      sh(hostile.tree, "rm -rf lib/.git");
    },
    says: /lib is a submodule/,
  },
  "another repository in place of its own": {
    leave: (hostile) => {
      Deno.removeSync(`${hostile.tree}/.git`);
      nested(".")(hostile);
    },
    says: /1-implement\/\.git was changed/,
  },
  "a file that leads to another repository": {
    leave: (hostile) => {
      nested("lib")(hostile);
      sh(hostile.tree, "mv lib/.git lib/dot && echo 'gitdir: lib/dot' >.git");
    },
    says: /1-implement\/\.git was changed/,
  },
  "a common folder": {
    leave: ({ main }) => sh(main, "mkdir x && cp -r .git x/y && echo ../x/y >.git/commondir"),
    says: /\.git\/commondir was changed/,
  },
  "a program that says what changed": {
    leave: config("core.fsmonitor PROGRAM"),
    says: /\.git\/config was changed/,
  },
  "a filter with its attribute": {
    leave: (hostile) => {
      config("filter.x.clean PROGRAM")(hostile);
      sh(hostile.main, "echo '* filter=x' >.git/info/attributes");
    },
    says: /\.git\/config was changed.*\n?.*\.git\/info\/attributes was changed/s,
  },
  "settings of a worktree": {
    leave: (hostile) => {
      config("extensions.worktreeConfig true")(hostile);
      sh(hostile.tree, `git config --worktree filter.x.clean '${hostile.program}'`);
    },
    says: /config\.worktree was changed/,
  },
  "a hook": {
    leave: ({ main, program }) => sh(main, `cp '${program}' .git/hooks/post-commit`),
    says: /\.git\/hooks\/post-commit was changed/,
  },
  "a branch that follows more than a branch": {
    leave: config("branch.main.mergeOptions '-s x'"),
    says: /\.git\/config was changed/,
  },
};

/** A feature whose engineer leaves something, and the mark of a program that ran. */
async function left(leave: (hostile: Hostile) => void, parent?: string) {
  const folder = Deno.makeTempDirSync();
  const program = `${folder}/program`;
  Deno.writeTextFileSync(program, `#!/bin/sh\ntouch '${folder}/mark'\ncat\n`, { mode: 0o755 });
  const engineer: Script = (cwd, ...more) => {
    leave({ tree: cwd, main: cwd.split("/.agentx/")[0], program });
    return GOOD.engineer(cwd, ...more);
  };
  const made = await place({ ...GOOD, engineer }, 0, parent);
  const reason = async () => {
    const { entries } = await made.temp.json(["inbox"]);
    return entries.map(({ content }: { content: string }) => content).join("\n");
  };
  const isMarked = () => {
    try {
      return Deno.statSync(`${folder}/mark`).isFile;
    } catch {
      return false; // nothing ran
    }
  };
  return { ...made, reason, isMarked, program };
}

for (const [what, { leave, says }] of Object.entries(HOSTILE)) {
  Deno.test(`a step whose agent leaves ${what} is not done, and git runs nothing of it`, async () => {
    const { temp, run, runs, reason, isMarked } = await left(leave);
    using _ = temp;
    const last = (await run("implement")).at(-1);
    assertEquals([last, isMarked()], ["implement: not done (1)", false]);
    assert(says.test(await reason()), await reason());
    assertEquals(runs.filter((role) => role === "engineer").length, 1, "it is not run again there");
    assertEquals(git(temp, "show", "agentx/1-implement:app.txt"), "nothing");
    for (const line of ["review 1 implement --diff", "inbox", "status", "workflow 1"]) {
      await temp.run(line.split(" "));
      assertEquals([line, isMarked()], [line, false]);
    }
  });
}

Deno.test("changes of a person, and repositories in ignored folders, stop no step", async () => {
  const { temp, run, isMarked } = await left((hostile) => {
    sh(hostile.main, "git config branch.topic.remote origin && git branch -q topic");
    sh(hostile.main, "git config branch.topic.merge refs/heads/topic");
    nested(".agentx/state/x")(hostile);
  });
  using _ = temp;
  assertEquals([(await run("implement")).at(-1), isMarked()], ["implement: done (1)", false]);
});

Deno.test("a person takes out what an agent has left, and the step goes on", async () => {
  const { temp, run, reason } = await left(nested("lib"));
  using _ = temp;
  assertEquals((await run("implement")).at(-1), "implement: not done (1)");
  assertEquals((await run("implement")).at(-1), "implement: not done (1)");
  assert((await reason()).includes("lib/.git is a repository"), await reason());
  Deno.removeSync(`${temp.root}/.agentx/state/worktrees/1-implement/lib`, { recursive: true });
  assertEquals((await run("implement")).at(-1), "implement: done (1)");
});

Deno.test("evidence leaves nothing for git either", async () => {
  const { temp, run, reason, isMarked } = await left(nested(".agentx/state/made"));
  using _ = temp;
  temp.write("test.sh", "mv .agentx/state/made lib; grep -q works app.txt\n");
  git(temp, "commit", "-qam", "test");
  assertEquals([(await run("implement")).at(-1), isMarked()], ["implement: not done (1)", false]);
  assert((await reason()).includes("lib/.git is a repository"), await reason());
});

Deno.test("no hook that the tree holds runs when a step is made and committed", async () => {
  const { temp, run, isMarked } = await left(() => {});
  using _ = temp;
  const folder = Deno.makeTempDirSync();
  for (const hook of ["pre-commit", "post-commit", "post-checkout", "post-merge", "commit-msg"]) {
    temp.write(`.githooks/${hook}`, `#!/bin/sh\ntouch '${folder}/${hook}'\n`);
    Deno.chmodSync(`${temp.root}/.githooks/${hook}`, 0o755);
  }
  git(temp, "add", "-A");
  git(temp, "commit", "-qm", "hooks");
  git(temp, "config", "core.hooksPath", ".githooks");
  await run();
  const ran = () => Array.from(Deno.readDirSync(folder), ({ name }) => name).sort();
  assertEquals([temp.issue(1).status, ran(), isMarked()], ["Done", [], false]);
  assertEquals((await temp.run(["workflow", "merge", "1"])).code, 0);
  assertEquals(ran(), ["commit-msg", "post-commit", "post-merge", "pre-commit"], "there they run");
});

Deno.test("a submodule of the start commit stays, and its tree goes at the merge", async () => {
  const { temp, run, reason } = await left(({ tree }) => {
    assertEquals(Array.from(Deno.readDirSync(`${tree}/sub`)), []);
  });
  using _ = temp;
  const other = Deno.makeTempDirSync();
  sh(other, "git init -q; git -c user.name=t -c user.email=t@e.org commit -q --allow-empty -m x");
  git(temp, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", other, "sub");
  git(temp, "commit", "-qm", "submodule");
  await run();
  assertEquals([temp.issue(1).status, await reason()], ["Done", ""]);
  const { out } = await temp.run(["workflow", "merge", "1"]);
  assert(out.includes("Removed 5 branches of #1, with their trees"), out);
});

Deno.test("a submodule that moved, or that an agent checked out itself, ends the step", async () => {
  for (
    const leave of [
      nested("sub"),
      ({ tree }: Hostile) =>
        sh(tree, "git update-index --cacheinfo 160000,$(git rev-parse HEAD),sub"),
    ]
  ) {
    const { temp, run, isMarked } = await left(leave);
    using _ = temp;
    const other = Deno.makeTempDirSync();
    sh(other, "git init -q; git -c user.name=t -c user.email=t@e.org commit -q --allow-empty -m x");
    git(temp, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", other, "sub");
    git(temp, "commit", "-qm", "submodule");
    assertEquals([(await run("implement")).at(-1), isMarked()], ["implement: not done (1)", false]);
  }
});

Deno.test("a tree that an earlier version made is checked when it is first used", async () => {
  for (const isHostile of [true, false]) {
    const { temp, run, runs, reason } = await left(nested("lib"));
    using _ = temp;
    await run("implement");
    const tree = `${temp.root}/.agentx/state/worktrees/1-implement`;
    // An earlier version kept the run, and noted nothing.
    Deno.removeSync(`${temp.root}/.git/worktrees/1-implement/agentx-start`);
    if (!isHostile) Deno.removeSync(`${tree}/lib`, { recursive: true });
    const last = (await run("implement")).at(-1);
    assertEquals(last, isHostile ? "implement: not done (1)" : "implement: done (1)");
    assertEquals((await reason()).includes("lib/.git is a repository"), isHostile);
    assertEquals(runs.filter((role) => role === "engineer").length, 1);
  }
});

Deno.test("a filter that only the repository names is refused by name, until the user agrees to it", async () => {
  const { temp, run, isMarked, program } = await left(() => {});
  using _ = temp;
  for (const name of ["AGENTX_TRUST", "CI"]) Deno.env.delete(name);
  await temp.trust();
  git(temp, "config", "filter.x.clean", program);
  temp.write(".git/info/attributes", "* filter=x\n");
  const error = await refusal("UNTRUSTED", () => run());
  assert(error.message.includes("filter.x.clean"), error.message);
  const merge = await temp.run(["workflow", "merge", "1"]);
  assert(merge.code === 6 && merge.err.includes("filter.x.clean"), merge.err);
  assertEquals(isMarked(), false);
  const { err } = await temp.trust();
  assert(err.includes("filter.x.clean = /"), err);
  await run();
  assertEquals([temp.issue(1).status, isMarked()], ["Done", true]);
});

const HAS_LFS = new Deno.Command("git", { args: ["lfs", "version"] }).outputSync().success;
if (!HAS_LFS) console.warn("git-lfs was not tried: .ci/run installs it");

Deno.test({
  name:
    "a pointer of git-lfs stays a pointer in a step and at the merge, with its content or without",
  ignore: !HAS_LFS,
  async fn() {
    const settings = Deno.makeTempFileSync();
    Deno.writeTextFileSync(
      settings,
      '[filter "lfs"]\n\tclean = git-lfs clean -- %f\n\tsmudge = git-lfs smudge -- %f\n' +
        "\tprocess = git-lfs filter-process\n\trequired = true\n",
    );
    const before = Deno.env.get("GIT_CONFIG_GLOBAL");
    Deno.env.set("GIT_CONFIG_GLOBAL", settings);
    try {
      for (const skips of ["0", "1"]) {
        Deno.env.set("GIT_LFS_SKIP_SMUDGE", skips);
        const seen: string[] = [];
        const pm: Script = (cwd, ...more) => {
          seen.push(Deno.readTextFileSync(`${cwd}/kept.bin`).slice(0, 7));
          Deno.utimeSync(`${cwd}/kept.bin`, 1, 1);
          Deno.writeTextFileSync(`${cwd}/new.bin`, "two\n");
          return GOOD["product-manager"](cwd, ...more);
        };
        const { temp, run } = await place({ ...GOOD, "product-manager": pm });
        using _ = temp;
        temp.write(".gitattributes", "*.bin filter=lfs diff=lfs merge=lfs -text\n");
        temp.write("kept.bin", "one\n");
        git(temp, "add", "-A");
        git(temp, "commit", "-qm", "large");
        await run();
        assertEquals((await temp.run(["workflow", "merge", "1"])).code, 0);
        for (const path of ["kept.bin", "new.bin"]) {
          assert(git(temp, "show", `HEAD:${path}`).startsWith("version https://git-lfs"), path);
        }
        assertEquals([seen, temp.read("kept.bin")], [
          [skips === "0" ? "one\n" : "version"],
          "one\n",
        ]);
        assertEquals(temp.read("new.bin").slice(0, 7), skips === "0" ? "two\n" : "version");
        assertEquals(git(temp, "status", "--porcelain"), "");
      }
    } finally {
      Deno.env.delete("GIT_LFS_SKIP_SMUDGE");
      if (before === undefined) Deno.env.delete("GIT_CONFIG_GLOBAL");
      else Deno.env.set("GIT_CONFIG_GLOBAL", before);
      Deno.removeSync(settings);
    }
  },
});
