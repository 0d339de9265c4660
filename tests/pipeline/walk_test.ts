/**
 * Two features from `issue create` to the merge, each by two processes in a worktree of its own, with agents that do
 * not get it right at once, while the processes are killed: no agent is run again whose reply was complete.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { IS_FULL } from "../often.ts";
import { randomBelow } from "../random_below.ts";
import { ended, signal, spawnAgentx } from "../temp_workspace.ts";
import { git, repository, scriptedClaude } from "./feature.ts";

/** How often each agent has to be run for one issue. */
const RUNS: Record<string, number> = {
  "product-manager prd": 2,
  "ux-designer ux": 1,
  "architect architecture": 1,
  "engineer implement": 2,
  "reviewer review": 1,
};

Deno.test("workflow run takes two features to Done, killed at any moment, and asks for no complete reply twice", async () => {
  const below = randomBelow(28);
  const wanted = IS_FULL ? 50 : 5;
  for (let kills = 0; kills < wanted;) kills += await walk(below, wanted - kills);
});

/** @returns how often a process was killed */
async function walk(below: (limit: number) => number, most: number): Promise<number> {
  using temp = await repository();
  const notes = await scriptedClaude(temp);
  await temp.run(["issue", "create", "Make it work as well", "-l", "type:feature"]);
  git(temp, "worktree", "add", "-q", "-b", "second", `${temp.root}/second`);
  const folders = [temp.root, `${temp.root}/second`];
  let left = most;
  const session = async (issue: number) => {
    for (let tries = 0; tries < most + 20; tries++) {
      const child = spawnAgentx(["workflow", "run", `${issue}`], { cwd: folders[issue - 1] });
      const isKilled = left > 0;
      const timer = isKilled ? setTimeout(() => signal(child, "SIGKILL"), below(4_000)) : undefined;
      const { code, err } = await ended(child);
      clearTimeout(timer);
      assert([0, 6, 137].includes(code), err);
      if (code === 137) left--;
      else if (temp.issue(issue).status === "Done") return;
    }
  };
  await Promise.all([1, 1, 2, 2].map(session));
  const lines = Deno.readTextFileSync(notes).trim().split("\n");
  for (const issue of [1, 2]) {
    for (const [work, runs] of Object.entries(RUNS)) {
      const own = lines.filter((line) => line.includes(` ${work} of #${issue}`))
        .map((line) => line.split(" ")[0]);
      assertEquals(own, Array(runs).fill(["start", "end"]).flat(), lines.join("\n"));
    }
    const { steps, returns } = await temp.json(["workflow", `${issue}`]);
    assertEquals(steps.map(({ state }: { state: string }) => state), Array(5).fill("done"));
    assertEquals(returns, 0);
  }
  assert(!lines.some((line) => line.includes("Nobody answered")), lines.join("\n"));
  for (const issue of [1, 2]) {
    const cwd = folders[issue - 1];
    const { code, err } = await ended(spawnAgentx(["workflow", "merge", `${issue}`], { cwd }));
    assertEquals(code, 0, err);
    const files = ["prd/PRD", "ux/UX", "adr/ADR", "reviews/REVIEW"].map((path) =>
      Deno.readTextFileSync(`${cwd}/docs/${path}-${issue}.md`)
    );
    assertEquals(files, ["# PRD\n\n## Goals\n\nIt works.\n", "# UX\n", "# ADR\n", "# Review\n"]);
    assertEquals(Deno.readTextFileSync(`${cwd}/app.txt`), "works\n");
  }
  assertEquals(git(temp, "for-each-ref", "refs/heads/agentx"), "");
  return most - left;
}
