import { assert, assertEquals } from "@std/assert";
import type { Issue } from "../../lib/work/issue/issue.ts";
import { ended, TempWorkspace, withoutTemplates } from "../temp_workspace.ts";
import { IS_FULL } from "../often.ts";

/** Issues 1, 2, ... with these labels. */
async function withIssues(...labels: string[]): Promise<TempWorkspace> {
  const workspace = new TempWorkspace();
  for (const [index, label] of labels.entries()) {
    await workspace.run(["issue", "create", "-t", `Issue ${index + 1}`, "-l", label]);
  }
  return workspace;
}

const issueIn = (workspace: TempWorkspace, number: number): Issue => workspace.issue(number);

interface StepRow {
  state: string;
  by: string | null;
}

Deno.test("ready shows what is ready, and what the others wait for", async () => {
  using workspace = await withIssues("p1,type:bug", "p0,type:story", "blocked_by:#1");
  const question = ["--from", "engineer", "--to", "architect", "--topic", "DB", "Which one?"];
  await workspace.run(["clarify", "ask", "--issue", "2", ...question]);
  const { code, out } = await workspace.run(["ready"]);
  assertEquals(code, 0);
  const [head, row, , waiting, ...rest] = out.trimEnd().split("\n");
  assert(head.startsWith("  ISSUE") && row.startsWith("  #1 ") && row.endsWith("Issue 1"));
  assertEquals([waiting, ...rest], [
    "  Waiting",
    "  #2 Issue 2",
    "      BLOCKED: Clarification CLR-2-001 pending from architect",
    "  #3 Issue 3",
    "      BLOCKED: Waits for #1",
  ]);
});

Deno.test("ready --json gives both lists, also where they are empty", async () => {
  using workspace = new TempWorkspace();
  assertEquals(await workspace.json(["ready"]), {
    schemaVersion: 1,
    kind: "ready",
    issues: [],
    more: 0,
    waiting: [],
    moreWaiting: 0,
  });
});

Deno.test("ready names corrupt files, does the rest and exits 8", async () => {
  using workspace = await withIssues("p1", "p2");
  workspace.write(".agentx/issues/1.json", "{");
  workspace.write(".agentx/state/clarifications/issue-2.json", "{");
  const { code, out, err } = await workspace.run(["ready"]);
  assertEquals(code, 8);
  assert(out.includes("Issue 2"));
  assert(err.includes("issues/1.json") && err.includes("issue-2.json"));
});

Deno.test("ready lets no escape sequence of a title through", async () => {
  using workspace = await withIssues("p1", "blocked_by:#1");
  for (const number of ["1", "2"]) {
    await workspace.run(["issue", "update", number, "-t", "\x1b[2Jboo"]);
  }
  assert(!(await workspace.run(["ready"])).out.includes("\x1b"));
});

Deno.test("ready --claim keeps sessions apart that AGENTX_AGENT tells apart", async () => {
  using workspace = await withIssues("p2");
  const as = (session: string, ...argv: string[]) =>
    workspace.run(["ready", ...argv, "--issue", "1"], { env: { AGENTX_AGENT: session } });
  assertEquals((await as("engineer@x", "--claim", "engineer")).code, 0);
  assertEquals((await as("engineer@y", "--claim", "engineer")).code, 6);
  assertEquals((await as("engineer@y", "--release", "engineer")).code, 6);
  assertEquals((await as("engineer@x", "--release", "engineer")).code, 0);
});

Deno.test("ready --claim takes the first issue for half an hour", async () => {
  using workspace = await withIssues("p2", "p0");
  const beforeMs = Date.now();
  const { issue } = await workspace.json(["ready", "--claim", "engineer@2"]);
  assertEquals([issue.number, issue.assignee], [2, "engineer@2"]);
  const leaseMs = Date.parse(issue.leaseUntil) - beforeMs;
  assert(leaseMs >= 30 * 60_000 && leaseMs < 31 * 60_000);
  assertEquals(issueIn(workspace, 2), issue);
});

Deno.test("ready --claim says what the agent is working on", async () => {
  using workspace = await withIssues("p1");
  await workspace.run(["ready", "--claim", "engineer"]);
  const { agents } = await workspace.json(["state", "engineer"]);
  assertEquals([agents[0].status, agents[0].issue], ["working", 1]);
});

Deno.test("ready --claim leaves an agent with what it works on", async () => {
  using workspace = await withIssues("p1");
  await workspace.run(["state", "engineer", "--set", "working", "--issue", "7"]);
  await workspace.run(["ready", "--claim", "engineer"]);
  assertEquals((await workspace.json(["state", "engineer"])).agents[0].issue, 7);
});

Deno.test("ready --claim finds nothing where nothing is ready", async () => {
  using workspace = await withIssues("blocked_by:#9");
  const { code, err } = await workspace.run(["ready", "--claim", "engineer", "--json"]);
  assertEquals([code, JSON.parse(err).error.details], [4, { kind: "issue", id: "ready" }]);
});

Deno.test("ready --claim refuses an agent that nobody knows, with a suggestion", async () => {
  using workspace = await withIssues("p1");
  const { code, err } = await workspace.run(["ready", "--claim", "enginer"]);
  assertEquals([code, issueIn(workspace, 1).assignee], [2, null]);
  assert(err.includes("Did you mean engineer?"));
});

Deno.test("ready --claim --issue takes that issue", async () => {
  using workspace = await withIssues("p0", "p3");
  const { issue } = await workspace.json(["ready", "--claim", "engineer", "--issue", "2"]);
  assertEquals(issue.number, 2);
});

Deno.test("ready --claim --issue follows the route; a person may force it", async () => {
  using workspace = new TempWorkspace();
  await workspace.run(["issue", "create", "-t", "Pay by card", "-l", "type:feature"]);
  const claim = ["ready", "--claim", "engineer", "--issue", "1"];
  const { code, err } = await workspace.run(claim);
  assertEquals([code, workspace.issue(1).assignee], [6, null], err);
  assert(err.includes("#1 is for product-manager") && err.includes("--force"), err);
  const agent = { env: { AGENTX_AGENT: "engineer@x" } };
  assertEquals((await workspace.run([...claim, "--force"], agent)).code, 6);
  assertEquals((await workspace.run([...claim, "--force"])).code, 0);
  assertEquals((await workspace.run(claim)).code, 0, "it is theirs by now");
  await workspace.run(["ready", "--release", "engineer"]);
  const turn = claim.with(2, "product-manager");
  assertEquals((await workspace.run(turn)).code, 0);
});

Deno.test("ready --claim --issue refuses a closed issue", async () => {
  using workspace = await withIssues("p0");
  await workspace.run(["issue", "close", "1"]);
  const { code, err } = await workspace.run(["ready", "--claim", "engineer", "-i", "1", "--json"]);
  assertEquals(code, 6);
  assertEquals(JSON.parse(err).error.details, { issueNumber: 1, reasons: ["it is closed"] });
});

Deno.test("ready --claim --issue refuses an issue that waits, with the reason", async () => {
  using workspace = await withIssues("blocked_by:#9");
  const { code, err } = await workspace.run(["ready", "--claim", "engineer", "-i", "1"]);
  assertEquals(code, 6);
  assert(err.includes("Waits for #9"));
});

Deno.test("ready --claim --issue refuses somebody else's issue", async () => {
  using workspace = await withIssues("p1");
  await workspace.run(["ready", "--claim", "engineer"]);
  const { code, err } = await workspace.run(["ready", "--claim", "reviewer", "-i", "1"]);
  assertEquals([code, issueIn(workspace, 1).assignee], [6, "engineer"]);
  assert(err.includes("claimed by engineer until"));
});

Deno.test("ready --claim --issue of an unknown issue is not found", async () => {
  using workspace = await withIssues("p1");
  assertEquals((await workspace.run(["ready", "--claim", "engineer", "-i", "7"])).code, 4);
});

Deno.test("ready --claim --issue gives its holder more time", async () => {
  using workspace = await withIssues("p1");
  const argv = ["ready", "--claim", "engineer", "-i", "1", "--lease"];
  const { issue: first } = await workspace.json([...argv, "1m"]);
  const { issue: second } = await workspace.json([...argv, "2h"]);
  assert(Date.parse(second.leaseUntil) > Date.parse(first.leaseUntil) + 60_000);
  assertEquals(second.claimed, first.claimed);
  const { err } = await workspace.run(argv.slice(0, -1));
  assert(
    /note: engineer has had #1 since .*claims as engineer@2\n/.test(err.replace("\n      ", " ")),
    err,
  );
});

Deno.test("ready --claim takes an issue whose lease is over", async () => {
  using workspace = await withIssues("p1");
  await workspace.run(["ready", "--claim", "engineer", "--lease", "1ms"]);
  await new Promise((resolve) => setTimeout(resolve, 5));
  const { issue } = await workspace.json(["ready", "--claim", "reviewer"]);
  assertEquals(issue.assignee, "reviewer");
});

Deno.test("ready --claim takes an issue whose holder says that it is done with it", async () => {
  using workspace = await withIssues("p1");
  await workspace.run(["ready", "--claim", "engineer"]);
  await new Promise((resolve) => setTimeout(resolve, 5));
  await workspace.run(["state", "engineer", "--set", "done", "--issue", "1"]);
  const { issue } = await workspace.json(["ready", "--claim", "reviewer"]);
  assertEquals(issue.assignee, "reviewer");
});

Deno.test("ready --claim keeps an issue that its holder took again after it was done", async () => {
  using workspace = await withIssues("p1");
  await workspace.run(["ready", "--claim", "engineer"]);
  await workspace.run(["state", "engineer", "--set", "done", "--issue", "1"]);
  await new Promise((resolve) => setTimeout(resolve, 5));
  assertEquals((await workspace.run(["ready", "--claim", "engineer"])).code, 0);
  assertEquals((await workspace.run(["ready", "--claim", "reviewer"])).code, 4);
});

Deno.test("ready --release restores the status before the claim, and needs no issue where one is held", async () => {
  using workspace = new TempWorkspace();
  for (const status of ["Backlog", "Ready"]) {
    await workspace.run(["issue", "create", "-t", status, "-s", status]);
  }
  const statuses = () => [1, 2].map((number) => workspace.issue(number).status);
  await workspace.run(["ready", "--claim", "engineer", "--issue", "1"]);
  assertEquals(statuses(), ["In Progress", "Ready"]);
  assertEquals((await workspace.run(["ready", "--release", "engineer"])).code, 0);
  assertEquals(statuses(), ["Backlog", "Ready"]);
  const none = await workspace.run(["ready", "--release", "engineer"]);
  assertEquals(none.code, 4, none.err);
  for (const issue of ["1", "2"]) {
    await workspace.run(["ready", "--claim", "engineer", "--issue", issue]);
  }
  const both = await workspace.run(["ready", "--release", "engineer"]);
  assert(both.err.includes("it has #1, #2"), both.err);
  await workspace.run(["ready", "--release", "engineer", "--issue", "2"]);
  await workspace.run(["issue", "edit", "1", "-s", "In Progress"]);
  await workspace.run(["ready", "--release", "engineer"]);
  assertEquals(statuses(), ["Backlog", "Ready"]);
});

Deno.test("ready --release gives an issue back", async () => {
  using workspace = await withIssues("p1");
  await workspace.run(["ready", "--claim", "engineer"]);
  const { out } = await workspace.run(["ready", "--release", "engineer", "--issue", "1"]);
  assertEquals(out, "  Released #1 (Backlog): Issue 1\n");
  const { assignee, claimed, leaseUntil } = issueIn(workspace, 1);
  assertEquals([assignee, claimed, leaseUntil], [null, null, null]);
});

Deno.test("ready offers neither what is in progress nor what is in review", async () => {
  using workspace = await withIssues("p1", "p2", "p3");
  await workspace.run(["issue", "update", "1", "-s", "In Progress"]);
  await workspace.run(["issue", "update", "2", "-s", "In Review"]);
  const { issues, waiting } = await workspace.json(["ready"]);
  assertEquals(issues.map(({ number }: { number: number }) => number), [3]);
  // deno-lint-ignore no-explicit-any -- what was just printed
  assertEquals(waiting.map(({ number, reasons }: any) => [number, reasons[0].text]), [
    [1, "In Progress, not assigned"],
    [2, "In Review, not assigned"],
  ]);
  const claim = async (...argv: string[]) =>
    (await workspace.json(["ready", "--claim", ...argv])).issue;
  assertEquals((await claim("engineer")).number, 3);
  const { number, status, assignee } = await claim("reviewer", "--issue", "2");
  assertEquals([number, status, assignee], [2, "In Review", "reviewer"]);
});

Deno.test("ready --claim puts an issue in progress, and ready shows its owner", async () => {
  using workspace = await withIssues("p1");
  await workspace.run(["ready", "--claim", "engineer"]);
  const { status, assignee } = issueIn(workspace, 1);
  assertEquals([status, assignee], ["In Progress", "engineer"]);
  assert(/#1 Issue 1\n +claimed by engineer until /.test((await workspace.run(["ready"])).out));
  const [header, row] = (await workspace.run(["issue", "list"])).out.split("\n");
  assertEquals([header.includes("OWNER"), row.includes("engineer")], [true, true]);
});

Deno.test("ready --release refuses somebody else's issue", async () => {
  using workspace = await withIssues("p1");
  await workspace.run(["ready", "--claim", "engineer"]);
  const { code } = await workspace.run(["ready", "--release", "reviewer", "--issue", "1"]);
  assertEquals([code, issueIn(workspace, 1).assignee], [6, "engineer"]);
});

for (
  const flags of [
    ["--claim"],
    ["--claim", "Engineer"],
    ["--claim", "engineer", "--release", "engineer"],
    ["--claim", "engineer", "--lease", "0s"],
    ["--claim", "engineer", "--lease", "9999h"],
    ["--issue", "1"],
    ["--lease", "5m"],
  ]
) {
  Deno.test(`agentx ready ${flags.join(" ")} is misuse and takes nothing`, async () => {
    using workspace = await withIssues("p1");
    assertEquals((await workspace.run(["ready", ...flags])).code, 2);
    assertEquals(issueIn(workspace, 1).assignee, null);
  });
}

Deno.test("ready --claim by many processes at once gives each issue to one of them", async () => {
  using workspace = new TempWorkspace();
  const [processes, issues] = IS_FULL ? [30, 100] : [6, 20];
  for (let number = 1; number <= issues; number++) {
    workspace.write(`.agentx/issues/${number}.json`, JSON.stringify({ title: `Issue ${number}` }));
  }
  const script = new URL("./ready/claim_all.ts", import.meta.url).pathname;
  const startAtMs = Date.now() + (IS_FULL ? 3_000 : 1_000);
  const children = Array.from(
    { length: processes },
    (_, index) =>
      new Deno.Command(Deno.execPath(), {
        args: [
          "run",
          "-A",
          "--quiet",
          "--no-check",
          script,
          workspace.root,
          `engineer@${index + 1}`,
        ]
          .concat(String(startAtMs)),
        stdin: "null",
        stdout: "piped",
        stderr: "piped",
      }).spawn(),
  );
  const runs = await Promise.all(children.map(ended));
  assertEquals(runs.map(({ err }) => err), runs.map(() => ""));
  const claims: Array<{ number: number; agent: string }> = runs
    .flatMap(({ out }) => out.trim().split("\n").filter(Boolean).map((line) => JSON.parse(line)));
  const numbers = claims.map(({ number }) => number).sort((a, b) => a - b);
  assertEquals(numbers, Array.from({ length: issues }, (_, index) => index + 1));
  for (const { number, agent } of claims) assertEquals(issueIn(workspace, number).assignee, agent);
});

Deno.test("ready --claim follows the route: each role gets its turn, and what it finished never again", async () => {
  using workspace = await withIssues("type:feature");
  withoutTemplates(workspace);
  await workspace.run(["issue", "edit", "1", "--body", "## Acceptance criteria\n- [x] It works"]);
  const turns = {
    "product-manager": ["docs/prd/PRD-1.md", "Ready"],
    architect: ["docs/adr/ADR-1.md", "Ready"],
    engineer: [null, "In Review"],
    reviewer: ["docs/reviews/REVIEW-1.md", "Done"],
  } as const;
  for (const [role, [artifact, status]] of Object.entries(turns)) {
    for (const other of Object.keys(turns).filter((each) => each !== role)) {
      const { code, err } = await workspace.run(["ready", "--claim", other]);
      assertEquals([code, err.includes(`#1 is for ${role}`)], [4, true], err);
    }
    assertEquals((await workspace.run(["ready", "--claim", role])).code, 0, role);
    if (artifact !== null) {
      const { code, err } = await workspace.run(["hook", "finish", role, "1"]);
      assertEquals([code, err.includes(`${artifact} does not exist`)], [0, true], err);
      assertEquals((await workspace.run(["ready", "--claim", role])).code, 0, role);
      workspace.write(artifact, "# Done\n");
    }
    const loops = role === "engineer";
    const end = loops ? ["loop", "complete", "1"] : ["hook", "finish", role, "1"];
    const { code, err } = await workspace.run(end);
    assertEquals([code, err], [0, ""]);
    assertEquals([issueIn(workspace, 1).assignee, issueIn(workspace, 1).status], [null, status]);
  }
  assertEquals((await workspace.json(["ready"])).issues, []);
  assert((await workspace.run(["route", "1"])).out.includes("it is closed"));
});

Deno.test("a rejected issue goes back to who iterates, and one that is reopened to the first", async () => {
  using workspace = await withIssues("type:story");
  const next = async () => (await workspace.json(["route", "1"])).first[0]?.agent;
  const finish = (role: string) => workspace.run(["hook", "finish", role, "1"]);
  for (const role of ["engineer", "reviewer"]) {
    assertEquals(await next(), role);
    await finish(role);
  }
  await workspace.run(["issue", "update", "1", "-l", "needs:changes"]);
  assertEquals(await next(), "engineer");
  await finish("engineer");
  assertEquals(await next(), "reviewer");
  await finish("reviewer");
  await workspace.run(["issue", "close", "1"]);
  await workspace.run(["issue", "update", "1", "-s", "Backlog"]);
  assertEquals(await next(), "engineer");
});

Deno.test("loop complete finishes the work of who iterates", async () => {
  using workspace = await withIssues("type:bug");
  await workspace.run(["loop", "start", "1"]);
  await workspace.run(["loop", "complete", "1", "-m", "All tests pass"]);
  assertEquals((await workspace.run(["ready", "--claim", "engineer"])).code, 4);
  assertEquals((await workspace.json(["loop", "status"])).loops.length, 1);
  assertEquals((await workspace.run(["ready", "--claim", "reviewer"])).code, 0);
});

Deno.test("an issue without a type is anybody's, once for each role; --force goes beyond the route", async () => {
  using workspace = await withIssues("p1", "type:feature");
  const forced = ["ready", "--claim", "engineer", "-i", "2", "--force"];
  assertEquals((await workspace.run(forced)).code, 0);
  await workspace.run(["ready", "--release", "engineer", "-i", "2"]);
  assertEquals((await workspace.run(["ready", "--claim", "engineer"])).code, 0);
  await workspace.run(["hook", "finish", "engineer", "1"]);
  const { code, err } = await workspace.run(["ready", "--claim", "engineer"]);
  assertEquals([code, err.includes("engineer has finished #1")], [4, true], err);
  assertEquals((await workspace.run(["ready", "--claim", "reviewer"])).code, 0);
});

Deno.test("two sessions have UX and architecture of one issue at once, each with a lease of its own", async () => {
  using temp = new TempWorkspace();
  withoutTemplates(temp);
  await temp.run(["issue", "create", "-t", "Pay", "-l", "type:feature,needs:ux"]);
  const claim = (agent: string) => temp.run(["ready", "--claim", agent]);
  const states = async () =>
    (await temp.json(["workflow", "1"])).steps.slice(0, 4).map(({ state, by }: StepRow) =>
      `${state} ${by}`
    );
  await claim("product-manager");
  temp.write("docs/prd/PRD-1.md", "# PRD\n");
  await temp.run(["validate", "1", "pm"]);
  const codes = await Promise.all(["ux-designer", "architect", "architect@2"].map(claim));
  assertEquals(codes[0].code, 0);
  assertEquals(codes.slice(1).map(({ code }) => code).sort(), [0, 4]);
  const [prd, ux, architecture] = await states();
  assert(prd.startsWith("done") && ux === "running ux-designer", ux);
  assert(/^running architect(@2)?$/.test(architecture), architecture);
  assertEquals((await temp.json(["ready"])).issues, []);
  const other = architecture === "running architect" ? "architect@2" : "architect";
  const { code, err } = await temp.run(["ready", "--claim", other, "--issue", "1"]);
  assertEquals([code, err.includes("claimed by")], [6, true], err);
  const own = architecture.replace("running ", "");
  assertEquals((await temp.run(["ready", "--claim", own, "--issue", "1"])).code, 0);
  assertEquals((await temp.run(["ready", "--release", own, "--issue", "1"])).code, 0);
  assertEquals((await states()).slice(1, 3), ["running ux-designer", "ready null"]);
  assertEquals((await claim(other)).code, 0);
  temp.write("docs/adr/ADR-1.md", "# ADR\n");
  temp.write("docs/ux/UX-1.md", "# UX\n");
  await temp.run(["validate", "1", "architect"]);
  assertEquals((await states())[3], "waiting null");
  await temp.run(["validate", "1", "ux"]);
  assertEquals((await claim("engineer")).code, 0);
});

Deno.test("ready --claim says at once which question the agent leaves behind, and where its answer is", async () => {
  using temp = new TempWorkspace({ agents: { architect: "cat >/dev/null; echo PostgreSQL." } });
  const agent = "engineer@2";
  for (const title of ["First", "Second"]) await temp.run(["issue", "create", "--title", title]);
  await temp.run(["ready", "--claim", agent, "--issue", "1"]);
  await temp.run(["ask", "architect", "Which database?", "--issue", "1", "--as", agent]);
  await temp.run(["ready", "--release", agent]);
  const { err } = await temp.run(["ready", "--claim", agent, "--issue", "2"]);
  const why = "engineer@2 works on another issue; its answer stays: agentx clarify CLR-1-001";
  assert(err.includes(`CLR-1-001 is abandoned: ${why}`), err);
});

Deno.test("ready --claim gives up no question of a role without a session", async () => {
  using temp = new TempWorkspace();
  for (const title of ["First", "Second"]) await temp.run(["issue", "create", "--title", title]);
  await temp.run(["ready", "--claim", "engineer", "--issue", "1"]);
  await temp.run(["ask", "architect", "Which database?", "--issue", "1", "--as", "engineer"]);
  await temp.run(["ready", "--release", "engineer"]);
  await temp.run(["ready", "--claim", "engineer", "--issue", "2"]);
  await temp.run(["status"]);
  assertEquals(temp.ledger(1).clarifications[0].status, "pending");
});
