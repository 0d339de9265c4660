import { assert, assertEquals } from "@std/assert";
import { TempWorkspace, withoutTemplates } from "../temp_workspace.ts";

/** A story; its engineer has claimed it, if wanted. */
async function story(enforce?: string, isClaimed = true): Promise<TempWorkspace> {
  const temp = new TempWorkspace({
    config: enforce === undefined ? {} : { pipeline: { enforce } },
  });
  withoutTemplates(temp);
  const body = "## Acceptance criteria\n- [x] It refunds";
  await temp.run(["issue", "create", "-t", "Refunds", "-l", "type:story", "--body", body]);
  if (isClaimed) assertEquals((await temp.run(["ready", "--claim", "engineer"])).code, 0);
  return temp;
}

Deno.test("an issue whose step was claimed gets no status whose step is not validated", async () => {
  using temp = await story();
  const { code, err } = await temp.run(["issue", "close", "1"]);
  assertEquals(code, 6);
  assert(err.includes("implement is not validated; review is not validated"), err);
  assert(err.includes("agentx issue validate 1 engineer"), err);
  assertEquals((await temp.run(["issue", "edit", "1", "-s", "In Review"])).code, 6);
  assertEquals((await temp.run(["issue", "edit", "1", "-s", "Backlog"])).code, 0);
  await temp.run(["loop", "complete", "1"]);
  assertEquals((await temp.run(["issue", "edit", "1", "-s", "In Review"])).code, 0);
  assertEquals((await temp.run(["issue", "close", "1"])).code, 6);
});

Deno.test("an issue that nobody claimed for a step is closed as before; pipeline.enforce says otherwise", async () => {
  for (
    const [enforce, isClaimed, code] of [
      [undefined, false, 0],
      ["all", false, 6],
    ] as const
  ) {
    using temp = await story(enforce, isClaimed);
    assertEquals((await temp.run(["issue", "close", "1"])).code, code);
  }
});

Deno.test("a repository does not weaken pipeline.enforce by itself", async () => {
  using temp = await story("off");
  assertEquals((await temp.run(["issue", "close", "1"])).code, 6);
});

Deno.test("--force is a person's, has a reason, and is in the history", async () => {
  using temp = await story();
  const force = ["issue", "close", "1", "--force"];
  assertEquals((await temp.run(force)).code, 2);
  const because = [...force, "--because", "shipped by hand"];
  const agent = { env: { AGENTX_AGENT: "engineer" } };
  assertEquals((await temp.run(because, agent)).code, 6);
  assertEquals((await temp.run(because)).code, 0);
  assertEquals(temp.issue(1).status, "Done");
  const { out } = await temp.run(["issue", "history", "1"]);
  assert(out.includes("approved: implement (shipped by hand)"), out);
});

Deno.test("--because says why without --force, as a comment", async () => {
  using temp = new TempWorkspace();
  for (const title of ["Pay", "Ship"]) await temp.run(["issue", "create", "-t", title]);
  const close = ["issue", "close", "1", "--because", "not now"];
  assertEquals((await temp.run([...close, "-c", "Too early"])).code, 0);
  const edit = ["issue", "edit", "2", "-s", "Ready", "--because", "asked for"];
  assertEquals((await temp.run(edit)).code, 0);
  const bodies = [1, 2].map((number) => temp.issue(number).comments.map(({ body }) => body));
  assertEquals(bodies, [["Too early\n\nnot now"], ["asked for"]]);
});
