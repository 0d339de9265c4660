/**
 * What a step changed is shown before somebody decides about it: by `review --diff` and on the board.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { TempBoard } from "../board/temp_board.ts";
import { document, git, GOOD, place, repository, type Script } from "./feature.ts";

const HOSTILE = "<script>alert(1)</script>\x1b[31m\u202e";

/** Changes a file, adds one, and does not get done. */
const stopped: Script = (cwd, prompt, run) => {
  document("app.txt", `broken ${HOSTILE}\n`)(cwd, prompt, run);
  return document("new.txt", "one\ntwo\n")(cwd, prompt, run);
};

Deno.test("review --diff shows what a stopped step changed, and writes nothing", async () => {
  const { temp, run } = await place({ ...GOOD, engineer: stopped });
  using _ = temp;
  await run();
  const tree = `${temp.root}/.agentx/state/worktrees/1-implement`;
  const { out, code } = await temp.run(["review", "1", "implement", "--diff"]);
  assertEquals(code, 0);
  const lines = out.split("\n");
  assert(/^ {2}implement of #1 changed 2 files, \+3 -1, since \w{12}$/.test(lines[0]), out);
  assertEquals(lines.slice(1, 3), ["    app.txt +1 -1", "    new.txt +2 -0"]);
  assert(lines.includes("-nothing") && lines.includes("+one") && lines.includes("+two"), out);
  assert(out.includes("+broken <script>alert(1)</script>\\u{1b}[31m\\u{202e}"), out);
  const { stdout } = new Deno.Command("git", { args: ["status", "--short"], cwd: tree })
    .outputSync();
  assertEquals(new TextDecoder().decode(stdout), "M  app.txt\nA  new.txt\n");
  const { files } = await temp.json(["review", "1", "implement", "--diff"]);
  assertEquals(files.map(({ path }: { path: string }) => path), ["app.txt", "new.txt"]);
});

Deno.test("review --diff shows the work of a whole issue, and says where there is none", async () => {
  const { temp, run } = await place(GOOD);
  using _ = temp;
  assertEquals((await temp.run(["review", "1", "implement", "--diff"])).code, 4);
  assertEquals((await temp.run(["review", "7", "--diff"])).code, 4);
  await run();
  const { step, base, files } = await temp.json(["review", "1", "--diff"]);
  assertEquals([step, base], [null, git(temp, "rev-parse", "HEAD")]);
  assertEquals(files.map(({ path }: { path: string }) => path), [
    ...["app.txt", "docs/adr/ADR-1.md", "docs/prd/PRD-1.md", "docs/reviews/REVIEW-1.md"],
    "docs/ux/UX-1.md",
  ]);
});

Deno.test("review lists what the steps changed until it is merged, and the diff of a step after it", async () => {
  const { temp, run } = await place(GOOD);
  using _ = temp;
  await run();
  const before = await temp.json(["review", "1"]);
  assertEquals(before.work.files.map(({ path }: { path: string }) => path).slice(0, 2), [
    "app.txt",
    "docs/adr/ADR-1.md",
  ]);
  const { out } = await temp.run(["review", "1"]);
  assert(
    /^ {2}The steps of #1 changed 5 files, \+\d+ -1, since \w{12}; not merged yet$/m.test(out),
    out,
  );
  assert(out.includes("    app.txt +1 -1\n"), out);
  assertEquals((await temp.run(["workflow", "merge", "1"])).code, 0);
  assertEquals((await temp.json(["review", "1"])).work, null);
  const { files } = await temp.json(["review", "1", "implement", "--diff"]);
  assertEquals(files.map(({ path }: { path: string }) => path), ["app.txt"]);
  assertEquals((await temp.run(["review", "1", "nothing", "--diff"])).code, 2);
});

Deno.test("review --diff shows what an issue changed after its merge, and nothing of others", async () => {
  const { temp, run } = await place(GOOD);
  using _ = temp;
  temp.write("other.txt", "old\n");
  git(temp, "add", "other.txt");
  git(temp, "commit", "-qm", "chore: of another (#11)");
  const beforeWork = git(temp, "rev-parse", "HEAD");
  await run();
  const shown = async (...words: string[]) => {
    const { files } = await temp.json(["review", "1", ...words, "--diff"]);
    return files.map(({ path, added, removed }: Record<string, unknown>) =>
      `${path} ${added} ${removed}`
    );
  };
  const before = await shown();
  assertEquals(before.length, 5);
  assertEquals((await temp.run(["workflow", "merge", "1"])).code, 0);
  temp.write("app.txt", "works, and more\n");
  git(temp, "commit", "-qam", "chore: of another (#11)");
  temp.write("other.txt", "of nobody\n");
  assertEquals(await shown(), before);
  await temp.run(["issue", "edit", "1", "-t", "Another title"]);
  assertEquals(await shown("implement"), ["app.txt 1 1"]);
  git(temp, "switch", "-q", "--detach", beforeWork);
  const { code, err } = await temp.run(["review", "1", "--diff"]);
  assertEquals([code, err.includes("no commit here names it")], [4, true], err);
});

Deno.test("review --diff of a closed issue adds up the commits that name it", async () => {
  using temp = await repository();
  for (const [text, message] of [["works", "feat: a (#1)"], ["mine", "feat: b (#12)"]]) {
    temp.write("app.txt", `${text}\n`);
    git(temp, "commit", "-qam", message);
  }
  temp.write("new.txt", "x\n");
  git(temp, "add", "new.txt");
  git(temp, "commit", "-qm", "feat: c\n\nIssue: 1");
  await temp.run(["issue", "close", "1", "--force", "--because", "By hand"]);
  temp.write("app.txt", "of nobody\n");
  const { files } = await temp.json(["review", "1", "--diff"]);
  assertEquals(
    files.map(({ path, diff }: Record<string, string>) => [path, diff.split("\n").at(-2)]),
    [
      ["app.txt", "+works"],
      ["new.txt", "+x"],
    ],
  );
});

Deno.test("review counts one file as one", async () => {
  using temp = await repository();
  git(temp, "add", "-A");
  git(temp, "commit", "-qm", "issue");
  temp.write("app.txt", "works\n");
  const { out } = await temp.run(["review", "1"]);
  assert(out.startsWith("  1 file is changed in this checkout\n    app.txt\n"), out);
});

Deno.test("review --diff shows work by hand against where the branch comes from", async () => {
  using temp = await repository();
  git(temp, "switch", "-qc", "mine");
  temp.write("app.txt", "works\n");
  git(temp, "commit", "-qam", "work");
  temp.write("new file.txt", "x");
  const { base, files } = await temp.json(["review", "1", "--diff"]);
  assertEquals(base, git(temp, "rev-parse", "main"));
  const named = files.map(({ path, added, removed }: Record<string, unknown>) =>
    `${path} ${added} ${removed}`
  );
  assertEquals(named.filter((name: string) => !name.startsWith(".agentx")), [
    "app.txt 1 1",
    "new file.txt 1 0",
  ]);
});

Deno.test("the board shows the change of each step, file by file, folded and inert", async () => {
  const { temp, run } = await place({ ...GOOD, engineer: stopped });
  using _ = temp;
  await run();
  await using board = await TempBoard.start(temp);
  const html = await board.view("issue?n=1");
  assert(html.includes("<details><summary><bdi>app.txt</bdi> +1 -1</summary>"), html);
  assert(html.includes("-nothing\n+broken &lt;script&gt;alert(1)&lt;/script&gt;"), html);
  assert(!html.includes("<details open") && !html.includes("<script>"), html);
});
