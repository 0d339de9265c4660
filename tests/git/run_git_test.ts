import { assertEquals } from "@std/assert";
import { runGit } from "../../lib/git/run_git.ts";
import { sys } from "../../lib/sys/mod.ts";
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
