/**
 * What a step begins on when a person has its agent begin again, and what is said where nothing is run.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { EXIT_CODES, NEEDS_HUMAN } from "../../lib/base/errors.ts";
import { TempWorkspace } from "../temp_workspace.ts";
import { document, FEATURE, git, GOOD, place, repository, type Script } from "./feature.ts";

const ONE_STEP = `[[steps]]
id = "implement"
agent = "engineer"
evidence = [["sh", "test.sh"]]
`;

/** Has Claude Code do what a script of the repository says, and note each run. */
async function claudeRuns(temp: TempWorkspace): Promise<() => number> {
  const { path } = temp.user;
  const env = { PATH: `${path}/bin:${Deno.env.get("PATH")}`, NOTES: `${path}/notes` };
  temp.user.configure({ agents: { default: { preset: "claude", env } } });
  Deno.mkdirSync(`${path}/bin`);
  const reply = JSON.stringify({
    ...{ type: "result", subtype: "success", is_error: false, session_id: "s", result: "Done." },
  });
  const script = `#!/bin/sh\ncat >/dev/null\necho run >>"$NOTES"\nsh agents/eng.sh || exit 1\n`;
  Deno.writeTextFileSync(`${path}/bin/claude`, `${script}echo '${reply}'\n`, { mode: 0o755 });
  await temp.trust();
  return () => Deno.readTextFileSync(`${path}/notes`).trimEnd().split("\n").length;
}

Deno.test("a first step begins again at the present commit, and until a person says so nothing is run", async () => {
  using temp = await repository();
  temp.write(".agentx/workflows/feature.toml", ONE_STEP);
  const runs = await claudeRuns(temp);
  const workflowRun = (...words: string[]) => temp.run(["workflow", "run", "1", ...words]);
  const failed = await workflowRun();
  assertEquals([failed.code, runs()], [EXIT_CODES.NOT_READY, 2], failed.err);
  const { entries: [{ content }] } = await temp.json(["inbox"]);
  assert(content.includes("\nIts work: no change since "), content);
  temp.write("agents/eng.sh", "echo works >app.txt\n");
  git(temp, "add", "agents");
  git(temp, "commit", "-qm", "the script of the agent");
  for (const [code, ...words] of [[NEEDS_HUMAN], [0, "--dry-run"]] as const) {
    const waits = await workflowRun(...words);
    const line = "  #1 implement (engineer): waits\n" +
      "    waits for your answer in the inbox; nothing was run\n" +
      "    agentx answer STP-1-implement a|TEXT\n";
    assertEquals([waits.out, waits.code, runs()], [line, code, 2]);
    assert(!waits.err.includes("begins"), waits.err);
  }
  await temp.run(["answer", "STP-1-implement", "a"]);
  const done = await workflowRun();
  assertEquals([done.code, runs()], [0, 3], done.out + done.err);
});

Deno.test("a step keeps accepted work when it begins again, and takes what a person has merged there", async () => {
  const seen: string[] = [];
  const engineer: Script = (cwd, prompt, run) => {
    const newer = Array.from(Deno.readDirSync(cwd)).some(({ name }) => name === "newer.txt");
    seen.push(`${Deno.readTextFileSync(`${cwd}/app.txt`).trim()}, ${newer}`);
    return document("app.txt", run === 1 ? "works 1\n" : run < 4 ? "broken\n" : "works 2\n")(
      cwd,
      prompt,
      run,
    );
  };
  const reviewer: Script = (_cwd, _prompt, run) =>
    run === 1 ? "# Review\n\nCHANGES NEEDED: name it better" : "# Review\n\nGood now.";
  const { temp, run } = await place({ ...GOOD, engineer, reviewer });
  using _ = temp;
  assertEquals((await run()).at(-1), "implement: not done (2)");
  temp.write("newer.txt", "x\n");
  git(temp, "add", "newer.txt");
  git(temp, "commit", "-qm", "newer");
  const { entries: [{ content }] } = await temp.json(["inbox"]);
  const tree = ".agentx/state/worktrees/1-implement";
  assert(content.includes("git stash && git merge BRANCH"), content);
  git(temp, "-C", tree, "stash", "-q");
  git(temp, "-C", tree, "merge", "-q", "main");
  await temp.run(["answer", "STP-1-implement", "a"]);
  assertEquals((await run()).at(-1), "review: done (1)");
  assertEquals(seen.at(-1), "works 1, true");
});

Deno.test("workflow run --dry-run says what stops the run, with its words", async () => {
  using temp = await repository();
  const said = async () => {
    const run = await temp.run(["workflow", "run", "1"]);
    const { outcome, reasons } = await temp.json(["workflow", "run", "1", "--dry-run"]);
    assertEquals(outcome, "not done");
    assert(run.err.includes(reasons[0]), run.err);
    return reasons[0];
  };
  assert((await said()).includes("no agent is configured"));
  await claudeRuns(temp);
  Deno.env.delete("AGENTX_TRUST");
  temp.write(".agentx/workflows/feature.toml", FEATURE.replace("test.sh", "another.sh"));
  assert((await said()).includes("another.sh"));
});

Deno.test("workflow run begins no step outside git", async () => {
  using temp = new TempWorkspace();
  temp.write(".agentx/workflows/feature.toml", ONE_STEP);
  await temp.run(["issue", "create", "-t", "Make it work", "-l", "type:feature"]);
  await claudeRuns(temp);
  const { code, err } = await temp.run(["workflow", "run", "1"]);
  assertEquals([code, err.includes("begins")], [EXIT_CODES.IO_ERROR, false], err);
  assert(err.includes("it needs a git repository with a commit"), err);
  assertEquals([temp.issue(1).assignee, (await temp.json(["inbox"])).entries], [null, []]);
});
