/**
 * The run of a workflow is killed at any moment and started again: each step is done once.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { IS_FULL } from "../often.ts";
import { randomBelow } from "../random_below.ts";
import { ended, TempWorkspace } from "../temp_workspace.ts";

const WORKFLOW = `
[[steps]]
id = "prd"
agent = "product-manager"
output = "docs/PRD.md"
[[steps]]
id = "implement"
agent = "engineer"
needs = ["prd"]
iterate = true
[[steps]]
id = "review"
agent = "reviewer"
needs = ["implement"]
output = "docs/REVIEW.md"
status_on_complete = "Done"
`;

const ROLES = ["product-manager=docs/PRD.md", "engineer=app.txt", "reviewer=docs/REVIEW.md"];

Deno.test("workflow run, killed at any moment and called again, asks for no complete reply twice", async () => {
  const below = randomBelow(28);
  const wanted = IS_FULL ? 50 : 5;
  for (let kills = 0; kills < wanted;) kills += await walk(below, wanted - kills);
});

/** A feature from its requirements to Done: how often it was killed. */
async function walk(below: (limit: number) => number, most: number): Promise<number> {
  using temp = new TempWorkspace();
  temp.write(".agentx/workflows/story.toml", WORKFLOW);
  temp.write(".gitignore", ".agentx/state/\n.agentx/log/\n");
  const git = (...args: string[]) => {
    const { success } = new Deno.Command("git", { args, cwd: temp.root }).outputSync();
    assert(success, args.join(" "));
  };
  git("init", "-q", "-b", "main");
  git("config", "user.name", "t");
  git("config", "user.email", "t@example.org");
  git("add", "-A");
  git("commit", "-qm", "begin");
  await temp.run(["issue", "create", "-t", "It works", "-l", "type:story"]);
  const notes = `${temp.root}/.agentx/state/notes`;
  Deno.writeTextFileSync(notes, "");
  const script = new URL("./run_all.ts", import.meta.url).pathname;
  const start = () =>
    new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--quiet", "--no-check", script, temp.root, notes, ...ROLES],
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
  let kills = 0;
  while (kills < most && temp.issue(1).status !== "Done") {
    const child = start();
    const killAtMs = below(1_500);
    const timer = setTimeout(() => {
      try {
        child.kill("SIGKILL");
      } catch {
        // it has just ended by itself
      }
    }, killAtMs);
    const { code, err } = await ended(child);
    clearTimeout(timer);
    assert(code === 0 || code === 137, err);
    if (code === 137) kills++;
  }
  const { code, out, err } = await ended(start());
  assertEquals([code, temp.issue(1).status], [0, "Done"], out + err);
  const lines = Deno.readTextFileSync(notes).trim().split("\n");
  for (const role of ROLES.map((pair) => pair.split("=")[0])) {
    const own = lines.filter((line) => line.endsWith(` ${role}`));
    assertEquals(own.filter((line) => line.startsWith("end")).length, 1, lines.join("\n"));
    const beside = own.some((line, at) =>
      line.startsWith("start") && own[at - 1]?.startsWith("start")
    );
    assert(!beside, lines.join("\n"));
  }
  assertEquals(temp.read("docs/PRD.md"), "product-manager\n");
  assertEquals(temp.read("docs/REVIEW.md"), "reviewer\n");
  return kills;
}
