import { assert, assertEquals } from "@std/assert";
import { main } from "../../cli.ts";
import { FakeIo } from "../cli/fake_io.ts";
import { TempHome } from "./temp_home.ts";

Deno.test("setup: a link that stays in the home is followed, and stays a link", async () => {
  using home = new TempHome({ "dotfiles/settings.json": '{ "theme": "dark" }', ".claude/x": "" });
  Deno.symlinkSync("../dotfiles/settings.json", `${home.path}/.claude/settings.json`);
  const before = home.read("dotfiles/settings.json");
  assertEquals((await home.setup("claude")).code, 0);
  assert(home.read("dotfiles/settings.json").includes("hook host claude"));
  assert(Deno.lstatSync(`${home.path}/.claude/settings.json`).isSymlink);
  await home.setup("claude --remove");
  assertEquals(home.read("dotfiles/settings.json"), before);
  assert(Deno.lstatSync(`${home.path}/.claude/settings.json`).isSymlink);
});

const LEADS: [name: string, target: (outside: string) => string, link: string][] = [
  ["a file out of the repository", (outside) => `${outside}/file`, "repo/CLAUDE.md"],
  ["a folder out of the repository", (outside) => outside, "repo/.claude"],
  ["nothing", (outside) => `${outside}/none`, "repo/.mcp.json"],
  ["git's own folder", () => ".git/HEAD", "repo/AGENTS.md"],
];

for (const [name, target, link] of LEADS) {
  Deno.test(`setup --project: a link to ${name} is refused, and nothing is written`, async () => {
    using outside = new TempHome({ file: "theirs" });
    using home = new TempHome();
    Deno.symlinkSync(target(outside.path), `${home.path}/${link}`);
    const before = [home.snapshot(), outside.snapshot()];
    const { code, err } = await home.setup("claude --project");
    assertEquals(code, 6, err);
    assert(err.includes(`Cannot use "${home.path}/${link}`), err);
    assertEquals([home.snapshot(), outside.snapshot()], before);
  });
}

Deno.test("setup --project: a CLAUDE.md that is a link to AGENTS.md needs no import", async () => {
  using home = new TempHome({ "repo/AGENTS.md": "# Guide\n" });
  Deno.symlinkSync("AGENTS.md", `${home.repository}/CLAUDE.md`);
  assertEquals((await home.setup("claude --project")).code, 0);
  assertEquals(home.read("repo/CLAUDE.md").match(/agentx:begin/g)?.length, 1);
  assert(!home.read("repo/CLAUDE.md").includes("@AGENTS.md"));
});

Deno.test("setup --project: a CLAUDE.md that imports AGENTS.md already is left alone", async () => {
  using home = new TempHome({ "repo/CLAUDE.md": "@AGENTS.md\n" });
  await home.setup("claude --project");
  assertEquals(home.read("repo/CLAUDE.md"), "@AGENTS.md\n");
});

Deno.test("setup: a pipe or a folder in the place of a file is refused without waiting", async () => {
  using home = new TempHome({ ".gemini/settings.json/x": "" });
  assertEquals((await home.setup("gemini")).code, 1);
  using other = new TempHome({ ".gemini/x": "" });
  const { success } = new Deno.Command("mkfifo", { args: [`${other.path}/.gemini/settings.json`] })
    .outputSync();
  assert(success);
  assertEquals((await other.setup("gemini")).code, 1);
});

Deno.test("setup: an agent's session does not change its user's configuration, but a repository's", async () => {
  using home = new TempHome({ ".claude/settings.json": "{}" });
  const env = { CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: "a" };
  const before = home.snapshot();
  assertEquals((await home.setup("claude", { env })).code, 6);
  assertEquals((await home.setup("claude --remove", { env })).code, 6);
  assertEquals(home.snapshot(), before);
  assertEquals((await home.setup("claude --check", { env })).code, 1);
  assertEquals((await home.setup("claude --project", { env })).code, 0);
});

Deno.test("setup: backups in a folder of the repository are refused", async () => {
  using home = new TempHome({ ".claude/settings.json": "{}" });
  Deno.env.set("XDG_STATE_HOME", `${home.repository}/state`);
  const { code } = await home.setup("claude");
  Deno.env.delete("XDG_STATE_HOME");
  assertEquals(code, 6);
  assertEquals(home.read(".claude/settings.json"), "{}");
});

Deno.test("setup: backups are the user's alone, and go with what they are of", async () => {
  using home = new TempHome({ ".gemini/settings.json": '{ "key": "mine" }' });
  await home.setup("gemini");
  const folder = `${home.path}/.local/state/agentx/setup`;
  const [{ name }] = [...Deno.readDirSync(folder)];
  assertEquals(Deno.readTextFileSync(`${folder}/${name}`), '{ "key": "mine" }');
  assertEquals(Deno.statSync(`${folder}/${name}`).mode! & 0o777, 0o600);
  await home.setup("gemini --remove");
  assertEquals([...Deno.readDirSync(folder)], []);
});

Deno.test("setup: it can be called in the home itself, which is no repository", async () => {
  using home = new TempHome({ ".claude/settings.json": "{}" });
  const run = async (...words: string[]) => {
    const code = await main(["--root", home.path, "setup", ...words], new FakeIo());
    await new Promise((resolve) => setTimeout(resolve)); // only then Deno lets go of signals
    return code;
  };
  assertEquals(await run("claude"), 0);
  assertEquals(await run("--check"), 0);
  assertEquals(await run("claude", "--project"), 2);
});
