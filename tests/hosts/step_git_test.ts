/**
 * A step by a real coding agent that leaves things for git to obey, in a sandbox and without one, in front of a model
 * on loopback: the step is not done, says why, and the user's git runs nothing of it. What `.ci/run` did not install
 * is ignored.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { canConfine } from "../../lib/sandbox/confine.ts";
import { type Step, WorkingModel } from "../hooks/working_model.ts";
import { HOSTS, programOf, titleOf } from "./host.ts";
import { TwoHosts } from "./two_hosts.ts";

const WORKFLOW = `
[[steps]]
id = "implement"
agent = "engineer"
evidence = [["sh", "test.sh"]]
`;

/** The commands that it may run, run what it has written: the hook that judges tools sees `sh test.sh`. */
const hostile = (program: string) =>
  `cat '${program}' >"$(git rev-parse --git-common-dir)/hooks/post-commit" || true
mkdir -p lib && cd lib && git init -q . && echo x >x && git add x
git -c user.name=t -c user.email=t@example.org commit -qm x
git config core.fsmonitor '${program}' && echo y >x
cd .. && echo 'gitdir: lib/.git' >.git || true
`;

const hosts = HOSTS.filter(({ name }) => name === "claude" || name === "codex");
const canUseBwrap = await canConfine();

for (const host of hosts) {
  // Codex works in a sandbox, whatever its settings say.
  for (const isConfined of host.name === "codex" ? [true] : [true, false]) {
    const ignore = programOf(host) === undefined || isConfined && !canUseBwrap;
    const name = `a step of ${titleOf(host)} ${isConfined ? "in a sandbox" : "without a sandbox"}`;
    if (ignore) console.warn(`${name} was not tried: its programs are not installed`);
    Deno.test({
      name: `${name} that leaves a repository and a hook is not done, and git runs nothing of it`,
      ignore,
      async fn() {
        const steps: Step[] = [];
        await using model = new WorkingModel(() => steps.shift() ?? { text: "Done." });
        // The sandbox has a /tmp of its own.
        using user = new TwoHosts([host], model.url, isConfined ? "/var/tmp" : undefined);
        const program = `${user.home}/program`;
        Deno.writeTextFileSync(program, `#!/bin/sh\ntouch '${user.home}/mark'\n`, { mode: 0o755 });
        const lines = hostile(program);
        const test = "grep -q works app.txt\n";
        steps.push(
          host.name === "claude"
            ? {
              tool: "Bash",
              input: { command: "cat test.sh", description: "look" },
            }
            : {
              patch: `*** Begin Patch\n*** Update File: test.sh\n@@\n-${test}${
                lines.trimEnd().split("\n").map((line) => `+${line}\n`).join("")
              }*** Update File: app.txt\n@@\n-nothing\n+works\n*** End Patch`,
            },
        );
        const tree = `${user.root}/.agentx/state/worktrees/1-implement`;
        if (host.name === "claude") {
          for (const path of ["test.sh", "app.txt"]) {
            const file = `${tree}/${path}`;
            steps.push({ tool: "Read", input: { file_path: file } });
            const content = path === "app.txt" ? "works\n" : lines;
            steps.push({ tool: "Write", input: { file_path: file, content } });
          }
        }
        steps.push({ shell: "sh test.sh" }, { text: "Done." });
        if (host.name === "codex") { // this model has the tool for patches
          const path = `${user.home}/.codex/config.toml`;
          Deno.writeTextFileSync(path, Deno.readTextFileSync(path).replace('"m"', '"gpt-5.5"'));
        }
        const run = async (line: string, env?: Record<string, string>) => {
          const { code, out, err } = await user.run("agentx", line.split(" "), { env });
          return { code, text: out + err };
        };
        const git = (...args: string[]) => {
          const { code, stdout } = new Deno.Command("git", { args, cwd: user.root }).outputSync();
          assertEquals(code, 0, args.join(" "));
          return new TextDecoder().decode(stdout);
        };
        git("init", "-q", "-b", "main");
        const files = {
          ".agentx/workflows/feature.toml": WORKFLOW,
          ".github/agents/engineer.agent.md": "---\nmay_change: [app.txt, test.sh]\n---\nWrite.\n",
          "app.txt": "nothing\n",
          "test.sh": test,
        };
        for (const [path, text] of Object.entries(files)) {
          Deno.mkdirSync(`${user.root}/${path}`.replace(/\/[^/]*$/, ""), { recursive: true });
          Deno.writeTextFileSync(`${user.root}/${path}`, text);
        }
        await run("init");
        git("add", "-A");
        git("config", "user.name", "t");
        git("config", "user.email", "t@example.org");
        git("commit", "-qm", "begin");
        await run(`config set --global agents.engineer.preset ${host.name}`);
        if (isConfined) await run("config set --global agents.engineer.sandbox workspace");
        await run("issue create --title Discounts --label type:feature");
        const { hash } = JSON.parse((await run("trust --print --json")).text);
        const { code, text } = await run("workflow run 1", { AGENTX_TRUST: hash, CI: "true" });
        const what = `${text}\n${model.requests.join("\n\n").slice(-20_000)}`;
        assertEquals(code, 6, what);
        assertEquals(Deno.readTextFileSync(`${tree}/app.txt`), "works\n", what);
        assert(Deno.statSync(`${tree}/lib/.git/HEAD`).isFile, what);
        const inbox = (await run("inbox --json")).text;
        assert(
          /lib\/\.git is a repository|\.git was changed|hooks\/post-commit was changed/.test(inbox),
          inbox + what,
        );
        const names = Array.from(Deno.readDirSync(user.home), ({ name }) => name);
        assertEquals(names.includes("mark"), false);
      },
    });
  }
}
