import { assertEquals } from "@std/assert";
import type { Finding } from "../../lib/doctor/finding.ts";
import { TempWorkspace } from "../temp_workspace.ts";

async function levelsOf(temp: TempWorkspace, ...argv: string[]): Promise<string[]> {
  const { findings } = await temp.json(["doctor", ...argv]);
  return (findings as Finding[])
    .filter(({ check }) => check === "permissions")
    .map(({ level, isFixed }) => isFixed ? "fixed" : level);
}

function modeOf(temp: TempWorkspace, path: string): number {
  return Deno.statSync(`${temp.root}/.agentx/${path}`).mode! & 0o7777;
}

Deno.test("doctor --fix makes private what an older version wrote for all to read", async () => {
  using temp = new TempWorkspace();
  temp.write(temp.ledgerPath(42), '{"issueNumber": 42, "clarifications": []}\n');
  temp.write(".agentx/memory/issue-1.json", "{}");
  for (const path of ["state", "state/clarifications", "state/clarifications/issue-42.json"]) {
    Deno.chmodSync(`${temp.root}/.agentx/${path}`, 0o755);
  }
  const issueMode = modeOf(temp, "memory/issue-1.json");
  assertEquals(await levelsOf(temp), ["warn"]);
  assertEquals(await levelsOf(temp, "--fix"), ["fixed"]);
  assertEquals(await levelsOf(temp), ["ok"]);
  const paths = ["state", "state/clarifications", "state/clarifications/issue-42.json"];
  assertEquals(paths.map((path) => modeOf(temp, path)), [0o700, 0o700, 0o600]);
  assertEquals(modeOf(temp, "memory/issue-1.json"), issueMode);
});

Deno.test("doctor leaves the modes of the trees of steps to git", async () => {
  using temp = new TempWorkspace();
  temp.write(".agentx/state/worktrees/1-fix/run.sh", "#!/bin/sh\n");
  const path = `${temp.root}/.agentx/state`;
  Deno.chmodSync(path, 0o700);
  Deno.chmodSync(`${path}/worktrees`, 0o755);
  Deno.chmodSync(`${path}/worktrees/1-fix/run.sh`, 0o755);
  assertEquals(await levelsOf(temp, "--fix"), ["ok"]);
  assertEquals(modeOf(temp, "state/worktrees/1-fix/run.sh"), 0o755);
});

Deno.test("doctor --fix touches no permissions outside of the workspace", async () => {
  using temp = new TempWorkspace();
  using other = new TempWorkspace();
  Deno.symlinkSync(other.root, `${temp.root}/.agentx/state/link`);
  Deno.chmodSync(other.root, 0o755);
  await temp.run(["doctor", "--fix"]);
  assertEquals(Deno.statSync(other.root).mode! & 0o777, 0o755);
});
