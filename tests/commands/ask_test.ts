import { assert, assertEquals } from "@std/assert";
import { sys } from "../../lib/sys/mod.ts";
import { openWorkspaceParts } from "../../lib/workspace/open.ts";
import { TempUser } from "../temp_user.ts";
import {
  ADR_ARCHITECT,
  AGENTX,
  ASK,
  ended,
  spawnAgentx,
  TempWorkspace,
} from "../temp_workspace.ts";
import { awaitedEngineer } from "../clarify/samples.ts";
import { TempRepository, testWithGit } from "../workspace/temp_repository.ts";

const ADR = "# ADR-42: Storage\n\nDecision: PostgreSQL, behind a repository.\n" +
  "Pooling: by configuration.\n";

const AGAIN = ["clarify", "ask", "CLR-42-001", "And pooling?"];

/** A workspace with an ADR and an architect that reads it. */
function withArchitect(script = ADR_ARCHITECT): TempWorkspace {
  const temp = new TempWorkspace({ agents: { architect: script } });
  temp.write("docs/adr/ADR-42.md", ADR);
  return temp;
}

/** The example's first question, with other flags. */
function askWith(changes: Record<string, string>, ...more: string[]): string[] {
  const words = [...ASK];
  for (const [flag, value] of Object.entries(changes)) {
    const index = words.indexOf(flag);
    if (index < 0) more.push(flag, value);
    else words[index + 1] = value;
  }
  return [...words, ...more];
}

/** An agent's script that prints its prompt into a file of its own, then replies. */
const PROMPT_PRINTER = 'cat >"prompt-$(ls | grep -c prompt-)"; echo noted';

Deno.test("clarify ask prints the answer of the script that reads the ADR", async () => {
  using temp = withArchitect();
  const { code, out, err } = await temp.run(ASK);
  assertEquals(code, 0);
  assertEquals(
    err,
    "note: CLR-42-001 asks architect, at most 300 s per run\n" +
      "note: come back to it with: agentx clarify wait CLR-42-001\n",
  );
  const [head, answer, , state] = out.split("\n");
  assert(/^ {2}\[Round 1\] architect -> engineer {2}\(\d{4}-\d\d-\d\d \d\d:\d\d\)$/.test(head));
  assertEquals(answer, "    A: PostgreSQL, behind a repository.");
  assertEquals(state, "  CLR-42-001 is answered.");
});

Deno.test("clarify ask gives the escalation and the circle, and runs nobody, where it closes a deadlock", async () => {
  using temp = withArchitect();
  temp.write(temp.ledgerPath(42), awaitedEngineer());
  const told = await temp.run(ASK);
  assertEquals(told.code, 7);
  const reason = "deadlock: architect waits for engineer (CLR-42-001), " +
    "engineer waits for architect (CLR-42-002); CLR-42-001 continues";
  assertEquals(told.err, `note: CLR-42-002 is escalated: ${reason}\n`);
  const words = told.out.replaceAll(/\s+/g, " ");
  assert(words.includes(`Reason: ${reason} Topic: Database layer`), told.out);
  assert(words.includes("CLR-42-002 needs a human decision."), told.out);

  temp.write(temp.ledgerPath(42), awaitedEngineer());
  const { status, deadlock } = await temp.json(ASK);
  assertEquals([status, deadlock.reason, deadlock.continued], [
    "escalated",
    reason,
    ["CLR-42-001"],
  ]);
});

Deno.test("clarify ask says in a pipe too that it takes long, once and never on standard output", async () => {
  using temp = withArchitect("cat >/dev/null; sleep 3.5; echo Both.");
  const { code, out, err } = await temp.run([...ASK, "--json"]);
  assertEquals([code, JSON.parse(out).answer], [0, "Both."]);
  assertEquals(err.split("\n").slice(2), ["note: still waiting for architect after 2 s", ""]);
});

Deno.test("clarify ask works as the issue shows it, to the thread and the states", async () => {
  using temp = withArchitect();
  await temp.run(ASK);
  assertEquals((await temp.run(AGAIN)).code, 0);
  const resolved = await temp.run(["clarify", "resolve", "CLR-42-001", "Clear."]);
  assertEquals([resolved.code, resolved.out.includes("CLR-42-001 is resolved.")], [0, true]);

  const thread = await temp.run(["clarify", "--issue", "42"]);
  const shown = thread.out.replace(/\d{4}-\d\d-\d\d \d\d:\d\d/g, "TIME");
  assertEquals(
    shown,
    `  Clarification Thread: CLR-42-001 (#42)
  Topic: Database layer
  -----------------------------------------------
  [Round 1] engineer -> architect  (TIME)
    Q: PostgreSQL or SQLite?

  [Round 1] architect -> engineer  (TIME)
    A: PostgreSQL, behind a repository.

  [Round 2] engineer -> architect  (TIME)
    Q: And pooling?

  [Round 2] architect -> engineer  (TIME)
    A: PostgreSQL, behind a repository.

  [RESOLVED] human, unverified  (TIME)
    Clear.
  -----------------------------------------------
`,
  );
  assertEquals(
    (await temp.run(["state"])).out.replace(/\d+s ago/g, "0s ago"),
    `  AGENT      STATUS   ISSUE  SINCE
  architect  idle     -      0s ago
  engineer   working  #42    0s ago
`,
  );
});

Deno.test("clarify ask writes the ledger of SPEC-1 4.2 to the letter", async () => {
  using temp = withArchitect();
  await temp.run(ASK);
  const { issueNumber, clarifications: [record] } = temp.ledger();
  const { thread: [question], ...rest } = record;
  assertEquals([issueNumber, Object.keys(temp.ledger())], [42, ["issueNumber", "clarifications"]]);
  assertEquals(
    Object.keys(record).join(),
    [
      "id,from,to,topic,blocking,status,round,maxRounds,created,staleAfter,resolvedAt,thread",
    ].join(),
  );
  assertEquals(Object.keys(question).join(), "round,from,type,body,timestamp");
  assertEquals([rest.id, rest.status, rest.round, rest.maxRounds], [
    "CLR-42-001",
    "answered",
    1,
    5,
  ]);
  assert(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(rest.created));
});

Deno.test("clarify ask gives the target question, issue and ADR, and then the thread", async () => {
  using temp = withArchitect(PROMPT_PRINTER);
  temp.write(".agentx/issues/42.json", JSON.stringify({ title: "Health endpoint", body: "x" }));
  await temp.run(ASK);
  await temp.run(AGAIN);
  const [first, second] = ["prompt-0", "prompt-1"].map((path) => temp.read(path));
  for (const text of ["> PostgreSQL or SQLite?", "#42", "> Health endpoint", "> Pooling: by"]) {
    assert(first.includes(text) && second.includes(text), text);
  }
  assert(!first.includes("Thread so far"));
  const thread = [
    "## Question\n\n> And pooling?",
    "Round 1, question of engineer:\n> PostgreSQL or SQLite?",
    "Round 1, answer of architect:\n> noted",
  ];
  for (const text of thread) assert(second.includes(text), text);
});

Deno.test("clarify ask tells the agent whom it runs as", async () => {
  using temp = withArchitect("cat >/dev/null; echo I am $AGENTX_AGENT");
  await temp.run(askWith({ "--to": "architect@2" }));
  assertEquals(temp.ledger().clarifications[0].thread[1].body, "I am architect@2");
});

testWithGit("clarify ask from a worktree lands in the ledger of the main checkout", async () => {
  using _user = new TempUser({ trustsAll: true });
  using repository = new TempRepository();
  const { root } = repository;
  const write = (path: string, text: string) => Deno.writeTextFileSync(`${root}/${path}`, text);
  assertEquals((await ended(spawnAgentx(["init"], { cwd: root }))).code, 0);
  write(".agentx/config.json", '{"agents":{"architect":{"command":["sh","architect.sh"]}}}');
  write("architect.sh", "cat >/dev/null; pwd -P; cat docs/adr/ADR-42.md");
  repository.folder("main/docs/adr");
  write("docs/adr/ADR-42.md", "Decision: both.\n");
  repository.git("add", ".");
  repository.git("commit", "--quiet", "--message", "workspace");
  const tree = repository.worktree();
  Deno.writeTextFileSync(`${tree}/docs/adr/ADR-42.md`, "Decision: SQLite, in this branch.\n");

  const runs = [];
  for (const cwd of [root, tree, `${tree}/docs`]) {
    runs.push(await ended(spawnAgentx([...ASK, "--again"], { cwd })));
  }
  assertEquals(runs.map(({ code }) => code), [0, 0, 0]);
  const path = ".agentx/state/clarifications/issue-42.json";
  const { clarifications } = JSON.parse(Deno.readTextFileSync(`${root}/${path}`));
  // deno-lint-ignore no-explicit-any -- a ledger that was just written
  assertEquals(clarifications.map(({ id, thread }: any) => [id, thread[1].body]), [
    ["CLR-42-001", `${root}\nDecision: both.`],
    ["CLR-42-002", `${tree}\nDecision: SQLite, in this branch.`],
    ["CLR-42-003", `${tree}\nDecision: SQLite, in this branch.`],
  ]);
  assertEquals(Array.from(Deno.readDirSync(`${tree}/.agentx`), ({ name }) => name).sort(), [
    "config.json",
    "workflows",
  ]);
});

/** Five follow-ups that differ: the same one again and again would count as stuck. */
const TOPICS = ["indexes", "migrations", "locking", "backups", "sharding"];
const again = (topic: string) => ["clarify", "ask", "CLR-42-001", `And ${topic}?`];

Deno.test("clarify ask escalates the sixth blocking question, which a human then decides", async () => {
  using temp = withArchitect();
  await temp.run(ASK);
  for (const topic of TOPICS.slice(0, 4)) assertEquals((await temp.run(again(topic))).code, 0);
  const { code, out, err } = await temp.run([...AGAIN, "--json"]);
  const { error } = JSON.parse(err);
  assertEquals([code, out, error.code], [6, "", "MAX_ROUNDS_EXCEEDED"]);
  assertEquals(error.details, { clarificationId: "CLR-42-001", rounds: 5 });
  assert(error.message.includes("agentx answer CLR-42-001"));

  const { status, thread } = temp.ledger().clarifications[0];
  assertEquals([status, thread.length, thread[10].type], ["escalated", 11, "escalation"]);
  assertEquals(thread[10].from, "agent-x");
  const lines = thread[10].body.split("\n");
  for (
    const line of [
      "Topic: Database layer",
      "Rounds used: 5 of 5",
      "Position of engineer: And backups?",
      "Position of architect: PostgreSQL, behind a repository.",
      "Refused question: And pooling?",
      "Options:",
    ]
  ) assert(lines.includes(line), line);

  assertEquals((await temp.run(["clarify", "resolve", "CLR-42-001", "Pool it."])).code, 0);
  assertEquals(temp.ledger().clarifications[0].status, "resolved");
});

Deno.test("clarify ask shows at the round limit what a human needs to decide, and a letter decides", async () => {
  using temp = withArchitect();
  await temp.run([...ASK, "--max-rounds", "1"]);
  const { code, out, err } = await temp.run(AGAIN);
  assertEquals([code, out], [6, ""]);
  assertEquals(err.split("\n").slice(1), [
    "  Reason: the limit of 1 rounds is reached",
    "  Topic: Database layer",
    "  Rounds used: 1 of 1",
    "  Position of engineer: PostgreSQL or SQLite?",
    "  Position of architect: PostgreSQL, behind a repository.",
    "  Refused question: And pooling?",
    "  Options:",
    "    a) accept the last answer of architect",
    "    b) accept the position of engineer",
    "    c) allow more rounds: resolve this one and let the requester ask again",
    "    d) decide otherwise",
    '  Decide it with: agentx answer CLR-42-001 a, b, c or "..."',
    "",
  ]);
  for (const letter of ["x", "d"]) {
    const refused = await temp.run(["clarify", "resolve", "CLR-42-001", letter]);
    assertEquals(refused.code, 6, letter);
  }
  await temp.run(["clarify", "answer", "CLR-42-001", "Too late, and no option changes."]);
  assertEquals((await temp.run(["clarify", "resolve", "CLR-42-001", "B"])).code, 0);
  assertEquals(
    temp.ledger().clarifications[0].thread.at(-1)?.body,
    "b) accept the position of engineer: PostgreSQL or SQLite?",
  );
});

Deno.test("clarify ask allows the sixth question where it does not block", async () => {
  using temp = withArchitect();
  await temp.run([...ASK, "--non-blocking"]);
  for (const topic of TOPICS) assertEquals((await temp.run(again(topic))).code, 0);
  assertEquals((await temp.run(AGAIN)).code, 6);
});

Deno.test("clarify ask --max-rounds lowers the limit", async () => {
  using temp = withArchitect();
  await temp.run([...ASK, "--max-rounds", "1"]);
  assertEquals((await temp.run(AGAIN)).code, 6);
});

Deno.test("ask names the argument that a first question lacks, in the words of its help", async () => {
  using temp = new TempWorkspace();
  for (
    const [words, why] of [
      [["ask", "Really?"], 'AGENT is required, as in: agentx ask architect "..."'],
      [["ask", "pm", "-i", "2"], 'QUESTION is required, as in: agentx ask pm "..."'],
      [["clarify", "ask", "Really?"], "--to is required"],
    ] as const
  ) {
    const { code, err } = await temp.run([...words]);
    assertEquals([code, err.includes(why)], [2, true], err);
  }
});

for (const words of [["ask", "Really?"], ["clarify", "ask", "Really?"], ["run", "-i", "2"]]) {
  Deno.test(`${words.join(" ")} names the agents that there are, and what shows them`, async () => {
    using temp = new TempWorkspace();
    temp.user.configure({ agents: { poet: { command: ["cat"] } } });
    const { code, err } = await temp.run(words);
    assertEquals(code, 2, err);
    assert(/Agents here: agent-x, architect, .*poet, .*: agentx agents\. See: /.test(err), err);
  });
}

Deno.test("clarify ask without an agent exits 7 at once and says why, and the way out", async () => {
  using temp = new TempWorkspace();
  const { code, out } = await temp.run(ASK);
  assertEquals(code, 7);
  assertEquals(
    out,
    "  CLR-42-001 is waiting for an answer from architect.\n" +
      "  nobody answers: no agent is configured for architect;\n" +
      '  answer it: agentx answer CLR-42-001 "..."\n' +
      "  or configure it: agentx config set --global agents.default.preset claude\n",
  );
});

Deno.test("clarify ask exits 7 when the target failed twice", async () => {
  using temp = withArchitect("echo no quota >&2; exit 3");
  const { code, out, err } = await temp.run(ASK);
  assertEquals(code, 7);
  assert(out.includes("[ESCALATED] agent-x") && out.includes("exit code 3: no quota"));
  assert(err.includes("note: Cannot get an answer from architect: exit code 3: no quota; trying"));
});

Deno.test("a human has a target that failed asked again, by a letter", async () => {
  using temp = withArchitect("test -e works || exit 3; echo PostgreSQL.");
  const { out, code } = await temp.run(ASK);
  assertEquals(code, 7);
  assert(/^ +a\) ask architect again$/m.test(out), out);
  const resolve = await temp.run(["clarify", "resolve", "CLR-42-001", "a"]);
  assert(resolve.code === 6 && resolve.err.includes("agentx answer CLR-42-001 a"), resolve.err);
  const failed = await temp.run(["answer", "CLR-42-001", "a"]);
  assertEquals(failed.code, 0, failed.err);
  assert(failed.out.includes("architect failed again"), failed.out);
  temp.write("works", "");
  const answered = await temp.run(["answer", "CLR-42-001", "a"]);
  assert(answered.out.includes("architect answered: PostgreSQL."), answered.out + answered.err);
  const [{ status, round, thread }] = temp.ledger().clarifications;
  assertEquals([status, round, thread.at(-1)?.body], ["answered", 3, "PostgreSQL."]);
  assertEquals((await temp.run(["clarify", "resolve", "CLR-42-001"])).err, "");
  const { out: known } = await temp.run(["memory", "search", "PostgreSQL"]);
  assert(known.includes("CLR-42-001") || known.includes("PostgreSQL."), known);
});

Deno.test("clarify ask escalates for a program that may not be run", async () => {
  using temp = new TempWorkspace({
    config: { agents: { architect: { command: ["./agents/architect"] } } },
  });
  temp.write("agents/architect", "#!/bin/sh\necho x\n");
  assertEquals((await temp.run(ASK)).code, 7);
  assertEquals(temp.ledger().clarifications[0].status, "escalated");
});

Deno.test("clarify ask --json prints the outcome as one value", async () => {
  using temp = withArchitect();
  const { schemaVersion, kind, ...outcome } = await temp.json(ASK);
  assertEquals([schemaVersion, kind], [1, "clarification"]);
  const { clarificationId, status, round, answer, clarification } = outcome;
  assertEquals([clarificationId, status, round, answer], [
    "CLR-42-001",
    "answered",
    1,
    "PostgreSQL, behind a repository.",
  ]);
  assertEquals(clarification, temp.ledger().clarifications[0]);
});

Deno.test("clarify ask takes the question from standard input where a dash asks for it", async () => {
  using temp = new TempWorkspace();
  await temp.run([...ASK.slice(0, -1), "-"], { stdin: "One\n\n;touch X $(touch X)\n" });
  const [{ body }] = temp.ledger().clarifications[0].thread;
  assertEquals(body, "One\n\n;touch X $(touch X)");
});

Deno.test("clarify ask takes words that look like shell for text", async () => {
  using temp = withArchitect();
  const words = ["$(touch X)", ";touch X", "`touch X`"];
  for (const word of words) await temp.run(askWith({ "--topic": word }));
  assertEquals(temp.ledger().clarifications.map(({ topic }) => topic), words);
  assertEquals(Object.keys(temp.snapshot()).some((path) => path.endsWith("/X")), false);
});

Deno.test("clarify ask obeys --workflow, also for the next round", async () => {
  using temp = withArchitect();
  const bug = ["--workflow", "bug"];
  const refused = await temp.json([...ASK, ...bug]);
  assertEquals(refused.error.code, "SCOPE_VIOLATION");
  assertEquals((await temp.run([...ASK, "--non-blocking", ...bug])).code, 0);
  Deno.removeSync(`${temp.root}/.agentx/workflows/feature.toml`);
  assertEquals((await temp.run(AGAIN)).code, 4);
  assertEquals((await temp.run([...AGAIN, ...bug])).code, 0);
});

for (const more of [["--non-blocking"], ["--issue", "42"], ["--max-rounds", "2"]]) {
  Deno.test(`clarify ask refuses ${more[0]} for the next round`, async () => {
    using temp = withArchitect();
    await temp.run(ASK);
    const { error } = await temp.json([...AGAIN, ...more]);
    assertEquals([error.code, error.details.field], ["INVALID_INPUT", more[0]]);
    assertEquals(temp.ledger().clarifications[0].round, 1);
  });
}

Deno.test("clarify ask asks as the agent that runs it", async () => {
  using temp = new TempWorkspace();
  const words = ASK.filter((word) => word !== "--from" && word !== "engineer");
  await temp.run(words, { env: { AGENTX_AGENT: "engineer@2" } });
  assertEquals(temp.ledger().clarifications[0].from, "engineer@2");
});

Deno.test("clarify ask does not let an agent ask as another one", async () => {
  using temp = new TempWorkspace();
  const { code, err } = await temp.run(ASK, { env: { AGENTX_AGENT: "reviewer" } });
  assertEquals([code, err.includes("reviewer cannot ask as engineer")], [2, true]);
});

Deno.test("clarify ask lets its target ask upstream before it answers", async () => {
  using temp = new TempWorkspace({
    isTrusted: false, // by variables, which an agent does not get
    agents: {
      "product-manager": "cat >/dev/null; echo Both are needed, says $AGENTX_AGENT.",
      "architect": `cat >/dev/null
${AGENTX} clarify ask --issue 42 --to pm --topic Need "Which one is needed?" |
  sed -n 's/^    A: //p'`,
    },
  });
  await temp.trust();
  const { answer } = await temp.json(ASK);
  assertEquals(answer, "Both are needed, says product-manager.");
  assertEquals(temp.ledger().clarifications.map(({ from, to }) => `${from} -> ${to}`), [
    "engineer -> architect",
    "architect -> product-manager",
  ]);
});

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  Deno.test(`clarify ask on ${signal} kills the agent and leaves the question open`, async () => {
    using temp = withArchitect("echo $$ >pid; exec sleep 60");
    const child = temp.spawn([...ASK, "--json"]);
    const run = ended(child);
    while (!temp.has("pid")) await new Promise((resolve) => setTimeout(resolve, 20));
    child.kill(signal);
    const { code, out, err } = await run;
    const [notes, json] = [err.slice(0, err.indexOf("{")), err.slice(err.indexOf("{"))];
    const again = "CLR-42-001 stays open; run it again with: agentx clarify run CLR-42-001";
    assert(notes.endsWith(`note: ${again}\n`), err);
    assertEquals([code, out, JSON.parse(json).error.code], [130, "", "INTERRUPTED"]);
    assertEquals(temp.ledger().clarifications[0].status, "pending");
    assertEquals(sys.processStart(Number(temp.read("pid"))) ?? null, null);
  });
}

Deno.test("clarify ask goes on where SIGHUP is ignored, as nohup has it", async () => {
  using temp = withArchitect("echo $$ >pid; while [ ! -e go ]; do sleep 0.1; done; echo Both.");
  const program = ["sh", "-c", `trap "" HUP; exec ${AGENTX} "$@"`, "sh"];
  const child = temp.spawn(ASK, { program });
  const run = ended(child);
  while (!temp.has("pid")) await new Promise((resolve) => setTimeout(resolve, 20));
  child.kill("SIGHUP");
  temp.write("go", "now");
  const { code, out } = await run;
  assertEquals([code, out.includes("A: Both.")], [0, true]);
});

Deno.test("clarify ask logs a warning where the scope refuses it", async () => {
  using temp = new TempWorkspace();
  const argv = ASK.map((word) => word === "architect" ? "reviewer" : word);
  assertEquals((await temp.run(argv)).code, 6);
  const [{ name }] = Deno.readDirSync(`${temp.root}/.agentx/log`);
  const { time: _, ...line } = JSON.parse(temp.read(`.agentx/log/${name}`));
  assertEquals(line, {
    operation: "thinking-log",
    issueNumber: 42,
    agent: "engineer",
    toAgent: "reviewer",
    code: "SCOPE_VIOLATION",
    kind: "warning",
  });
});

Deno.test("clarify ask about an issue that is not here says so once where issues are kept, and asks", async () => {
  using temp = new TempWorkspace();
  assert(!(await temp.run(ASK)).err.includes("there is no issue"));
  await temp.run(["issue", "create", "-t", "Pay by card"]);
  const other = ASK.map((word) => word === "42" ? "44" : word);
  const { code, err } = await temp.run(other);
  assertEquals([code, err.startsWith("note: there is no issue #44 here; ")], [7, true], err);
  assert(!(await temp.run(other)).err.includes("there is no issue"));
  assert(!(await temp.run(ASK)).err.includes("there is no issue")); // 42 was in use
  const mark = "  #44 is outside: there is no issue of that number here\n";
  for (const words of [[], ["-i", "44"], ["CLR-44-001"]]) {
    const { out } = await temp.run(["clarify", ...words]);
    assert(out.includes(mark), out);
  }
  assertEquals((await temp.json(["clarify"])).outside, [42, 44]);
  await temp.run(["ask", "architect", "-i", "1", "--from", "engineer", "Which?"]);
  assert(!(await temp.run(["clarify", "-i", "1"])).out.includes("outside"));
});

Deno.test("ask --non-blocking starts the run and returns at once; the run counts for the day and is seen", async () => {
  const script =
    "cat >/dev/null; echo run >>runs; while [ ! -e go ]; do sleep 0.05; done; echo Both.";
  using temp = new TempWorkspace({
    agents: { architect: script },
    config: { clarify: { maxRunsPerDay: 1 } },
  });
  const { code, out, err } = await ended(temp.spawn([...ASK, "--non-blocking"]));
  assertEquals(code, 0, err);
  assert(err.includes("CLR-42-001 asks architect in the background"), err);
  assert(out.includes("agentx clarify wait CLR-42-001"), out);
  while (!temp.has("runs")) await new Promise((resolve) => setTimeout(resolve, 20));
  const { waitingForOthers: [{ run }] } = await temp.json(["status"]);
  assertEquals([run.state, run.by], ["running", "engineer"]);
  const same = await ended(temp.spawn([...ASK, "--non-blocking"]));
  assert(!same.err.includes("in the background"), same.err);
  temp.write("go", "now");
  const waited = await temp.run(["clarify", "wait", "CLR-42-001"]);
  assert(waited.out.includes("Both."), waited.out);
  const [record] = temp.ledger().clarifications;
  assertEquals([record.status, record.retriedAt], ["answered", undefined]);

  const next = await ended(temp.spawn([...ASK.with(9, "Cache"), "--non-blocking"]));
  assertEquals(next.code, 0);
  assert(/nothing was run: .* 1 runs began today/.test(next.err), next.err);
  assertEquals(temp.read("runs"), "run\n");
});

Deno.test("ask --non-blocking leaves the question to serve where that runs", async () => {
  using temp = withArchitect();
  const workspace = await openWorkspaceParts({ root: temp.root });
  await workspace.runs.serve(undefined, async () => {
    const { err } = await temp.run([...ASK, "--non-blocking"]);
    assert(err.includes("agentx serve runs it"), err);
  });
});

Deno.test("clarify ask gives the id of the same question while it is open, and runs it once", async () => {
  const script =
    "cat >/dev/null; echo run >>runs; while [ ! -e go ]; do sleep 0.05; done; echo Both.";
  using temp = new TempWorkspace({ agents: { architect: script } });
  const first = ended(temp.spawn(ASK));
  while (!temp.has("runs")) await new Promise((resolve) => setTimeout(resolve, 20));
  const same = ASK.map((word) => word.includes("SQLite") ? " postgresql  or SQLite?" : word);
  const { code, out } = await temp.run(same);
  assertEquals([code, out.includes("CLR-42-001")], [7, true], out);
  const { clarificationId, status } = await temp.json([...ASK, "--non-blocking"]);
  assertEquals([clarificationId, status], ["CLR-42-001", "pending"]);
  temp.write("go", "now");
  assertEquals([(await first).code, temp.read("runs")], [0, "run\n"]);
  assertEquals(temp.ledger().clarifications.length, 1);
});

Deno.test("clarify ask gives the id of the same question while another process retries it", async () => {
  const script =
    "cat >/dev/null; echo run >>runs; while [ ! -e go ]; do sleep 0.05; done; echo Both.";
  using temp = new TempWorkspace({ agents: { architect: script } });
  await temp.run([...ASK, "--non-blocking"]);
  const retry = ended(temp.spawn(["clarify", "run", "CLR-42-001"]));
  while (!temp.has("runs")) await new Promise((resolve) => setTimeout(resolve, 20));
  const { code, out, err } = await temp.run(ASK);
  assertEquals([code, out.includes("CLR-42-001")], [7, true], err);
  temp.write("go", "now");
  assertEquals([(await retry).code, temp.read("runs")], [0, "run\n"]);
});

Deno.test("clarify ask asks anew with --again, and as another worker; an answer that holds is given again", async () => {
  using temp = new TempWorkspace();
  const asked = async (...more: string[]) => (await temp.json([...ASK, ...more])).clarificationId;
  assertEquals(await asked(), "CLR-42-001");
  assertEquals(await asked(), "CLR-42-001");
  assertEquals(await asked("--again"), "CLR-42-002");
  const other = ASK.map((word) => word === "engineer" ? "engineer@2" : word);
  assertEquals((await temp.json(other)).clarificationId, "CLR-42-003");
  for (const id of ["CLR-42-001", "CLR-42-002"]) {
    await temp.run(["clarify", "answer", id, "Both.", "--as", "architect"]);
  }
  assertEquals(await asked(), "CLR-42-002");
  assertEquals(await asked("--again"), "CLR-42-004");
});

Deno.test("clarify ask runs the same question that nobody is on", async () => {
  using temp = new TempWorkspace({ agents: { architect: "cat >/dev/null; echo Both." } });
  await temp.run([...ASK, "--non-blocking"]);
  const { code, out } = await temp.run(ASK);
  assertEquals([code, out.includes("A: Both.")], [0, true], out);
  assertEquals(temp.ledger().clarifications.length, 1);
});
