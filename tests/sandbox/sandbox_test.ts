import { assert, assertEquals } from "@std/assert";
import { commandInvoker } from "../../lib/agents/invoke.ts";
import { sandboxed } from "../../lib/agents/sandbox.ts";
import type { ConfineOptions } from "../../lib/sandbox/confine.ts";
import { AGENTX, ASK, ended, TempWorkspace } from "../temp_workspace.ts";

const decoder = new TextDecoder();

/** A program that is nowhere else stands in for one of another platform. */
function otherPlatform(temp: TempWorkspace, more: Partial<ConfineOptions> = {}): ConfineOptions {
  temp.write("bin/sandbox-exec", "#!/bin/sh\n");
  Deno.chmodSync(`${temp.root}/bin/sandbox-exec`, 0o755);
  return {
    ...{ sandbox: "workspace", hasNetwork: false, cwd: `${temp.root}/tree` },
    ...{ path: `${temp.root}/bin`, home: `${temp.root}/home`, platform: "darwin", ...more },
  };
}

Deno.test("sandboxed(): sandbox-exec on macOS closes names that are not there, and keeps the folders above", async () => {
  using temp = new TempWorkspace();
  Deno.mkdirSync(`${temp.root}/tree/.git`, { recursive: true });
  temp.write("tree/.git/HEAD", "ref: refs/heads/main\n");
  temp.write("tree/.claude/skills/a/SKILL.md", "x\n");
  temp.write("home/.ssh/id", "x\n");
  const confined = await sandboxed(["x", "y"], otherPlatform(temp));
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
  const devops = await sandboxed(
    ["x"],
    otherPlatform(temp, { mayChange: [".github/workflows/**"] }),
  );
  assert(typeof devops !== "string", String(devops));
  const ci = `(subpath "${tree}/.github/workflows"))`;
  assert(devops.command[2].includes(`(allow file-write* ${ci}`), devops.command[2]);
  assert(!devops.command[2].includes(`(deny file-write* ${ci}`), devops.command[2]);
  assert(!devops.command[2].includes(`(allow file-write* (subpath "${tree}"))`), devops.command[2]);
});

Deno.test("sandboxed(): a host writes what it keeps in a home, and not what says what it runs there", async () => {
  using temp = new TempWorkspace();
  temp.write("tree/.git/HEAD", "ref: refs/heads/main\n");
  const code = ["settings.json", "mcp.json", "extensions/a.js"];
  for (const name of code) temp.write(`home/.pi/agent/${name}`, "");
  const confined = await sandboxed(["pi"], otherPlatform(temp));
  assert(typeof confined !== "string", String(confined));
  const of = (rule: string) =>
    confined.command[2].indexOf(`${rule} (subpath "${temp.root}/home/.pi`);
  const opened = of("(allow file-write*");
  assert(opened > 0);
  for (const name of ["settings.json", "mcp.json", "extensions"]) {
    const rule = `(deny file-write* (subpath "${temp.root}/home/.pi/agent/${name}"))`;
    assert(confined.command[2].indexOf(rule) > opened, name);
  }
});

Deno.test("sandboxed(): a host writes what it keeps also where its user has moved that", async () => {
  using temp = new TempWorkspace();
  temp.write("tree/.git/HEAD", "ref: refs/heads/main\n");
  temp.write("moved/config.toml", "");
  const moved = `${temp.root}/moved`;
  Deno.env.set("CODEX_HOME", moved);
  const confined = await sandboxed(["codex", "exec"], otherPlatform(temp))
    .finally(() => Deno.env.delete("CODEX_HOME"));
  assert(typeof confined !== "string", String(confined));
  const profile = confined.command[2];
  const opened = profile.indexOf(`(allow file-write* (subpath "${moved}"))`);
  const closed = profile.indexOf(`(deny file-write* (subpath "${moved}/config.toml"))`);
  assert(0 < opened && opened < closed, profile);
});

Deno.test("sandboxed(): on macOS, an agent that answers cannot read what its host would load as code", async () => {
  using temp = new TempWorkspace();
  temp.write("tree/.git/HEAD", "ref: refs/heads/main\n");
  temp.write("tree/.opencode/plugins/a.js", "x\n");
  const options = otherPlatform(temp, { sandbox: "read-only", hasNetwork: true });
  const confined = await sandboxed(["opencode"], options);
  const rule = `(deny file-read* (subpath "${temp.root}/tree/.opencode/plugins"))`;
  assert(typeof confined !== "string" && confined.command[2].includes(rule));
});

Deno.test("sandboxed(): nothing runs where there is no sandbox", async () => {
  using temp = new TempWorkspace();
  for (const platform of ["freebsd", "linux"]) {
    assertEquals(typeof await sandboxed(["x"], otherPlatform(temp, { platform })), "string");
  }
});

Deno.test("sandboxed(): Codex's own sandbox is off, since it does not start in another one", async () => {
  using temp = new TempWorkspace();
  const of = async (...words: string[]) => {
    const confined = await sandboxed(words, otherPlatform(temp));
    return typeof confined === "string" ? confined : confined.command.slice(3).join(" ");
  };
  const off = "codex exec -s danger-full-access -";
  assertEquals(await of("codex", "exec", "-"), off);
  assertEquals(await of("codex", "exec", "-s", "read-only", "-"), off);
  const long = await of("npx", "-y", "@openai/codex", "exec", "--sandbox", "read-only", "-");
  assertEquals(long, "npx -y @openai/codex exec --sandbox danger-full-access -");
  for (const words of [["claude", "-p", "exec"], ["codex-acp"]]) {
    assertEquals(await of(...words), words.join(" "));
  }
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

Deno.test({
  name: "commandInvoker(): a program that the sandbox does not show is named as the reason",
  ignore: !hasBwrap,
  async fn() {
    using temp = new Repository(Deno.env.get("HOME"));
    const program = Deno.makeTempFileSync({ suffix: ".sh" });
    Deno.writeTextFileSync(program, "#!/bin/sh\necho done\n", { mode: 0o755 });
    const said = await temp.agent("repo/shop", "", { command: [program] });
    Deno.removeSync(program);
    assert(said.includes(`its sandbox does not show ${program}`), said);
  },
});

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

/** Writes `x` into each of some files, where that is possible. */
function writing(paths: readonly string[]): string {
  return paths.map((path) => `(mkdir -p $(dirname ${path}); echo x > ${path})`).join("; ");
}

Deno.test({
  name: "the sandbox opens the folders that the role of an agent at work may change, and no others",
  ignore: !hasBwrap,
  async fn() {
    const all = ["a.txt", "src/deep/a.txt", "docs/adr/a.md", "docs/b.md", "../c.txt"];
    const inWorkspace = all.slice(0, -1);
    const closed = [".git/mark", "../.git/mark", "away/mark", "away/more/mark"];
    const opened: [patterns: string[] | null, expected: string[]][] = [
      [null, all],
      [["**"], inWorkspace],
      [["*.yml"], inWorkspace], // the folder of such files: the files are compared after the run
      [["src/**", "docs/adr/*.md"], ["src/deep/a.txt", "docs/adr/a.md"]],
      [["src/deep/"], ["src/deep/a.txt"]],
      [["../**", "/**", "./**", "src/../../**", ".git/**", "away/**", "away/more/**", "a/**"], []],
      [[], []],
    ];
    for (const [mayChange, expected] of opened) {
      using temp = new Repository("/var/tmp");
      const folder = TREES["a worktree in the record"](temp);
      temp.write(`${folder}/docs/a.md`, "a");
      temp.write(`${folder}/.agentx/config.json`, "{}");
      Deno.mkdirSync(`${temp.root}/away`);
      Deno.symlinkSync(`${temp.root}/away`, `${temp.root}/${folder}/away`);
      Deno.symlinkSync("nowhere", `${temp.root}/${folder}/a`);
      const work = { mayChange, commands: [] };
      // A `.git` that is made in an open folder fails the run, as the tests below show.
      const tried = expected.includes("a.txt") ? all : [...all, ...closed];
      await temp.agent(folder, writing([...tried, ".agentx/config.json"]), { work });
      const written = tried.filter((path) => temp.has(`${folder}/${path}`))
        .filter((path) => temp.read(`${folder}/${path}`) === "x\n");
      assertEquals(written, expected, JSON.stringify(mayChange));
      assertEquals(temp.read(`${folder}/.agentx/config.json`), "{}");
      const git = "git status >/dev/null && git log --oneline | wc -l";
      assertEquals(await temp.agent(folder, git, { work }), "1\nend");
    }
  },
});

Deno.test({
  name:
    "the sandbox lets the tools of agentx write their lines and state, whatever a role may change",
  ignore: !hasBwrap,
  async fn() {
    using temp = new Repository("/var/tmp");
    const folder = TREES["a worktree in the record"](temp);
    for (const each of [folder, "repo/shop"]) temp.write(`${each}/.agentx/log/a.jsonl`, "{}");
    const paths = [
      `${folder}/.agentx/issues/2026-11/a.jsonl`,
      `${folder}/.agentx/memory/2026-11/a.jsonl`,
      "repo/shop/.agentx/issues/2026-11/a.jsonl",
      "repo/shop/.agentx/memory/2026-11/a.jsonl",
      "repo/shop/.agentx/log/b.jsonl",
      "repo/shop/.agentx/state/a.json",
    ];
    const script = writing(paths.map((path) => `${temp.root}/${path}`));
    for (const mayChange of [["src/**"], null]) {
      await temp.agent(folder, script, { work: { mayChange, commands: [] } });
      assertEquals(paths.filter((path) => !temp.has(path)), []);
      for (const path of paths) Deno.removeSync(`${temp.root}/${path}`);
    }
  },
});

/** Words that run a command as a user in a namespace in which nobody makes another one. */
const FORBIDDEN = [
  ...["unshare", "--user", "--map-user=1000", "--keep-caps", "sh", "-c"],
  'echo 0 >/proc/sys/user/max_user_namespaces; exec setpriv --ambient-caps=-all --inh-caps=-all "$@"',
  "sh",
];
const canForbid = hasBwrap &&
  new Deno.Command("sh", { args: ["-c", '"$@" true', "sh", ...FORBIDDEN], stderr: "null" })
    .outputSync().success;

Deno.test({
  name: "ask: where the kernel forbids user namespaces, the refusal names the setting",
  ignore: !canForbid,
  async fn() {
    using temp = new TempWorkspace({
      config: { agents: { architect: { command: ["echo", "PostgreSQL."], sandbox: "read-only" } } },
    });
    const program = [...FORBIDDEN, ...AGENTX.split(" ")];
    const { code, out, err } = await ended(temp.spawn(ASK, { program }));
    const said = (out + err).replaceAll(/\s+/g, " ");
    assertEquals(code, 7, said);
    assert(said.includes("user.max_user_namespaces = 0"), said);
  },
});

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
  async fn() {
    using temp = new Repository();
    new Deno.Command("chown", { args: ["-R", "65534:65534", temp.root] }).outputSync();
    const run = async (script: string) => {
      const path = "/usr/bin:/bin";
      const home = temp.root;
      const place = { sandbox: "workspace", cwd: `${temp.root}/repo/shop`, path, home } as const;
      const confined = await sandboxed(["sh", "-c", script], { hasNetwork: false, ...place });
      assert(typeof confined !== "string");
      const [program, ...args] = confined.command;
      const user = { uid: 65534, gid: 65534, env: { HOME: home } };
      const { stdout, stderr } = new Deno.Command(program, { args, ...user }).outputSync();
      return decoder.decode(stdout) + decoder.decode(stderr);
    };
    assertEquals(await run("echo b > a.txt; git status --short; id -u"), " M a.txt\n65534\n");
    assert(
      /busy/.test(await run("mv .claude was")) && /busy/.test(await run("cd ..; mv .github was")),
    );
    assert(/Read-only/.test(await run("echo x > .claude/settings.json")));
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
  name: "the sandbox workspace: an agent does not read what it cannot be kept from loading",
  ignore: !hasBwrap,
  async fn() {
    using temp = new Repository();
    temp.write("repo/shop/.mcp.json", "{}");
    temp.write("repo/shop/.opencode/plugins/a.js", "x");
    const script = "cat .mcp.json 2>/dev/null; ls .opencode/plugins; echo y > b.txt";
    const through = (words: readonly string[]) => words;
    assertEquals(await temp.agent("repo/shop", script, { through }), "end");
    assertEquals([temp.read("repo/shop/.mcp.json"), temp.read("repo/shop/b.txt")], ["{}", "y\n"]);
    assertEquals(await temp.agent("repo/shop", "cat .mcp.json"), "{}end");
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
