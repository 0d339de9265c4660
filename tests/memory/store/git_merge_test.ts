/**
 * Two branches of a real repository that both captured: merged by git as `init` sets it up, and
 * without that, where somebody then keeps both sides by hand.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { TempWorkspace } from "../../temp_workspace.ts";
import { TempRepository, testWithGit } from "../../workspace/temp_repository.ts";

/** Both branches note something on two issues; the second branch is merged into the first. */
async function merge(temp: TempWorkspace, options: { withInit: boolean }): Promise<boolean> {
  using repository = new TempRepository();
  const git = (...args: string[]) => repository.gitIn(temp.root, ...args);
  const note = async (issue: string, text: string) => {
    await temp.run(["memory", "note", "--agent", "engineer", "--issue", issue, text]);
  };
  git("init", "--quiet", "--initial-branch", "main");
  if (options.withInit) await temp.run(["init"]);
  else {temp.write(
      ".gitignore",
      ".agentx/state/\n.agentx/memory/index/\n.agentx/memory/manifest*\n*.jsonl\n",
    );}
  await note("29", "Both know this.");
  git("add", "--all");
  git("commit", "--quiet", "--message", "begin");
  for (const branch of ["theirs", "main"]) {
    git("checkout", "--quiet", ...(branch === "main" ? [branch] : ["-b", branch]));
    await note("29", `Seen on ${branch}: the heron.`);
    await note("30", `Only on ${branch}: the walrus.`);
    git("add", "--all");
    git("commit", "--quiet", "--message", branch);
  }
  try {
    git("merge", "--quiet", "--message", "merge", "theirs");
    return true;
  } catch {
    return false;
  }
}

async function checkBoth(temp: TempWorkspace): Promise<void> {
  for (const [word, branches] of [["heron", "Seen"], ["walrus", "Only"]]) {
    const { observations } = await temp.json(["memory", "search", word]);
    const summaries = observations.map(({ summary }: { summary: string }) => summary).sort();
    const expected = ["main", "theirs"].map((branch) => `${branches} on ${branch}: the ${word}.`);
    assertEquals(summaries.filter((text: string) => text.includes(word)), expected);
  }
  const { observations } = await temp.json(["memory", "export"]);
  assertEquals(observations.length, 5);
  await temp.run(["doctor", "--fix"]);
  for (const issue of [29, 30]) JSON.parse(temp.read(`.agentx/memory/issue-${issue}.json`));
  assertEquals((await temp.json(["memory", "export"])).observations.length, 5);
}

testWithGit("branches that both captured merge without a conflict, and all is found", async () => {
  using temp = new TempWorkspace();
  assert(await merge(temp, { withInit: true }));
  await checkBoth(temp);
});

testWithGit(
  "memory finds what both branches captured where somebody kept both sides of a conflict",
  async () => {
    using temp = new TempWorkspace();
    assert(!await merge(temp, { withInit: false }));
    for (const issue of [29, 30]) {
      const path = `.agentx/memory/issue-${issue}.json`;
      assert(temp.read(path).includes("<<<<<<<"));
      temp.write(path, temp.read(path).replace(/^(?:<{7}|={7}|>{7}).*\n/gm, ""));
    }
    await checkBoth(temp);
  },
);
