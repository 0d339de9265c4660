import { assertEquals } from "@std/assert";
import { runGit } from "../../lib/git/run_git.ts";
import { sys } from "../../lib/sys/mod.ts";
import { refusal } from "../refusal.ts";
import { TempRepository, testWithGit } from "../workspace/temp_repository.ts";

testWithGit("runGit() asks no program of the repository what has changed", async () => {
  using repository = new TempRepository();
  const { root } = repository;
  const [program, ran] = [`${repository.outside}/monitor`, `${repository.outside}/ran`];
  Deno.writeTextFileSync(program, `#!/bin/sh\ntouch ${ran}\n`, { mode: 0o755 });
  repository.gitIn(root, "config", "core.fsmonitor", program);
  await runGit(root, ["status", "--porcelain"], { action: "compare" });
  assertEquals(sys.lstat(ran), undefined);
});

testWithGit("runGit() takes git from no folder that a repository may fill", async () => {
  using repository = new TempRepository();
  const { root, outside } = repository;
  const before = Deno.env.get("PATH")!;
  const ran = `${outside}/ran`;
  const folders = [`${root}/bin`, `${outside}/other/node_modules/.bin`, `${root}`];
  for (const folder of folders) {
    Deno.mkdirSync(folder, { recursive: true });
    Deno.writeTextFileSync(`${folder}/git`, `#!/bin/sh\ntouch ${ran}\n`, { mode: 0o755 });
  }
  Deno.symlinkSync(`${root}/bin`, `${outside}/link`);
  const cwd = Deno.cwd();
  try {
    Deno.chdir(root);
    const first = [...folders, `${outside}/link`, ".", "", "bin"].join(":");
    Deno.env.set("PATH", `${first}:${before}`);
    const said = await runGit(root, ["rev-parse", "--git-dir"], { action: "look" });
    assertEquals([said, sys.lstat(ran)], [".git\n", undefined]);
    Deno.env.set("PATH", first);
    await refusal("IO_ERROR", () => runGit(root, ["rev-parse"], { action: "look" }));
    assertEquals(sys.lstat(ran), undefined);
  } finally {
    Deno.env.set("PATH", before);
    Deno.chdir(cwd);
  }
});
