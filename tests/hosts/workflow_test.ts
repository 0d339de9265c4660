/**
 * A feature from its requirements to a review by real coding agents, as `agentx workflow run` starts them: each is
 * held to its step, in front of a model on loopback. What `.ci/run` did not install is ignored.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { type Step, WorkingModel } from "../hooks/working_model.ts";
import { HOSTS, programOf, titleOf } from "./host.ts";
import { TwoHosts } from "./two_hosts.ts";

const [CLAUDE, CODEX] = ["claude", "codex"].map((name) =>
  HOSTS.find((host) => host.name === name)!
);
const missing = [CLAUDE, CODEX].filter((host) => programOf(host) === undefined);
for (const host of missing) {
  console.warn(`${titleOf(host)} was not tried: .ci/run installs the version of .ci/hosts.txt`);
}

const FILES: Record<string, string> = {
  ".agentx/workflows/feature.toml": `
[[steps]]
id = "prd"
agent = "product-manager"
can_clarify = ["architect"]
output = "docs/prd/PRD-{{issue_number}}.md"
[[steps]]
id = "implement"
agent = "engineer"
can_clarify = ["architect"]
needs = ["prd"]
evidence = [["sh", "test.sh"]]
[[steps]]
id = "review"
agent = "reviewer"
needs = ["implement"]
output = "docs/reviews/REVIEW-{{issue_number}}.md"
status_on_complete = "Done"
`,
  ".github/agents/engineer.agent.md": '---\nmay_change: ["app.txt"]\n---\nYou write code.\n',
  "app.txt": "nothing\n",
  "other.txt": "nothing\n",
  "test.sh": "grep -q works app.txt\n",
};

const change = (file: string): Step => ({
  patch: `*** Begin Patch\n*** Update File: ${file}\n@@\n-nothing\n+works\n*** End Patch`,
});

const asks = (question: string): Step => ({
  shell: `agentx ask architect --issue 1 "${question}"`,
});

/** A command of Codex returns before another agent has answered. */
const asksByTool = (question: string): Step => ({
  tool: "clarify_ask",
  namespace: "mcp__agentx",
  input: { issue: 1, to: "architect", topic: "Rounding", question },
});

/** What each does, one request after the other; both try what their step does not allow. */
function scripts(root: string): Record<string, Step[]> {
  const write = (path: string, content: string): Step => ({
    tool: "Write",
    input: { file_path: path, content },
  });
  const trees = `${root}/.agentx/state/worktrees`;
  return {
    "product-manager": [
      asks("Percents or cents?"),
      write(`${root}/other.txt`, "outside\n"),
      { shell: "git push origin main" },
      write(`${trees}/1-prd/docs/prd/PRD-1.md`, "# PRD\n\nIt works.\n"),
      { text: "Written." },
    ],
    architect: [{ text: "Percents." }, { text: "Rounded down." }],
    engineer: [asksByTool("How is it rounded?"), change("other.txt"), change("app.txt"), {
      shell: "sh test.sh",
    }, { text: "Done." }],
    reviewer: [
      { shell: "git diff main" },
      write(`${trees}/1-review/docs/reviews/REVIEW-1.md`, "# Review\n\nGood.\n"),
      { text: "Good." },
    ],
  };
}

Deno.test({
  name: "workflow run: Claude Code and Codex take a feature to Done, each held to its step",
  ignore: missing.length > 0,
  async fn() {
    let left: Record<string, Step[]> = {};
    const strays: string[] = [];
    await using model = new WorkingModel((request) => {
      const role = /You are the agent \\"([a-z-]+)\\"/.exec(request)?.[1] ?? "";
      const step = left[role]?.shift();
      if (step === undefined) strays.push(request);
      return step ?? { text: "Nothing is left to do." };
    });
    using user = new TwoHosts([CLAUDE, CODEX], model.url, "/var/tmp");
    left = scripts(user.root);
    const codex = `${user.home}/.codex/config.toml`; // this model has the tool for patches
    Deno.writeTextFileSync(codex, Deno.readTextFileSync(codex).replace('"m"', '"gpt-5.5"'));
    // A shell of Codex reads the profile of its user.
    const profile = `PATH="${user.home}/bin:${Deno.env.get("PATH")}"\n`;
    Deno.writeTextFileSync(`${user.home}/.profile`, profile);
    const git = async (...args: string[]) => {
      const { code, stdout, stderr } = await new Deno.Command("git", { args, cwd: user.root })
        .output();
      assertEquals(code, 0, new TextDecoder().decode(stderr));
      return new TextDecoder().decode(stdout).trim();
    };
    const agentx = async (line: string, env?: Record<string, string>) => {
      const { code, out, err } = await user.run("agentx", line.split(" "), { env });
      assertEquals(code, 0, `${line}: ${out}${err}\n${model.requests.join("\n\n").slice(-20_000)}`);
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
    await agentx("config set --global agents.product-manager.preset claude");
    await agentx("config set --global agents.reviewer.preset claude");
    await agentx("config set --global agents.architect.preset claude");
    await agentx("config set --global agents.engineer.preset codex");
    await agentx("issue create --title Discounts --label type:feature");
    const { hash } = JSON.parse(await agentx("trust --print --json"));

    await agentx("workflow run 1", { AGENTX_TRUST: hash, CI: "true" });
    assertEquals(strays, []);
    assertEquals(left, {
      architect: [],
      "product-manager": [],
      engineer: [],
      reviewer: [],
    });
    assertEquals(JSON.parse(await agentx("issue view 1 --json")).issue.status, "Done");
    const { clarifications } = JSON.parse(await agentx("clarify --issue 1 --json"));
    const answers = clarifications.map(({ thread }: { thread: { body: string }[] }) =>
      thread[1].body
    );
    assertEquals(answers, ["Percents.", "Rounded down."]);
    const told = /You are the agent \\"engineer\\".*Rounded down\./s;
    assert(model.requests.some((request) => told.test(request)), "it was told");
    assertEquals(Deno.readTextFileSync(`${user.root}/other.txt`), "nothing\n");
    assertEquals(Deno.readTextFileSync(`${user.root}/app.txt`), "nothing\n", "a person merges");
    assertEquals(await git("show", "agentx/1-review:app.txt"), "works");
    assertEquals(await git("show", "agentx/1-review:other.txt"), "nothing");
    assertEquals(
      await git("show", "agentx/1-review:docs/reviews/REVIEW-1.md"),
      "# Review\n\nGood.",
    );
  },
});
