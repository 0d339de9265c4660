import { assert, assertEquals } from "@std/assert";
import { commandInvoker } from "../../lib/agents/invoke.ts";
import { sandboxed } from "../../lib/agents/sandbox.ts";
import type { ConfineOptions } from "../../lib/sandbox/confine.ts";
import { TempWorkspace } from "../temp_workspace.ts";

const decoder = new TextDecoder();

/** A program that is nowhere else stands in for one of another platform. */
function otherPlatform(temp: TempWorkspace, more: Partial<ConfineOptions> = {}): ConfineOptions {
  temp.write("bin/sandbox-exec", "");
  Deno.chmodSync(`${temp.root}/bin/sandbox-exec`, 0o755);
  return {
    ...{ sandbox: "workspace", hasNetwork: false, cwd: `${temp.root}/tree` },
    ...{ path: `${temp.root}/bin`, home: `${temp.root}/home`, platform: "darwin", ...more },
  };
}

Deno.test("sandboxed(): sandbox-exec on macOS closes names that are not there, and keeps the folders above", () => {
  using temp = new TempWorkspace();
  Deno.mkdirSync(`${temp.root}/tree/.git`, { recursive: true });
  temp.write("tree/.git/HEAD", "ref: refs/heads/main\n");
  temp.write("tree/.claude/skills/a/SKILL.md", "x\n");
  temp.write("home/.ssh/id", "x\n");
  const confined = sandboxed(["x", "y"], otherPlatform(temp));
  assert(typeof confined !== "string", String(confined));
  const [program, option, profile, ...rest] = confined.command;
  assertEquals([program.split("/").at(-1), option, ...rest], ["sandbox-exec", "-p", "x", "y"]);
  const tree = `${temp.root}/tree`;
  const at = (rule: string) => {
    assert(profile.includes(rule), `${rule} is not in ${profile}`);
    return profile.indexOf(rule);
  };
  const opened = at(`(allow file-write* (subpath "${tree}"))`);
  for (const path of [".git", ".claude", ".mcp.json", ".github/workflows", ".agentx/workflows"]) {
    assert(at(`(deny file-write* (subpath "${tree}/${path}"))`) > opened, path);
  }
  for (const folder of ["", "/.github", "/.agentx"]) {
    at(`(deny file-write-unlink (literal "${tree}${folder}"))`);
  }
  const closed = at(`(deny file-write* (subpath "${tree}/.claude"))`);
  assert(at(`(allow file-write* (subpath "${tree}/.claude/skills"))`) > closed);
  at(`(deny file-read* (subpath "${temp.root}/home/.ssh"))`);
  assert(profile.endsWith("(deny network*)"), profile);
  const devops = sandboxed(["x"], otherPlatform(temp, { mayChange: [".github/workflows/**"] }));
  assert(typeof devops !== "string" && !devops.command[2].includes("/.github/workflows"));
});

Deno.test("sandboxed(): on macOS, an agent that answers cannot read what its host would load as code", () => {
  using temp = new TempWorkspace();
  temp.write("tree/.git/HEAD", "ref: refs/heads/main\n");
  temp.write("tree/.opencode/plugins/a.js", "x\n");
  const options = otherPlatform(temp, { sandbox: "read-only", hasNetwork: true });
  const confined = sandboxed(["opencode"], options);
  const rule = `(deny file-read* (subpath "${temp.root}/tree/.opencode/plugins"))`;
  assert(typeof confined !== "string" && confined.command[2].includes(rule));
});

Deno.test("sandboxed(): nothing runs where there is no sandbox", () => {
  using temp = new TempWorkspace();
  for (const platform of ["freebsd", "linux"]) {
    assertEquals(typeof sandboxed(["x"], otherPlatform(temp, { platform })), "string");
  }
});

Deno.test("sandboxed(): Codex has its own, which nothing may loosen", () => {
  using temp = new TempWorkspace();
  const of = (...words: string[]) => {
    const own = sandboxed(["codex", ...words], otherPlatform(temp, { hasNetwork: true }));
    return typeof own === "string" ? "refused" : own.command.slice(1).join(" ");
  };
  assertEquals(of("exec", "-"), "exec -s workspace-write -");
  assertEquals(of("exec", "-s", "read-only", "-"), "exec -s read-only -");
  for (const free of ["--yolo", "--full-auto", "--dangerously-bypass-approvals-and-sandbox"]) {
    assertEquals(of("exec", free, "-"), "refused");
  }
  assertEquals(of("exec", "-s", "danger-full-access", "-"), "refused");
  assertEquals(of("exec", "-c", 'sandbox_mode="danger-full-access"'), "refused");
});

const hasBwrap = Deno.build.os === "linux" &&
  new Deno.Command("sh", { args: ["-c", "bwrap --ro-bind / / true"], stderr: "null" })
    .outputSync().success;

/** A repository with files that start a program, in a workspace that is a folder of it. */
class Repository extends TempWorkspace {
  /** @param parent where it shows in a sandbox, which `/tmp` does not */
  constructor(parent?: string) {
    super({ parent });
    this.write("repo/.github/workflows/ci.yml", "on: push\n");
    this.write("repo/shop/.claude/settings.json", "{}\n");
    this.write("repo/shop/a.txt", "a\n");
    this.write("repo/.gitignore", "*.local\n");
    this.git("init", "-q", "-b", "main", `${this.root}/repo`);
    this.in("repo", "add", "-A");
    this.in("repo", "commit", "-qm", "begin");
  }

  git(...args: string[]): void {
    const identity = ["-c", "user.name=t", "-c", "user.email=t@example.org"];
    const allowed = ["-c", "protocol.file.allow=always"];
    const { success, stderr } = new Deno.Command("git", {
      args: [...identity, ...allowed, ...args],
      cwd: this.root,
    }).outputSync();
    assert(success, decoder.decode(stderr));
  }

  in(folder: string, ...args: string[]): void {
    this.git("-C", `${this.root}/${folder}`, ...args);
  }

  /** What a script says that an agent runs, or why its run failed. */
  async agent(folder: string, script: string, more: object = {}): Promise<string> {
    const command = ["sh", "-c", `{ ${script}; } 2>&1; echo end`];
    const cwd = `${this.root}/${folder}`;
    const options = { command, cwd, sandbox: "workspace" as const, network: false, ...more };
    return await commandInvoker(options)({ agent: "tester", prompt: "x" } as never)
      .catch((error) => String(error.message));
  }
}

for (const sandbox of ["read-only", "workspace"] as const) {
  Deno.test({
    name: `commandInvoker(): in the sandbox ${sandbox}, an agent writes no more than it says`,
    ignore: !hasBwrap,
    async fn() {
      using temp = new Repository();
      const script = "(echo x > in.txt); (echo x > ../../out.txt); (echo x > .git/x)";
      await temp.agent("repo/shop", script, { sandbox });
      assertEquals(temp.has("repo/shop/in.txt"), sandbox === "workspace");
      assert(!temp.has("out.txt"));
    },
  });
}

/** Trees of all forms, with the folder of the workspace in each. */
const TREES: Record<string, (temp: Repository) => string> = {
  "the main checkout": () => "repo/shop",
  "a worktree": (temp) => {
    temp.in("repo", "worktree", "add", "-q", "-b", "other", `${temp.root}/tree`);
    return "tree/shop";
  },
  "a worktree in the record": (temp) => {
    const trees = "repo/shop/.agentx/state/worktrees";
    temp.in("repo", "worktree", "add", "-q", "-b", "1-a", `${temp.root}/${trees}/1-a`);
    temp.write(`${trees}/2-b/a.txt`, "of another step\n");
    return `${trees}/1-a/shop`;
  },
  "a submodule": (temp) => {
    temp.git("init", "-q", "-b", "main", `${temp.root}/super`);
    temp.in("super", "submodule", "--quiet", "add", `${temp.root}/repo`, "part");
    return "super/part/shop";
  },
};

for (const [form, make] of Object.entries(TREES)) {
  Deno.test({
    name: `the sandbox in ${form}: git reads, and no way leads around a protected file`,
    ignore: !hasBwrap,
    async fn() {
      using temp = new Repository();
      const folder = make(temp);
      const top = folder.slice(0, -"/shop".length);
      const said = await temp.agent(folder, "git status --short && git log --oneline | wc -l");
      assertEquals(said, "1\nend");
      const attempts = {
        "write": "echo x > .claude/settings.json",
        "remove": "rm -f .claude/settings.json",
        "rename the parent": "mv .claude was && mkdir .claude && echo x > .claude/settings.json",
        "rename the grandparent":
          "cd .. && mv .github was && mkdir -p .github/workflows && echo x > .github/workflows/ci.yml",
        "rename the folder of the workspace":
          "cd .. && mv shop was && mkdir -p shop/.claude && echo x > shop/.claude/settings.json",
        "add beside it": "echo x > ../.github/workflows/more.yml",
        "commit": "echo b > a.txt && git add a.txt",
        "replace .git": "rm -rf ../.git; mkdir ../.git",
        "rename .git": "mv ../.git ../was",
        "a hook": "touch $(git rev-parse --git-path hooks/pre-commit)",
        "a setting": "git config core.hooksPath .",
        "the tree of another step": "echo x > ../../2-b/a.txt",
      };
      for (const [name, script] of Object.entries(attempts)) {
        const said = await temp.agent(folder, script);
        const isRefused = /Read-only file system|busy|Permission denied|nonexistent|No such/i;
        assert(isRefused.test(said), `${name}: ${said}`);
      }
      assertEquals(temp.read(`${folder}/.claude/settings.json`), "{}\n");
      assertEquals(temp.read(`${top}/.github/workflows/ci.yml`), "on: push\n");
      temp.in(top, "checkout", "-q", "--", "."); // `a.txt` is theirs
      temp.in(top, "diff", "--quiet", "HEAD");
    },
  });
}

Deno.test({
  name: "the sandbox leaves root no privilege with which a mount is undone",
  ignore: !hasBwrap || Deno.uid() !== 0,
  async fn() {
    using temp = new Repository("/var/tmp");
    const out = `${temp.root}/out`;
    const attempts = [
      `mount -o remount,rw,bind / && echo x > ${out}`,
      `mkdir -p /tmp/all && mount --bind / /tmp/all && echo x > /tmp/all${out}`,
      `umount -l / ; echo x > ${out}`,
      "umount ../.git; echo x > ../.git/mark",
      "mount -o remount,rw,bind .claude && echo x > .claude/mark",
      "unshare -rm sh -c 'mount -o remount,rw,bind ../.git && echo x > ../.git/mark'",
    ];
    for (const attempt of attempts) await temp.agent("repo/shop", attempt);
    const marks = ["out", "repo/.git/mark", "repo/shop/.claude/mark"];
    assertEquals(marks.filter((path) => temp.has(path)), []);
  },
});

Deno.test({
  name: "the sandbox holds for a user without privileges",
  ignore: !hasBwrap || Deno.uid() !== 0,
  fn() {
    using temp = new Repository();
    new Deno.Command("chown", { args: ["-R", "65534:65534", temp.root] }).outputSync();
    const run = (script: string) => {
      const path = "/usr/bin:/bin";
      const home = temp.root;
      const place = { sandbox: "workspace", cwd: `${temp.root}/repo/shop`, path, home } as const;
      const confined = sandboxed(["sh", "-c", script], { hasNetwork: false, ...place });
      assert(typeof confined !== "string");
      const [program, ...args] = confined.command;
      const user = { uid: 65534, gid: 65534, env: { HOME: home } };
      const { stdout, stderr } = new Deno.Command(program, { args, ...user }).outputSync();
      return decoder.decode(stdout) + decoder.decode(stderr);
    };
    assertEquals(run("echo b > a.txt; git status --short; id -u"), " M a.txt\n65534\n");
    assert(/busy/.test(run("mv .claude was")) && /busy/.test(run("cd ..; mv .github was")));
    assert(/Read-only/.test(run("echo x > .claude/settings.json")));
  },
});

Deno.test({
  name: "the sandbox: a protected file that was not there fails the run by its name",
  ignore: !hasBwrap,
  async fn() {
    for (
      const script of [
        "echo x > .mcp.json",
        "mkdir -p ../.husky && echo x > ../.husky/pre-commit",
        "ln -s a.txt opencode.json",
        "mkdir .vscode",
        "rm .envrc; echo x > .envrc",
      ]
    ) {
      using temp = new Repository();
      Deno.symlinkSync("a.txt", `${temp.root}/repo/shop/.envrc`);
      const said = await temp.agent("repo/shop", script);
      assert(/has changed what may start a program: \S+/.test(said), `${script}: ${said}`);
    }
    using temp = new Repository();
    assertEquals(
      await temp.agent("repo/shop", "echo x > AGENTS.md; echo {} > package.json"),
      "end",
    );
    const mayChange = [".github/**", "*.yml"];
    const work = { mayChange, commands: [] };
    const ci = await temp.agent("repo", "echo x > .github/workflows/ci.yml", { work });
    assertEquals([ci, temp.read("repo/.github/workflows/ci.yml")], ["end", "x\n"]);
  },
});

Deno.test({
  name: "the sandbox opens nothing outside of the tree, wherever links of the repository lead",
  ignore: !hasBwrap,
  async fn() {
    for (const link of [".github", ".claude/skills", ".codex", ".agentx", ".vscode"]) {
      for (const target of ["outside", "nowhere"]) {
        using temp = new Repository("/var/tmp");
        temp.write("outside/file", "x");
        const path = `${temp.root}/repo/shop/${link}`;
        Deno.symlinkSync(`${temp.root}/${target}`, path);
        temp.write("repo/shop/.gitignore", `${link}\n`);
        const folder = TREES["a worktree"](temp);
        Deno.mkdirSync(`${temp.root}/${folder}/.claude`, { recursive: true });
        Deno.symlinkSync(`${temp.root}/${target}`, `${temp.root}/${folder}/${link}`);
        for (const each of ["repo/shop", folder]) {
          const script =
            `for to in ${link}/made ${temp.root}/outside/made; do (echo x > $to); done`;
          const said = await temp.agent(each, script);
          assert(/^sh: .*\nend$/s.test(said), `${link} ${each}: ${said}`);
        }
        assert(!temp.has("outside/made") && temp.read("outside/file") === "x");
      }
    }
  },
});

Deno.test({
  name: "the sandbox read-only: what a host loads as code does not show, what instructs does",
  ignore: !hasBwrap,
  async fn() {
    using temp = new Repository();
    temp.write("repo/.mcp.json", "{}");
    temp.write("repo/shop/.claude/skills/a/SKILL.md", "x");
    temp.write("repo/.opencode/plugins/a.js", "x");
    Deno.symlinkSync("shop/a.txt", `${temp.root}/repo/link`);
    const script = "cat ../link; cd .. && find . -path ./.git -prune -o -type f -print | sort";
    const shown = await temp.agent("repo/shop", script, { sandbox: "read-only" });
    assertEquals(shown.split("\n"), [
      ...["a", "./.github/workflows/ci.yml", "./.gitignore", "./shop/.claude/skills/a/SKILL.md"],
      ...["./shop/a.txt", "end"],
    ]);
    assertEquals(temp.read("repo/.mcp.json"), "{}");
    temp.in("repo", "diff", "--quiet", "HEAD");
  },
});

Deno.test({
  name: "the sandbox is not a program of the repository, whatever the PATH says",
  ignore: !hasBwrap,
  async fn() {
    using temp = new Repository();
    temp.write("repo/shop/bin/bwrap", `#!/bin/sh\ntouch ${temp.root}/marker\n`);
    Deno.chmodSync(`${temp.root}/repo/shop/bin/bwrap`, 0o755);
    const env = { PATH: `bin:.:${Deno.env.get("PATH")}` };
    assertEquals(await temp.agent("repo/shop", "true", { env }), "end");
    assert(!temp.has("marker"));
  },
});
