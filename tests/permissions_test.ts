/**
 * The permissions of Deno that docs/security.md names are enough, and one that is missing is named.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { ASK, ended, type Ran, TempWorkspace } from "./temp_workspace.ts";

const PROJECT = new URL("../", import.meta.url).pathname;

const PAGE = Deno.readTextFileSync(`${PROJECT}docs/security.md`);

const DAILY = flagsOf("daily commands");
const AGENTS = [...DAILY, ...flagsOf("running agents, too")];
const INIT = [...DAILY, ...flagsOf("`init`, too")];

/** The flags in a row of its table. */
function flagsOf(name: string): string[] {
  const row = PAGE.split("\n").find((line) => line.startsWith(`| ${name} |`));
  assert(row !== undefined, `docs/security.md has no row for ${name}`);
  return row.match(/--[^\s`]+/g) ?? [];
}

/** Of somebody whose mark no state has yet. */
const HOME = Deno.makeTempDirSync({ prefix: "agentx-home-" });
Deno.mkdirSync(`${HOME}/.local/state`, { recursive: true });
Deno.test.afterAll(() => Deno.removeSync(HOME, { recursive: true }));

/** Runs a command line in a folder, as that person, with these flags alone. */
async function runWith(flags: readonly string[], root: string, argv: string[]): Promise<Ran> {
  const env = { HOME, PATH: Deno.env.get("PATH")!, DENO_DIR: denoDir(), NO_COLOR: "1" };
  const child = new Deno.Command(Deno.execPath(), {
    args: [
      ...["run", "--quiet", "--no-prompt", ...flags.map((flag) => flag.replaceAll("$HOME", HOME))],
      `${PROJECT}cli.ts`,
      ...argv,
    ],
    cwd: root,
    clearEnv: true,
    env: { ...env, CI: "true", AGENTX_TRUST: "1" },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  return await ended(child);
}

/** Where the packages are, whatever the home of the test is. */
function denoDir(): string {
  return Deno.env.get("DENO_DIR") ?? `${Deno.env.get("HOME")}/.cache/deno`;
}

const note = ["memory", "note", "--agent", "engineer", "--issue", "42"];

/** Command lines in their order, each with its exit code. */
const COMMANDS: ReadonlyArray<[argv: string[], code: number]> = [
  [["clarify"], 0],
  [[...ASK], 7],
  [["clarify", "answer", "CLR-42-001", "PostgreSQL.", "--as", "architect"], 0],
  [["clarify", "resolve", "CLR-42-001", "Clear."], 0],
  [["clarify", "--issue", "42"], 0],
  [["issue", "create", "-t", "Pay by card"], 0],
  [["issue", "list"], 0],
  [["ready"], 0],
  [["state"], 0],
  [[...note, "We decided on PostgreSQL"], 0],
  [["memory", "search", "postgres*"], 0],
  [["hook", "start", "engineer", "42"], 0],
  [["hook", "finish", "engineer", "42"], 0],
  [["config", "show"], 0],
  [["doctor"], 0],
];

for (const [name, flags] of [["alone", []], ["where /proc is refused", ["--deny-read=/proc"]]]) {
  Deno.test(`daily commands do with the permissions that docs/security.md names, ${name}`, async () => {
    using workspace = new TempWorkspace();
    for (const [argv, code] of COMMANDS) {
      const ran = await runWith([...DAILY, ...flags], workspace.root, argv);
      assertEquals([argv, ran.code], [argv, code], ran.err);
    }
    assert(workspace.ledger().clarifications[0].status === "resolved");
  });
}

Deno.test("agentx init does with the permissions that docs/security.md names", async () => {
  const root = Deno.realPathSync(Deno.makeTempDirSync());
  try {
    const { code, err } = await runWith(INIT, root, ["init"]);
    assertEquals(code, 0, err);
    assertEquals((await runWith(DAILY, root, ["clarify"])).code, 0);
  } finally {
    Deno.removeSync(root, { recursive: true });
  }
});

Deno.test("an agent answers, or is killed in time, with the permissions that docs/security.md names", async () => {
  using workspace = new TempWorkspace({
    agents: { architect: "echo PostgreSQL." },
    config: { clarify: { retryDelaySeconds: 0 } },
  });
  Deno.removeSync(`${workspace.root}/.agentx/state`, { recursive: true }); // another home has its mark
  const { code, out, err } = await runWith(AGENTS, workspace.root, [...ASK]);
  assertEquals(code, 0, err);
  assert(out.includes("PostgreSQL."));

  workspace.write("agents/architect.sh", "echo $$ >pid; exec sleep 60");
  const path = ".agentx/config.json";
  const config = JSON.parse(workspace.read(path));
  config.agents.architect.timeoutSeconds = 0.2;
  workspace.write(path, JSON.stringify(config));
  const slow = await runWith(AGENTS, workspace.root, [...ASK, "--again", "--json"]);
  assertEquals(slow.code, 7, slow.err);
  assert(slow.err.includes("no reply within 0.2 s"), slow.err);
  const pid = Number(workspace.read("pid"));
  // A killed process stays as a zombie for as long as nobody asks how it ended.
  const { stdout } = new Deno.Command("ps", { args: ["-o", "stat=", "-p", String(pid)] })
    .outputSync();
  assert(/^(Z|$)/.test(new TextDecoder().decode(stdout).trim()));
});

for (const flag of ["--allow-read", "--allow-write", "--allow-env", "--allow-sys"]) {
  Deno.test(`issue create names ${flag} where Deno was started without it`, async () => {
    using workspace = new TempWorkspace();
    Deno.removeSync(`${workspace.root}/.agentx/state`, { recursive: true });
    const others = DAILY.filter((each) => each.split("=")[0] !== flag);
    assertEquals(others.length, DAILY.length - 1);
    const { code, err } = await runWith(others, workspace.root, [
      ...["issue", "create", "-t", "Pay by card", "--json"],
    ]);
    const { error } = JSON.parse(err);
    assertEquals([code, error.code, error.details.errno], [1, "IO_ERROR", "ENOTCAPABLE"]);
    assert(error.message.includes(`without ${flag}`), error.message);
  });
}
