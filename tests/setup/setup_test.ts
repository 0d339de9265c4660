import { assert, assertEquals } from "@std/assert";
import { main } from "../../cli.ts";
import { environmentOf } from "../../lib/agents/environment.ts";
import { parseToml } from "../../lib/text/toml.ts";
import { TOOLS } from "../../lib/mcp/tools.ts";
import { HOST_NAMES, type HostName, HOSTS } from "../../lib/hosts/hosts.ts";
import { program } from "../../lib/sys/program.ts";
import { FakeIo } from "../cli/fake_io.ts";
import { PROJECT_FILES, USER_FILES } from "./fixtures.ts";
import { TempHome } from "./temp_home.ts";

const SCOPES = [["", USER_FILES], [" --project", PROJECT_FILES]] as const;

/** What every fixture holds besides is still in a text. */
function foreignIn(text: string): string[] {
  return [
    "// what may run",
    "// mine",
    "notify-send done",
    '"tracker"',
    "# my settings",
    "say done",
    "# trusted by hand",
    "Use tabs.",
    "Be brief.",
    "// keys",
    "the tracker",
  ]
    .filter((foreign) => text.includes(foreign));
}

Deno.test("setup --project asks for its files to be committed, --remove does not", async () => {
  using home = new TempHome();
  assert((await home.setup("claude --project")).out.includes("Commit these files"));
  assertEquals((await home.setup("claude --project --remove")).out.includes("Commit"), false);
});

for (const host of HOST_NAMES) {
  for (const [flag, files] of SCOPES) {
    Deno.test(`setup ${host}${flag}: twice is as once, and --remove puts every byte back`, async () => {
      using home = new TempHome(files[host]);
      const before = home.snapshot();
      assertEquals((await home.setup(`${host}${flag} --dry-run`)).code, 0);
      assertEquals(home.snapshot(), before);

      const { code, err } = await home.setup(`${host}${flag}`);
      assertEquals(code, 0, err);
      const once = home.snapshot();
      for (const [path, text] of Object.entries(files[host])) {
        assertEquals(foreignIn(home.read(path)), foreignIn(text), path);
      }
      const again = await home.json(`${host}${flag}`);
      assertEquals(
        again.hosts[0].files.filter(({ action }: { action: string }) => action !== "keep"),
        [],
      );
      assertEquals(home.snapshot(), once);

      assertEquals((await home.setup(`${host}${flag} --remove`)).code, 0);
      assertEquals(home.snapshot(), before);
    });

    Deno.test(`setup ${host}${flag}: --remove takes out only its own from files that were edited`, async () => {
      using home = new TempHome(files[host]);
      await home.setup(`${host}${flag}`);
      const edited: string[] = [];
      for (const path of Object.keys(home.snapshot())) {
        const text = home.snapshot()[path];
        const isWhole = /SKILL\.md$|policies\/agentx\.toml$/.test(path); // an edited one is kept
        if (!text.includes("agentx") || isWhole) continue;
        edited.push(path);
        const comment = path.endsWith(".toml")
          ? "# later"
          : path.endsWith(".md")
          ? "later"
          : "// later";
        const bytes = Uint8Array.from(`${text}\n${comment}\n`, (char) => char.charCodeAt(0));
        home.write(path.slice(1), bytes);
      }
      assert(edited.length > 0);
      assertEquals((await home.setup(`${host}${flag} --remove`)).code, 0);
      const after = home.snapshot();
      for (const path of edited.filter((path) => !path.endsWith(".js"))) {
        assert(
          !/hook host|mcp --wait|clarify_ask|"agentx"|@AGENTS|agentx:begin/.test(after[path]),
          after[path],
        );
        assert(after[path].includes("later"), path);
      }
      for (const [path, text] of Object.entries(files[host])) {
        assertEquals(foreignIn(after[`/${path}`]), foreignIn(text), path);
      }
    });
  }
}

Deno.test("setup: without a host it names those that are there", async () => {
  using home = new TempHome({ ".codex/config.toml": "" });
  home.install("claude");
  const { out } = await home.setup("");
  for (const word of ["NAME", "all"]) assert(out.includes(`agentx setup ${word}\n`), out);
  const { found } = await home.json("");
  const names = found.map(({ host }: { host: HostName }) => host);
  assertEquals(names, ["claude", "codex"]);
  assert((await home.setup("")).out.includes("not set up"));
});

Deno.test("setup all: sets up those that are there, and a broken one does not keep the others from it", async () => {
  using home = new TempHome({
    ".claude/settings.json": '{ "hooks": ',
    ".codex/config.toml": "",
    ".gemini/settings.json": "{}",
  });
  const { hosts } = await home.json("all");
  // deno-lint-ignore no-explicit-any -- of a JSON
  assertEquals(hosts.map(({ host, error }: any) => [host, error?.code]), [
    ["claude", "INVALID_CONFIG"],
    ["codex", undefined],
    ["gemini", undefined],
  ]);
  assertEquals(home.read(".claude/settings.json"), '{ "hooks": ');
  assertEquals(home.snapshot()["/.claude.json"], undefined);
  assertEquals((await home.setup("all")).code, 2);
});

Deno.test("setup claude and gemini: the tools that read, note or ask are allowed, for the user alone", async () => {
  using home = new TempHome({
    ".claude/settings.json": '{ "permissions": { "allow": ["Bash(ls)"] } }',
    ".gemini/settings.json": "{}",
  });
  const asking = ["clarify_resolve", "clarify_escalate"];
  const allowed = TOOLS.map(({ name }) => name).filter((name) => !asking.includes(name)).sort();
  for (const host of ["claude", "gemini", "claude", "gemini"]) await home.setup(host);
  const { permissions } = JSON.parse(home.read(".claude/settings.json"));
  assertEquals(permissions.allow[0], "Bash(ls)");
  assertEquals(
    permissions.allow.slice(1).sort(),
    allowed.map((name) => `mcp__agentx__${name}`),
  );
  const policy = home.read(".gemini/policies/agentx.toml");
  assertEquals(asking.filter((name) => policy.includes(name)), []);
  assertEquals(allowed.filter((name) => !policy.includes(`"${name}"`)), []);
  for (const host of ["claude", "gemini"]) await home.setup(`${host} --project`);
  const files = home.snapshot();
  const ofProject = Object.keys(files).filter((path) => path.startsWith("/repo/"));
  assert(ofProject.length > 0);
  assertEquals(ofProject.filter((path) => /"permissions"|\[\[rule/.test(files[path])), []);
});

Deno.test("setup codex --remove leaves no empty lines where its user wrote on below its tables", async () => {
  const before = 'model = "m"\n\n[a]\nx = 1\n';
  for (const later of ["\n# later, mine\n", "\n[b]\ny = 2\n", "# at once\n"]) {
    using home = new TempHome({ ".codex/config.toml": before });
    await home.setup("codex");
    home.write(".codex/config.toml", home.read(".codex/config.toml") + later);
    await home.setup("codex --remove");
    assertEquals(home.read(".codex/config.toml"), before + later);
  }
});

Deno.test("setup codex: asks to trust its hooks only where it wrote them", async () => {
  using home = new TempHome({ ".codex/config.toml": "" });
  const asks = async () => (await home.setup("codex")).err.includes("/hooks");
  assertEquals(await asks(), true);
  Deno.removeSync(`${home.path}/.agents`, { recursive: true });
  assertEquals(await asks(), false, "the hooks are as they were");
  home.write(".codex/hooks.json", "{}");
  assertEquals(await asks(), true);
});

Deno.test("setup codex: its user agrees to the tools for themself, and in a repository for nobody", async () => {
  using home = new TempHome({ ".codex/config.toml": "" });
  await home.setup("codex");
  await home.setup("codex --project");
  const { mcp_servers: { agentx } } =
    // deno-lint-ignore no-explicit-any -- of a TOML
    parseToml(home.read(".codex/config.toml"), "config.toml").value as any;
  assertEquals(agentx.default_tools_approval_mode, "prompt");
  assertEquals(
    TOOLS.map(({ name }) => name).filter((name) => agentx.tools[name]?.approval_mode !== "approve"),
    ["clarify_resolve", "clarify_escalate"],
  );
  assert(TOOLS.length - 2 === Object.keys(agentx.tools).length, "one that does not exist");
  assert(!home.read("repo/.codex/config.toml").includes("approv"));
});

Deno.test("setup codex: the server gets how deep agents are, and only what one of them can use", async () => {
  using home = new TempHome({ ".codex/config.toml": "" });
  await home.setup("codex");
  const [, list] = /^env_vars = (.*)$/m.exec(home.read(".codex/config.toml"))!;
  const names: string[] = JSON.parse(list);
  assert(names.includes("AGENTX_DEPTH"), list);
  const all = names.map((name) => [name, "1"] as const);
  const used = new Set(
    HOST_NAMES.flatMap((name) =>
      Object.keys(environmentOf(all, { command: [name], passEnv: [], env: {} }))
    ),
  );
  assertEquals(names.filter((name) => !name.startsWith("AGENTX_") && !used.has(name)), []);
});

Deno.test("setup codex: the server gets the variables that its user names for agents", async () => {
  const config = (passEnv: string[]) =>
    JSON.stringify({
      agents: {
        architect: { preset: "codex", passEnv },
        tester: { preset: "http", http: { keyEnv: "MY_KEY" } },
      },
    });
  using home = new TempHome({
    ".codex/config.toml": "",
    ".config/agentx/config.json": config(["MY_TOKEN", "HTTP_PROXY"]),
    "repo/.agentx/config.json": JSON.stringify({ agents: { tester: { passEnv: ["OF_REPO"] } } }),
  });
  await home.setup("codex");
  await home.setup("codex --project");
  const passed = (path: string): string[] =>
    JSON.parse(/^env_vars = (.*)$/m.exec(home.read(path))![1]);
  const [own, shared] = [passed(".codex/config.toml"), passed("repo/.codex/config.toml")];
  assertEquals(own.slice(-2), ["MY_TOKEN", "MY_KEY"]);
  assertEquals(own.filter((name) => name === "HTTP_PROXY").length, 1);
  assertEquals([shared.at(-1), own.includes("OF_REPO")], ["OF_REPO", false]);

  home.write(".config/agentx/config.json", config(["LATER"]));
  const { findings } = await home.json("codex --check");
  assert(findings.some(({ problem }: { problem: string }) => problem === "changed"));
  home.write(".config/agentx/config.json", "{ not JSON");
  assertEquals((await home.setup("codex")).code, 0);
});

Deno.test("setup codex: of the vendors, only those of configured agents pass", async () => {
  const config = (agents: unknown) => JSON.stringify({ agents });
  using home = new TempHome({
    ".codex/config.toml": "",
    ".config/agentx/config.json": config({ tester: { command: ["npx", "@google/gemini-cli"] } }),
  });
  const keys = async () => {
    await home.setup("codex");
    const [, list] = /^env_vars = (.*)$/m.exec(home.read(".codex/config.toml"))!;
    return JSON.parse(list).filter((name: string) => /_KEY$|TOKEN/.test(name));
  };
  assertEquals(await keys(), ["GEMINI_API_KEY", "GOOGLE_API_KEY"]);
  await main(["--root", home.path, "setup", "codex"], new FakeIo()); // from the home itself
  assertEquals((await home.setup("codex")).out.includes("updated"), false);
  const set = "config set --global agents.default.preset claude";
  const { err } = await home.run(set);
  assert(err.includes("codex starts agentx without the variables"), err);
  assert((await keys()).includes("ANTHROPIC_API_KEY"));
  assertEquals((await home.run(set)).err, "");
  home.write(".config/agentx/config.json", "{}");
  assertEquals(await keys(), []);
});

Deno.test("setup: hosts that withhold variables are told to pass those that agents need", async () => {
  const agents = { architect: { preset: ["claude", "gemini"], passEnv: ["MY_TOKEN", "MY_PLACE"] } };
  using home = new TempHome({
    ".gemini/settings.json": "{}",
    ".claude/settings.json": "{}",
    ".config/agentx/config.json": JSON.stringify({ agents }),
  });
  await home.setup("gemini");
  await home.setup("claude");
  const env = (path: string) => JSON.parse(home.read(path)).mcpServers.agentx.env;
  assertEquals(env(".claude.json"), {
    CLAUDE_CODE_OAUTH_TOKEN: "${CLAUDE_CODE_OAUTH_TOKEN:-}",
  });
  const gemini = env(".gemini/settings.json");
  for (const name of ["ANTHROPIC_API_KEY", "GEMINI_API_KEY", "HTTPS_PROXY", "MY_TOKEN"]) {
    assertEquals(gemini[name], `\${${name}:-}`, name);
  }
  assert(!("MY_PLACE" in gemini) && !("ANTHROPIC_MODEL" in gemini), "it passes these by itself");
});

Deno.test("setup copilot and vscode: one file of hooks, which knows who runs it", async () => {
  using home = new TempHome({ ".copilot/.keep": "", ".config/Code/.keep": "" });
  home.install("agentx", `echo "$*" >>'${home.path}/ran'`);
  const before = home.snapshot();
  for (const host of ["copilot", "vscode"]) assertEquals((await home.setup(host)).code, 0);
  const path = ".copilot/hooks/agentx.json";
  const { hooks } = JSON.parse(home.read(path));
  for (const COPILOT_PROJECT_DIR of ["/work", ""]) {
    for (const [{ bash }] of Object.values(hooks) as { bash: string }[][]) {
      const line = bash.replaceAll(/\S+ run \S.*? (?=hook host)/g, "agentx ");
      const env = { COPILOT_PROJECT_DIR };
      const { success } = await new Deno.Command("sh", { args: ["-c", line], env }).output();
      assert(success, line);
    }
  }
  assertEquals(home.read("ran").trim().split("\n").map((line) => line.slice(10)), [
    "copilot sessionStart",
    "copilot agentStop",
    "copilot sessionEnd",
    "vscode SessionStart",
    "vscode Stop",
    "copilot sessionEnd",
    "vscode PostToolUse",
  ]);
  Deno.removeSync(`${home.path}/ran`);
  await home.setup("copilot --remove");
  assertEquals(JSON.parse(home.read(path)).hooks, hooks); // VS Code reads it still
  await home.setup("vscode --remove");
  assertEquals(home.snapshot(), before);
});

Deno.test("setup --remove of a host that was never set up names no file that is not there", async () => {
  using home = new TempHome({ ".cursor/.keep": "" });
  const { code, out } = await home.setup("cursor --remove");
  assertEquals([code, out], [0, "  cursor\n    has no entries of agentx\n"]);
});

Deno.test("setup --dry-run says what it would do to each file, and that nothing was written", async () => {
  using home = new TempHome({ ".cursor/mcp.json": "{}" });
  const [mcp, hooks] = ["mcp.json", "hooks.json"].map((name) => `${home.path}/.cursor/${name}`);
  const { out } = await home.setup("cursor --dry-run");
  assert(out.includes(`    would update   ${mcp}\n    would create   ${hooks}\n`), out);
  assert(out.endsWith("\n\n  Nothing was written.\n") && !/\b(?:created|updated)\b/.test(out), out);
  await home.setup("cursor");
  assert((await home.setup("cursor --dry-run")).out.includes(`would keep     ${mcp}`));
  const removed = (await home.setup("cursor --remove --dry-run")).out;
  assert(removed.includes(`would restore  ${mcp}\n    would remove   ${hooks}`), removed);
});

Deno.test("setup --dry-run writes nothing anywhere, not even into the state of its user", async () => {
  using home = new TempHome({ ".codex/config.toml": "", "bin/.keep": "" });
  for (const words of ["codex --dry-run", "all --dry-run", "codex --remove --dry-run"]) {
    assertEquals((await home.setup(words)).code, 0);
  }
  assertEquals(Array.from(Deno.readDirSync(home.path), ({ name }) => name).sort(), [
    ".codex",
    "bin",
    "repo",
  ]);
});

Deno.test("setup: a host that is not there is named, and nothing is written", async () => {
  using home = new TempHome();
  const before = home.snapshot();
  const { code, err } = await home.setup("gemini");
  assertEquals(code, 4);
  assert(err.includes('Cannot set up "gemini"'), err);
  assertEquals(home.snapshot(), before);
});

const BROKEN: [name: string, files: Record<string, string>, host: string, says: RegExp][] = [
  [
    "JSON that ends early",
    { ".gemini/settings.json": '{\n"a": [' },
    "gemini",
    /line 2: it is not JSON/,
  ],
  ["a list", { ".gemini/settings.json": "[]" }, "gemini", /it is not a JSON object/],
  [
    "two of a key",
    { ".gemini/settings.json": '{"hooks":{},\n"hooks":{}}' },
    "gemini",
    /line 2.*duplicate/,
  ],
  [
    "hooks of another kind",
    { ".gemini/settings.json": '{"hooks":"x"}' },
    "gemini",
    /"hooks" is not an object/,
  ],
  [
    "an event of another kind",
    { ".codex/hooks.json": '{"hooks":{"Stop":{}}}' },
    "codex",
    /"Stop" is not a list/,
  ],
  [
    "what is nested too deeply",
    { ".gemini/settings.json": "[".repeat(200_000) },
    "gemini",
    /nested too deeply|not JSON/,
  ],
  ["what is not TOML", { ".codex/config.toml": "a = \nb" }, "codex", /line 1/],
  [
    "TOML with an inline table of ours",
    {
      ".codex/config.toml": 'mcp_servers = { agentx = { command = "x" } }\n',
    },
    "codex",
    /not written as a table of its own/,
  ],
];

for (const [name, files, host, says] of BROKEN) {
  Deno.test(`setup: a file that holds ${name} is named and left as it is`, async () => {
    using home = new TempHome(files);
    const before = home.snapshot();
    const { code, err } = await home.setup(host);
    assertEquals(code, 2, err);
    assert(says.test(err), err);
    assert(err.includes(Object.keys(files)[0]), err);
    assertEquals(home.snapshot(), before);
  });
}

Deno.test("setup: a file that is not UTF-8 is named and left as it is", async () => {
  using home = new TempHome();
  home.write(".gemini/settings.json", Uint8Array.of(0x7b, 0xff, 0x7d));
  const { code, err } = await home.setup("gemini");
  assertEquals(code, 2);
  assert(err.includes("it is not UTF-8"), err);
});

Deno.test("agentx setup --guard adds the hook before a tool where a host can refuse; --remove takes it out", async () => {
  using home = new TempHome();
  for (const name of ["claude", "codex", "copilot", "gemini", "opencode"]) home.install(name);
  const before = home.snapshot();
  const { code, err } = await home.run("setup all --guard");
  assertEquals(code, 0);
  assert(err.includes("opencode has no hook that can refuse"), err);
  const has = (path: string, event: string) => home.read(path).includes(` ${event}"`);
  assert(has(".claude/settings.json", "hook host claude PreToolUse"));
  assert(has(".codex/hooks.json", "hook host codex PreToolUse"));
  assert(has(".gemini/settings.json", "hook host gemini BeforeTool"));
  assert(home.read(".copilot/hooks/agentx.json").includes("hook host copilot preToolUse"));
  await home.run("setup --remove");
  assertEquals(home.snapshot(), before);
});

for (const host of ["claude", "codex", "copilot", "gemini", "vscode"] as const) {
  Deno.test(`setup ${host}, written again for another path of agentx, keeps the guard that is on`, async () => {
    using home = new TempHome();
    const before = home.snapshot();
    home.install(host === "vscode" ? "code" : host);
    assertEquals((await home.setup(`${host} --guard`)).code, 0);
    home.install("agentx", `# ${program.commandLine.at(-1)}`);
    const moved = (await home.json(`${host} --check`)).findings
      .filter(({ problem }: { problem: string }) => problem === "changed");
    assert(moved.length > 0);
    for (const { next } of moved) {
      const command = next.replace("Write it again with: agentx ", "");
      assertEquals((await home.run(command)).code, 0, command);
    }
    const files = Object.values(home.snapshot()).join("\n");
    const event = HOSTS[host].hooks.guard?.event;
    assert(files.includes(`${home.path}/bin/agentx hook host ${host} ${event}`), files);
    await home.setup(`${host} --remove`);
    Deno.removeSync(`${home.path}/bin`, { recursive: true });
    assertEquals(home.snapshot(), before);
  });
}

Deno.test("setup --guard, --dry-run and --project without a host say what is missing", async () => {
  using home = new TempHome();
  for (
    const words of ["--guard", "--guard --remove", "--guard --check", "--dry-run", "--project"]
  ) {
    const { code, err } = await home.setup(words);
    assertEquals(code, 2, words);
    assert(err.includes("HOST"), err);
  }
  for (const words of ["--project --check", "--project --remove", "--remove --dry-run"]) {
    assertEquals((await home.setup(words)).code, 0, words);
  }
});
