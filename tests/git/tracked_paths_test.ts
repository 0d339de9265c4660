import { assert, assertEquals } from "@std/assert";
import { repositoryAbove } from "../../lib/git/repository.ts";
import { trackedSizes } from "../../lib/git/tracked_paths.ts";

Deno.test("trackedSizes() reads the index no further than the folder, and else says that it cannot", () => {
  const root = Deno.realPathSync(Deno.makeTempDirSync());
  try {
    for (const folder of [".agentx/issues", "src"]) {
      Deno.mkdirSync(`${root}/${folder}`, { recursive: true });
    }
    Deno.writeTextFileSync(`${root}/.agentx/issues/1`, "12345");
    for (let file = 0; file < 100; file++) Deno.writeTextFileSync(`${root}/src/${file}`, "");
    for (const args of ["init -q", "add -A"]) {
      const { success } = new Deno.Command("git", { args: args.split(" "), cwd: root })
        .outputSync();
      assert(success);
    }
    const index = `${root}/.git/index`;
    Deno.truncateSync(index, Deno.statSync(index).size / 2);
    const repository = repositoryAbove(root)!;
    assertEquals([...trackedSizes(`${root}/.agentx`, repository, "issues/")!], [["1", 5]]);
    assertEquals(trackedSizes(`${root}/src`, repository, ""), undefined);
  } finally {
    Deno.removeSync(root, { recursive: true });
  }
});
