import { assert, assertEquals } from "@std/assert";
import { commandInvoker } from "../../lib/agents/invoke.ts";
import { sandboxed, type SandboxOptions } from "../../lib/agents/sandbox.ts";
import { TempWorkspace } from "../temp_workspace.ts";

const LINUX: SandboxOptions = {
  sandbox: "workspace",
  hasNetwork: false,
  cwd: "/work/app",
  home: "/home/ann",
  platform: "linux",
  has: () => true,
  exists: (path) => path !== "/home/ann/.kube",
};

/** The words of an option, joined. */
function pairs(words: string[], option: string, count: number): string[] {
  return words.flatMap((word, at) =>
    word === option ? [words.slice(at + 1, at + 1 + count).join(" ")] : []
  );
}

Deno.test("sandboxed(): bwrap binds the tree, fixes what says what runs, and hides keys", () => {
  const words = sandboxed(["claude", "-p"], LINUX) as string[];
  assertEquals(words.slice(-3), ["--", "claude", "-p"]);
  assert(words.includes("--unshare-net"));
  const bound = pairs(words, "--bind", 2);
  assertEquals(bound.slice(0, 2), ["/work/app /work/app", "/home/ann/.claude /home/ann/.claude"]);
  const fixed = pairs(words, "--ro-bind", 2);
  assert(fixed.includes("/work/app/.git/hooks /work/app/.git/hooks"));
  assert(words.lastIndexOf("--bind") < words.lastIndexOf("--ro-bind"));
  assert(pairs(words, "--tmpfs", 1).includes("/home/ann/.ssh"));
  assert(!words.includes("/home/ann/.kube"));
  const reading = sandboxed(["x"], {
    ...LINUX,
    sandbox: "read-only",
    hasNetwork: true,
  }) as string[];
  assertEquals(pairs(reading, "--bind", 2), []);
  assert(!reading.includes("--unshare-net"));
});

Deno.test("sandboxed(): in a worktree, git and the record of the main checkout can be written", () => {
  using workspace = new TempWorkspace();
  const { root } = workspace;
  workspace.write("main/.git/HEAD", "ref: refs/heads/main\n");
  workspace.write("main/.git/worktrees/tree/commondir", "../..\n");
  workspace.write("main/.git/worktrees/tree/gitdir", `${root}/tree/.git\n`);
  workspace.write("tree/.git", `gitdir: ${root}/main/.git/worktrees/tree\n`);
  const words = sandboxed(["claude"], { ...LINUX, cwd: `${root}/tree` }) as string[];
  const bound = pairs(words, "--bind", 1);
  assertEquals(
    bound.slice(0, 3),
    ["tree", "main/.git", "main/.agentx/state"].map((each) => `${root}/${each}`),
  );
  assert(pairs(words, "--ro-bind", 1).includes(`${root}/main/.git/hooks`));
});

Deno.test("sandboxed(): sandbox-exec on macOS; nothing runs where there is no sandbox", () => {
  const [program, option, profile, ...rest] = sandboxed(["x", "y"], {
    ...LINUX,
    platform: "darwin",
  });
  assertEquals([program, option, ...rest], ["sandbox-exec", "-p", "x", "y"]);
  assert(profile.includes('(allow file-write* (subpath "/dev")'), profile);
  assert(profile.includes('(subpath "/work/app")') && profile.endsWith("(deny network*)"), profile);
  assertEquals(typeof sandboxed(["x"], { ...LINUX, has: () => false }), "string");
  assertEquals(typeof sandboxed(["x"], { ...LINUX, platform: "freebsd" }), "string");
});

Deno.test("sandboxed(): Codex has its own, which nothing may loosen", () => {
  const of = (...words: string[]) => sandboxed(["codex", ...words], { ...LINUX, hasNetwork: true });
  assertEquals(of("exec", "-"), ["codex", "exec", "-s", "workspace-write", "-"]);
  assertEquals(of("exec", "-s", "read-only", "-"), ["codex", "exec", "-s", "read-only", "-"]);
  for (const free of ["--yolo", "--full-auto", "--dangerously-bypass-approvals-and-sandbox"]) {
    assertEquals(typeof of("exec", free, "-"), "string");
  }
  assertEquals(typeof of("exec", "-s", "danger-full-access", "-"), "string");
  assertEquals(typeof of("exec", "-c", 'sandbox_mode="danger-full-access"'), "string");
});

const hasBwrap = Deno.build.os === "linux" &&
  new Deno.Command("sh", { args: ["-c", "bwrap --ro-bind / / true"], stderr: "null" })
    .outputSync().success;

for (const sandbox of ["read-only", "workspace"] as const) {
  Deno.test({
    name: `commandInvoker(): in the sandbox ${sandbox}, an agent writes no more than it says`,
    ignore: !hasBwrap,
    async fn() {
      using workspace = new TempWorkspace();
      const { root } = workspace;
      Deno.mkdirSync(`${root}/tree`);
      const script = "(echo x > in.txt); (echo x > ../out.txt); echo done";
      const command = ["sh", "-c", script];
      const invoke = commandInvoker({ command, cwd: `${root}/tree`, sandbox, network: false });
      const reply = await invoke({ agent: "tester", prompt: "x" } as never);
      assertEquals(reply, "done");
      assertEquals(workspace.has("tree/in.txt"), sandbox === "workspace");
      assert(!workspace.has("out.txt"));
    },
  });
}
