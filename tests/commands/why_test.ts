import { assert, assertEquals } from "@std/assert";
import { TempWorkspace } from "../temp_workspace.ts";

/** A repository with two issues; its history is made by each test. */
class Shop extends TempWorkspace {
  readonly file: string = `${this.root}/src/cart.ts`;

  constructor() {
    super({ agents: { architect: "cat >/dev/null; echo cap it" } });
    this.git("init", "-q", "-b", "main");
  }

  git(...args: string[]): void {
    const as = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org", ...args];
    const { success, stderr } = new Deno.Command("git", { args: as, cwd: this.root }).outputSync();
    assert(success, new TextDecoder().decode(stderr));
  }

  /** Commits lines of `src/cart.ts`. */
  commit(message: string, ...lines: string[]): void {
    this.write("src/cart.ts", lines.map((line) => `${line}\n`).join(""));
    this.git("add", "src");
    this.git("commit", "-q", "-m", message);
  }

  async why(line?: number) {
    return await this.json(["why", line === undefined ? this.file : `${this.file}:${line}`]);
  }
}

async function decided(shop: Shop): Promise<void> {
  await shop.run(["issue", "create", "Cap the discount"]);
  const asked = ["--issue", "1", "--from", "engineer", "--to", "architect", "--topic", "Discount"];
  await shop.run(["clarify", "ask", ...asked, "Cap or refuse?"]);
}

/** Git keeps whole seconds. */
async function nextSecond(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 1_000 - Date.now() % 1_000 + 5));
}

Deno.test("why names the commit, the issue and what was decided before", async () => {
  using shop = new Shop();
  shop.commit("feat: begin", "const a = 1;");
  await decided(shop);
  await nextSecond();
  shop.commit("feat(fix): cap the discount (#1)", "const a = 1;", "const b = 2;");
  const { commit, issue, decisions, text } = await shop.why(2);
  assertEquals([text, issue], ["const b = 2;", { number: 1, title: "Cap the discount" }]);
  assertEquals(commit.subject, "feat(fix): cap the discount (#1)");
  assertEquals(
    decisions.map((
      each: { id: string; answer: string; by: string },
    ) => [each.id, each.answer, each.by]),
    [
      ["CLR-1-001", "cap it", "architect"],
    ],
  );
  const { out } = await shop.run(["why", `${shop.file}:2`]);
  assert(out.includes("#1 Cap the discount"));
  assert(out.includes("cap it - architect"));
});

Deno.test("why names who did the steps of the issue, and who accepted one", async () => {
  using shop = new Shop();
  await shop.run(["issue", "create", "Cap the discount"]);
  await shop.run(["workflow", "1", "--accept", "prd"]);
  const line = { v: 1, uid: shop.issue(1).uid, time: new Date().toISOString(), by: "engineer" };
  const validated = { op: "validated", step: "implement", hash: null, evidence: [], id: "x1.0" };
  shop.write(".agentx/issues/2026-11/x.jsonl", `${JSON.stringify({ ...line, ...validated })}\n`);
  shop.commit("feat(implement): cap the discount (#1)", "const a = 1;");
  const { steps } = await shop.why(1);
  assertEquals(
    steps.map(({ step, op, by }: Record<string, string>) => `${step} ${op} ${by}`),
    ["prd approved human", "implement validated engineer"],
  );
  const { out } = await shop.run(["why", `${shop.file}:1`]);
  assert(/Step +implement: validated by engineer, /.test(out), out);
  assert(/Step +prd: approved by a person, /.test(out), out);
});

Deno.test("why claims nothing where nothing is recorded", async () => {
  using shop = new Shop();
  shop.commit("feat: begin", "const a = 1;");
  await decided(shop);
  const { issue, decisions, writtenBy, notes } = await shop.why(1);
  assertEquals([issue, decisions, writtenBy, notes], [null, [], null, []]);
  assert((await shop.run(["why", `${shop.file}:1`])).out.includes("Nothing else is recorded"));
});

Deno.test("why does not take a later answer for the reason of a line", async () => {
  using shop = new Shop();
  shop.commit("feat: cap (#1)", "const a = 1;");
  await nextSecond();
  await decided(shop);
  const { issue, decisions } = await shop.why(1);
  assertEquals([issue.title, decisions], ["Cap the discount", []]);
});

Deno.test("why says that a line is not committed", async () => {
  using shop = new Shop();
  shop.commit("feat: begin (#1)", "const a = 1;");
  shop.write("src/cart.ts", "const a = 1;\nnew\n");
  assertEquals((await shop.why(2)).commit, null);
  assert((await shop.run(["why", `${shop.file}:2`])).out.includes("Not committed yet"));
});

Deno.test("why FILE shows the latest commit of the file", async () => {
  using shop = new Shop();
  shop.commit("feat: begin (#1)", "a");
  shop.commit("fix: again", "b");
  assertEquals((await shop.why()).commit.subject, "fix: again");
});

Deno.test("why reads notes of git-ai and records of Agent Trace", async () => {
  using shop = new Shop();
  shop.commit("feat: begin", "a", "b");
  const agent = { tool: "claude", id: "s1", model: "opus" };
  const note = `src/cart.ts\n  p1 1\n---\n${
    JSON.stringify({ prompts: { p1: { agent_id: agent } } })
  }`;
  shop.git("notes", "--ref=ai", "add", "-m", note);
  const { commit, writtenBy } = await shop.why(1);
  assertEquals(writtenBy, { source: "git-ai", tool: "claude", model: "opus", session: "s1" });
  const ranges = [{ start_line: 2, end_line: 2 }];
  const conversations = [{ contributor: { type: "ai", model_id: "m" }, ranges }];
  const files = [{ path: "src/cart.ts", conversations }];
  shop.write(
    ".agent-trace/traces.jsonl",
    `${JSON.stringify({ vcs: { revision: commit.id }, files })}\n`,
  );
  assertEquals((await shop.why(2)).writtenBy.model, "m");
});

Deno.test("why takes a number beside a remote on GitHub for one of GitHub's", async () => {
  using shop = new Shop();
  await decided(shop);
  shop.git("remote", "add", "origin", "git@github.com:acme/shop.git");
  shop.commit("feat: theirs (#1)", "a");
  assertEquals((await shop.why(1)).issue, { number: 1, title: null });
  for (const name of ["other/shop", "acme/shop"]) {
    const issue = { number: 1, title: `Of ${name}`, state: "OPEN" };
    const url = `https://github.com/${name}/issues/1`;
    await shop.run(["issue", "import", "-"], { stdin: JSON.stringify([{ ...issue, url }]) });
  }
  assertEquals((await shop.why(1)).issue, { number: 1, title: "Of acme/shop" });
  shop.commit("feat: ours\n\nIssue: 1", "b");
  assertEquals((await shop.why(1)).issue.title, "Cap the discount");
});

Deno.test("why refuses a file or a line that git does not have, and says what to name", async () => {
  using shop = new Shop();
  shop.commit("feat: begin", "a");
  shop.write("src/new.ts", "a\n");
  for (
    const [place, code] of [["gone.ts", 4], ["src/cart.ts:9", 4], ["src/new.ts:1", 4], [
      "src/cart.ts:0",
      2,
    ]] as const
  ) {
    const { code: exit, err } = await shop.run(["why", `${shop.root}/${place}`]);
    assertEquals(exit, code, err);
    assert(/Name a file|why --help/.test(err), err);
  }
});
