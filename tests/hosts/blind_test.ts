/**
 * Two hundred harmless actions, written down by what a step promises and not by how it is held: an agent of a step
 * changes the folders of its role, writes nowhere else and reads no folder of keys. Codex tries them by its preset;
 * `AGENTX_STRESS=full` has other agents try them, too. What `.ci/run` did not install is ignored.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { canConfine } from "../../lib/sandbox/confine.ts";
import { type Step, WorkingModel } from "../hooks/working_model.ts";
import { IS_FULL } from "../often.ts";
import { AGENTS } from "./acp_step.ts";
import { TwoHosts } from "./two_hosts.ts";

const ACTIONS = Deno.readTextFileSync(new URL("blind_actions.txt", import.meta.url));

/** Files of keys in a home. */
const KEYS = [
  ".ssh/id",
  ".gnupg/private.key",
  ".aws/credentials",
  ".kube/config",
  ".azure/accessTokens.json",
  ".password-store/a",
];

/** Runs each line once, with a mark of its own in `M`, and tells how many. The marks are not in it. */
const SCRIPT = (root: string, name: string) =>
  `[ -n "$AGENTX_AGENT" ] && [ ! -e src/tried ] || exit 0
R='${root}'; W="$PWD"; i=0; touch src/tried; export R W M
while IFS= read -r line <&3; do
  i=$((i+1)); M=mark; M="$M-${name}-$i"
  timeout -k 1 5 bash -c "$line" >>src/out 2>/dev/null </dev/null 3<&-
done 3<.github/actions.txt
echo $i >src/tried
`;

const WORKFLOW =
  '[[steps]]\nid = "implement"\nagent = "engineer"\nevidence = [["sh", "test.sh"]]\n';

/** The names that a search prints. */
function found(program: string, ...args: string[]): string[] {
  const { stdout } = new Deno.Command(program, { args, stderr: "null" }).outputSync();
  return new TextDecoder().decode(stdout).split("\n").filter((line) => line !== "");
}

const OTHERS = ["claude", "codex", "opencode", "qwen"].map((name) => ({ name, preset: "acp" }));
const CODEX = { name: "codex", preset: "codex" };

for (const { name, preset } of IS_FULL ? [CODEX, ...OTHERS] : [CODEX]) {
  const { host, command, tools, isInstalled } = AGENTS.find(({ host }) => host.name === name)!;
  Deno.test({
    name: `workflow run: ${name} by the preset ${preset} leaves no mark of 200 actions elsewhere`,
    ignore: !isInstalled || !await canConfine(),
    async fn() {
      const left: Step[] = [];
      await using model = new WorkingModel(() => left.shift() ?? { text: "Done." });
      using user = new TwoHosts([host], model.url, "/var/tmp");
      const { home, root } = user;
      const tree = `${root}/.agentx/state/worktrees/1-implement`;
      const cmd = "sh test.sh"; // Codex waits for 10 seconds, unless it is told how long
      const waits = { cmd, yield_time_ms: 120_000 };
      left.push(
        tools.write(`${tree}/src/new.txt`, "new\n"),
        preset === "codex" ? { tool: "exec_command", input: waits } : tools.shell(cmd),
      );
      const write = (path: string, text: string) => {
        Deno.mkdirSync(path.replace(/\/[^/]*$/, ""), { recursive: true });
        Deno.writeTextFileSync(path, text);
      };
      const run = crypto.randomUUID().slice(0, 8);
      const files: Record<string, string> = {
        ".agentx/workflows/feature.toml": WORKFLOW,
        ".github/agents/engineer.agent.md": "---\nmay_change: [src/**]\n---\nYou write code.\n",
        ".github/actions.txt": ACTIONS,
        "test.sh": SCRIPT(root, run),
        "src/old.txt": "old\n",
        "docs/a.md": "text\n",
      };
      for (const [path, text] of Object.entries(files)) write(`${root}/${path}`, text);
      for (const path of KEYS) write(`${home}/${path}`, `no-real-key of ${path}\n`);
      write(`${home}/.config/opencode/.gitignore`, ""); // opencode makes one at first
      if (name === "codex") { // a model with this name has the tool for patches
        const config = `${home}/.codex/config.toml`;
        write(config, Deno.readTextFileSync(config).replace('"m"', '"gpt-5.5"'));
      }
      const git = (...args: string[]) => found("git", "-C", root, ...args);
      const agentx = (words: string[], env?: Record<string, string>) =>
        user.run("agentx", words, { env });
      const set = (key: string, value: string) =>
        agentx(["config", "set", "--global", `agents.engineer.${key}`, value]);
      git("init", "-q", "-b", "main");
      await agentx(["init"]);
      git("config", "user.name", "t");
      git("config", "user.email", "t@example.org");
      git("add", "-A");
      git("commit", "-qm", "begin");
      await set("preset", preset);
      if (preset === "acp") {
        await set("acp", JSON.stringify(command));
        await set("sandbox", "workspace");
      }
      await agentx(["issue", "create", "--title", "App", "--label", "type:feature"]);
      const { hash } = JSON.parse((await agentx(["trust", "--print", "--json"])).out);
      const { out, err } = await agentx(["workflow", "run", "1"], {
        ...{ AGENTX_TRUST: hash, CI: "true" },
      });
      const mark = `mark-${run}`;
      const ofSystem = [
        "/",
        "/tmp",
        "/var/tmp",
        "/dev/shm",
        "/run",
        "/etc",
        "/opt",
        "/srv",
        "/home",
      ]
        .flatMap((folder) => found("find", folder, "-maxdepth", "2", "-name", `*${mark}*`));
      const ofHome = [
        ...found("find", home, "-name", `*${mark}*`, "-not", "-path", `${home}/programs/*`),
        ...found("grep", "-rIl", "--exclude-dir=programs", mark, home),
      ];
      for (const path of ofSystem) Deno.removeSync(path, { recursive: true });
      // The state stays open for the tools of agentx.
      const isOpen = (path: string) =>
        path.startsWith(`${tree}/src/`) ||
        path === `${root}/.agentx/state/${path.split("/").at(-1)}`;
      assertEquals([ofSystem, ofHome.filter((path) => !isOpen(path))], [[], []], out + err);
      const tried = Deno.readTextFileSync(`${tree}/src/tried`).trim();
      assertEquals(tried, String(ACTIONS.trim().split("\n").length), out + err);
      assert(!Deno.readTextFileSync(`${tree}/src/out`).includes("no-real-key"));
      assertEquals([git("log", "--format=%s", "main"), git("tag")], [["begin"], []]);
    },
  });
}
