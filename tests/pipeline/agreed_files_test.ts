/** The files that an agent's command names, in the tree of a step: they run only as the user agreed to them. */

import { assert, assertEquals } from "@std/assert";
import type { TempWorkspace } from "../temp_workspace.ts";
import { git, repository } from "./feature.ts";

const FEATURE = `
[[steps]]
id = "implement"
agent = "engineer"
evidence = [["sh", "test.sh"]]
[[steps]]
id = "review"
agent = "reviewer"
needs = ["implement"]
output = "docs/reviews/REVIEW-{{issue_number}}.md"
`;

const REVIEW = "mkdir -p docs/reviews; echo '# Review' >docs/reviews/REVIEW-1.md\n";

/**
 * A feature whose agents are `agents/ROLE.sh` of the repository, which the user agreed to; each notes its start beside
 * their settings.
 */
async function feature(engineer: string, reviewer = REVIEW, isTrusted = true) {
  const temp = await repository();
  const { path } = temp.user;
  temp.write(".agentx/workflows/feature.toml", FEATURE);
  temp.write("agents/engineer.sh", `echo engineer >>"$NOTES"; ${engineer}\n`);
  temp.write("agents/reviewer.sh", `echo reviewer >>"$NOTES"; ${reviewer}\n`);
  temp.write(".github/agents/engineer.agent.md", '---\nmay_change: ["**"]\n---\nYou write code.\n');
  Deno.mkdirSync(`${path}/bin`);
  Deno.writeTextFileSync(
    `${path}/bin/claude`,
    "#!/bin/bash\n" +
      `[[ $(cat) =~ 'You are the agent "'([a-z-]+) ]] && sh "agents/\${BASH_REMATCH[1]}.sh" || exit 1\n` +
      `echo '{"type":"result","subtype":"success","is_error":false,"session_id":"s","result":"Done."}'\n`,
    { mode: 0o755 },
  );
  const env = {
    PATH: `${path}/bin:${Deno.env.get("PATH")}`,
    NOTES: `${path}/notes`,
    FILES: "agents/engineer.sh agents/reviewer.sh",
  };
  temp.user.configure({ agents: { default: { preset: "claude", env } } });
  commit(temp, "agents");
  if (isTrusted) { for (const name of ["AGENTX_TRUST", "CI"]) Deno.env.delete(name); }
  assertEquals((await temp.trust()).code, 0);
  return { temp, notes: () => Deno.readTextFileSync(`${path}/notes`).trim().split("\n") };
}

function commit(temp: TempWorkspace, message: string): void {
  git(temp, "add", "-A");
  git(temp, "commit", "-qm", message);
}

const RUN = ["workflow", "run", "1"];

/** The engineer rewrites the script of the reviewer. */
const REWRITES = `echo works >app.txt
{ echo 'echo rewritten >>"$NOTES"'; echo "${REVIEW.trim()}"; } >agents/reviewer.sh`;

Deno.test("workflow run starts agents whose files are as the user agreed to them", async () => {
  const { temp, notes } = await feature("echo works >app.txt");
  using _ = temp;
  const { code, out, err } = await temp.run(RUN);
  assertEquals([code, notes()], [0, ["engineer", "reviewer"]], out + err);
});

Deno.test("workflow run starts no script that a step before has rewritten, until the user agrees to it", async () => {
  const { temp, notes } = await feature(REWRITES);
  using _ = temp;
  const { code, err } = await temp.run(RUN);
  assertEquals([code, notes()], [6, ["engineer"]], err);
  for (
    const said of ["agents/reviewer.sh is not the file", "feat(implement): ", "agentx/1-review"]
  ) assert(err.includes(said), err);
  const [entry] = (await temp.json(["inbox"])).entries;
  assertEquals(entry.id, "STP-1-review");
  assert(entry.content.includes("agents/reviewer.sh"), entry.content);
  assertEquals((await temp.run(RUN)).code, 6, "nobody has agreed");

  git(temp, "checkout", "agentx/1-review", "--", "agents/reviewer.sh");
  commit(temp, "the new reviewer");
  assertEquals((await temp.run(RUN)).code, 6, "it is here, and nobody has agreed");
  await temp.trust();
  const again = await temp.run(RUN);
  assertEquals([again.code, notes()], [0, ["engineer", "rewritten"]], again.err);
});

Deno.test("workflow run starts a reverted script", async () => {
  const { temp, notes } = await feature(REWRITES);
  using _ = temp;
  assertEquals((await temp.run(RUN)).code, 6);
  const tree = `${temp.root}/.agentx/state/worktrees/1-implement`;
  git(temp, "-C", tree, "checkout", "main", "--", "agents/reviewer.sh");
  git(temp, "-C", tree, "commit", "-qm", "revert");
  const { code, err } = await temp.run(RUN);
  assertEquals([code, notes()], [0, ["engineer", "reviewer"]], err);
});

Deno.test("workflow run starts no script that the user has corrected since the work began", async () => {
  const { temp, notes } = await feature("echo works >app.txt");
  using _ = temp;
  assertEquals((await temp.run([...RUN, "--until", "implement"])).code, 0);
  temp.write("agents/reviewer.sh", `echo corrected >>"$NOTES"; ${REVIEW}`);
  commit(temp, "correct the reviewer");
  await temp.trust();
  const { code, err } = await temp.run(RUN);
  assertEquals([code, notes()], [6, ["engineer"]], err);
  assert(err.includes("agentx/1-review does not have your last change of it"), err);
  const tree = `${temp.root}/.agentx/state/worktrees/1-review`;
  git(temp, "-C", tree, "merge", "-q", "main");
  const again = await temp.run(RUN);
  assertEquals([again.code, notes()], [0, ["engineer", "corrected"]], again.err);
});

Deno.test("workflow run starts no second run of an agent that has rewritten its own script", async () => {
  const { temp, notes } = await feature("echo 'echo other >>\"$NOTES\"' >agents/engineer.sh");
  using _ = temp;
  const { code, err } = await temp.run(RUN);
  assertEquals([code, notes()], [6, ["engineer"]], err);
  assert(err.includes("a change in the tree of the step is not committed"), err);
});

Deno.test("workflow run follows no link that leads from an agreed script out of the step's tree", async () => {
  const { temp, notes } = await feature(
    `echo works >app.txt; mkdir -p "$NOTES.d"; echo 'echo linked >>"$NOTES"' >"$NOTES.d/reviewer.sh"
rm -r agents; ln -s "$NOTES.d" agents`,
  );
  using _ = temp;
  const { code, err } = await temp.run(RUN);
  assertEquals([code, notes()], [6, ["engineer"]], err);
  assert(err.includes("agents/reviewer.sh is not the file"), err);
});

Deno.test("AGENTX_TRUST=1 agrees to a script that a step has rewritten", async () => {
  const { temp, notes } = await feature(REWRITES, REVIEW, false);
  using _ = temp;
  const { code, err } = await temp.run(RUN);
  assertEquals([code, notes()], [0, ["engineer", "rewritten"]], err);
});
