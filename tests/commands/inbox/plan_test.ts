import { assert, assertEquals } from "@std/assert";
import { ended, TempWorkspace, type TempWorkspaceOptions } from "../../temp_workspace.ts";

const PLAN = "**Group A: Form**\n- \x1b[2Jfields\n\n**Group B: Bank**\nDepends on: A\n";

/** Issue 1, and a plan of the product manager for it. */
async function planned(options: TempWorkspaceOptions = {}, plan = PLAN) {
  const workspace = new TempWorkspace(options);
  await workspace.run(["issue", "create", "-t", "Pay", "-l", "type:epic"]);
  const ran = await propose(workspace, plan);
  return { workspace, ...ran };
}

async function propose(workspace: TempWorkspace, stdin: string) {
  const { code, out } = await workspace.run(["issue", "split", "1", "--as", "pm", "--json"], {
    stdin,
  });
  return { code, output: code === 2 ? undefined : JSON.parse(out) };
}

async function numbers(workspace: TempWorkspace): Promise<number[]> {
  const { issues } = await workspace.json(["issue", "list"]);
  return issues.map(({ number }: { number: number }) => number);
}

Deno.test("a plan of an agent waits for a person, with what it assumes", async () => {
  const { workspace, code, output } = await planned();
  using _ = workspace;
  assertEquals([code, output.issues, await numbers(workspace)], [7, [], [1]]);
  await workspace.run([
    ...["assumptions", "add", "-i", "1", "--from", "pm", "--because", "y", "--risk", "low"],
    "Cards only",
  ]);
  const { entries } = await workspace.json(["inbox"]);
  const [{ id, kind, issue, agent, deadline, topic, content }] = entries;
  assertEquals([id, kind, issue, agent, deadline, topic], [
    output.plan,
    "plan",
    1,
    "product-manager",
    null,
    "2 parts for #1",
  ]);
  assert(content.includes("**Group B: Bank**"), content);
  assert(content.includes("Assumed:\n- Cards only (ASM-001; if it is wrong: low)"), content);
  const { out } = await workspace.run(["inbox"]);
  assert(!out.includes("\x1b") && out.includes(id), out);
});

Deno.test("an approved plan becomes issues, once, each with its dependencies", async () => {
  const { workspace, output: { plan } } = await planned();
  using _ = workspace;
  const { code, out } = await workspace.run(["answer", plan, "a"]);
  assertEquals([code, out], [0, `  ${plan}: approved: #2, #3\n`]);
  const { issue, parent } = await workspace.json(["issue", "view", "3"]);
  assertEquals([issue.labels, issue.author, parent.number], [
    ["type:feature", "blocked_by:#2"],
    "product-manager",
    1,
  ]);
  assertEquals((await workspace.run(["answer", plan, "a"])).code, 4);
  assertEquals(await numbers(workspace), [1, 2, 3]);
});

Deno.test("two persons who approve a plan at once make its issues once", async () => {
  const { workspace, output: { plan } } = await planned({ isTrusted: false });
  using _ = workspace;
  const codes = await Promise.all(
    Array.from({ length: 4 }, () => ended(workspace.spawn(["answer", plan, "a"]))),
  );
  assertEquals(codes.map(({ code }) => code).sort(), [0, 4, 4, 4]);
  assertEquals(await numbers(workspace), [1, 2, 3]);
});

Deno.test("a plan that was approved and not removed makes nothing again", async () => {
  const { workspace, output: { plan } } = await planned();
  using _ = workspace;
  const path = `${workspace.root}/.agentx/state/plans.json`;
  const before = Deno.readTextFileSync(path);
  await workspace.run(["answer", plan, "a"]);
  Deno.writeTextFileSync(path, before); // as a death between the two leaves it
  assertEquals((await workspace.run(["answer", plan, "a"])).code, 0);
  assertEquals(await numbers(workspace), [1, 2, 3]);
});

Deno.test("an approval is for one content: a later plan has another name, and replaces it", async () => {
  const { workspace, output: { plan } } = await planned();
  using _ = workspace;
  const same = await propose(workspace, PLAN);
  assertEquals(same.output.plan, plan);
  const { output } = await propose(workspace, `${PLAN}- more\n`);
  assert(output.plan !== plan);
  assertEquals((await workspace.run(["answer", plan, "a"])).code, 4);
  const { entries } = await workspace.json(["inbox"]);
  assertEquals(entries.map(({ id }: { id: string }) => id), [output.plan]);
});

Deno.test("a plan that is rejected makes nothing, and its issue says why", async () => {
  const { workspace, output: { plan } } = await planned();
  using _ = workspace;
  assertEquals((await workspace.run(["answer", plan, "yes"])).code, 2);
  assertEquals((await workspace.run(["answer", plan, "reject too large"])).code, 0);
  const { issue } = await workspace.json(["issue", "view", "1"]);
  assertEquals(issue.comments.map(({ author, body }: Record<string, string>) => [author, body]), [
    ["human", `Plan ${plan} was rejected: too large`],
  ]);
  assertEquals([await numbers(workspace), (await workspace.json(["inbox"])).entries], [[1], []]);
});

Deno.test("no agent approves a plan", async () => {
  const { workspace, output: { plan } } = await planned();
  using _ = workspace;
  const { code } = await workspace.run(["answer", plan, "a"], {
    env: { AGENTX_AGENT: "engineer" },
  });
  assert(code !== 0);
  assertEquals(await numbers(workspace), [1]);
});

for (const plan of ["Group A: x\nDepends on: A", "Group A: x\n".repeat(2), "x".repeat(201)]) {
  Deno.test(`a plan such as ${JSON.stringify(plan.slice(0, 40))} never waits`, async () => {
    const { workspace, code } = await planned({}, plan);
    using _ = workspace;
    assertEquals([code, (await workspace.json(["inbox"])).entries], [2, []]);
  });
}

Deno.test("plan.approve = false of the user's own lets an agent cut an issue at once", async () => {
  const workspace = new TempWorkspace();
  using _ = workspace;
  workspace.user.configure({ plan: { approve: false } });
  await workspace.run(["issue", "create", "-t", "Pay", "-l", "type:epic"]);
  assertEquals((await propose(workspace, PLAN)).code, 0);
  assertEquals(await numbers(workspace), [1, 2, 3]);
});

Deno.test("plan.approve = false of a repository counts only with consent", async () => {
  const { workspace, code } = await planned({
    config: { plan: { approve: false } },
    isTrusted: false,
  });
  using _ = workspace;
  assertEquals([code, await numbers(workspace)], [7, [1]]);
});

Deno.test("a plan that begins a group at a step that there is not is refused", async () => {
  const { workspace, code } = await planned({}, PLAN.replace("- ", "Starts at: nowhere\n- "));
  using _ = workspace;
  assertEquals([code, await numbers(workspace)], [2, [1]]);
});
