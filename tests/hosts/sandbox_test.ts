/**
 * Real coding agents do a step each in a sandbox, in a workspace below the top of its repository. Each runs the script
 * that was agreed to, which tries every way around the walls. What `.ci/run` did not install is ignored.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { canConfine } from "../../lib/sandbox/confine.ts";
import { type Step, WorkingModel } from "../hooks/working_model.ts";
import { HOSTS, programOf } from "./host.ts";
import { hostileFiles } from "./hostile_files.ts";
import { TwoHosts } from "./two_hosts.ts";

const [CLAUDE, CODEX, OPENCODE] = ["claude", "codex", "opencode"].map((name) =>
  HOSTS.find((host) => host.name === name)!
);

/** Each line that succeeds is written down. */
const TRY = `
try() { (eval "$2") >/dev/null 2>&1 && echo "$1" >>escaped.txt; }
try "write" "echo x >.vscode/tasks.json"
try "rename" "mv .vscode was && mkdir .vscode && echo x >.vscode/tasks.json"
try "rename the parent" "mv ../.github/workflows ../.github/was"
try "rename the grandparent" "mv ../.github ../was"
try "rename the workspace" "mv ../shop ../was"
try "add" "echo x >../.github/workflows/more.yml"
try "git" "echo x >../.git"
try "a hook" 'touch "$(git rev-parse --git-path hooks/x)"'
try "a commit" "git commit -q --allow-empty -m x"
try "another step" "echo x >../../2-other/a.txt"
try "the main checkout" "echo x >../../../../../a.txt"
git status >/dev/null && git log --oneline >/dev/null && echo ran >>ran.txt
`;

const STEP = (id: string, agent: string, needs = "") =>
  `[[steps]]\nid = "${id}"\nagent = "${agent}"\nevidence = [["sh", "test.sh"]]\nneeds = [${needs}]\n`;

const FILES: Record<string, string> = {
  ".github/workflows/ci.yml": "on: push\n",
  "shop/.agentx/workflows/feature.toml": STEP("implement", "engineer") +
    STEP("deploy", "devops-engineer", '"implement"'),
  "shop/.claude/settings.json": "{}\n",
  "shop/.codex/config.toml": "# none\n",
  "shop/.mcp.json": '{ "mcpServers": {} }\n',
  "shop/.vscode/tasks.json": "{}\n",
  "shop/app.txt": "nothing\n",
  "shop/package.json": "{}\n",
  "shop/test.sh": TRY,
};

/** What its tools said last to a model. */
function lastResults(request: string): string {
  const said = request.matchAll(/"(?:content|output)":"((?:[^"\\]|\\.){0,400})/g);
  return Array.from(said, ([, text]) => text).slice(-2).join("\n");
}

Deno.test({
  name:
    "workflow run: Claude Code and Codex do a step each in a sandbox, and no way leads around it",
  ignore: [CLAUDE, CODEX].some((host) => programOf(host) === undefined) || !await canConfine(),
  async fn() {
    const left: Record<string, Step[]> = {};
    const strays: string[] = [];
    await using model = new WorkingModel((request) => {
      const role = /You are the agent \\"([a-z-]+)\\"/.exec(request)?.[1] ?? "";
      const step = left[role]?.shift();
      if (step === undefined) strays.push(request);
      return step ?? { text: "Nothing is left to do." };
    });
    using user = new TwoHosts([CLAUDE, CODEX], model.url, "/var/tmp");
    const trees = `${user.root}/shop/.agentx/state/worktrees`;
    const change = (file: string, from: string, to: string): Step => ({
      patch: `*** Begin Patch\n*** Update File: ${file}\n@@\n-${from}\n+${to}\n*** End Patch`,
    });
    const app = `${trees}/1-implement/shop/app.txt`;
    left.engineer = [
      { tool: "Read", input: { file_path: app } },
      { tool: "Write", input: { file_path: app, content: "works\n" } },
      { shell: "sh test.sh" },
      { text: "Done." },
    ];
    left["devops-engineer"] = [
      change("app.txt", "works", "works well"),
      change(".vscode/tasks.json", "{}", "x"), // its hook refuses it
      { shell: "sh test.sh" },
      { text: "Done." },
    ];
    const codex = `${user.home}/.codex/config.toml`; // this model has the tool for patches
    Deno.writeTextFileSync(codex, Deno.readTextFileSync(codex).replace('"m"', '"gpt-5.5"'));
    const profile = `PATH="${user.home}/bin:${Deno.env.get("PATH")}"\n`;
    Deno.writeTextFileSync(`${user.home}/.profile`, profile);
    const git = async (...args: string[]) => {
      const { code, stdout, stderr } = await new Deno.Command("git", { args, cwd: user.root })
        .output();
      assertEquals(code, 0, new TextDecoder().decode(stderr));
      return new TextDecoder().decode(stdout).trim();
    };
    const agentx = async (line: string, env?: Record<string, string>) => {
      const words = ["--root", `${user.root}/shop`, ...line.split(" ")];
      const { code, out, err } = await user.run("agentx", words, { env });
      assertEquals(code, 0, `${line}: ${out}${err}\n${model.requests.map(lastResults).join("\n")}`);
      return out;
    };
    await git("init", "-q", "-b", "main");
    for (const [path, text] of Object.entries(FILES)) {
      Deno.mkdirSync(`${user.root}/${path}`.replace(/\/[^/]*$/, ""), { recursive: true });
      Deno.writeTextFileSync(`${user.root}/${path}`, text);
    }
    await agentx("init");
    await git("add", "-A");
    await git("config", "user.name", "t");
    await git("config", "user.email", "t@example.org");
    await git("commit", "-qm", "begin");
    for (
      const [role, setting] of [
        ["engineer", "preset claude"],
        ["engineer", "sandbox workspace"],
        ["devops-engineer", "preset codex"],
      ]
    ) {
      await agentx(`config set --global agents.${role}.${setting}`);
    }
    await agentx("issue create --title Shop --label type:feature");
    const { hash } = JSON.parse(await agentx("trust --print --json"));
    const out = await agentx("workflow run 1", { AGENTX_TRUST: hash, CI: "true" });
    assertEquals([strays, left], [[], { engineer: [], "devops-engineer": [] }]);
    assert(
      /implement \(engineer\): done/.test(out) && /deploy \(devops-engineer\): done/.test(out),
      out,
    );
    const show = (path: string) => git("show", `agentx/1-deploy:${path}`);
    assertEquals(await show("shop/app.txt"), "works well");
    const files = await git("ls-tree", "-r", "--name-only", "agentx/1-deploy");
    assert(!files.includes("escaped.txt"), files);
    // By its agent and as evidence, in each step.
    assertEquals(await show("shop/ran.txt"), "ran\nran\nran\nran");
    for (const path of Object.keys(FILES).filter((path) => path !== "shop/app.txt")) {
      assertEquals(await show(path), FILES[path].trim(), path);
    }
    assertEquals(await git("status", "--porcelain", "shop/app.txt"), "");
  },
});

Deno.test({
  name: "opencode answers in a clone whose code its sandbox hides, and runs nothing of it",
  ignore: programOf(OPENCODE) === undefined || !await canConfine(),
  async fn() {
    await using model = new WorkingModel(() => ({ text: "Cents." }));
    using user = new TwoHosts([OPENCODE], model.url, "/var/tmp");
    for (const folder of [".config/opencode", "marks"]) {
      Deno.mkdirSync(`${user.home}/${folder}`, { recursive: true });
    }
    Deno.writeTextFileSync(`${user.home}/.config/opencode/.gitignore`, ""); // it makes one at first
    const files = hostileFiles((name) => `touch '${user.home}/marks/${name}'`);
    for (const [path, text] of Object.entries(files)) {
      Deno.mkdirSync(`${user.root}/${path}`.replace(/\/[^/]*$/, ""), { recursive: true });
      Deno.writeTextFileSync(`${user.root}/${path}`, text);
    }
    for (
      const words of [
        ["init"],
        ["config", "set", "--global", "agents.architect.preset", "opencode"],
        ["config", "set", "--global", "agents.architect.sandbox", "read-only"],
        ["ask", "architect", "--issue", "1", "--as", "engineer", "Euros or cents?"],
      ]
    ) {
      const { code, out, err } = await user.run("agentx", words);
      assertEquals(code, 0, `${words.join(" ")}: ${out}${err}`);
      if (words[0] === "ask") assert(out.includes("A: Cents."), out);
    }
    assertEquals(Array.from(Deno.readDirSync(`${user.home}/marks`)), []);
  },
});
