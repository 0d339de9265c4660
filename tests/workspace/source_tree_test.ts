/**
 * What memory may read of a repository, and how much of it.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { CAPTURE_LIMITS, WorkingTree } from "../../lib/workspace/source_tree.ts";
import { TempRepository, testWithGit } from "./temp_repository.ts";

/** A tree of the main checkout, with some files in it. */
function treeIn(
  repository: TempRepository,
  files: Record<string, string>,
  limits = CAPTURE_LIMITS,
) {
  for (const [path, text] of Object.entries(files)) {
    const full = `${repository.root}/${path}`;
    Deno.mkdirSync(full.slice(0, full.lastIndexOf("/")), { recursive: true });
    Deno.writeTextFileSync(full, text);
  }
  return new WorkingTree(repository.root, limits);
}

Deno.test("WorkingTree reads files of the repository; null is one that is not there", () => {
  using repository = new TempRepository();
  const tree = treeIn(repository, { "lib/a.ts": "a" });
  assertEquals([tree.read("lib/a.ts"), tree.read("lib/b.ts"), tree.read("lib")], [
    "a",
    null,
    undefined,
  ]);
});

Deno.test("WorkingTree reads nothing outside, and nothing of git or agentx", () => {
  using repository = new TempRepository();
  Deno.writeTextFileSync(`${repository.outside}/secret.txt`, "secret");
  const tree = treeIn(repository, { ".agentx/state/a.json": "{}", "in.txt": "in" });
  Deno.symlinkSync(`${repository.outside}/secret.txt`, `${repository.root}/link.txt`);
  Deno.symlinkSync("in.txt", `${repository.root}/inner.txt`);
  const paths = ["../secret.txt", "link.txt", `${repository.outside}/secret.txt`, ".git/HEAD"];
  assertEquals(paths.map((path) => tree.read(path)), paths.map(() => undefined));
  assertEquals(tree.read(".agentx/state/a.json"), undefined);
  assertEquals(tree.read("inner.txt"), "in");
});

Deno.test("WorkingTree stops reading at its limits, and knows what it has read", () => {
  using repository = new TempRepository();
  const files = { "a.ts": "a", "b.ts": "b", "c.ts": "c", "large.ts": "x".repeat(1_000_001) };
  const few = treeIn(repository, files, { files: 2, characters: 100 });
  const read = ["large.ts", "a.ts", "b.ts", "c.ts", "a.ts"].map((path) => few.read(path));
  assertEquals(read, [undefined, "a", "b", undefined, "a"]);
  const short = treeIn(repository, files, { files: 9, characters: 1 });
  assertEquals([short.read("a.ts"), short.read("b.ts")], ["a", undefined]);
});

testWithGit("WorkingTree lists the tracked sources, and knows the commit", () => {
  using repository = new TempRepository();
  const files = { "lib/a.ts": "a", "b.md": "b", "node_modules/x/c.ts": "c", "untracked.ts": "d" };
  const tree = treeIn(repository, files);
  repository.git("add", "--force", "lib/a.ts", "b.md", "node_modules");
  assertEquals([...tree.sources()], ["lib/a.ts"]);
  const loose = tree.commit() ?? "";
  assert(/^[0-9a-f]{40}$/.test(loose));
  repository.git("pack-refs", "--all");
  assertEquals(tree.commit(), loose);
  const second = repository.worktree();
  assertEquals(new WorkingTree(second, CAPTURE_LIMITS).commit(), loose);
});

Deno.test("WorkingTree without git lists nothing, and knows no commit", () => {
  const folder = Deno.makeTempDirSync();
  const tree = new WorkingTree(folder, CAPTURE_LIMITS);
  assertEquals([[...tree.sources()], tree.commit()], [[], undefined]);
  Deno.removeSync(folder);
});
