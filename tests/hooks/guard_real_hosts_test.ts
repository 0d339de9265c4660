/**
 * The hook before a tool in the real Claude Code, Codex, Copilot and Gemini, in front of a model on loopback. What `.ci/run`
 * did not install is ignored.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { workingForm } from "../../lib/agents/working_form.ts";
import { HOSTS as DATA } from "../../lib/hosts/hosts.ts";
import { type Host, HOSTS, programOf, titleOf } from "../hosts/host.ts";
import { AGENTX, type TempWorkspace } from "../temp_workspace.ts";
import { HookUser, PRESET_HOSTS, WORKING_HOSTS } from "./hook_user.ts";
import { type Step, WorkingModel } from "./working_model.ts";

/** How a host runs a command by a tool that the model names, and where its hook is named. */
interface Way {
  tool: string;
  args: string[];
  install(user: HookUser): void;
}

const OTHERS: Readonly<Record<string, Way>> = {
  copilot: {
    tool: "bash",
    args: ["-p", "Go on.", "-s", "--allow-all-tools", "--disable-builtin-mcps", "--no-ask-user"],
    install(user) {
      user.write(".copilot/config.json", JSON.stringify({ trusted_folders: [user.temp.root] }));
      const bash = `${AGENTX} hook host copilot preToolUse`;
      const preToolUse = [{ type: "command", bash, cwd: ".", timeoutSec: 20 }];
      const hooks = JSON.stringify({ version: 1, hooks: { preToolUse } });
      user.temp.write(".github/hooks/agentx.json", hooks);
    },
  },
  gemini: {
    tool: "run_shell_command",
    args: ["-p", "Go on.", "-m", "m", "--approval-mode", "yolo", "--skip-trust"],
    install(user) {
      const path = ".gemini/settings.json";
      const command = `${AGENTX} hook host gemini BeforeTool`;
      const BeforeTool = [{
        hooks: [{ type: "command", name: "agentx", command, timeout: 20_000 }],
      }];
      user.write(path, JSON.stringify({ ...user.json(path), hooks: { BeforeTool } }));
    },
  },
};

for (const host of [...WORKING_HOSTS, ...HOSTS.filter(({ name }) => name in OTHERS)]) {
  const other = OTHERS[host.name];
  const run = (command: string): Step =>
    other === undefined
      ? { shell: command }
      : { tool: other.tool, input: { command, description: "work" } };
  Deno.test({
    name: `${titleOf(host)}: what is blocked does not run; what a person allows runs once`,
    ignore: programOf(host) === undefined,
    async fn() {
      const temp: { workspace?: TempWorkspace } = {};
      const steps: Step[] = [
        run("touch blocked.txt && git reset --hard"),
        run("ln -s .env asked.txt"),
        run("ln -s .env asked.txt"),
        run("rm -rf ~"),
        run("cat .env"),
        run("rm -rf .claude .codex .gemini .github"),
        run("ln -s ../.env src/not-theirs.txt"),
        { text: "Done." },
      ];
      await using model = new WorkingModel(async (_, number) => {
        if (number === 3) {
          assert(!temp.workspace!.has("asked.txt"));
          assertEquals((await temp.workspace!.run(["answer", "GRD-001", "once"])).code, 0);
        }
        return steps[number - 1] ?? { text: "Done." };
      });
      using user = new HookUser(host, model.url);
      temp.workspace = user.temp;
      user.write("kept.txt", "x");
      user.temp.write(".env", "KEY=never-told");
      if (other === undefined) user.installHooks(["PreToolUse"]);
      else other.install(user);
      const { code, out, err } =
        await (other === undefined ? user.work("Go on with the issue.") : user.run(other.args, ""));
      const told = `${out}\n${err}\n${model.requests.join("\n\n")}`.slice(-20_000);
      assertEquals(code, 0, told);
      assert(!exists(user.temp, "blocked.txt"), told);
      assert(model.requests[1].includes("git-discard"), told);
      assert(model.requests[2].includes("agentx answer GRD-001"), told);
      assert(exists(user.temp, "asked.txt"), told);
      const { entries } = await user.temp.json(["audit"]) as { entries: { verdict: string }[] };
      const verdicts = entries.map(({ verdict }) => verdict);
      const expected = ["ask", "ask", "ask", "block", "allow", "ask", "block"];
      assertEquals(verdicts, expected, told);
      assert(exists(user.temp, ".env") && !exists(user.temp, "src/not-theirs.txt"), told);
      assert(Deno.statSync(`${user.home}/kept.txt`).isFile, told);
      assert(!told.includes("never-told"), told);
      assert(JSON.stringify(entries).includes("rm -rf ~"), told);
      assertEquals((await user.temp.run(["audit", "verify"])).code, 0);
    },
  });
}

/** How an editing tool is called; Codex writes files by patches, which its model gets in another form. */
const WRITERS: Readonly<Record<string, (path: string) => Step>> = {
  claude: (path) => ({ tool: "Write", input: { file_path: path, content: "x" } }),
  copilot: (path) => ({ tool: "create", input: { path, file_text: "x" } }),
  gemini: (path) => ({ tool: "write_file", input: { file_path: path, content: "x" } }),
};

for (const host of HOSTS.filter(({ name }) => name in WRITERS)) {
  Deno.test({
    name: `${titleOf(host)}: an editing tool changes what its role may change`,
    ignore: programOf(host) === undefined,
    async fn() {
      const temp: { root?: string } = {};
      // Gemini refuses what is outside itself, before its hooks.
      const outside = host.name === "gemini" ? [] : ["../outside.txt"];
      const paths = ["tests/theirs.txt", "src/not-theirs.txt", ...outside];
      await using model = new WorkingModel((_, number) => {
        const path = paths[number - 1];
        return path ? WRITERS[host.name](`${temp.root}/${path}`) : { text: "Done." };
      });
      using user = new HookUser(host, model.url);
      temp.root = user.temp.root;
      user.more.AGENTX_AGENT = "tester";
      user.temp.write(".claude/agents/tester.md", "---\nmay_change: [tests/**]\n---\nYou test.\n");
      user.temp.write("tests/a.txt", "");
      user.temp.write("src/a.txt", "");
      const other = OTHERS[host.name];
      if (other === undefined) user.installHooks(["PreToolUse"]);
      else other.install(user);
      const prompt = "Go on with the issue.";
      const args = ["-p", "--permission-mode", "acceptEdits"];
      const { code, out, err } =
        await (other === undefined ? user.run(args, prompt) : user.run(other.args, ""));
      const all = `${out}\n${err}\n${model.requests.join("\n\n")}`;
      const told = all.slice(-20_000);
      assertEquals(code, 0, told);
      assert(exists(user.temp, "tests/theirs.txt"), told);
      assert(!exists(user.temp, "src/not-theirs.txt"), told);
      assert(all.includes("the role tester may change tests/**"), told);
      const { entries } = await user.temp.json(["audit"]) as { entries: { verdict: string }[] };
      const verdicts = [...outside.map(() => "block"), "block", "allow"];
      assertEquals(entries.map(({ verdict }) => verdict), verdicts, told);
    },
  });
}

for (const host of PRESET_HOSTS) {
  Deno.test({
    name: `${titleOf(host)}: in its working form it does what was agreed to, and nothing else`,
    ignore: programOf(host) === undefined,
    async fn() {
      const steps: Step[] = [
        { shell: "cat src/a.txt" },
        { shell: "ln -s a.txt src/agreed.txt" },
        { shell: "ln -s a.txt src/not-agreed.txt" },
        { shell: "npm run build" },
        { text: "Done." },
      ];
      await using model = new WorkingModel((_, number) => steps[number - 1]);
      using user = new HookUser(host, model.url);
      user.more.AGENTX_AGENT = "engineer";
      user.more.AGENTX_DEPTH = "1";
      user.temp.write("src/a.txt", "what it reads");
      const argv = await workingForm(host.name, {
        agentx: AGENTX.split(" "),
        mayChange: ["src/**"],
        commands: [["ln", "-s", "a.txt", "src/agreed.txt"]],
      }) as string[];
      const { code, out, err } = await user.run(inOurs(argv, host), "Work on the issue.");
      const told = `${out}\n${err}\n${model.requests.join("\n\n")}`.slice(-20_000);
      assertEquals(code, 0, told);
      assert(model.requests[1].includes("what it reads"), told);
      const made = ["src/agreed.txt", "src/not-agreed.txt"].map((path) => exists(user.temp, path));
      assertEquals(made, [true, false], told);
      assert(model.requests[3].includes("agentx answer GRD-001"), told);
      assert(model.requests[4].includes("nobody agreed that agents run it alone"), told);
      const { entries } = await user.temp.json(["audit"]) as { entries: { agent: string }[] };
      assertEquals(entries.map(({ agent }) => agent), Array(4).fill("engineer"), told);
    },
  });
}

for (const host of HOSTS.filter(({ name }) => name === "codex")) {
  Deno.test({
    name: `${
      titleOf(host)
    }: a patch changes what its role may change, by its tool and by a command`,
    ignore: programOf(host) === undefined,
    async fn() {
      const patch = (path: string) => `*** Begin Patch\n*** Add File: ${path}\n+x\n*** End Patch\n`;
      const steps: Step[] = [
        { patch: patch("src/tool.txt") },
        { patch: patch("docs/tool.txt") },
        { shell: `apply_patch <<'EOF'\n${patch("src/shell.txt")}EOF` },
        { shell: `apply_patch <<'EOF'\n${patch("docs/shell.txt")}EOF` },
        { text: "Done." },
      ];
      await using model = new WorkingModel((_, number) => steps[number - 1]);
      using user = new HookUser(host, model.url);
      const config = Deno.readTextFileSync(`${user.home}/.codex/config.toml`);
      user.write(".codex/config.toml", config.replace('"m"', '"gpt-5.5"')); // it has the tool
      user.temp.write("src/a.txt", "");
      const limits = { mayChange: ["src/**"], commands: [] };
      const argv = await workingForm(host.name, { agentx: AGENTX.split(" "), ...limits });
      const { code, out, err } = await user.run(
        inOurs(argv as string[], host),
        "Work on the issue.",
      );
      const told = `${out}\n${err}`.slice(-20_000);
      assertEquals(code, 0, told);
      const made = ["src/tool", "docs/tool", "src/shell", "docs/shell"].map((path) =>
        exists(user.temp, `${path}.txt`)
      );
      assertEquals(made, [true, false, true, false], told);
    },
  });
}

/** The options of the working form; a sandbox of the host's own is off in it, since ours holds it. */
function inOurs(argv: readonly string[], { name }: Host): string[] {
  const own = DATA[name as "codex"].ownSandbox;
  return own === undefined
    ? argv.slice(1)
    : argv.slice(1).toSpliced(argv.indexOf(own.after), 0, own.options[0], own.off);
}

function exists({ root }: TempWorkspace, path: string): boolean {
  try {
    return Deno.statSync(`${root}/${path}`).isFile;
  } catch {
    return false;
  }
}
