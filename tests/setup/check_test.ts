import { assert, assertEquals } from "@std/assert";
import type { HostName } from "../../lib/hosts/hosts.ts";
import type { HostFinding } from "../../lib/setup/render.ts";
import { main } from "../../cli.ts";
import { FakeIo } from "../cli/fake_io.ts";
import { TempHome } from "./temp_home.ts";

/** What Codex 0.169 answers; its hooks are those of the file, each with this state. */
function codexServer(state: string): string {
  return `
test "$1" = app-server || exit 1
hooks() {
  sed -n 's/.*"command": "\\(.*\\)",*$/\\1/p' "$HOME/.codex/hooks.json" | while read -r line; do
    printf '%s{"command":"%s","sourcePath":"%s",${state}}' "$comma" "$line" "$HOME/.codex/hooks.json"
    comma=,
  done
}
while read -r line; do
  case "$line" in
    *'"id":1'*) echo '{"id":1,"result":{}}' ;;
    *hooks/list*) echo '{"id":2,"result":{"data":[{"hooks":['"$(hooks)"']}]}}' ;;
  esac
done`;
}

/** What is found in a host, without what goes well. */
async function problemsOf(home: TempHome, host: HostName): Promise<HostFinding[]> {
  const { findings } = await home.json(`${host} --check`);
  return findings.filter(({ level }: HostFinding) => level !== "ok");
}

/** Replaces a text in a file. */
function edit(home: TempHome, path: string, from: string | RegExp, to: string): void {
  const text = home.read(path);
  assert(text.search(from) >= 0, text);
  home.write(path, text.replace(from, to));
}

async function setUp(host: HostName, words = ""): Promise<TempHome> {
  const home = new TempHome();
  home.install(host === "vscode" ? "code" : host);
  home.install("agentx");
  const { code, err } = await home.setup(`${host} ${words}`);
  assertEquals(code, 0, err);
  return home;
}

for (const host of ["claude", "copilot", "opencode", "vscode", "cursor"] as const) {
  Deno.test(`setup --check: nothing is found in ${host} that was just set up`, async () => {
    using home = await setUp(host);
    assertEquals(await problemsOf(home, host), []);
    assertEquals((await home.setup("--check")).code, 0);
  });
}

Deno.test("setup --check and doctor name the version that wrote the entries, until setup runs again", async () => {
  using home = await setUp("claude");
  const records = ".local/state/agentx/setup.json";
  edit(home, records, /,\s*"by": "[^"]+"/, ""); // as 0.1.0 noted it
  const [{ problem, message, next }, ...others] = await problemsOf(home, "claude");
  assertEquals([problem, next, others], ["outdated", "Run setup again: agentx setup claude", []]);
  assert(message.endsWith("was written by agentx 0.1.0"), message);
  const io = new FakeIo();
  await main(["doctor", "--root", home.repository], io);
  assert(/written\s+by agentx 0.1.0/.test(io.out), io.out);
  await home.setup("claude");
  assertEquals(await problemsOf(home, "claude"), []);
  await home.setup("claude --remove");
  assertEquals(JSON.parse(home.read(records)).files, {});
});

Deno.test("setup --check: a host that is not set up", async () => {
  using home = new TempHome();
  const [{ problem, next }] = await problemsOf(home, "claude");
  assertEquals([problem, next], ["missing", "Set it up with: agentx setup claude"]);
  assertEquals((await home.setup("claude --check")).code, 1);
  assertEquals((await home.setup("--check")).out.includes("No coding agent is set up"), true);
  const { code, err } = await home.setup("--check --dry-run");
  assertEquals([code, err.includes("--dry-run does not go with --check")], [2, true]);
});

Deno.test("setup --check: a host that is no longer on the PATH is named as not found", async () => {
  using home = await setUp("gemini", "--project");
  Deno.removeSync(`${home.path}/bin/gemini`);
  const found = await problemsOf(home, "gemini");
  assertEquals(found.map(({ level, problem }) => [level, problem]), [
    ["warn", "not-found"],
    ["fail", "not-reached"],
  ]);
});

Deno.test("setup --check: without codex on the PATH, its trust in the hooks is said to be unknown", async () => {
  using home = await setUp("codex");
  Deno.removeSync(`${home.path}/bin/codex`);
  const found = (await problemsOf(home, "codex")).map(({ level, problem }) => [level, problem]);
  assertEquals(found, [["warn", "not-found"], ["warn", "unknown"]]);
});

Deno.test("setup --check: an entry that is gone, and one that was edited", async () => {
  using home = await setUp("claude");
  home.write(".claude/settings.json", "{}");
  edit(home, ".claude.json", '"mcp"', '"mcp", "--root", "/elsewhere"');
  const found = (await problemsOf(home, "claude")).map(({ level, problem }) => [level, problem]);
  assertEquals(found, [["warn", "changed"], ["fail", "missing"]]);
});

const LOGGED_OUT = {
  claude: `echo '{ "loggedIn": false, "authMethod": "none" }'; test "$*" = "auth status" && exit 1`,
  codex: 'test "$*" = "login status" && { echo "Not logged in" >&2; exit 1; }',
};

for (const [host, script] of Object.entries(LOGGED_OUT) as [keyof typeof LOGGED_OUT, string][]) {
  Deno.test(`setup --check and doctor: ${host} is installed, and nobody is logged in`, async () => {
    using home = await setUp(host);
    home.install(host, script);
    const command = host === "claude" ? "claude auth login" : "codex login";
    const [{ level, problem, next }] = await problemsOf(home, host);
    assertEquals([level, problem, next], ["warn", "logged-out", `Log in with: ${command}`]);
    await home.run("init --yes");
    await home.run(`config set --global agents.default.preset ${host}`);
    const { findings } = JSON.parse((await home.run("doctor --json")).out);
    const found = findings.find((each: { next: string }) =>
      each.next === `Log in with: ${command}`
    );
    assert(found?.message.endsWith("is installed, not logged in: it runs for default"));
  });
}

Deno.test("setup --check says nothing of a login where codex has a model of another provider", async () => {
  using home = await setUp("codex");
  home.install("codex", LOGGED_OUT.codex);
  home.write(".codex/config.toml", 'model_provider = "ours"\n');
  const problems = (await problemsOf(home, "codex")).map(({ problem }) => problem);
  assert(!problems.includes("logged-out"), problems.join());
});

Deno.test("setup --check does not wait for a claude that hangs", async () => {
  using home = await setUp("claude");
  home.install("claude", "sleep 60");
  assertEquals(await problemsOf(home, "claude"), []);
});

Deno.test("setup --check: a file that cannot be read any more", async () => {
  using home = await setUp("claude");
  home.write(".claude/settings.json", "{");
  const [{ problem, message }] = await problemsOf(home, "claude");
  assertEquals(problem, "unreadable");
  assert(message.includes(".claude/settings.json"), message);
});

Deno.test("setup --check: a Codex hook that is not trusted, or changed since it was", async () => {
  for (const state of ["untrusted", "modified"]) {
    using home = await setUp("codex");
    home.install("codex", codexServer(`"trustStatus":"${state}","enabled":true`));
    const [{ level, problem, message }, ...more] = await problemsOf(home, "codex");
    assertEquals([level, problem, more], ["fail", "untrusted", []]);
    assert(/skips 6 of the hooks/.test(message), message);
  }
});

Deno.test("setup --check: Codex hooks that are trusted, switched off, or not seen", async () => {
  using home = await setUp("codex");
  home.install("codex", codexServer('"trustStatus":"trusted","enabled":true'));
  assertEquals(await problemsOf(home, "codex"), []);
  home.install("codex", codexServer('"trustStatus":"trusted","enabled":false'));
  assertEquals((await problemsOf(home, "codex"))[0].problem, "not-reached");
  home.install("codex", codexServer("").replace("$(hooks)", ""));
  assertEquals((await problemsOf(home, "codex"))[0].problem, "not-reached");
  home.install("codex", "exit 1");
  assertEquals((await problemsOf(home, "codex"))[0].problem, "unknown");
});

const SHORT: [host: HostName, path: string, from: string | RegExp, to: string][] = [
  ["codex", ".codex/config.toml", "tool_timeout_sec = 120", "tool_timeout_sec = 30"],
  ["copilot", ".copilot/mcp-config.json", '"timeout": 120000', '"timeout": 60000'],
  ["gemini", ".gemini/settings.json", '"timeout": 120000', '"timeout": 100000'],
  ["opencode", ".config/opencode/opencode.json", /,\s*"timeout": 120000/, ""],
  ["claude", ".claude/settings.json", '"timeout": 10', '"timeout": 1'],
  ["gemini", ".gemini/settings.json", '"timeout": 10000', '"timeout": 10'],
  ["claude", ".claude/settings.json", '"hooks"', '"env": { "MCP_TOOL_TIMEOUT": "5000" }, "hooks"'],
];

for (const [host, path, from, to] of SHORT) {
  Deno.test(`setup --check: a time-out too short in ${host}, ${to || "its default"}`, async () => {
    using home = await setUp(host);
    edit(home, path, from, to);
    const found = (await problemsOf(home, host)).filter(({ problem }) => problem === "time-out");
    assertEquals(found.map(({ level }) => level), ["fail"]);
    assert(found[0].message.includes(path), found[0].message);
  });
}

const OFF: [host: HostName, path: string, text: string][] = [
  ["claude", "repo/.claude/settings.local.json", '{ "disableAllHooks": true }'],
  ["copilot", ".copilot/settings.json", '{ "disableAllHooks": true }'],
  ["gemini", "repo/.gemini/settings.json", '{ "hooksConfig": { "enabled": false } }'],
  [
    "gemini",
    "repo/.gemini/settings.json",
    '{ "hooksConfig": { "disabled": ["agentx-BeforeAgent"] } }',
  ],
];

for (const [host, path, text] of OFF) {
  Deno.test(`setup --check: hooks of ${host} are switched off by ${text}`, async () => {
    const words = path.startsWith("repo/") ? "--project" : "";
    using home = await setUp(host, words);
    const merged = path === "repo/.gemini/settings.json"
      ? home.read(path).replace("{", text.slice(0, -1) + ",")
      : text;
    home.write(path, merged);
    const found = (await problemsOf(home, host)).filter(({ problem }) => problem === "not-reached");
    assert(found.some(({ message }) => message.includes(path)), JSON.stringify(found));
  });
}

Deno.test("setup --check: a folder that Copilot or Gemini does not trust yet", async () => {
  for (const host of ["copilot", "gemini"] as const) {
    using home = await setUp(host, "--project");
    const [{ level, problem, next }] = await problemsOf(home, host);
    assertEquals([level, problem], ["fail", "not-reached"]);
    assert(next?.includes("trust the folder"), String(next));
    home.write(".copilot/config.json", JSON.stringify({ trustedFolders: [home.path] }));
    home.write(
      ".gemini/trustedFolders.json",
      JSON.stringify({ [home.repository]: "TRUST_FOLDER" }),
    );
    assertEquals(await problemsOf(home, host), []);
  }
});

for (const [value, count] of [["TRUST_PARENT", 0], ["DO_NOT_TRUST", 1]] as const) {
  Deno.test(`setup --check: ${value} of a folder in the repository, where Gemini asks`, async () => {
    using home = await setUp("gemini", "--project");
    const trusted = { [`${home.repository}/src`]: value };
    home.write(".gemini/trustedFolders.json", JSON.stringify(trusted));
    assertEquals((await problemsOf(home, "gemini")).length, count);
  });
}

for (
  const [host, path] of [["claude", ".claude/settings.json"], [
    "codex",
    ".codex/hooks.json",
  ]] as const
) {
  Deno.test(`setup and --check say where ${host} ignores a file for its comments`, async () => {
    using home = new TempHome({ [path]: '{\n  // mine\n  "hooks": {},\n}\n' });
    home.install(host);
    const says = `ignores all of "${home.path}/${path}": it has comments or trailing commas`;
    const { code, err } = await home.setup(host);
    assertEquals(code, 0);
    assert(err.replaceAll(/\s+/g, " ").includes(says), err);
    const found = await problemsOf(home, host);
    const [{ level, problem }] = found.filter(({ message }) => message.includes(says));
    assertEquals([level, problem], ["fail", "not-reached"], JSON.stringify(found));
    edit(home, path, "// mine", "");
    edit(home, path, /,(?=\s*\}\s*$)/, "");
    assert(!JSON.stringify(await problemsOf(home, host)).includes("ignores all of"));
  });
}

Deno.test("setup --check: a program that is gone", async () => {
  using home = await setUp("cursor");
  edit(home, ".cursor/mcp.json", /"command": ".*"/, '"command": "/nowhere/agentx"');
  const found = await problemsOf(home, "cursor");
  assert(found.some(({ message }) => message.includes("/nowhere/agentx")), JSON.stringify(found));
});

Deno.test("setup --check: a repository that is set up where agentx is not installed", async () => {
  using home = await setUp("cursor", "--project");
  Deno.removeSync(`${home.path}/bin/agentx`);
  const [{ level, problem }] = await problemsOf(home, "cursor");
  assertEquals([level, problem], ["warn", "not-reached"]);
});

Deno.test("setup --check: a host that runs the hooks of its user and those of the repository", async () => {
  using home = await setUp("claude");
  await home.setup("claude --project");
  const [{ problem }] = await problemsOf(home, "claude");
  assertEquals(problem, "twice");
});

Deno.test("setup --check: two hosts that both run a hook of Claude Code", async () => {
  using home = await setUp("claude", "--project");
  await home.setup("copilot --project");
  await home.setup("vscode --project");
  const twice = async (host: HostName) =>
    (await problemsOf(home, host)).filter(({ problem }) => problem === "twice").length;
  assertEquals([await twice("copilot"), await twice("vscode")], [0, 1]); // Copilot is told apart
  edit(home, "repo/.claude/settings.json", /\[ -z .*? exit 0; /, "");
  assertEquals(await twice("copilot"), 1);
});
