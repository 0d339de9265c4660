/**
 * What the reply of an agent becomes, and who a step that was run again is recorded for.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { AgentxError } from "../../lib/base/errors.ts";
import { HookSession } from "../hooks/hook_session.ts";
import { AGENTX } from "../temp_workspace.ts";
import { document, git, GOOD, place, type Script } from "./feature.ts";

const COMPLETE = "# PRD\n\n## Goals\n\nIt works.";

Deno.test("a newer reply replaces the document that the last reply was written to", async () => {
  const answer: Script = (_cwd, _prompt, run) => run === 1 ? "# PRD" : COMPLETE;
  const { temp, run } = await place({ ...GOOD, "product-manager": answer });
  using _ = temp;
  assertEquals(await run("prd"), ["prd: done (2)"]);
  assertEquals(temp.read("docs/prd/PRD-1.md"), `${COMPLETE}\n`);
});

Deno.test("a reply replaces no document that its agent or a person has written", async () => {
  const writes: Script = (cwd, _prompt, run) => {
    if (run === 2) document("docs/prd/PRD-1.md", COMPLETE)(cwd, "", run);
    return run === 1 ? "# PRD" : "I have added the goals.";
  };
  const { temp, run } = await place({ ...GOOD, "product-manager": writes });
  using _ = temp;
  assertEquals(await run("prd"), ["prd: done (2)"]);
  assertEquals(temp.read("docs/prd/PRD-1.md"), COMPLETE);
});

Deno.test("a second review that is only a reply replaces the first", async () => {
  const engineer: Script = (cwd, prompt, run) =>
    document("app.txt", `works ${run}\n`)(cwd, prompt, run);
  const reviewer: Script = (_cwd, _prompt, run) =>
    run === 1 ? "# Review\n\nCHANGES NEEDED: name it better" : "# Review\n\nGood now.";
  const { temp, run } = await place({ ...GOOD, engineer, reviewer });
  using _ = temp;
  assertEquals((await run()).at(-1), "review: done (1)");
  assertEquals(temp.read("docs/reviews/REVIEW-1.md"), "# Review\n\nGood now.\n");
});

Deno.test("a review that asks for changes in its document alone is no approval", async () => {
  const asks = "# Review\n\n**Decision**: changes requested\n\nName it better.";
  const { temp, run } = await place({ ...GOOD, reviewer: () => asks });
  using _ = temp;
  assertEquals((await run()).at(-1), "review: not done (2)");
  const { entries: [{ content }] } = await temp.json(["inbox"]);
  assert(content.includes('says "changes requested"'), content);
});

Deno.test("an agent that begins again finds a clean tree, and its reply is in the inbox", async () => {
  const seen: string[][] = [];
  const answer: Script = (cwd, _prompt, run) => {
    const names = ["docs/prd/PRD-1.md", "notes.md"].filter((name) => exists(`${cwd}/${name}`));
    seen.push(names);
    if (run < 3) document("notes.md")(cwd, "", run);
    return run < 3 ? "# PRD, or what I have of it" : COMPLETE;
  };
  const { temp, run } = await place({ ...GOOD, "product-manager": answer });
  using _ = temp;
  assertEquals(await run("prd"), ["prd: not done (2)"]);
  const { entries: [{ id, content }] } = await temp.json(["inbox"]);
  assert(content.includes("It said:\n> # PRD, or what I have of it\n"), content);
  await temp.run(["answer", id, "a"]);
  assertEquals(await run("prd"), ["prd: done (1)"]);
  assertEquals(seen.at(-1), []);
  assertEquals(temp.read("docs/prd/PRD-1.md"), `${COMPLETE}\n`);
});

Deno.test("commits of an engineer are taken back when the step begins again", async () => {
  const engineer: Script = (cwd, prompt, run) => {
    document("app.txt", run < 3 ? "broken\n" : "works\n")(cwd, prompt, run);
    if (run < 3) document("left.txt")(cwd, prompt, run);
    for (const words of ["add -A", "commit -qm mine"]) {
      new Deno.Command("git", { args: words.split(" "), cwd }).outputSync();
    }
    return "Done.";
  };
  const { temp, run } = await place({ ...GOOD, engineer });
  using _ = temp;
  assertEquals((await run()).at(-1), "implement: not done (2)");
  await temp.run(["answer", "STP-1-implement", "a"]);
  assertEquals(await run("implement"), ["implement: done (1)"]);
  assertEquals(git(temp, "ls-tree", "--name-only", "agentx/1-implement", "left.txt"), "");
});

Deno.test("a step that passes when it is run again belongs to its agent, unless a person changed a file", async () => {
  for (const isMended of [false, true]) {
    const { temp, run } = await place({ ...GOOD, engineer: document("app.txt", "works\n") });
    using _ = temp;
    temp.write("test.sh", 'grep -q works app.txt && test -e "$PWD/../../flag"\n');
    git(temp, "commit", "-qam", "a test that needs more");
    assertEquals((await run()).at(-1), "implement: not done (2)");
    assertEquals(await run("implement"), ["implement: not done (2)"]);
    temp.write(".agentx/state/flag", "x");
    if (isMended) temp.write(".agentx/state/worktrees/1-implement/app.txt", "works well\n");
    const saved = isMended ? ", saved by human" : "";
    assertEquals(await run("implement"), [`implement: done (2)${saved}`]);
    const { steps } = await temp.json(["workflow", "1"]);
    const { by } = steps.find(({ step }: { step: string }) => step === "implement");
    assertEquals(by, isMended ? "human" : "engineer");
  }
});

function exists(path: string): boolean {
  try {
    return Deno.lstatSync(path) !== undefined;
  } catch {
    return false; // not there
  }
}

Deno.test("a step hears what is remembered in its prompt, and not again at the start of its session", async () => {
  const said: string[] = [];
  const engineer: Script = (cwd, prompt, run) => {
    said.push(prompt);
    return document("app.txt", "works\n")(cwd, prompt, run);
  };
  const { temp, run } = await place({ ...GOOD, engineer });
  using _ = temp;
  await temp.run(["memory", "note", "--agent", "engineer", "--issue", "1", "Cents are whole."]);
  await run("implement");
  assert(said[0].includes("Cents are whole."), said[0]);
  const cwd = `${temp.root}/.agentx/state/worktrees/1-implement`;
  const start = async (last: string, env: Record<string, string>) => {
    const id = `11111111-2222-4333-8444-55556666${last}`;
    const session = new HookSession(temp, { id, env: { AGENTX_AGENT: "engineer", ...env } });
    return (await session.fire("SessionStart", { cwd })).text;
  };
  const run1 = await start("3f2a", { AGENTX_RUN: "/a" });
  assert(!run1.includes("Cents are whole.") && !run1.includes("No issue is set"), run1);
  assert((await start("4a5b", {})).includes("Cents are whole."), "a person mends it by hand");
});

Deno.test("a session of a run that failed without a reply works no more", async () => {
  const fails: Script = () => {
    const argv = [...AGENTX.split(" "), "--root", temp.root, "state", "engineer@claude-3f2a"];
    const { success, stderr } = new Deno.Command(argv[0], {
      args: [...argv.slice(1), "--set", "working", "--issue", "1"],
      env: { AGENTX_AGENT: "engineer@claude-3f2a" },
    }).outputSync();
    assert(success, new TextDecoder().decode(stderr));
    throw new AgentxError("AGENT_ERROR", "Cannot run engineer: it was killed", {
      details: { agent: "engineer", reason: "it was killed" },
    });
  };
  const { temp, run } = await place({ ...GOOD, engineer: fails });
  using _ = temp;
  assertEquals((await run()).at(-1), "implement: not done (2)");
  const { running } = await temp.json(["status"]);
  assertEquals(running.map(({ agent }: { agent: string }) => agent), []);
});
