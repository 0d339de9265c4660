import { assert, assertEquals } from "@std/assert";
import type { Figure } from "../../lib/work/figures/figures.ts";
import { sampleRecord } from "../clarify/samples.ts";
import { askWords } from "../gate/samples.ts";
import { ADR_ARCHITECT, TempWorkspace } from "../temp_workspace.ts";

/** A figure, as `12`, `1/2` or `null`. */
async function figure(workspace: TempWorkspace, wanted: string): Promise<string> {
  const { stats } = await workspace.json(["stats"]);
  const figures: Figure[] = stats.figures;
  const { value, count, of } = figures.find(({ name }) => name === wanted)!;
  return of === null ? `${value}` : `${count}/${of}`;
}

Deno.test("stats sums up what the agents settled among themselves", async () => {
  using workspace = new TempWorkspace({ agents: { architect: ADR_ARCHITECT } });
  workspace.write("docs/adr/ADR-42.md", "Decision: PostgreSQL\n");
  const ask = ["clarify", "ask", "-i", "42", "--from", "engineer", "--to", "architect"];
  await workspace.run([...ask, "--topic", "Database layer", "Which?"]);
  await workspace.run([...ask, "--topic", "database layer?", "Which pool?"]);
  await workspace.run(["clarify", "resolve", "CLR-42-001", "Done", "--as", "engineer"]);
  const { code, out } = await workspace.run(["stats", "--weeks", "1"]);
  assertEquals(code, 0);
  const row = (name: string) =>
    out.split("\n").find((line) => line.startsWith(`  ${name} `))?.replaceAll(/ {2,}/g, "|");
  assertEquals(row("Clarifications"), "|Clarifications|2|2");
  assertEquals(
    row("Resolved without a human"),
    "|Resolved without a human|100% (1 of 1)|over 80%|100% (1 of 1)",
  );
  assertEquals(row("Rounds"), "|Rounds|1|2 to 3|1");
  assert(out.includes("  MOST COMMON TOPICS\n     2  database layer\n"), out);
  assert(out.includes("  ASK MOST\n     2  engineer\n"), out);
  assertEquals(row("Commits that name an issue")?.includes("|Of commits on"), true, out);
  assertEquals(row("Test coverage"), undefined, "nothing can measure it");
  const terminal = await workspace.run(["stats"], { terminal: true, env: { NO_COLOR: "1" } });
  assertEquals(terminal.out.split("\n").filter((line) => line.length > 80), []);
});

Deno.test("stats lets no escape sequence of a topic through", async () => {
  using workspace = new TempWorkspace();
  const created = new Date().toISOString();
  const clarifications = [sampleRecord({ topic: "\x1b[2J", from: "\x1b[2J", created })];
  workspace.write(workspace.ledgerPath(42), JSON.stringify({ issueNumber: 42, clarifications }));
  const { out } = await workspace.run(["stats"]);
  assert(!out.includes("\x1b") && out.includes("\\u{1b}[2j"), out);
});

Deno.test("stats names what it cannot read, and sums up the rest", async () => {
  using workspace = new TempWorkspace();
  workspace.write(workspace.ledgerPath(43), "{ broken");
  workspace.write(".agentx/state/memory-uses.json", "{ broken");
  const { code, out, err } = await workspace.run(["stats"]);
  assertEquals(code, 8);
  assert(err.includes("issue-43.json") && err.includes("memory-uses.json"), err);
  assert(/Clarifications +0/.test(out), out);
});

Deno.test("stats has the share of tasks that asked a human, and a standing answer asks nobody", async () => {
  using temp = new TempWorkspace();
  temp.user.hasOneSecond();
  for (let number = 1; number <= 39; number++) {
    const fields = { number, title: "x", created: new Date().toISOString() };
    temp.write(`.agentx/issues/${number}.json`, JSON.stringify(fields));
  }
  await temp.run([...askWords(), "--timeout", "50ms"]);
  assertEquals(await figure(temp, "tasksThatAsked"), "1/40");
  await temp.run([...askWords({ session: "s2" }), "--no-wait"]);
  await temp.run(["answer", "2", "c", "--always"]);
  await temp.run([...askWords({ session: "s3", issue: "7" })]);
  assertEquals(await figure(temp, "tasksThatAsked"), "1/40");
  const { out } = await temp.run(["stats"]);
  assert(/Tasks that asked a human +2.5% \(1 of 40\) +under 5%/.test(out), out);
});

Deno.test("stats counts the commits that name an issue of this workspace", async () => {
  using temp = new TempWorkspace();
  const git = async (...args: string[]) => {
    const who = ["-c", "user.name=a", "-c", "user.email=a@example.org"];
    const { success } = await new Deno.Command("git", { args: [...who, ...args], cwd: temp.root })
      .output();
    assert(success, args.join(" "));
  };
  assertEquals(await figure(temp, "commits"), "null");
  await git("init", "-q");
  assertEquals(await figure(temp, "commits"), "null");
  await temp.run(["issue", "create", "--title", "Crash"]);
  for (const message of ["fix: crash (#1)", "fix: crash\n\nCloses #1", "see #2", "a#1", "chore"]) {
    await git("commit", "-q", "--allow-empty", "-m", message);
  }
  const ours = "chore(issues): update issues and memory";
  await git("commit", "-q", "--allow-empty", "-m", ours);
  assertEquals(await figure(temp, "commits"), "2/5");
});

Deno.test("stats has how long a step took from its claim, and reviews that sent back", async () => {
  using temp = new TempWorkspace();
  const time = new Date(Date.now() - 60_000).toISOString();
  const line = (id: string, seconds: number, by: string, change: object) => {
    const time = new Date(Date.now() - (60 - seconds) * 1_000).toISOString();
    return `${JSON.stringify({ v: 1, uid: "u1", id, time, by, ...change })}\n`;
  };
  const claim = (step: string) => ({ op: "add", field: "assignees", values: ["engineer"], step });
  const done = (step: string) => ({ op: "validated", step, hash: null, evidence: [] });
  const text = [
    line("a.0", 0, "human", { op: "create", fields: { number: 1, title: "Crash", created: time } }),
    line("b.0", 1, "engineer", claim("fix")),
    line("c.0", 11, "engineer", done("fix")),
    line("d.0", 12, "reviewer", { op: "returned", step: "fix", because: "It still crashes" }),
    line("e.0", 13, "engineer", claim("fix")),
    line("f.0", 33, "engineer", done("fix")),
    line("g.0", 34, "reviewer", done("review")),
    line("h.0", 35, "human", { op: "undo", undone: ["g.0"] }),
  ].join("");
  temp.write(".agentx/issues/2026-02/a.jsonl", text);
  const { stats } = await temp.json(["stats"]);
  const [{ step, done: count, medianMs }] = stats.steps;
  assertEquals([step, count, Math.round(medianMs / 1_000)], ["fix", 2, 15]);
  assertEquals(await figure(temp, "rejections"), "1/1");
  assertEquals(await figure(temp, "rework"), "1");
});

Deno.test("stats and the digest have what recalls were worth to captured sessions", async () => {
  using temp = new TempWorkspace();
  const who = ["--agent", "engineer", "--issue", "42"];
  for (const text of ["`retryDelayMs` must stay below a second.", "Nobody mentions this one."]) {
    await temp.run(["memory", "note", ...who, text]);
  }
  const recall = (await temp.run(["memory", "recall", ...who])).out;
  const stdin =
    `${recall}\n## User\n\nMake it faster.\n\n## Assistant\n\nI set retryDelayMs to 500.\n`;
  for (let turn = 0; turn < 2; turn++) await temp.run(["memory", "capture", ...who], { stdin });
  assertEquals(await figure(temp, "used"), "1/2");
  assertEquals(await figure(temp, "tokensSpared"), "10");
  assert(Number(await figure(temp, "recallP95")) >= 0);
  const { path } = await temp.json(["digest"]);
  assert(Deno.readTextFileSync(path).includes("| Tokens saved by recall | 10 |"));
});

Deno.test("stats refuses a number of weeks that makes no sense", async () => {
  using temp = new TempWorkspace();
  for (const weeks of ["0", "54", "x"]) {
    const { code, err } = await temp.run(["stats", "--weeks", weeks]);
    assertEquals(code, 2);
    assert(err.includes(`--weeks must be a number from 1 to 53, not "${weeks}"`), err);
  }
});
