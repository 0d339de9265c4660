/**
 * The real coding agents read what setup has written. What `.ci/run` did not install is ignored.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import type { HostName } from "../../lib/hosts/hosts.ts";
import {
  type Host,
  HOST_PATH as PATH,
  HOSTS as PRESET_HOSTS,
  OTHER_HOSTS,
  programOf,
  readmeCommand,
} from "../hosts/host.ts";
import { ended, type Ran } from "../temp_workspace.ts";
import { CLOSED_URL, ScriptedModel } from "../hosts/scripted_model.ts";
import { TempHome } from "./temp_home.ts";

const HOSTS = [...PRESET_HOSTS, ...OTHER_HOSTS];

const DENO_DIR = Deno.env.get("DENO_DIR") ?? `${Deno.env.get("HOME")}/.cache/deno`;

/** Words, and what they print where the configuration is accepted. */
const LISTS: Partial<Record<HostName, [words: string, says: RegExp][]>> = {
  claude: [["mcp list", /^agentx: .* mcp --wait 100s/m], ["mcp get agentx", /Scope: User config/]],
  codex: [["mcp list", /^agentx .* mcp --wait 100s/m], ["mcp get agentx", /tool_timeout_sec: 120/]],
  gemini: [["mcp list", /agentx: .* mcp --wait 100s/], ["skills list", /^agentx \[Enabled\]/m]],
  copilot: [["mcp get agentx", /Timeout: 120000ms/], [
    "skill list",
    /^ *agentx - Ask another agent/m,
  ]],
  opencode: [["mcp list", /agentx[^]* mcp --wait 100s/], ["debug skill", /"name": "agentx"/]],
  qwen: [["mcp list", /agentx: .* mcp --wait 100s/]],
  pi: [["mcp list", /^agentx: .*direct[^]* mcp --wait 100s/m]],
};

/** Runs a host as its user does; it is found on the PATH of the test by a script. */
async function run(home: TempHome, host: string, words: string): Promise<string> {
  const { stdout, stderr } = await new Deno.Command(`${home.path}/bin/${host}`, {
    args: words.split(" "),
    cwd: home.repository,
    clearEnv: true,
    env: {
      HOME: home.path,
      PATH,
      TMPDIR: `${home.path}/tmp`,
      DENO_DIR, // some start the server
      NO_COLOR: "1",
      ...HOSTS.find(({ name }) => name === host)!.settings,
    },
    stdin: "null",
  }).output();
  return new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
}

function installed(name: string): { home: TempHome; program: string } {
  const host = HOSTS.find((host) => host.name === name)!;
  const home = new TempHome({ "tmp/.keep": "" });
  const program = programOf(host)!;
  home.install(name, `PATH='${PATH}' exec '${program}' "$@"`);
  return { home, program };
}

for (const host of HOSTS.filter(({ name }) => LISTS[name as HostName] !== undefined)) {
  const { name } = host;
  const ignore = programOf(host) === undefined;
  if (ignore) console.warn(`${name} was not tried: .ci/run installs the version of .ci/hosts.txt`);

  Deno.test({
    name: `${name}: reads what setup has written`,
    ignore,
    async fn() {
      const { home } = installed(name);
      using _ = home;
      const { code, err } = await home.setup(name);
      assertEquals(code, 0, err);
      for (const [words, says] of LISTS[name as HostName] ?? []) {
        const out = await run(home, name, words);
        assert(says.test(out), `${name} ${words}: ${out}`);
      }
      assertEquals((await home.setup(`${name} --remove`)).code, 0);
      const [[words, says]] = LISTS[name as HostName]!;
      assert(!says.test(await run(home, name, words)));
    },
  });
}

/** The same, with hooks that only say that they were run. */
function recorded(name: string): TempHome {
  const { home } = installed(name);
  home.install("agentx", `cat >/dev/null; echo "$*" >>'${home.path}/ran'`);
  return home;
}

const CODEX = HOSTS.find(({ name }) => name === "codex")!;
const ignore = programOf(CODEX) === undefined;

Deno.test({
  name: "codex: what it has added to its file outlives --remove, and ours does not",
  ignore,
  async fn() {
    const { home } = installed("codex");
    using _ = home;
    home.write(".codex/config.toml", '# mine\nmodel = "m"\n');
    await home.setup("codex");
    await run(home, "codex", "mcp add tracker -- /bin/echo");
    assertEquals((await home.setup("codex")).code, 0);
    assertEquals((await home.setup("codex --remove")).code, 0);
    const text = home.read(".codex/config.toml");
    assert(/# mine\nmodel = "m"/.test(text) && text.includes("[mcp_servers.tracker]"), text);
    assert(!text.includes("agentx"), text);
    assert(/^tracker/m.test(await run(home, "codex", "mcp list")));
  },
});

Deno.test({
  name: "codex: --check finds hooks that it skips, until they are trusted",
  ignore,
  async fn() {
    const { home } = installed("codex");
    using _ = home;
    await home.setup("codex");
    const { findings: [login, finding] } = await home.json("codex --check");
    assertEquals([login.level, login.problem], ["warn", "logged-out"], login.message);
    assertEquals([finding.level, finding.problem], ["fail", "untrusted"], finding.message);

    await trustAll(home);
    const { findings } = await home.json("codex --check");
    assertEquals(findings.map(({ problem }: { problem: string }) => problem), ["logged-out"]);
  },
});

/** What a session of one turn without a tool runs. */
const TURN: Record<string, string[]> = {
  claude: ["SessionStart", "UserPromptSubmit", "Stop", "SessionEnd"],
  codex: ["SessionStart", "UserPromptSubmit", "Stop", "SessionEnd"],
  gemini: ["SessionStart", "BeforeAgent", "AfterAgent", "SessionEnd"],
  copilot: ["sessionStart", "agentStop", "sessionEnd"],
  opencode: ["session.created", "chat.message", "session.idle", "dispose"],
  qwen: ["SessionStart", "UserPromptSubmit", "Stop"],
  pi: ["session_start", "before_agent_start", "agent_before_settle", "session_shutdown"],
};

/** Takes the server out again, which the program of these tests is not. */
function dropServer(home: TempHome): void {
  for (const path of [".claude.json", ".copilot/mcp-config.json"]) {
    if (home.snapshot()[`/${path}`] !== undefined) home.write(path, "{}");
  }
  for (
    const path of [
      ".gemini/settings.json",
      ".config/opencode/opencode.json",
      ".qwen/settings.json",
      ".pi/agent/mcp.json",
    ]
  ) {
    if (home.snapshot()[`/${path}`] === undefined) continue;
    const { mcpServers: _, mcp: __, ...settings } = JSON.parse(home.read(path));
    home.write(path, JSON.stringify(settings));
  }
}

for (const host of HOSTS.filter(({ name }) => TURN[name] !== undefined)) {
  const { name } = host;
  Deno.test({
    name: `${name}: runs each hook that setup has written, once`,
    ignore: programOf(host) === undefined,
    async fn() {
      await using model = new ScriptedModel("answers");
      const { home } = installed(name);
      using _ = home;
      for (const [path, text] of Object.entries(host.files(model.url))) home.write(path, text);
      const module = new URL(Deno.mainModule).pathname;
      home.install("agentx", `# ${module}\ncat >/dev/null; echo "$*" >>'${home.path}/ran'`);
      assertEquals((await home.setup(name)).code, 0);
      if (name === "codex") {
        await trustAll(home);
        const text = home.read(".codex/config.toml").replace(
          /\[mcp_servers.agentx\][^[]*\n(?=\n\[|$)/,
          "",
        );
        home.write(".codex/config.toml", text);
      } else dropServer(home);
      const { out, err } = await runTurn(home, host, model);
      const lines = home.read("ran").trim().split("\n").sort();
      const expected = TURN[name].map((event) => `hook host ${name} ${event}`).sort();
      assertEquals(lines, expected, out + err);
    },
  });
}

const CLAUDE = HOSTS.find(({ name }) => name === "claude")!;

Deno.test({
  name: "claude: runs no hook of a file with comments, as --check says",
  ignore: programOf(CLAUDE) === undefined,
  async fn() {
    await using model = new ScriptedModel("answers");
    using home = recorded("claude");
    home.write(".claude/settings.json", "{ // mine\n}");
    await home.setup("claude");
    dropServer(home);
    const { code, out, err } = await runTurn(home, CLAUDE, model);
    assertEquals([code, home.snapshot()["/ran"]], [0, undefined], out + err);
    const { findings } = await home.json("claude --check");
    assert(findings.some(({ message }: { message: string }) => message.includes("comments")));
    assert(findings.some(({ problem }: { problem: string }) => problem === "logged-out"));
  },
});

const COPILOT = HOSTS.find(({ name }) => name === "copilot")!;

Deno.test({
  name: "copilot: in a repository it runs its own hooks, and not those of Claude Code as well",
  ignore: programOf(COPILOT) === undefined,
  async fn() {
    await using model = new ScriptedModel("answers");
    using home = recorded("copilot");
    home.write(".copilot/config.json", JSON.stringify({ trustedFolders: [home.repository] }));
    assertEquals((await home.setup("copilot --project")).code, 0);
    assertEquals((await home.setup("claude --project")).code, 0);
    for (const path of ["repo/.mcp.json", "repo/.github/mcp.json"]) home.write(path, "{}");
    const { out, err } = await runTurn(home, COPILOT, model);
    const lines = home.read("ran").trim().split("\n").sort();
    assertEquals(
      lines,
      TURN.copilot.map((event) => `hook host copilot ${event}`).sort(),
      out + err,
    );
  },
});

/** Of hosts that the documentation runs by a preset, or not at all. */
const TURN_COMMANDS: Record<string, string[]> = {
  opencode: ["opencode", "run", "--format", "json"],
  qwen: ["qwen", "-p", ""],
  pi: ["pi", "-p"],
};

/** One turn of a session, as the README has a host run. */
async function runTurn(home: TempHome, host: Host, model: ScriptedModel): Promise<Ran> {
  const [, ...args] = readmeCommand(host) ?? TURN_COMMANDS[host.name];
  const child = new Deno.Command(programOf(host)!, {
    args,
    cwd: home.repository,
    clearEnv: true,
    env: {
      HOME: home.path,
      PATH: `${home.path}/bin:${PATH}`,
      TMPDIR: `${home.path}/tmp`,
      HTTP_PROXY: CLOSED_URL,
      HTTPS_PROXY: CLOSED_URL,
      NO_PROXY: "127.0.0.1",
      ...host.settings,
      ...host.login(model.url),
    },
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const input = child.stdin.getWriter();
  await input.write(new TextEncoder().encode("Hello"));
  await input.close();
  return await ended(child);
}

/** As `/hooks` of Codex does it. */
async function trustAll(home: TempHome): Promise<void> {
  const messages = [
    { id: 1, method: "initialize", params: { clientInfo: { name: "test", version: "1" } } },
    { method: "initialized" },
    { id: 2, method: "hooks/list", params: { cwds: [home.repository] } },
  ];
  const child = new Deno.Command(`${home.path}/bin/codex`, {
    args: ["app-server"],
    clearEnv: true,
    env: { HOME: home.path, PATH },
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const input = child.stdin.getWriter();
  const text = messages.map((message) => `${JSON.stringify(message)}\n`).join("");
  await input.write(new TextEncoder().encode(text));
  let out = "";
  for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream())) {
    out += chunk;
    if (!/"id":2.*\n/.test(out)) continue;
    await input.close();
  }
  await child.status;
  const answer = out.split("\n").find((line) => line.startsWith('{"id":2'))!;
  const states = JSON.parse(answer).result.data[0].hooks
    .map(({ key, currentHash }: Record<string, string>) =>
      `\n[hooks.state."${key}"]\ntrusted_hash = "${currentHash}"\n`
    );
  home.write(".codex/config.toml", home.read(".codex/config.toml") + states.join(""));
}
