/**
 * The plugin that `deno task plugin` builds: its layout, and the real coding agents that take it. What
 * `.ci/run` did not install is ignored.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { HOSTS, NEWEST_CLAUDE, programOf } from "../hosts/host.ts";
import { ended, signal, TempWorkspace } from "../temp_workspace.ts";
import { TempHome } from "./temp_home.ts";

const ROOT = new URL("../../", import.meta.url).pathname;
const PATH = Deno.env.get("PATH");
const DENO_DIR = Deno.env.get("DENO_DIR") ?? `${Deno.env.get("HOME")}/.cache/deno`;

async function buildIn(home: TempHome): Promise<void> {
  const { code, err } = await ended(
    new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--quiet", ".ci/plugin.ts", `${home.path}/market/plugin`],
      cwd: ROOT,
      env: { DENO_DIR },
      stdout: "piped",
      stderr: "piped",
    }).spawn(),
  );
  assertEquals(code, 0, err);
}

Deno.test("the plugin has the layout of Agent Plugins 1.0.0, and every hook is silent without agentx", async () => {
  using home = new TempHome();
  await buildIn(home);
  const json = (path: string) => JSON.parse(home.read(`market/plugin/${path}`));
  assertEquals(Object.keys(json("plugin.json")).sort(), [
    "$schema",
    "author",
    "description",
    "license",
    "name",
    "version",
  ]);
  const { mcpServers: { agentx } } = json("mcp.json");
  // Whoever reads this one gives a tool a minute, perhaps, and is told nothing else.
  assertEquals(agentx, { type: "stdio", command: "agentx", args: ["mcp"] });
  assert(/^---\nname: agentx\n/.test(home.read("market/plugin/skills/agentx/SKILL.md")));

  const hooks = [
    ".claude-plugin/hooks.json",
    "com.github.copilot/hooks/hooks.json",
    "com.openai.codex/.codex-plugin/hooks.json",
    "com.google.gemini-cli/hooks/hooks.json",
  ];
  for (const path of hooks) {
    const lines = Array.from(
      JSON.stringify(json(path)).matchAll(/"(?:command|bash)":("(?:[^"\\]|\\.)*")/g),
      ([, line]): string => JSON.parse(line),
    ).filter((line) => line !== "command");
    assert(lines.length >= 3, path);
    for (const line of lines) {
      const ran = new Deno.Command("sh", { args: ["-c", line], clearEnv: true }).outputSync();
      assertEquals([ran.code, ran.stdout.length, ran.stderr.length], [0, 0, 0], line);
    }
  }
});

Deno.test("the plugin is a package without a finding, and agentx names what it holds", async () => {
  using temp = new TempWorkspace();
  using home = new TempHome();
  await buildIn(home);
  const plan = await temp.json(["plugin", "install", `${home.path}/market/plugin`, "--dry-run"]);
  assertEquals([plan.name, plan.problems, plan.writes], ["agentx", [], []]);
  assertEquals([plan.skills.length, plan.servers.length], [1, 1]);
});

/** Has Codex list its skills. */
const SKILLS_OF_CODEX = [
  { method: "initialize", id: 1, params: { clientInfo: { name: "agentx", version: "1" } } },
  { method: "initialized" },
  { method: "skills/list", id: 2, params: {} },
].map((line) => `${JSON.stringify(line)}\n`).join("");

/** What makes each take the plugin, and what it says then: it has loaded the skill and the server. */
const TAKES: Record<string, [words: string, says: RegExp, stdin?: string][]> = {
  claude: [
    ["plugin validate market/plugin", /Validation passed/],
    ["plugin marketplace add ./market", /added marketplace/],
    ["plugin install agentx@local", /installed plugin/],
    ["plugin details agentx@local", /Skills \(1\) +agentx/],
  ],
  "claude-newest": [
    ["plugin marketplace add ./market", /added marketplace/],
    ["plugin install agentx@local", /installed plugin/],
    ["plugin details agentx@local", /Skills \(1\) +agentx[^]*MCP servers \(1\) +agentx/],
  ],
  codex: [
    ["plugin marketplace add ./market", /Added marketplace/],
    ["plugin add agentx@local", /Added plugin `agentx`/],
    ["mcp get agentx", /AGENTX_DEPTH=[^]*tool_timeout_sec: 120/],
    ["app-server", /"name":"agentx:agentx"/, SKILLS_OF_CODEX],
  ],
  gemini: [
    ["extensions validate market/plugin/com.google.gemini-cli", /successfully validated/],
  ],
  copilot: [
    ["plugin install ./market/plugin", /Installed 1 skill/],
    ["mcp list", /agentx \(local\)/],
    ["skill list", /Plugin skills:\s+agentx - /],
  ],
};

for (const host of [...HOSTS, NEWEST_CLAUDE]) {
  const { name, line = name } = host;
  if (TAKES[line] === undefined) continue;
  Deno.test({
    name: `${line}: takes the plugin`,
    ignore: programOf(host) === undefined,
    async fn() {
      using home = new TempHome({ "tmp/.keep": "" });
      await buildIn(home);
      const source = { source: "local", path: "./plugin/com.openai.codex" };
      const market = { name: "local", plugins: [{ name: "agentx", source }] };
      home.write("market/.agents/plugins/marketplace.json", JSON.stringify(market));
      const plugins = [{ name: "agentx", source: "./plugin" }];
      const ofClaude = { name: "local", owner: { name: "AgentX" }, plugins };
      home.write("market/.claude-plugin/marketplace.json", JSON.stringify(ofClaude));
      home.write(".codex/config.toml", "");
      for (const [words, says, stdin] of TAKES[line]) {
        const child = new Deno.Command(programOf(host)!, {
          args: words.split(" "),
          cwd: home.path,
          clearEnv: true,
          env: { HOME: home.path, PATH: PATH!, TMPDIR: `${home.path}/tmp`, NO_COLOR: "1" },
          stdin: stdin === undefined ? "null" : "piped",
          stdout: "piped",
          stderr: "piped",
        }).spawn();
        const said = stdin === undefined ? await ended(child) : await answered(child, stdin, says);
        assert(says.test(said.out + said.err), `${line} ${words}: ${said.out}${said.err}`);
      }
    },
  });
}

/** What a server prints until it says what is waited for; it ends with its input, at the latest after a minute. */
async function answered(child: Deno.ChildProcess, stdin: string, says: RegExp) {
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(stdin));
  const limit = setTimeout(() => signal(child, "SIGTERM"), 60_000);
  let out = "";
  const decoder = new TextDecoder();
  for await (const part of child.stdout.values({ preventCancel: true })) {
    out += decoder.decode(part, { stream: true });
    if (says.test(out)) break;
  }
  clearTimeout(limit);
  await writer.close().catch(() => {}); // it has ended
  signal(child, "SIGTERM");
  const { err } = await ended(child);
  return { out, err };
}
