/**
 * The plugin that `deno task plugin` builds: its layout, and the real coding agents that take it. What
 * `.ci/run` did not install is ignored.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { HOSTS, programOf } from "../hosts/host.ts";
import { ended } from "../temp_workspace.ts";
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

/** What makes each take the plugin, and what it says then. */
const TAKES: Record<string, [words: string, says: RegExp][]> = {
  claude: [["plugin validate market/plugin", /Validation passed/]],
  codex: [
    ["plugin marketplace add ./market", /Added marketplace/],
    ["plugin add agentx@local", /Added plugin `agentx`/],
    ["mcp get agentx", /AGENTX_DEPTH=[^]*tool_timeout_sec: 120/],
  ],
  gemini: [
    ["extensions validate market/plugin/com.google.gemini-cli", /successfully validated/],
  ],
  copilot: [
    ["plugin install ./market/plugin", /Installed 1 skill/],
    ["mcp list", /agentx \(local\)/],
  ],
};

for (const host of HOSTS.filter(({ name }) => TAKES[name] !== undefined)) {
  const { name } = host;
  Deno.test({
    name: `${name}: takes the plugin`,
    ignore: programOf(host) === undefined,
    async fn() {
      using home = new TempHome({ "tmp/.keep": "" });
      await buildIn(home);
      const source = { source: "local", path: "./plugin/com.openai.codex" };
      const market = { name: "local", plugins: [{ name: "agentx", source }] };
      home.write("market/.agents/plugins/marketplace.json", JSON.stringify(market));
      home.write(".codex/config.toml", "");
      for (const [words, says] of TAKES[name]) {
        const { out, err } = await ended(
          new Deno.Command(programOf(host)!, {
            args: words.split(" "),
            cwd: home.path,
            clearEnv: true,
            env: { HOME: home.path, PATH: PATH!, TMPDIR: `${home.path}/tmp`, NO_COLOR: "1" },
            stdin: "null",
            stdout: "piped",
            stderr: "piped",
          }).spawn(),
        );
        assert(says.test(out + err), `${name} ${words}: ${out}${err}`);
      }
    },
  });
}
