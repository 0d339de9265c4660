/**
 * What `agentx init` offers a person besides the files of the workspace: at a terminal it is shown and
 * asked, a pipe gets none of it, `--yes` all of it unless an agent gives it.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { main } from "../../../cli.ts";
import { FakeIo, type FakeIoOptions } from "../../cli/fake_io.ts";
import { TempHome } from "../../setup/temp_home.ts";
import { Pty, terminalTest } from "../../pty.ts";

const PROJECT = new URL("../../../", import.meta.url).pathname;

const QUESTION = "q: nothing";

const OWN = "/.config/agentx/config.json";

/** A home with two coding agents on its PATH. */
function homeWithAgents(): TempHome {
  const home = new TempHome({ ".claude/settings.json": '{ "model": "opus" } // mine\n' });
  for (const name of ["claude", "codex"]) home.install(name);
  return home;
}

/** `agentx init` in the repository of a home, at a terminal. */
function atTerminal(home: TempHome): Pty {
  return new Pty([Deno.execPath(), "run", "-A", "--quiet", `${PROJECT}cli.ts`, "init"], {
    cwd: home.repository,
    env: {
      HOME: home.path,
      PATH: Deno.env.get("PATH")!,
      DENO_DIR: Deno.env.get("DENO_DIR") ?? DENO_DIR,
      NO_COLOR: "1",
    },
  });
}

/** Of whoever runs the tests, before a home of theirs is in use. */
const DENO_DIR = `${Deno.env.get("HOME")}/.cache/deno`;

async function init(home: TempHome, words: string[], options: FakeIoOptions = {}) {
  const io = new FakeIo(options);
  const code = await main(["--root", home.repository, "init", ...words], io);
  return { code, out: io.out, err: io.err };
}

/** What is in a home besides its repository. */
function ownFiles(home: TempHome): Record<string, string> {
  return Object.fromEntries(
    Object.entries(home.snapshot()).filter(([path]) => !path.startsWith("/repo")),
  );
}

const hasWorkspace = (home: TempHome) => "/repo/.agentx/config.json" in home.snapshot();

terminalTest(
  "init at a terminal lists files, programs and account; Enter does it, setup --remove undoes it",
  async () => {
    using home = homeWithAgents();
    const before = ownFiles(home);
    await using terminal = atTerminal(home);
    await terminal.shows(QUESTION);
    assertEquals([ownFiles(home), hasWorkspace(home)], [before, false]);
    const shown = terminal.out;
    for (
      const part of [
        "create  .agentx/config.json",
        "create  ~/.config/agentx/config.json",
        "update  ~/.claude/settings.json",
        "create  ~/.codex/hooks.json",
        "your account with",
        "tells you of a question",
        "agentx setup --remove",
      ]
    ) assert(shown.includes(part), `${part}: ${shown}`);
    assertEquals(shown.split("\r\n").filter((line) => line.length > 80), []);

    await terminal.type("\n");
    assertEquals(await terminal.ended(), 0);
    const { agents, inbox } = JSON.parse(ownFiles(home)[OWN]);
    assertEquals(agents, { default: { preset: "claude" } });
    assert(/\$AGENTX_NOTICE|\/dev\/tty/.test(inbox.notify.at(-1)), inbox.notify);
    assert(ownFiles(home)["/.codex/hooks.json"].includes(" hook host codex "));
    assert(hasWorkspace(home));

    assertEquals((await home.setup("--remove")).code, 0);
    assertEquals(ownFiles(home), before);
  },
);

terminalTest("init at a terminal: a choice is listed again before Enter", async () => {
  using home = homeWithAgents();
  await using terminal = atTerminal(home);
  await terminal.shows(QUESTION);
  await terminal.type("c");
  await terminal.shows("answers for every role?");
  await terminal.type("codex\n");
  await terminal.shows("get agentx?");
  await terminal.type("none\n");
  await terminal.shows("notifies you of questions?");
  await terminal.type("none\n");
  await terminal.shows(/codex +answers where[^]*q: nothing/);
  await terminal.type("\n");
  assertEquals(await terminal.ended(), 0);
  const { [OWN]: config, ...rest } = ownFiles(home);
  assertEquals(JSON.parse(config), { agents: { default: { preset: "codex" } } });
  assertEquals(Object.keys(rest).filter((path) => path.startsWith("/.codex")), []);
});

terminalTest(
  "init at a terminal: q writes nothing, f only the files of the repository, another key asks again",
  async () => {
    using home = homeWithAgents();
    const before = ownFiles(home);
    for (const [key, isMade] of [["q", false], ["\x1b[Ax", null], ["f", true]] as const) {
      await using terminal = atTerminal(home);
      await terminal.shows(QUESTION);
      await terminal.type(key);
      if (isMade === null) {
        await terminal.shows(/q: nothing[^]*q: nothing/);
        await terminal.type("q");
      }
      assertEquals(await terminal.ended(), 0);
      assertEquals([ownFiles(home), hasWorkspace(home)], [before, isMade ?? false]);
    }
  },
);

terminalTest("init at a terminal that goes away writes nothing", async () => {
  using home = homeWithAgents();
  const before = ownFiles(home);
  const terminal = atTerminal(home);
  await terminal.shows(QUESTION);
  await terminal.hangUp();
  await terminal.ended();
  assertEquals([ownFiles(home), hasWorkspace(home)], [before, false]);
});

Deno.test("init in a pipe asks nothing, and writes the files of the repository alone", async () => {
  using home = homeWithAgents();
  const before = ownFiles(home);
  const { code, err } = await init(home, []);
  assertEquals([code, err, ownFiles(home), hasWorkspace(home)], [0, "", before, true]);
});

Deno.test("init --yes does what is proposed, and asks nothing", async () => {
  using home = homeWithAgents();
  const { code, out } = await init(home, ["--yes"]);
  assertEquals(code, 0);
  assert(out.includes(`created  ${home.path}${OWN}`), out);
  const { agents, inbox } = JSON.parse(ownFiles(home)[OWN]);
  assertEquals([agents, Object.keys(inbox)], [{ default: { preset: "claude" } }, ["notify"]]);
  assertEquals((await init(home, ["--yes"])).out.includes("Nothing to do"), true);
});

Deno.test("init --yes in an agent's session leaves the user's own configuration as it is", async () => {
  using home = homeWithAgents();
  const before = ownFiles(home);
  const { code, err } = await init(home, ["--yes"], { env: { CLAUDECODE: "1" } });
  assertEquals([code, ownFiles(home), hasWorkspace(home)], [0, before, true]);
  assert(err.includes("this is an agent's session, since CLAUDECODE is set"), err);
});

Deno.test("init keeps an agents.default that was set by hand, and so does setup --remove", async () => {
  using home = homeWithAgents();
  const own = '{ "agents": { "default": { "preset": "gemini" } } }\n';
  home.write(OWN.slice(1), own);
  await init(home, ["--yes"]);
  await home.setup("--remove");
  assertEquals(ownFiles(home)[OWN], own);
});

Deno.test("init in the home folder warns", async () => {
  using home = homeWithAgents();
  const io = new FakeIo();
  assertEquals(await main(["--root", home.path, "init"], io), 0);
  assert(io.err.includes("this is your home folder"), io.err);
});

Deno.test("init in a clone says that what the repository runs waits for consent", async () => {
  using home = homeWithAgents();
  const agents = { architect: { command: ["./architect.sh"] } };
  home.write("repo/.agentx/config.json", JSON.stringify({ agents }));
  const { code, out } = await init(home, []);
  assertEquals(code, 0);
  assert(out.includes("would run architect") && out.includes("agentx trust"), out);
});
