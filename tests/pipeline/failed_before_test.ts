/**
 * A bug is fixed where a test that failed before passes now; a person may accept another fix.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { document, git, GOOD, place, type Script } from "./feature.ts";

/** The tests of the bug pass before it is fixed, but for one that asks for "works". */
const WORKFLOW = `
[[steps]]
id = "fix"
agent = "engineer"
iterate = true
evidence = [["sh", "test.sh"]]
[[steps]]
id = "review"
agent = "reviewer"
needs = ["fix"]
output = "docs/reviews/REVIEW-1.md"
`;

async function bug(engineer: Script) {
  const made = await place({ ...GOOD, engineer });
  const { temp } = made;
  temp.write(".agentx/workflows/bug.toml", WORKFLOW);
  temp.write(
    "test.sh",
    'for each in tests/*.sh; do test ! -e "$each" || sh "$each" || exit 1; done\n',
  );
  temp.write("tests/there.sh", "test -s app.txt\n");
  temp.write(".github/agents/engineer.agent.md", "You write code.\n");
  git(temp, "add", "-A");
  git(temp, "commit", "-qm", "tests");
  await temp.run(["issue", "edit", "1", "-l", "type:bug"]);
  await temp.trust();
  return made;
}

const fixed: Script = (cwd, prompt, run) => {
  document("tests/works.sh", "grep -q works app.txt\n")(cwd, prompt, run);
  document("left.txt", "of the agent\n")(cwd, prompt, run);
  return document("app.txt", "works\n")(cwd, prompt, run);
};

Deno.test("a fix with a test that failed before is done, and its tree is as its agent left it", async () => {
  const { temp, run, checked } = await bug(fixed);
  using _ = temp;
  assertEquals(await run(), ["fix: done (1)", "review: done (1)"]);
  assertEquals(checked.fix, ["sh test.sh", "a test that failed before"]);
  assertEquals(
    git(temp, "diff", "--name-only", "main", "agentx/1-fix"),
    [
      ...["app.txt", "left.txt", "tests/works.sh"],
    ].join("\n"),
  );
  assertEquals(git(temp, "show", "agentx/1-fix:app.txt"), "works");
});

const TRIVIAL: Record<string, Script> = {
  "a comment only": document("app.txt", "nothing # at all\n"),
  "a test that passes on both sides": (cwd, prompt, run) => {
    document("tests/more.sh", "test -s app.txt\n")(cwd, prompt, run);
    return document("app.txt", "nothing more\n")(cwd, prompt, run);
  },
  "a deleted test": (cwd) => {
    Deno.writeTextFileSync(`${cwd}/app.txt`, "nothing new\n");
    new Deno.Command("rm", { args: ["-rf", `${cwd}/tests/there.sh`] }).outputSync();
    return "Done.";
  },
};

for (const [what, engineer] of Object.entries(TRIVIAL)) {
  Deno.test(`a bug is not fixed by ${what}, until a person accepts it`, async () => {
    const { temp, run } = await bug(engineer);
    using _ = temp;
    assertEquals(await run(), ["fix: not done (2)"]);
    const { entries: [{ content }] } = await temp.json(["inbox"]);
    assert(content.includes("- no test that failed before: "), content);
    const agent = { env: { AGENTX_AGENT: "engineer" } };
    const accept = ["workflow", "1", "--accept", "fix"];
    assertEquals((await temp.run(accept, agent)).code, 6);
    assertEquals((await temp.run([...accept, "--because", "seen by hand"])).code, 0);
    assertEquals((await temp.json(["inbox"])).entries, []);
    assertEquals(await run(), ["review: done (1)"]);
    const { steps } = await temp.json(["workflow", "1"]);
    assertEquals([steps[0].by, git(temp, "rev-list", "--count", "main..agentx/1-fix")], [
      "human",
      "1",
    ]);
  });
}

Deno.test("a process that dies while a test runs without the fix leaves a tree that is put back", async () => {
  const { temp, run } = await bug(fixed);
  using _ = temp;
  temp.write("test.sh", `test -e ../../died && ${temp.read("test.sh")}`);
  git(temp, "commit", "-qam", "a test that fails for now");
  assertEquals(await run(), ["fix: not done (2)"]);
  temp.write(".agentx/state/died", "x");
  const tree = `${temp.root}/.agentx/state/worktrees/1-fix`;
  const inTree = (...args: string[]) => git(temp, "-C", tree, ...args);
  inTree("add", "--all");
  inTree("update-ref", "refs/agentx/whole/1-fix", inTree("write-tree"));
  inTree("read-tree", "-u", "--reset", "refs/agentx/start/1-fix");
  assertEquals(await run("fix"), ["fix: done (2)"]);
  assertEquals(git(temp, "show", "agentx/1-fix:app.txt"), "works");
  assertEquals((await temp.json(["workflow", "1"])).steps[0].by, "engineer");
});
