import { assert, assertEquals } from "@std/assert";
import { EXIT_CODES } from "../../lib/base/errors.ts";
import { TempWorkspace, withoutTemplates } from "../temp_workspace.ts";
import { git, GOOD, place, repository, scriptedClaude } from "./feature.ts";

const AGENT = { env: { AGENTX_AGENT: "architect" } };

/** A feature whose requirements are validated. */
async function withPrd(): Promise<TempWorkspace> {
  const temp = new TempWorkspace();
  withoutTemplates(temp);
  await temp.run(["issue", "create", "-t", "Pay by card", "-l", "type:feature"]);
  temp.write("docs/prd/PRD-1.md", "# PRD\n");
  assertEquals((await temp.run(["validate", "1", "pm"])).code, 0);
  return temp;
}

const statesOf = async (temp: TempWorkspace) => {
  const { steps } = await temp.json(["workflow", "1"]);
  return steps.map(({ step, state }: Record<string, string>) => `${step}=${state}`).join(" ");
};

Deno.test("workflow N shows the steps of an issue: done, ready, waiting for what, skipped", async () => {
  using temp = await withPrd();
  const { out } = await temp.run(["workflow", "1"]);
  const lines = out.trimEnd().split("\n").map((line) => line.replace(/\d{4}-\S+ \S+/, "TIME"));
  assertEquals(
    lines,
    [
      "  #1 Pay by card",
      "  feature",
      "  done     prd           product-manager, TIME by human",
      "  skipped  ux            ux-designer, writes docs/ux/UX-1.md",
      "           optional (The feature has a user interface): needs:ux asks for it",
      "           its agent decides as it begins, or you do: agentx workflow 1",
      "           --take|--skip ux --because TEXT",
      "  ready    architecture  architect, writes docs/adr/ADR-1.md",
      "  waiting  implement     engineer",
      "           waits for architecture",
      "  waiting  review        reviewer, writes docs/reviews/REVIEW-1.md",
      "           waits for implement",
      "  skipped  devops        devops-engineer",
      "           optional (The change needs a new pipeline, environment or deployment",
      "           step): needs:devops asks for it",
    ],
  );
});

Deno.test("workflow run says which steps may come, and that an issue has no text, before the first", async () => {
  using temp = new TempWorkspace();
  await temp.run(["issue", "create", "-t", "Pay by card", "-l", "type:feature"]);
  const way = "#1 takes the workflow feature: prd, architecture, implement, review; where it is " +
    "needed, ux, devops: 4 runs, about 80k tokens\n";
  const { err } = await temp.run(["workflow", "run", "1"]);
  assert(err.startsWith(`note: ${way}note: #1 has a title and no text, so that`), err);
  await temp.run(["issue", "edit", "1", "--body", "With a card."]);
  const { err: told } = await temp.run(["workflow", "run", "1"]);
  assert(
    told.startsWith(`note: ${way}error: Cannot run #1: prd (product-manager): no agent`),
    told,
  );
});

Deno.test("validate writes a text down once, and moves the issue on", async () => {
  using temp = await withPrd();
  await temp.run(["validate", "1", "pm"]);
  const { changes } = await temp.json(["issue", "history", "1"]);
  const said = changes.flatMap(({ edits }: { edits: Array<{ what: string; to: string }> }) =>
    edits.filter(({ what }) => what === "validated").map(({ to }) => to)
  );
  assertEquals([said, temp.issue(1).status], [["prd"], "Ready"]);
  assert((await temp.run(["issue", "history", "1"])).out.includes("    validated: prd\n"));
});

Deno.test("validate records no step whose turn it is not", async () => {
  using temp = new TempWorkspace();
  const body = "## Acceptance criteria\n- [x] It pays";
  await temp.run(["issue", "create", "-t", "Pay by card", "-l", "type:feature", "--body", body]);
  const { code, err } = await temp.run(["validate", "1", "engineer"]);
  assertEquals([code, err.includes("implement is not recorded as done: waits for architecture")], [
    0,
    true,
  ]);
  assertEquals((await statesOf(temp)).includes("implement=waiting"), true);
});

Deno.test("an edit after the validation holds up the steps behind it until a person accepts it", async () => {
  using temp = await withPrd();
  temp.write("docs/prd/PRD-1.md", "# PRD, edited\n");
  assert((await statesOf(temp)).startsWith("prd=done ux=skipped architecture=waiting"));
  assert((await temp.run(["workflow", "1"])).out.includes("agentx workflow 1 --accept prd"));
  assertEquals((await temp.run(["workflow", "1", "--accept", "prd"], AGENT)).code, 6);
  assertEquals((await temp.run(["workflow", "1", "--accept", "prd"])).code, 0);
  assert((await statesOf(temp)).includes("architecture=ready"));
  const { code, err } = await temp.run(["workflow", "1", "--accept", "prd"]);
  assertEquals([code, err.includes("nothing was edited")], [6, true], err);
});

Deno.test("workflow N names a step that its workflow does not have, and an issue that is not there", async () => {
  using temp = await withPrd();
  assertEquals((await temp.run(["workflow", "1", "--accept", "nope"])).code, 2);
  assertEquals((await temp.run(["workflow", "7"])).code, 4);
  assertEquals((await temp.run(["workflow", "feature", "--accept", "prd"])).code, 2);
});

Deno.test("whether an optional step is needed is decided once, by words or by claiming it", async () => {
  using temp = await withPrd();
  const decide = (flag: string, options = {}) =>
    temp.run(["workflow", "1", flag, "ux", "--because", "It has no screen"], options);
  assertEquals((await temp.run(["workflow", "1", "--skip", "ux"])).code, 2);
  assertEquals((await temp.run(["workflow", "1", "--skip", "prd", "--because", "x"])).code, 6);
  const { out } = await decide("--skip", AGENT);
  assert(out.includes("           architect decided to leave it out: It has no screen\n"), out);
  const { code, err } = await decide("--take", AGENT);
  assertEquals([code, err.includes("it was decided: architect decided")], [6, true], err);
  await decide("--take");
  assertEquals((await statesOf(temp)).split(" ")[1], "ux=ready");
  assert(
    (await temp.run(["issue", "history", "1"])).out.includes("    taken: ux (It has no screen)\n"),
  );
  await temp.run(["issue", "undo", "1"]);
  await temp.run(["issue", "undo", "1"]);
  assert((await statesOf(temp)).includes("ux=skipped"));
  assertEquals((await temp.run(["ready", "--claim", "ux-designer"])).code, 0);
  assert((await statesOf(temp)).includes("ux=running architecture=ready implement=waiting"));
});

Deno.test("workflow run --budget ends a session at the report that goes beyond it, and --dry-run counts", async () => {
  using temp = new TempWorkspace();
  const env = { PATH: `${temp.root}/bin:/usr/bin:/bin` };
  temp.user.configure({ agents: { default: { preset: "claude", env } } });
  const usage = { input_tokens: 4_000, output_tokens: 1_000 };
  const event = { type: "assistant", message: { id: "msg_1", usage } };
  temp.write("bin/claude", `#!/bin/sh\necho '${JSON.stringify(event)}'\nexec sleep 300\n`);
  Deno.chmodSync(`${temp.root}/bin/claude`, 0o755);
  temp.write(".gitignore", ".agentx/state/\n.agentx/log/\n");
  for (const words of ["init -q", "add -A", "-c user.name=t -c user.email=t@t commit -qm begin"]) {
    new Deno.Command("git", { args: words.split(" "), cwd: temp.root }).outputSync();
  }
  await temp.run(["issue", "create", "-t", "Pay by card", "-l", "type:feature"]);
  const { out } = await temp.run(["workflow", "run", "1", "--dry-run"]);
  assert(
    /^ {2}#1 prd \(product-manager\): would run, about \d+ tokens in its prompt\n$/.test(out),
    out,
  );
  const { code, err } = await temp.run(["workflow", "run", "1", "--budget", "2000"]);
  assertEquals([code, err.includes("the budget of 2000 tokens is used up: 5000 were used, 3000")], [
    EXIT_CODES.GATE_REFUSED,
    true,
  ], err);
  assert(err.includes("agentx inbox") && err.includes("agentx workflow run 1 --budget"), err);
  const { entries } = await temp.json(["inbox"]);
  assertEquals(entries.map(({ id }: { id: string }) => id), ["STP-1-prd"]);
  const shown = (await temp.run(["issue", "view", "1"])).out;
  assert(/^ {2}prd +waits for you +product-manager$/m.test(shown), shown);
  assertEquals((await temp.json(["issue", "view", "1"])).steps[0].stopped, "STP-1-prd");
  const empty = await temp.run(["answer", "STP-1-prd"]);
  assertEquals(
    [empty.code, /It offers a \(let its agent begin again/.test(empty.err)],
    [2, true],
    empty.err,
  );
  assertEquals((await temp.run(["workflow", "run", "1", "--budget", "none"])).code, 2);
});

Deno.test("workflow run of a blocked issue begins with nothing, and --dry-run says so", async () => {
  const { temp } = await place(GOOD);
  using _ = temp;
  await temp.run(["issue", "create", "-t", "Before it", "-l", "type:feature"]);
  await temp.run(["issue", "edit", "1", "--blocked-by", "2"]);
  await scriptedClaude(temp);
  for (const [exitCode, ...words] of [[0, "--dry-run"], [EXIT_CODES.NOT_READY]] as const) {
    const { code, out, err } = await temp.run(["workflow", "run", "1", ...words]);
    assert(out.includes("#1 prd (product-manager): not done\n    BLOCKED: Waits for #2"), out);
    assertEquals([code, err.includes("begins")], [exitCode, false], err);
  }
});

Deno.test("a step whose end an undo took back is not running, and a new run says that its work is merged", async () => {
  const { temp, run } = await place(GOOD);
  using _ = temp;
  await run();
  await temp.run(["workflow", "merge", "1"]);
  const { operations } = await temp.json(["log", "--undoable"]);
  assertEquals((await temp.run(["undo", operations.at(-1).id])).code, 0);
  assert((await statesOf(temp)).endsWith("implement=done review=ready"), await statesOf(temp));
  const { err } = await temp.run(["workflow", "run", "1", "--dry-run"]);
  assert(err.includes("note: the work of #1 is merged already"), err);
});

Deno.test("log --undoable names the command and the step of each change of a run", async () => {
  using temp = await repository();
  await scriptedClaude(temp);
  await temp.run(["workflow", "run", "1", "--until", "prd"]);
  const { operations } = await temp.json(["log", "--undoable"]);
  const commands = operations.map(({ command }: { command: string }) => command);
  assertEquals([...new Set(commands)], ["issue create", "workflow run, step prd"]);
});

Deno.test("undo right after a merge takes nothing back, and names the way of git and the older operation", async () => {
  const { temp, run } = await place(GOOD);
  using _ = temp;
  await temp.run(["issue", "comment", "1", "-c", "Soon"]);
  await run();
  await temp.run(["workflow", "merge", "1"]);
  const before = temp.snapshot();
  const { code, err } = await temp.run(["undo"]);
  assertEquals(code, EXIT_CODES.NOT_READY);
  assertEquals(temp.snapshot(), before);
  const { operations } = await temp.json(["log", "--undoable"]);
  const { id } = operations.findLast(({ by }: { by: string }) => by === "human");
  assert(err.includes("came since your latest operation"), err);
  assert(err.includes(`git revert -m 1 ${git(temp, "rev-parse", "--short", "HEAD")}`), err);
  assert(err.includes(`agentx undo ${id}`), err);
  assertEquals((await temp.run(["undo", id])).code, 0);
});

Deno.test("where an issue stands survives a merge of two clones", async () => {
  using temp = await withPrd();
  const [folder] = Array.from(Deno.readDirSync(`${temp.root}/.agentx/issues`));
  const dir = `.agentx/issues/${folder.name}`;
  const [file] = Array.from(Deno.readDirSync(`${temp.root}/${dir}`));
  const lines = temp.read(`${dir}/${file.name}`);
  const { uid } = temp.issue(1);
  const theirs = {
    ...{ v: 1, id: "theirs.0", uid, time: new Date().toISOString(), by: "architect" },
    ...{ op: "validated", step: "architecture", hash: null, evidence: [], extra: 1 },
  };
  temp.write(`${dir}/theirs.jsonl`, `${lines}${JSON.stringify(theirs)}\n`);
  assert((await statesOf(temp)).startsWith("prd=done ux=skipped architecture=done"));
});
