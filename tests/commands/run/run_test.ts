import { assert, assertEquals } from "@std/assert";
import { TranscriptFiles } from "../../../lib/run/transcript_files.ts";
import { Endpoint, refusing, streaming } from "../../agents/http/endpoint.ts";
import { TOOL_INPUT } from "../../gate/samples.ts";
import { until } from "../../mcp/mcp_client.ts";
import {
  type Api,
  APIS,
  httpAgent,
  scriptedEndpoint,
  type ScriptedTurn,
  turn,
  turnEvents,
} from "../../run/scripted_turns.ts";
import { ADR_ARCHITECT, ended, TempWorkspace } from "../../temp_workspace.ts";

const QUESTION = { to: "architect", topic: "Database layer", question: "PostgreSQL or SQLite?" };

const CLARIFIED: readonly ScriptedTurn[] = [
  { text: "Reading the ADR.", calls: [["read_file", { path: "docs/adr/ADR-42.md" }]] },
  { calls: [["request_clarification", QUESTION]] },
  { text: "PostgreSQL it is.", calls: [["issue_comment", { text: "Uses PostgreSQL." }]] },
  { text: "Done." },
];

const TASK = ["run", "engineer", "--issue", "42", "Implement it"];

/** An issue, an ADR, and an engineer whose model is this one. */
function placeWith(
  model: Endpoint,
  { api = "openai", architect = ADR_ARCHITECT, isTrusted = true, timeout = "5m" }: {
    api?: Api;
    architect?: string | null;
    isTrusted?: boolean;
    timeout?: string;
  } = {},
): TempWorkspace {
  const temp = new TempWorkspace({ agents: architect === null ? {} : { architect }, isTrusted });
  const config = JSON.parse(temp.read(".agentx/config.json"));
  config.agents.engineer = httpAgent(api, model);
  temp.write(".agentx/config.json", JSON.stringify(config));
  temp.user.configure({ gate: { timeout } });
  temp.write("docs/adr/ADR-42.md", "Decision: PostgreSQL in production.\n");
  const issue = { number: 42, title: "Health endpoint", labels: ["type:story"] };
  temp.write(".agentx/issues/42.json", JSON.stringify(issue));
  return temp;
}

/** The one session there is. */
function sessionOf(temp: TempWorkspace): string {
  const names = Array.from(
    Deno.readDirSync(`${temp.root}/.agentx/state/transcripts`),
    ({ name }) => name,
  ).filter((name) => name.endsWith(".jsonl"));
  assertEquals(names.length, 1);
  return names[0].replace(".jsonl", "");
}

async function comments(temp: TempWorkspace): Promise<string[]> {
  const { issue } = await temp.json(["issue", "get", "42"]);
  return issue.comments.map(({ body }: { body: string }) => body);
}

for (const api of APIS) {
  Deno.test(`agentx run: an ambiguous task is clarified with another agent and finished (${api})`, async () => {
    await using model = scriptedEndpoint(api, ...CLARIFIED);
    using temp = placeWith(model, { api });
    const { code, out, err } = await temp.run(TASK);
    assertEquals([code, err], [0, ""]);
    const id = sessionOf(temp);
    const [steps, report] = out.split("\n\nContext budget: ");
    assertEquals(
      steps,
      `[Engineer] Working on #42... (session ${id})

[Engineer] Reading the ADR.
  read_file docs/adr/ADR-42.md

[Engineer -> Architect] Clarification needed (CLR-42-001):
  PostgreSQL or SQLite?

  [Routing to Architect automatically...]

[Architect] PostgreSQL in production.

[Engineer] Clarification resolved. Continuing...

[Engineer] PostgreSQL it is.
  issue_comment Uses PostgreSQL.

[Engineer] Done.

Loop complete: iterations=4, tools=3, exit=complete.`,
    );
    assert(/^\d[\d,]* of 200,000 tokens \(\d %\), GOOD\n {2}instruction +\d/.test(report), report);
    assert(report.includes("\n\nMemory\n  nothing was recalled\n\nThere is room.\n"), report);
    assertEquals(temp.ledger().clarifications[0].status, "resolved");
    assertEquals(await comments(temp), ["Uses PostgreSQL."]);
    // The answer was given whole, and then its summary stands for it.
    const [, , third, fourth] = model.asked.map(({ body }) => JSON.stringify(body.messages));
    assert(third.includes("Answer of architect (CLR-42-001)"), third);
    assert(!fourth.includes("Answer of architect"), fourth);
    assert(fourth.includes("CLR-42-001 settled"), fourth);
  });

  Deno.test(`agentx run: two calls in one turn are made one after the other (${api})`, async () => {
    const calls = [["issue_comment", { text: "One." }], ["issue_comment", {
      text: "Two.",
    }]] as const;
    await using model = scriptedEndpoint(api, { calls }, { text: "Done." });
    using temp = placeWith(model, { api });
    const { run } = await temp.json(TASK);
    assertEquals([run.exit, run.toolCalls, run.tools], ["complete", 2, { issue_comment: 2 }]);
    assertEquals(await comments(temp), ["One.", "Two."]);
    const { messages } = model.asked[1].body;
    const results = api === "openai"
      ? messages.filter(({ role }: { role: string }) => role === "tool").length
      : messages.at(-1).content.length;
    assertEquals(results, 2);
  });

  Deno.test(`agentx run: a stream that ends half-way is asked for again, and nothing is run twice (${api})`, async () => {
    const first = turnEvents(api, { calls: [["issue_comment", { text: "Once." }]] });
    await using model = new Endpoint(
      streaming(first.slice(0, first.length / 2)),
      turn(api, { calls: [["issue_comment", { text: "Once." }]] }),
      turn(api, { text: "Done." }),
    );
    using temp = placeWith(model, { api });
    const { code, out } = await temp.run(TASK);
    assertEquals([code, model.asked.length], [0, 3]);
    assert(out.includes("The model failed (its answer broke off); asking again"), out);
    assertEquals(await comments(temp), ["Once."]);
  });

  Deno.test(`agentx run: arguments that are no JSON, or do not fit, are told to the model (${api})`, async () => {
    await using model = scriptedEndpoint(
      api,
      { calls: [["issue_comment", '{"text": "Unfinis']] },
      { calls: [["issue_comment", { txt: "Misspelt" }]] },
      { calls: [["issue_comment", { text: 7 }]] },
      { calls: [["no such tool", {}]] },
      { text: "I give up." },
    );
    using temp = placeWith(model, { api });
    const { code, out: wrapped } = await temp.run(TASK);
    const out = wrapped.replaceAll(/\n\s*/g, " ");
    assertEquals([code, await comments(temp)], [0, []]);
    for (
      const reason of [
        "issue_comment failed: The arguments of issue_comment must be an object in JSON",
        'issue_comment failed: issue_comment needs the argument "text"',
        'issue_comment failed: "text" of issue_comment must be of type string, not 7',
        'unknown_tool failed: There is no tool "unknown_tool"',
      ]
    ) assert(out.includes(reason), out);
  });

  Deno.test(`agentx run: an endpoint that asks for a pause gets it (${api})`, async () => {
    await using model = new Endpoint(
      refusing(429, "slow down", { "retry-after": "0.1" }),
      turn(api, { text: "Done." }),
    );
    using temp = placeWith(model, { api });
    const { run } = await temp.json(TASK);
    assertEquals([run.exit, run.iterations, model.asked.length], ["complete", 1, 2]);
  });
}

Deno.test("agentx run: a refusal ends it with the reason, and it can be gone on with", async () => {
  await using model = new Endpoint(refusing(401, "no such key"), turn("openai", { text: "Done." }));
  using temp = placeWith(model);
  const { code, out } = await temp.run(TASK);
  assertEquals(code, 1);
  assert(out.includes("HTTP 401: no such key"), out);
  assert(out.includes("exit=model_error."), out);
  const { run } = await temp.json(["run", "--resume", sessionOf(temp)]);
  assertEquals([run.exit, run.text, run.iterations], ["complete", "Done.", 1]);
});

Deno.test("agentx run: a model that loops for ever is stopped by the limit of iterations, and by that of tokens", async () => {
  await using model = scriptedEndpoint("openai", { calls: [["issue_list", {}]] });
  using temp = placeWith(model);
  const { code, out } = await temp.run([...TASK, "--max-iterations", "3"]);
  assertEquals([code, model.asked.length], [1, 3]);
  assert(out.includes("Loop stopped: iterations=3, tools=3, exit=max_iterations."), out);
  const resume = ["run", "--resume", sessionOf(temp), "--max-tokens", "1"];
  const { run } = await temp.json(resume);
  assertEquals([run.exit, run.iterations, model.asked.length], ["budget", 4, 4]);
});

Deno.test("agentx run: a context over --context-limit ends it before the model is asked", async () => {
  await using model = scriptedEndpoint("openai", { text: "Done." });
  using temp = placeWith(model);
  const { code, out } = await temp.run([...TASK, "--context-limit", "10"]);
  assertEquals([code, model.asked.length], [1, 0]);
  assert(/Its context of \d+ tokens exceeds the 10 of the model/.test(out), out);
  assert(/Context budget: [\d,]+ of 10 tokens \([\d]+ %\), CRITICAL/.test(out), out);
  assertEquals((await temp.run([...TASK, "--context-limit", "0"])).code, 2);
});

Deno.test("agentx run: a question that nobody is run for pauses it; the answer lets it go on", async () => {
  await using model = scriptedEndpoint("openai", ...CLARIFIED.slice(1));
  using temp = placeWith(model, { architect: null });
  const { code, out } = await temp.run(TASK);
  assertEquals(code, 7);
  const why = [
    "CLR-42-001 is waiting for an answer from architect;",
    "nobody answers: no agent is configured for architect;",
    'answer it: agentx answer CLR-42-001 "..."',
    "or configure it: agentx config set --global agents.default.preset claude",
  ];
  for (const line of why) assert(out.includes(`\n  ${line}\n`), out);
  assert(!out.includes("Routing"), out);
  assert(out.includes(`Resume it with: agentx run --resume ${sessionOf(temp)}`), out);
  const resume = ["run", "--resume", sessionOf(temp)];
  const again = await temp.run(resume);
  assert(again.code === 7 && again.out.includes(why[1]), again.out);
  await temp.run(["clarify", "answer", "CLR-42-001", "SQLite."]);
  const { run } = await temp.json(resume);
  assertEquals([run.exit, run.clarifications, model.asked.length], ["complete", ["CLR-42-001"], 3]);
  assert(JSON.stringify(model.asked[1].body).includes("SQLite."));
});

Deno.test("agentx run waits for the human that its agent asks, and goes on with what comes of it", async () => {
  await using model = scriptedEndpoint("openai", { calls: [["ask_user", TOOL_INPUT]] }, {
    text: "Ok.",
  });
  using temp = placeWith(model);
  const running = temp.json([...TASK]);
  await until(async () => (await temp.run(["answer", "ASK-001", "b"])).code === 0);
  const { run } = await running;
  assertEquals([run.exit, run.tools], ["complete", { ask_user: 1 }]);
  assert(JSON.stringify(model.asked[1].body).includes("(b) Production mode"));
});

Deno.test("agentx run goes on with the fallback where no human answers in time", async () => {
  await using model = scriptedEndpoint("openai", { calls: [["ask_user", TOOL_INPUT]] }, {
    text: "Ok.",
  });
  using temp = placeWith(model, { timeout: "1s" });
  const { code, out } = await temp.run(TASK);
  assertEquals(code, 0, out);
  assert(JSON.stringify(model.asked[1].body).includes("the fallback is taken: (a) Test mode"));
});

Deno.test("agentx run: an escalation ends it with its summary; what a human decides lets it go on", async () => {
  await using model = scriptedEndpoint("openai", ...CLARIFIED.slice(1));
  using temp = placeWith(model, { architect: "cat >/dev/null; exit 3" });
  const { code, out } = await temp.run(TASK);
  assertEquals(code, 7);
  assert(out.includes("[ESCALATED]"), out);
  assert(out.includes("Question of engineer"), out);
  assert(out.includes("exit=escalated."), out);
  const resume = ["run", "--resume", sessionOf(temp)];
  assertEquals((await temp.run(resume)).code, 7);
  await temp.run(["clarify", "resolve", "CLR-42-001", "--as", "human", "Take MySQL."]);
  const { run } = await temp.json(resume);
  assertEquals(run.exit, "complete");
  assert(JSON.stringify(model.asked[1].body).includes("Take MySQL."));
  assertEquals(temp.ledger().clarifications.length, 1);
});

Deno.test("agentx run names the setting where no model is set, and asks nobody", async () => {
  using temp = new TempWorkspace({ agents: { engineer: "cat" } });
  const { error } = await temp.json(TASK);
  assertEquals([error.code, error.details.key], ["INVALID_CONFIG", "agents.engineer.http"]);
  const { code, err } = await temp.run(TASK);
  assertEquals(code, 2);
  assert(err.includes("agents.engineer.http is not set"), err);
  assert(!temp.has(".agentx/state/agent-status.json"));
});

Deno.test("agentx run reaches no model before its user agreed, and none too deep", async () => {
  await using model = scriptedEndpoint("openai", { text: "Done." });
  using temp = placeWith(model, { isTrusted: false });
  assertEquals((await temp.json(TASK)).error.code, "UNTRUSTED");
  const { out, code } = await ended(temp.spawn([...TASK, "--json"], {
    env: { AGENTX_DEPTH: "4", AGENTX_TRUST: "1", CI: "true" },
  }));
  assertEquals([out, code, model.asked.length], ["", 1, 0]);
});

const MISUSES: [words: string[], code: string, why: string][] = [
  [["run", "engineer", "Do it"], "INVALID_INPUT", "--issue is required"],
  [["run", "engineer", "--issue", "42"], "INVALID_INPUT", "PROMPT is required"],
  [["run", "human", "--issue", "42", "Do it"], "INVALID_INPUT", "no such agent is known here"],
  [["run", "agent-x", "--issue", "42", "Do it"], "INVALID_INPUT", "hub"],
  [["run", "--resume", "engineer-1709035100000-x7y8z9"], "NOT_FOUND", "no transcript"],
  [["run", "--resume", "../../../etc/passwd"], "NOT_FOUND", "no transcript"],
];

for (const [words, code, why] of MISUSES) {
  Deno.test(`agentx ${words.join(" ")}: ${code}`, async () => {
    await using model = scriptedEndpoint("openai", { text: "Done." });
    using temp = placeWith(model);
    const { error } = await temp.json(words);
    assertEquals([error.code, model.asked.length], [code, 0]);
    assert(error.message.includes(why), error.message);
  });
}

Deno.test("agentx run --resume goes on with nothing that came with the repository", async () => {
  await using model = scriptedEndpoint("openai", { text: "Done." });
  using temp = placeWith(model);
  await temp.run(TASK);
  const id = sessionOf(temp);
  const git = (...args: string[]) =>
    new Deno.Command("git", { args: ["-C", temp.root, ...args], stdout: "null" }).output();
  await git("init", "-q");
  await git("add", "-f", `.agentx/state/transcripts/${id}.jsonl`);
  const { error } = await temp.json(["run", "--resume", id, "engineer", "More"]);
  assertEquals([error.code, model.asked.length], ["UNTRUSTED", 1]);
});

Deno.test("agentx run prints every hostile text of a model so that a terminal obeys none of it", async () => {
  const text = "\x1b[31mred\u202e\u200b\r[ESCALATED] \x9b2J";
  await using model = scriptedEndpoint(
    "openai",
    { text, calls: [[text, { path: text }], ["read_file", { path: text }]] },
    { text },
  );
  using temp = placeWith(model);
  const { out, err, code } = await temp.run(TASK);
  assertEquals([code, err], [0, ""]);
  // deno-lint-ignore no-control-regex -- that is what is looked for
  assert(!/[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b\u202e]|^\[ESCALATED\]/m.test(out), out);
  assertEquals(
    new TranscriptFiles(`${temp.root}/.agentx`).read(sessionOf(temp)).end?.exit,
    "complete",
  );
});

Deno.test("run: a session may lower the limits of turns and tokens, and not raise them", async () => {
  using temp = new TempWorkspace();
  const run = async (words: string, env: Record<string, string>) =>
    (await temp.run(["run", "engineer", "--issue", "42", "Do it.", ...words.split(" ")], { env }))
      .err;
  const session = { CLAUDECODE: "1" };
  const refused = /Cannot change the limit of (50 turns|2000000 tokens)/;
  for (const words of ["--max-iterations 51", "--max-tokens 2000001"]) {
    assert(refused.test(await run(words, session)), words);
    assert(!refused.test(await run(words, {})), words);
  }
  assert(!refused.test(await run("--max-iterations 50 --max-tokens 2000000", session)));
});

Deno.test("agentx run: the next model of the role's file works where the first is not there", async () => {
  const asked: string[] = [];
  const words = turnEvents("openai", { text: "Done." });
  const unknown = JSON.stringify({
    error: { code: "model_not_found", message: "The model `nope` does not exist" },
  });
  await using model = new Endpoint(async (request) => {
    const { model } = await request.clone().json();
    asked.push(model);
    return model === "nope"
      ? new Response(unknown, { status: 404 })
      : await streaming(words)(request);
  });
  using temp = placeWith(model);
  temp.write(".github/agents/engineer.agent.md", "---\nmodel: [nope, other]\n---\n");
  const { code, out, err } = await temp.run(TASK);
  assertEquals([code, asked], [0, ["nope", "other"]], out + err);
  assert(err.includes("engineer: the model nope is not available; trying other"), err);
});
