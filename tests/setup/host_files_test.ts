/**
 * Setup writes what each host reads, once; and says where a host reads something else.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { type HostName, HOSTS } from "../../lib/hosts/hosts.ts";
import type { HostFinding } from "../../lib/setup/render.ts";
import { TempHome } from "./temp_home.ts";

const SKILL = "skills/agentx/SKILL.md";

async function findings(home: TempHome, words: string): Promise<HostFinding[]> {
  return (await home.json(`${words} --check`)).findings;
}

function isThere(home: TempHome, path: string): boolean {
  return home.snapshot()[`/${path}`] !== undefined;
}

Deno.test("setup gemini --project: GEMINI.md, which Gemini reads, imports AGENTS.md", async () => {
  using home = new TempHome({ "repo/GEMINI.md": "Be brief.\n" });
  await home.setup("gemini --project");
  assert(/^Be brief\.\n\n.*\n@AGENTS\.md\n/.test(home.read("repo/GEMINI.md")));
  assert(home.read("repo/AGENTS.md").includes("clarify_ask"));
  await home.setup("gemini --project --remove");
  assertEquals([home.read("repo/GEMINI.md"), isThere(home, "repo/AGENTS.md")], [
    "Be brief.\n",
    false,
  ]);
});

Deno.test("setup gemini --project: no import where its settings name AGENTS.md", async () => {
  const context = { fileName: ["AGENTS.md", "GEMINI.md"] };
  using home = new TempHome({ "repo/.gemini/settings.json": JSON.stringify({ context }) });
  await home.setup("gemini --project");
  assertEquals([isThere(home, "repo/GEMINI.md"), isThere(home, "repo/AGENTS.md")], [false, true]);
});

Deno.test("setup claude --project: CLAUDE.md is written only where Claude Code does not read AGENTS.md", async () => {
  for (const [files, isWritten] of [[{}, false], [{ "repo/CLAUDE.local.md": "" }, true]] as const) {
    using home = new TempHome(files);
    await home.setup("claude --project");
    assertEquals([isThere(home, "repo/CLAUDE.md"), isThere(home, "repo/AGENTS.md")], [
      isWritten,
      true,
    ]);
  }
});

Deno.test("setup claude --check: a CLAUDE.md that was made since hides AGENTS.md", async () => {
  using home = new TempHome();
  await home.setup("claude --project");
  home.write("repo/CLAUDE.md", "Be brief.\n");
  const missing = (await findings(home, "claude")).filter(({ problem }) => problem === "missing");
  assertEquals(missing.map(({ next }) => next), [
    "Write it again with: agentx setup claude --project",
  ]);
});

Deno.test("setup codex --check: an AGENTS.override.md hides the block, unless it has it", async () => {
  using home = new TempHome({ "repo/AGENTS.override.md": "Mine.\n" });
  home.install("agentx");
  await home.setup("codex --project");
  const hidden = async () =>
    (await findings(home, "codex")).filter(({ message }) => message.includes("override"));
  const [{ level, next }, ...more] = await hidden();
  assertEquals([level, next, more], [
    "warn",
    "Copy the block of agentx from AGENTS.md into it",
    [],
  ]);
  home.write("repo/AGENTS.override.md", `Mine.\n\n${home.read("repo/AGENTS.md")}`);
  assertEquals(await hidden(), []);
});

Deno.test("setup: a host that reads the skill of Claude Code gets no second one", async () => {
  using home = new TempHome();
  for (const host of ["claude", "opencode"]) home.install(host);
  await home.setup("all");
  assertEquals([`.claude/${SKILL}`, `.agents/${SKILL}`].map((path) => isThere(home, path)), [
    true,
    false,
  ]);
  await home.setup("claude --remove");
  assert((await findings(home, "opencode")).some(({ problem }) => problem === "missing"));
  await home.setup("opencode");
  assert(isThere(home, `.agents/${SKILL}`));
  await home.setup("all --remove");
  assertEquals(isThere(home, `.agents/${SKILL}`), false);
});

Deno.test("setup --check: copies of the skill that a host shows twice, or of which it takes any", async () => {
  using home = new TempHome({ ".codex/config.toml": "", ".config/opencode/opencode.json": "{}" });
  home.install("agentx");
  const copies = async (host: HostName) =>
    (await findings(home, host)).filter(({ problem }) => problem === "copies").length;
  await home.setup("codex");
  await home.setup("opencode");
  assertEquals([await copies("codex"), await copies("opencode")], [0, 0]);
  await home.setup("codex --project");
  assertEquals([await copies("codex"), await copies("opencode")], [1, 0]);
  home.write(`.claude/${SKILL}`, "---\nname: agentx\ndescription: old\n---\n");
  assertEquals(await copies("opencode"), 1);
});

Deno.test("setup --check: a host that is newer than what was tried", async () => {
  const { packageName, version } = HOSTS.claude.tried!;
  const [major, minor, patch] = version.split(".").map(Number);
  const newer = async (version: string) => {
    using home = new TempHome();
    const folder = `lib/node_modules/${packageName}`;
    home.write(`${folder}/package.json`, JSON.stringify({ name: packageName, version }));
    home.write(`${folder}/claude`, "#!/bin/sh\n", 0o755);
    Deno.mkdirSync(`${home.path}/bin`);
    Deno.symlinkSync(`${home.path}/${folder}/claude`, `${home.path}/bin/claude`);
    await home.setup("claude");
    return (await findings(home, "claude")).filter(({ problem }) => problem === "newer");
  };
  const versions = [`${major}.${minor}.${patch}`, `${major}.${minor}.9`, `${major - 1}.900.0`];
  for (const old of versions) assertEquals(await newer(old), [], old);
  for (const next of [`${major}.${minor}.${patch + 1}`, `${major}.${minor + 1}.0`]) {
    const [{ level, message }] = await newer(next);
    assertEquals(level, "warn");
    assert(message.startsWith(`Claude Code ${next} is newer than ${version}`), message);
  }
});

Deno.test("setup all --project: where no coding agent is there, it asks for their names", async () => {
  using home = new TempHome();
  const { err } = await home.setup("all --project");
  assert(err.includes("agentx setup claude --project"), err);
  assert(!err.includes("use --project"), err);
});
