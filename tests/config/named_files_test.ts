import { assertEquals } from "@std/assert";
import { namedFiles } from "../../lib/config/named_files.ts";
import type { RunSettings } from "../../lib/config/runnable.ts";

/** A checkout with a few files, and a folder beside it. */
class Files implements Disposable {
  readonly #outside = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "agentx-test-" }));
  readonly root = `${this.#outside}/repository`;
  readonly tree = `${this.root}/package`;

  constructor() {
    const packages = ["package/node_modules/.bin", "package/node_modules/@openai/codex"];
    for (const folder of [...packages, "package/agents", "package/bin", "tools", "../elsewhere"]) {
      Deno.mkdirSync(`${this.root}/${folder}`, { recursive: true });
    }
    for (
      const path of [
        "package/.npmrc",
        "package/node_modules/.bin/claude",
        "package/node_modules/@openai/codex/package.json",
        "package/agents/a.sh",
        "package/my agent.sh",
        "package/bin/claude",
        "tools/t.sh",
      ]
    ) Deno.writeTextFileSync(`${this.root}/${path}`, "");
    Deno.writeTextFileSync(`${this.#outside}/elsewhere/x.sh`, "");
    Deno.symlinkSync("agents/a.sh", `${this.tree}/link.sh`);
    Deno.symlinkSync(`${this.#outside}/elsewhere/x.sh`, `${this.tree}/out.sh`);
    Deno.symlinkSync(`${this.root}/tools/t.sh`, `${this.#outside}/elsewhere/in.sh`);
    Deno.symlinkSync("nowhere", `${this.tree}/dangling.sh`);
    Deno.symlinkSync("loop.sh", `${this.tree}/loop.sh`);
    new Deno.Command("mkfifo", { args: [`${this.tree}/pipe`] }).outputSync();
  }

  named(command: string[] | null, env: Record<string, string> = {}): string[] | undefined {
    const place = (text: string) =>
      text.replaceAll("ROOT", this.root).replaceAll("..OUT", this.#outside);
    const values = Object.entries(env).map((
      [name, value],
    ): [string, string] => [name, place(value)]);
    return this.namedBy({ command: command && command.map(place), preset: null }, values);
  }

  /** Of any settings. */
  namedBy(run: RunSettings, values: [string, string][] = []): string[] | undefined {
    const agent = { ...run, env: Object.fromEntries(values) };
    return namedFiles(agent, { tree: this.tree, repository: [this.root] })
      ?.map(({ name, kind }) => kind === "file" ? name : `${name}/`);
  }

  [Symbol.dispose](): void {
    Deno.removeSync(this.#outside, { recursive: true });
  }
}

const COMMANDS: [command: string[], names: string[]][] = [
  [["claude", "-p"], []],
  [["sh", "agents/a.sh"], ["agents/a.sh"]],
  [["sh", "./agents/../agents/a.sh"], ["agents/a.sh"]],
  [["sh", "ROOT/package/agents/a.sh"], ["agents/a.sh"]],
  [["./agents/a.sh"], ["agents/a.sh"]],
  [["ROOT/tools/t.sh"], ["../tools/t.sh"]],
  [["sh", "../tools/t.sh"], ["../tools/t.sh"]],
  [["sh", "--file=agents/a.sh"], ["agents/a.sh"]],
  [["sh", "my agent.sh"], ["my agent.sh"]],
  [["sh", "--file=my agent.sh"], ["my agent.sh"]],
  [["sh", "-c", ". agents/a.sh; true"], ["./", "agents/a.sh"]],
  [["sh", "-c", "exec 'agents/a.sh'"], ["agents/a.sh"]],
  [["sh", "-c", "cd agents && ./a.sh"], ["agents/", "agents/a.sh"]],
  [["deno", "run", "file://ROOT/tools/t.sh"], ["../tools/t.sh"]],
  [["node", "agents"], ["agents/"]],
  [["node", "."], ["./"]],
  [["sh", "link.sh"], ["link.sh"]],
  [["sh", "out.sh"], ["out.sh"]],
  [["sh", "..OUT/elsewhere/in.sh"], ["../tools/t.sh"]],
  [["sh", "..OUT/elsewhere/x.sh"], []],
  [["sh", "/etc/passwd", "/dev/null"], []],
  [["sh", "dangling.sh", "loop.sh", "pipe", "missing.sh", "", "a\0b", "agents/a.sh/x"], []],
  [["npx", "-y", "@openai/codex@1.2"], [".npmrc", "node_modules/@openai/codex/package.json"]],
  [["env", "A=b", "npx", "claude"], [".npmrc", "node_modules/.bin/claude"]],
  [["bunx", "other"], [".npmrc"]],
  [["sh", "x".repeat(10_000)], []],
];

for (const [command, names] of COMMANDS) {
  const title = JSON.stringify(command).slice(0, 80);
  Deno.test(`namedFiles() finds ${names.length || "nothing"} in ${title}`, () => {
    using files = new Files();
    assertEquals(files.named(command), names);
  });
}

Deno.test("namedFiles() finds a program along the PATH that is set for it", () => {
  using files = new Files();
  for (const PATH of ["ROOT/package/bin:/usr/bin", "bin", "./bin"]) {
    assertEquals(files.named(["claude"], { PATH })?.includes("bin/claude"), true);
  }
});

Deno.test("namedFiles() finds what a variable names", () => {
  using files = new Files();
  const found = files.named(["node"], { NODE_OPTIONS: "--require ./agents/a.sh", HOME: "/" });
  assertEquals(found, ["agents/a.sh"]);
});

Deno.test("namedFiles() finds nothing without a command", () => {
  using files = new Files();
  assertEquals(files.named(null), []);
});

Deno.test("namedFiles() gives up where a command names hundreds of folders", () => {
  using files = new Files();
  const folders = Array.from({ length: 200 }, (_, index) => `agents${index}`);
  for (const folder of folders) Deno.mkdirSync(`${files.tree}/${folder}`);
  assertEquals(files.named(["sh", ...folders.slice(0, 100)])?.length, 100);
  assertEquals(files.named(["sh", ...folders]), undefined);
});

Deno.test("namedFiles() gives up where a command has thousands of parts", () => {
  using files = new Files();
  assertEquals(files.named(["sh", "-c", "a ".repeat(1_500)])?.length, 0);
  assertEquals(
    files.named(["sh", "-c", Array.from({ length: 3_000 }, (_, i) => i).join(" ")]),
    undefined,
  );
});

Deno.test("namedFiles() finds the program of a preset, and looks for no other word of it", () => {
  using files = new Files();
  Deno.writeTextFileSync(`${files.tree}/exec`, "");
  const path: [string, string][] = [["PATH", `${files.tree}/bin`]];
  const named = (preset: string | string[]) => files.namedBy({ command: null, preset }, path);
  assertEquals(named("claude"), ["bin/", "bin/claude"]);
  assertEquals(named(["gemini", "http"]), ["bin/"]);
});

Deno.test("namedFiles() finds the code that a host loads whatever its options say, unless a sandbox hides it", () => {
  using files = new Files();
  const write = (path: string) => {
    Deno.mkdirSync(`${files.root}/${path}`.replace(/\/[^/]*$/, ""), { recursive: true });
    Deno.writeTextFileSync(`${files.root}/${path}`, "");
  };
  for (const path of ["opencode.json", "code/b.js", ".git/HEAD"]) write(path);
  write("package/.opencode/plugins/a.js");
  for (const path of ["agent/a.md", "node_modules/x.js"]) write(`package/.opencode/${path}`);
  Deno.symlinkSync("../../code", `${files.tree}/.opencode/tool`);
  Deno.symlinkSync(".", `${files.tree}/.opencode/round`);
  const place = { tree: files.tree, repository: [files.root] };
  const named = (preset: string | string[], sandbox: "read-only" | "workspace" | null = null) =>
    namedFiles({ command: null, preset, env: { PATH: "/bin" }, sandbox }, place)
      ?.map(({ name }) => name);
  const code = ["../code/b.js", "../opencode.json", ".opencode/plugins/a.js"];
  assertEquals(named(["codex", "opencode"]), code);
  assertEquals(named("opencode", "workspace"), named("opencode"));
  assertEquals([named("opencode", "read-only"), named("claude")], [[], []]);
});
