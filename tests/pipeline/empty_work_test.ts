/**
 * A step counts as done for what it changed, not for tests of an untouched tree; and everybody who decides sees what
 * it changed.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { AGENTX } from "../temp_workspace.ts";
import { document, git, GOOD, place, repository, type Script } from "./feature.ts";

const SORRY: Script = () => "I could not do it, sorry";

Deno.test("a step whose agent changed no file is not done, though its tests pass", async () => {
  const { temp, run, workspace } = await place({ ...GOOD, engineer: SORRY });
  using _ = temp;
  temp.write("test.sh", "true\n");
  git(temp, "commit", "-qam", "tests pass");
  assertEquals((await run()).at(-1), "implement: not done (2)");
  const { entries: [{ content }] } = await temp.json(["inbox"]);
  assert(content.includes("- implement changed no file\n"), content);
  assert(content.includes("> I could not do it, sorry\n"), content);
  assert(content.includes("no change since ") && !content.includes("0 files"), content);
  assertEquals(workspace.loop.status(1)?.status, "active");
});

Deno.test("a role that may change documents only may find nothing to change", async () => {
  const { temp, run } = await place({ ...GOOD, engineer: SORRY });
  using _ = temp;
  temp.write("test.sh", "true\n");
  temp.write(".github/agents/engineer.agent.md", '---\nmay_change: [docs/**, "*.md"]\n---\nYou.\n');
  git(temp, "commit", "-qam", "tests pass");
  assertEquals((await run("implement")).at(-1), "implement: done (1)");
});

Deno.test("the loop of an issue begins with the engineer's claim and ends with its step", async () => {
  const prompts: string[] = [];
  const engineer: Script = (cwd, prompt, run) =>
    document("app.txt", run === 1 ? "broken\n" : "works\n")(cwd, prompt, run);
  const reviewer: Script = (cwd, prompt, run) => {
    prompts.push(prompt);
    return GOOD.reviewer(cwd, prompt, run);
  };
  const { temp, run, workspace } = await place({ ...GOOD, engineer, reviewer });
  using _ = temp;
  await run("implement");
  const { status, iteration, history: [{ summary }] } = workspace.loop.status(1)!;
  assertEquals([status, iteration], ["complete", 2]);
  assert(summary.includes("sh test.sh failed with exit code 1"), summary);
  await run();
  const base = git(temp, "merge-base", "main", "agentx/1-implement");
  assert(prompts[0].includes("> The iterative loop is complete, iteration 2."), prompts[0]);
  assert(prompts[0].includes(`> Compared with commit ${base}: git diff ${base}`), prompts[0]);
  assert(/> 4 files, \+8 -1, since \w+\n> {3}app.txt \+1 -1\n/.test(prompts[0]), prompts[0]);
  assert(prompts[0].includes("> -nothing\n> +works\n"), prompts[0]);
});

Deno.test("workflow merge says what it merged, and that nothing of an issue was run", async () => {
  const { temp, run } = await place(GOOD);
  using _ = temp;
  const { code, err } = await temp.run(["workflow", "merge", "1"]);
  assertEquals([code, git(temp, "rev-list", "--count", "main")], [6, "1"]);
  assert(err.includes("nothing of it was run") && err.includes("agentx workflow run 1"), err);
  await run();
  const base = git(temp, "rev-parse", "--short=12", "HEAD");
  const { out } = await temp.run(["workflow", "merge", "1"]);
  assert(out.includes(`#1 changed 5 files, +9 -1, since ${base}\n    app.txt +1 -1\n`), out);
});

Deno.test("hook finish and loop complete leave a claimed step open that changed nothing", async () => {
  using temp = await repository();
  const path = ".agentx/workflows/feature.toml";
  const begin = temp.read(path).indexOf('[[steps]]\nid = "implement"');
  temp.write(path, temp.read(path).slice(begin).replace('needs = ["ux", "architecture"]\n', ""));
  temp.write("test.sh", "true\n");
  git(temp, "add", "-A");
  const env = { GIT_COMMITTER_DATE: "2026-01-01T00:00:00Z" };
  new Deno.Command("git", { args: ["commit", "-qm", "x"], cwd: temp.root, env }).outputSync();
  await temp.trust();
  assertEquals((await temp.run(["ready", "--claim", "engineer"])).code, 0);
  const { code, err } = await temp.run(["loop", "complete", "1"]);
  assertEquals([code, err.includes("implement changed no file")], [6, true], err);
  assertEquals((await temp.run(["hook", "finish", "engineer", "1"])).code, 6, "its loop is active");
  temp.write("app.txt", "works\n");
  assertEquals((await temp.run(["loop", "complete", "1"])).code, 0);
  const { steps } = await temp.json(["workflow", "1"]);
  assertEquals(steps[0].state, "done");
});

Deno.test("hook finish says what a step lacks and what to run next", async () => {
  using temp = await repository();
  const { out, err } = await temp.run(["hook", "finish", "product-manager", "1"]);
  assert(out.includes("has ended its turn on #1, and its step is not done"), out);
  assert(out.includes("agentx issue validate 1 product-manager"), out);
  assert(err.includes("docs/prd/PRD-1.md does not exist"), err);
});

Deno.test("loop complete runs no tests where no loop was started", async () => {
  using temp = await repository();
  temp.write("test.sh", "touch was-run\n");
  const { code, err } = await temp.run(["loop", "complete", "1"]);
  assertEquals([code, temp.has("was-run")], [4, false]);
  assert(err.includes("agentx loop start 1"), err);
});

Deno.test("a step with criteria of its own needs those of the issue, or commands that show them", async () => {
  using temp = await repository();
  const path = ".agentx/workflows/feature.toml";
  const step =
    '[[steps]]\nid = "implement"\nagent = "engineer"\ncompletion_criteria = "It works"\n';
  temp.write(path, step);
  const validate = async () => await temp.run(["issue", "validate", "1", "engineer"]);
  temp.write("app.txt", "works\n");
  const { code, out } = await validate();
  assertEquals([code, out.includes("lists no acceptance criteria")], [6, true], out);
  const body = "## Acceptance criteria\n- [x] It works";
  await temp.run(["issue", "edit", "1", "--body", body]);
  assertEquals((await validate()).code, 0);
});

Deno.test("a criterion that an agent ticks while it works counts at once", async () => {
  const prompts: string[] = [];
  const engineer: Script = (cwd, prompt, run) => {
    prompts.push(prompt);
    const main = cwd.split("/.agentx/")[0];
    const args = ["-c", `${AGENTX} issue check 1 1 --root '${main}'`];
    new Deno.Command("sh", { args, cwd: main }).outputSync();
    return GOOD.engineer(cwd, prompt, run);
  };
  const { temp, run } = await place({ ...GOOD, engineer });
  using _ = temp;
  await temp.run(["issue", "edit", "1", "-b", "## Acceptance criteria\n\n- [ ] It works"]);
  assertEquals((await run("implement")).at(-1), "implement: done (1)");
  assert(prompts[0].includes("agentx issue check 1 ITEM"), prompts[0]);
});

Deno.test("a document that another checkout has begun was not edited here", async () => {
  const { temp, run } = await place(GOOD);
  using _ = temp;
  await run("prd");
  git(temp, "worktree", "add", "-q", "-b", "other", `${temp.root}/../other-${Date.now()}`);
  const [, path] = /worktree (\S*other-\d+)/.exec(git(temp, "worktree", "list", "--porcelain"))!;
  try {
    const args = ["-c", `${AGENTX} workflow 1`];
    const { stdout } = new Deno.Command("sh", { args, cwd: path }).outputSync();
    const out = new TextDecoder().decode(stdout);
    assert(!out.includes("edited since"), out);
    assert(/prd[^\n]*done|done[^\n]*prd/.test(out), out);
  } finally {
    git(temp, "worktree", "remove", "--force", path);
  }
});
