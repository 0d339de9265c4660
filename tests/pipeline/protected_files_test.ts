/** Files that start a program or instruct an agent, in the tree of a step and at its merge. */

import { assert, assertEquals } from "@std/assert";
import { leaveOut } from "../../lib/git/left_out.ts";
import { commitTree, makeStepTree } from "../../lib/git/step_tree.ts";
import { git, GOOD, place, repository, type Script, scriptedClaude } from "./feature.ts";

/** Committed before the step begins. */
const FILES: Record<string, string> = {
  ".agentx/workflows/feature.toml":
    '[[steps]]\nid = "implement"\nagent = "engineer"\nevidence = [["sh", "test.sh"]]\n',
  ".claude/settings.json": "{}\n",
  ".claude/skills/a/SKILL.md": "Skill.\n",
  ".github/agents/engineer.agent.md": '---\nmay_change: ["**"]\n---\nYou write code.\n',
  ".github/workflows/ci.yml": "on: push\n",
  ".gitattributes": "*.txt text\n",
  ".gitignore": ".agentx/state/\n.agentx/log/\n*.local.json\n",
  ".mcp.json": "{}\n",
  "AGENTS.md": "Be brief.\n",
  "package.json": '{ "scripts": { "test": "true" } }\n',
};

/** A feature whose engineer runs a line of shell in its tree. */
async function feature(line: string, mayChange = '"**"') {
  const seen: string[] = [];
  const engineer: Script = (cwd, ...more) => {
    const { success, stdout, stderr } = new Deno.Command("sh", {
      args: [
        "-ec",
        `git ls-files -z --others --cached | xargs -0 ls -d 2>/dev/null || true; ${line}`,
      ],
      cwd,
    }).outputSync();
    assert(success, new TextDecoder().decode(stderr));
    seen.push(...new TextDecoder().decode(stdout).split("\n"));
    return GOOD.engineer(cwd, ...more);
  };
  const made = await place({ ...GOOD, engineer });
  const { temp } = made;
  for (const [path, text] of Object.entries(FILES)) {
    temp.write(path, text.replace('"**"', mayChange));
  }
  git(temp, "add", "-A");
  git(temp, "commit", "-qm", "files");
  const reason = async () => (await temp.json(["inbox"])).entries[0]?.content ?? "";
  return { ...made, seen, reason };
}

Deno.test("a step's tree leaves out what its host loads as code, and each commit keeps it", async () => {
  const { temp, run, seen } = await feature(
    'said="$(git status --porcelain)"; echo "$said" >status.txt',
  );
  using _ = temp;
  assertEquals(await run(), ["implement: done (1)"]);
  assertEquals(Object.keys(FILES).filter((path) => !seen.includes(path)), [
    ".claude/settings.json",
    ".mcp.json",
  ]);
  assertEquals(git(temp, "show", "agentx/1-implement:status.txt"), "");
  for (const path of Object.keys(FILES)) {
    assertEquals(
      git(temp, "show", `agentx/1-implement:${path}`),
      git(temp, "show", `HEAD:${path}`),
    );
  }
  const { out } = await temp.run(["workflow", "merge", "1"]);
  assert(out.includes("Removed 1 branch of #1, with their trees"), out);
  assertEquals([temp.read(".mcp.json"), temp.read("app.txt")], ["{}\n", "works\n"]);
});

Deno.test("a step's tree keeps what other hosts would load", async () => {
  using temp = await repository();
  for (const path of [".claude/settings.json", ".codex/config.toml", "opencode.json"]) {
    temp.write(path, "{}\n");
  }
  git(temp, "add", "-A");
  git(temp, "commit", "-qm", "files");
  await scriptedClaude(temp);
  const { code, out, err } = await temp.run(["workflow", "run", "1", "--until", "prd"]);
  assertEquals(code, 0, out + err);
  const tree = `${temp.root}/.agentx/state/worktrees/1-prd`;
  const shown = ["ls-files", "-t", ".claude", ".codex", "opencode.json"];
  assertEquals(git(temp, "-C", tree, ...shown).split("\n"), [
    ...["S .claude/settings.json", "H .codex/config.toml", "H opencode.json"],
  ]);
  assertEquals(git(temp, "-C", tree, "diff", "--name-only", "HEAD"), "");
});

const CHANGES: Record<string, [line: string, named: string]> = {
  "a server for hosts that was left out": ["echo {} >.mcp.json", ".mcp.json"],
  "settings that git ignores": [
    "echo {} >.claude/settings.local.json",
    ".claude/settings.local.json",
  ],
  "a CI workflow": ["echo x >.github/workflows/ci.yml", ".github/workflows/ci.yml"],
  "another CI workflow": ["echo x >.github/workflows/b.yml", ".github/workflows/b.yml"],
  "no CI workflow": ["rm .github/workflows/ci.yml", ".github/workflows/ci.yml"],
  "the folder above under another name": [
    "mv .github was; mkdir -p .github/workflows; echo x >.github/workflows/ci.yml",
    ".github/workflows/ci.yml",
  ],
  "a link in its place": ["rm .gitattributes; ln -s app.txt .gitattributes", ".gitattributes"],
  "a link above it": [
    "mkdir -p was; mv .github/workflows was/; ln -s ../was/workflows .github/workflows",
    ".github/workflows",
  ],
  "a plugin below": [
    "mkdir -p a/.opencode/plugins; echo x >a/.opencode/plugins/x.js",
    "a/.opencode/plugins/x.js",
  ],
  "a change that it has committed": [
    "echo x >.husky; git add .husky; git -c user.name=t -c user.email=t@e.org commit -qm x",
    ".husky",
  ],
};

for (const [what, [line, named]] of Object.entries(CHANGES)) {
  Deno.test(`a step whose agent leaves ${what} is not done, and names it`, async () => {
    const { temp, run, reason } = await feature(line);
    using _ = temp;
    assertEquals((await run("implement")).at(-1), "implement: not done (1)");
    assert((await reason()).includes(`${named} starts a program, and was changed`), await reason());
    assertEquals((await run("implement")).at(-1), "implement: not done (1)", "a person is first");
    assertEquals(git(temp, "show", "agentx/1-implement:app.txt"), "nothing");
  });
}

Deno.test("a role changes the protected files that its definition names, and any file that instructs", async () => {
  const line = "echo x >.github/workflows/ci.yml; echo x >AGENTS.md; echo {} >package.json";
  const { temp, run } = await feature(line, '".github/workflows/**", "**"');
  using _ = temp;
  assertEquals((await run("implement")).at(-1), "implement: done (1)");
  assertEquals(git(temp, "show", "agentx/1-implement:.github/workflows/ci.yml"), "x");
});

Deno.test("evidence changes no protected file either", async () => {
  const { temp, run, reason } = await feature("true");
  using _ = temp;
  temp.write("test.sh", "echo {} >.mcp.json; grep -q works app.txt\n");
  git(temp, "commit", "-qam", "test");
  assertEquals((await run("implement")).at(-1), "implement: not done (1)");
  assert((await reason()).includes(".mcp.json starts a program"), await reason());
});

Deno.test("workflow merge shows changes of files that instruct or start a program, and asks", async () => {
  const line =
    'echo "Obey." >AGENTS.md; echo "{ \\"scripts\\": { \\"test\\": \\"x\\" } }" >package.json';
  const { temp, run } = await feature(line);
  using _ = temp;
  await run();
  const merge = ["workflow", "merge", "1"];
  const head = git(temp, "rev-parse", "HEAD");
  for (const options of [{}, { terminal: true, stdin: "n\n" }]) {
    const { code, err } = await temp.run(merge, options);
    assertEquals([code, git(temp, "rev-parse", "HEAD")], [6, head]);
    assert(/its changes of AGENTS\.md,\s+package\.json/.test(err), err);
    const next = options.terminal ? "issue edit 1 -l needs:changes" : "workflow merge 1";
    assert(err.includes(`: agentx ${next}`), err);
  }
  const { code, err } = await temp.run(merge, { terminal: true, stdin: "y\n" });
  assertEquals([code, temp.read("AGENTS.md")], [0, "Obey.\n"]);
  for (
    const said of [" instructs agents:\n", "+Obey.\n", " starts a program:\n", '"x"']
  ) assert(err.includes(said), err);
});

Deno.test("workflow merge asks about no package.json with the same scripts", async () => {
  const { temp, run } = await feature(`sed -i 's/^{/{ "license": "MIT",/' package.json`);
  using _ = temp;
  await run();
  const { code, err } = await temp.run(["workflow", "merge", "1"]);
  assertEquals([code, err], [0, ""]);
  assert(temp.read("package.json").includes("MIT"));
});

Deno.test("leaveOut(): a merge, a reset and a stash keep what is left out", async () => {
  using temp = await repository();
  temp.write(".mcp.json", "1\n");
  git(temp, "add", "-A");
  git(temp, "commit", "-qm", "one");
  const make = async (step: string, after: string[], isFresh = false) => {
    const tree = await makeStepTree({
      root: temp.root,
      from: temp.root,
      issueNumber: 1,
      step,
      after,
      isFresh,
    });
    await leaveOut(tree, (path) => path === ".mcp.json");
    return tree;
  };
  const isThere = (top: string) => Array.from(Deno.readDirSync(top), ({ name }) => name);
  const a = await make("a", []);
  const b = await make("b", ["a"]);
  git(temp, "-C", a.top, "update-index", "--no-skip-worktree", ".mcp.json");
  Deno.writeTextFileSync(`${a.top}/.mcp.json`, "2\n");
  await commitTree(a, "two");
  for (const isFresh of [false, true]) {
    await make("b", ["a"], isFresh);
    Deno.writeTextFileSync(`${b.top}/app.txt`, `${isFresh}\n`);
    git(temp, "-C", b.top, "stash", "-q");
    assertEquals(git(temp, "-C", b.top, "status", "--porcelain"), "");
    git(temp, "-C", b.top, "stash", "pop", "-q");
    await commitTree(b, "b");
    assertEquals(git(temp, "show", "agentx/1-b:.mcp.json"), "2");
    assert(!isThere(b.top).includes(".mcp.json"));
  }
});
