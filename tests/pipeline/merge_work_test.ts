import { runWorkflow } from "../../lib/pipeline/run_workflow.ts";
import { openWorkspaceParts } from "../../lib/workspace/open.ts";
import { workflowParts } from "../../lib/workspace/workflow_parts.ts";
import { assert, assertEquals } from "@std/assert";
import { AGENTX, type TempWorkspace } from "../temp_workspace.ts";
import { changeHooks } from "../../lib/guard/git_hooks.ts";
import { TempBoard } from "../board/temp_board.ts";
import { document, git, GOOD, place, type Script } from "./feature.ts";

const branches = (temp: TempWorkspace) =>
  git(temp, "for-each-ref", "--format=%(refname)", "refs/heads/agentx", "refs/agentx");

const trees = (temp: TempWorkspace) => git(temp, "worktree", "list").split("\n").length - 1;

const MERGE = ["workflow", "merge", "1"];

Deno.test("workflow merge takes the documents and the code of an issue, and removes its trees and branches", async () => {
  const { temp, run } = await place(GOOD);
  using _ = temp;
  await run();
  const how = "note: #1 is done. See its work with: git diff HEAD...agentx/1-review\n" +
    "note: merge it with: agentx workflow merge 1\n";
  assertEquals((await temp.run(["workflow", "1"])).err, how);
  temp.write("mine.txt", "not for git\n");
  const base = git(temp, "rev-parse", "--short=12", "HEAD");
  const { code, out } = await temp.run(MERGE);
  assertEquals([code, out], [
    0,
    "  Committed 5 files: documents of #1, issues and memory\n" +
    "  Merged agentx/1-review into main\n" +
    `  #1 changed 5 files, +9 -1, since ${base}\n    app.txt +1 -1\n` +
    "    docs/adr/ADR-1.md +1 -0\n    docs/prd/PRD-1.md +5 -0\n" +
    "    docs/reviews/REVIEW-1.md +1 -0\n    docs/ux/UX-1.md +1 -0\n" +
    "  Removed 5 branches of #1, with their trees\n",
  ]);
  assertEquals([temp.read("app.txt"), trees(temp), branches(temp)], ["works\n", 0, ""]);
  assertEquals(git(temp, "status", "--porcelain"), "?? mine.txt");
  assertEquals(git(temp, "show", "HEAD:docs/reviews/REVIEW-1.md"), "# It");
  await temp.run(["issue", "create", "Another"]);
  const head = git(temp, "rev-parse", "HEAD");
  const again = await temp.run(MERGE);
  assertEquals([again.code, again.out], [0, "  Nothing of #1 is left to merge into main\n"]);
  assertEquals(git(temp, "rev-parse", "HEAD"), head);
  assertEquals((await temp.run(["workflow", "1"])).err, "");
});

Deno.test("why names the agent of the step that wrote a merged line, and nobody for a commit like it", async () => {
  const { temp, run } = await place(GOOD);
  using _ = temp;
  await run();
  temp.write("mine.txt", "by hand\n");
  git(temp, "add", "mine.txt");
  git(temp, "commit", "-qm", "feat(implement): make it work (#1)");
  await temp.run(MERGE);
  const writerOf = async (place: string) =>
    (await temp.json(["why", `${temp.root}/${place}`])).writtenBy;
  const nobody = { tool: null, model: null, session: null };
  assertEquals(await writerOf("app.txt:1"), { source: "workflow", agent: "engineer", ...nobody });
  assertEquals(await writerOf("mine.txt:1"), null);
  const { out } = await temp.run(["why", `${temp.root}/app.txt:1`]);
  assert(out.includes("Written by engineer (step of agentx workflow run)"), out);
});

Deno.test("status and the board name work that is done and not merged, with its command", async () => {
  const { temp, run } = await place(GOOD);
  using _ = temp;
  await run("implement");
  const unmerged = async () =>
    (await temp.json(["status"])).unmerged.map(({ number }: { number: number }) => number);
  assertEquals(await unmerged(), []);
  await run();
  assertEquals(await unmerged(), [1]);
  const { out } = await temp.run(["status"]);
  assert(
    /^ {2}Done, not merged\n +#1 +Make it work\n +Merge: agentx workflow merge 1$/m.test(out),
    out,
  );
  await using board = await TempBoard.start(temp);
  const html = await board.view("now");
  assert(html.includes("<code>agentx workflow merge 1</code>"), html);
  git(temp, "add", "docs");
  git(temp, "commit", "-qm", "documents");
  git(temp, "merge", "-q", "--no-edit", "agentx/1-review");
  assertEquals(await unmerged(), []);
});

Deno.test("a workspace below the top of its repository has its documents and its tests there", async () => {
  const places: string[] = [];
  const engineer: Script = (cwd, ...more) => {
    places.push(cwd);
    return GOOD.engineer(cwd, ...more);
  };
  const parent = Deno.makeTempDirSync({ prefix: "agentx-monorepo-" });
  const { temp, run } = await place({ ...GOOD, engineer }, 0, parent);
  using _ = temp;
  const name = temp.root.slice(parent.length + 1);
  const done = await run();
  assertEquals(done.filter((each) => !each.includes(": done")), []);
  assertEquals(places, [`${temp.root}/.agentx/state/worktrees/1-implement/${name}`]);
  assertEquals((await temp.run(MERGE)).code, 0);
  assertEquals([temp.read("app.txt"), trees(temp), branches(temp)], ["works\n", 0, ""]);
  const files = git(temp, "ls-files", "--full-name", parent).split("\n");
  assertEquals(files.filter((path) => !path.startsWith(`${name}/`)), []);
  assert(files.includes(`${name}/docs/reviews/REVIEW-1.md`), files.join());
  Deno.removeSync(`${parent}/.git`, { recursive: true });
});

Deno.test("workflow merge begins with nothing while a step is open, a file is changed or an agent calls", async () => {
  const { temp, run } = await place(GOOD);
  using _ = temp;
  await run("implement");
  temp.write("app.txt", "mine\n");
  const head = git(temp, "rev-parse", "HEAD");
  const { code, err } = await temp.run(MERGE);
  assertEquals(code, 6);
  assert(err.includes("review of #1 is ready; app.txt has changes that are not committed"), err);
  git(temp, "checkout", "app.txt");
  await run();
  assertEquals((await temp.run(MERGE, { env: { AGENTX_AGENT: "reviewer" } })).code, 6);
  git(temp, "checkout", "-q", "--detach");
  assertEquals((await temp.run(MERGE)).code, 6);
  assertEquals([git(temp, "rev-parse", "HEAD"), trees(temp)], [head, 5]);
});

Deno.test("workflow merge refuses an issue that was sent back after it was done", async () => {
  const { temp, run } = await place(GOOD);
  using _ = temp;
  await run();
  const head = git(temp, "rev-parse", "HEAD");
  await temp.run(["issue", "edit", "1", "-l", "needs:changes"]);
  const sentBack = await temp.run(MERGE);
  assertEquals([sentBack.code, git(temp, "rev-parse", "HEAD"), trees(temp)], [6, head, 5]);
  assert(sentBack.err.includes("implement of #1 was sent back"), sentBack.err);
});

Deno.test("workflow merge commits documents of the issue apart from issues and memory", async () => {
  const { temp, run } = await place(GOOD);
  using _ = temp;
  await run();
  await temp.run(["issue", "create", "-t", "Another"]);
  assertEquals((await temp.run(MERGE)).code, 0);
  const [documents, records] = ["documents", "chore(issues)"].map((message) =>
    git(
      temp,
      "log",
      "-1",
      "--format=",
      "--name-only",
      "--first-parent",
      `--grep=${message}`,
      "main",
    )
      .split("\n")
  );
  assertEquals(documents.filter((path) => !path.startsWith("docs/")), []);
  assertEquals([documents.length, records.some((path) => !path.startsWith(".agentx/"))], [
    4,
    false,
  ]);
  const merged = git(temp, "rev-parse", "HEAD");
  await temp.run(["issue", "edit", "1", "-s", "Ready"]);
  const { code, err } = await temp.run(MERGE);
  assertEquals([code, git(temp, "rev-parse", "HEAD")], [6, merged]);
  assert(err.includes("implement of #1 is ready"), err);
});

Deno.test("the hook of agentx takes each commit of agentx, and a remote on GitHub is not linked to", async () => {
  for (const isOnGitHub of [false, true]) {
    const { temp, run } = await place(GOOD);
    using _ = temp;
    changeHooks(`${temp.root}/.git/hooks`, AGENTX.split(" "));
    if (isOnGitHub) git(temp, "remote", "add", "origin", "git@github.com:o/r.git");
    assertEquals((await temp.run(["issue", "commit"])).code, 0);
    await run();
    const { code, err } = await temp.run(MERGE);
    assertEquals([code, err], [0, ""]);
    const [reference, trailer] = isOnGitHub ? ["", "Issue: 1\n"] : [" (#1)", ""];
    const messages = git(temp, "log", "--format=%s%n%(trailers)", "--topo-order", "main")
      .split(/\n\n+/).map((each) => each.trim());
    const message = (scope: string) =>
      `feat(${scope}): make it work${reference}\n${trailer}`.trim();
    assertEquals(
      new Set(messages),
      new Set([
        "Merge branch 'agentx/1-review'",
        "Merge branch 'agentx/1-ux' into agentx/1-implement",
        "begin",
        "chore(issues): update issues and memory",
        ...["documents", "prd", "ux", "architecture", "implement", "review"].map(message),
      ]),
    );
  }
});

Deno.test("workflow merge leaves a conflict to git, and removes the rest once a person has merged", async () => {
  const { temp, run } = await place(GOOD);
  using _ = temp;
  await run();
  temp.write("app.txt", "works too\n");
  git(temp, "commit", "-qam", "meanwhile");
  const { err } = await temp.run(MERGE);
  assert(/app.txt was changed on both sides\n.*git merge agentx\/1-review/.test(err), err);
  assertEquals([temp.read("app.txt"), trees(temp)], ["works too\n", 5]);
  git(temp, "merge", "-q", "--no-edit", "-X", "ours", "agentx/1-review");
  assertEquals((await temp.run(MERGE)).code, 0);
  assertEquals([temp.read("app.txt"), trees(temp), branches(temp)], ["works too\n", 0, ""]);
});

Deno.test("workflow merge removes nothing that is not merged, and no tree with files that git does not have", async () => {
  const { temp, run } = await place(GOOD);
  using _ = temp;
  await run();
  git(temp, "branch", "agentx/1-gone", git(temp, "commit-tree", "-m", "x", "HEAD^{tree}"));
  temp.write(".agentx/state/worktrees/1-prd/notes.txt", "mine\n");
  const { kept, removed } = await temp.json(MERGE);
  assertEquals(kept.map(({ branch }: { branch: string }) => branch), [
    "agentx/1-prd",
    "agentx/1-gone",
  ]);
  assertEquals([removed.length, temp.has(".agentx/state/worktrees/1-prd/notes.txt")], [4, true]);
});

Deno.test("workflow merge keeps a tree with files that git ignores, and names them", async () => {
  const { temp, run } = await place(GOOD);
  using _ = temp;
  temp.write(".gitignore", ".agentx/state/\n.agentx/log/\n*.log\ncache/\n");
  git(temp, "commit", "-qam", "ignored");
  await run();
  const trees = ".agentx/state/worktrees";
  temp.write(`${trees}/1-prd/mine.log`, "mine\n");
  git(temp, "init", "-q", `${temp.root}/${trees}/1-ux/cache/other`);
  temp.write(`${trees}/1-architecture/.agentx/state/x`, "of agentx\n");
  temp.write(`${trees}/1-implement/app.txt`, "later\n");
  const { kept, removed } = await temp.json(MERGE);
  assertEquals(removed, ["agentx/1-architecture", "agentx/1-review"]);
  const why = (branch: string) =>
    kept.find((each: { branch: string }) => each.branch === branch).why;
  assert(/does not have: mine\.log$/m.test(why("agentx/1-prd")), why("agentx/1-prd"));
  assert(why("agentx/1-ux").includes("cache/"), why("agentx/1-ux"));
  assert(why("agentx/1-implement").includes("app.txt"), why("agentx/1-implement"));
  assertEquals(temp.read(`${trees}/1-prd/mine.log`), "mine\n");
});

Deno.test("workflow merge takes the parts of an issue as well", async () => {
  const { temp, run } = await place({ ...GOOD, engineer: document("app.txt", "works\n") });
  using _ = temp;
  await temp.run(["issue", "create", "-t", "All of it"]);
  await temp.run(["issue", "edit", "1", "--parent", "2"]);
  await run();
  const { merged } = await temp.json(["workflow", "merge", "2"]);
  assertEquals([merged, temp.read("app.txt")], [["agentx/1-review"], "works\n"]);
});

Deno.test("workflow run and merge in a worktree build on its branch, not on that of the main checkout", async () => {
  const { temp, workspace } = await place(GOOD);
  using _ = temp;
  const tree = `${temp.root}-tree`;
  git(temp, "worktree", "add", "-q", "-b", "work", tree);
  Deno.writeTextFileSync(`${tree}/only-here.txt`, "x");
  git(temp, "-C", tree, "add", "-A");
  git(temp, "-C", tree, "commit", "-qm", "work");
  const there = await openWorkspaceParts({ root: tree, agents: workspace.agents });
  for await (const _ of runWorkflow(1, {}, workflowParts(there)));
  assertEquals(
    git(temp, "ls-tree", "--name-only", "agentx/1-prd", "only-here.txt"),
    "only-here.txt",
  );
  Deno.removeSync(tree, { recursive: true });
});
