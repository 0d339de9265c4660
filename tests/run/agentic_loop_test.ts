import { assert, assertEquals } from "@std/assert";
import type { LoopTool } from "../../lib/run/tool.ts";
import type { LoopTranscript } from "../../lib/run/transcript.ts";
import { refusal } from "../refusal.ts";
import { LoopPlace, QUESTION, ScriptedModel, TASK } from "./loop_place.ts";
import type { ScriptedTurn } from "./scripted_turns.ts";

const ASKS: ScriptedTurn[] = [
  { calls: [["request_clarification", QUESTION]] },
  { text: "PostgreSQL it is. Now the adapter." },
];

const ARCHITECT = { architect: () => Promise.resolve("PostgreSQL. It is in ADR-1. More follows.") };

/** A tool of the calling program. */
function foreign(run: LoopTool["run"], isIdempotent?: boolean): LoopTool {
  const input = { type: "object", properties: {}, required: [] } as const;
  return { name: "deploy", description: "Deploys", input, isIdempotent, run };
}

/** A loop that was cut off while its one call of `deploy` ran. */
async function cutOff(place: LoopPlace): Promise<string> {
  const stop = new AbortController();
  const tools = [foreign(() => {
    stop.abort(new Error("killed"));
    return Promise.reject(new Error("killed"));
  })];
  const { id, exit } = await place.run([{ calls: [["deploy", {}]] }], {
    tools,
    signal: stop.signal,
  });
  assertEquals(exit, "abort");
  return id;
}

Deno.test("AgenticLoop takes the answer of an earlier run, until a file that it names has changed", async () => {
  let runs = 0;
  const architect = () => Promise.resolve(`PostgreSQL, as docs/adr.md says. Run ${++runs}.`);
  using place = new LoopPlace();
  place.temp.write("docs/adr.md", "PostgreSQL");
  const past = new Date(Date.now() - 60_000);
  Deno.utimeSync(`${place.temp.root}/docs/adr.md`, past, past);
  const again = { ...QUESTION, question: ` ${QUESTION.question.toUpperCase()}` };
  for (const question of [QUESTION, again]) {
    const script = [
      { calls: [["request_clarification", question]] as const },
      { text: "Thanks, clear." },
    ];
    const { id } = await place.run(script, { agents: { architect } });
    const [, turn] = place.transcript(id).turns as { calls: { result: string }[] }[] & object;
    const { result } = turn.calls[0];
    assert(result.endsWith("(CLR-42-001):\nPostgreSQL, as docs/adr.md says. Run 1."), result);
  }
  assertEquals([runs, (await place.open()).ledger.getByIssue(42).length], [1, 1]);
  const future = new Date(Date.now() + 60_000);
  Deno.utimeSync(`${place.temp.root}/docs/adr.md`, future, future);
  await place.run([{ calls: [["request_clarification", QUESTION]] }, { text: "Done." }], {
    agents: { architect },
  });
  assertEquals(runs, 2);
});

Deno.test("AgenticLoop begins no more clarifications than clarifyMaxRounds", async () => {
  let runs = 0;
  const agents = { architect: () => Promise.resolve(`Answer ${++runs}.`) };
  using place = new LoopPlace();
  const script: ScriptedTurn[] = Array.from({ length: 6 }, (_, n) => ({
    calls: [["request_clarification", { ...QUESTION, question: `Question ${n}?` }]],
  }));
  const options = { agents, clarifyMaxRounds: 3 };
  const { id } = await place.run([...script, { text: "Done." }], options);
  assertEquals(runs, 3);
  assert(JSON.stringify(place.transcript(id)).includes("asked 3 questions, and the limit is 3"));
});

Deno.test("AgenticLoop ends after the same call was refused in three turns, and resumes with a prompt", async () => {
  const agents = { architect: () => Promise.resolve("PostgreSQL.") };
  using place = new LoopPlace();
  const ask = (question: string): ScriptedTurn => ({
    calls: [["request_clarification", { ...QUESTION, question }]],
  });
  const model = new ScriptedModel([ask("Which?")]);
  const loop = await place.loop({ model, agents, clarifyMaxRounds: 2 });
  const { id, exit, text, iterations } = await loop.start(TASK);
  assertEquals([exit, iterations], ["stuck", 5]);
  assert(text.includes("asked 2 questions, and the limit is 2"), text);
  assertEquals((await loop.resume(id)).iterations, 5);
  const done = await place.loop({ script: [{ text: "Done." }], agents });
  assertEquals((await done.resume(id, { prompt: "Assume SQLite." })).exit, "complete");
});

Deno.test("AgenticLoop lets a model go on that does something else between refusals, or is refused at once", async () => {
  using place = new LoopPlace();
  const refused = (name: string) => [name, {}] as const;
  const report = await place.run([
    { calls: [refused("a"), refused("a"), refused("a")] },
    { calls: [refused("a")] },
    { calls: [["issue_list", {}], refused("a")] },
    { calls: [refused("a")] },
    { calls: [refused("b")] },
    { calls: [refused("a")] },
    { text: "Done." },
  ]);
  assertEquals([report.exit, report.iterations], ["complete", 7]);
});

Deno.test("AgenticLoop tells of its tools, its end and the hand-over as events", async () => {
  using place = new LoopPlace();
  const workspace = await place.open();
  const heard: unknown[] = [];
  for (const name of ["agent-started", "agent-completed", "tool-invoked"] as const) {
    workspace.events.on(name, ({ agent, issueNumber, sessionId, ...event }) => {
      assert(agent.startsWith("engineer@run-") && issueNumber === 42);
      heard.push([name, sessionId, ...("tool" in event ? [event.tool, event.status] : [])]);
    });
  }
  workspace.events.on("handoff-triggered", ({ fromAgent, toAgent, sessionId }) => {
    heard.push([fromAgent.split("@")[0], toAgent, sessionId]);
  });
  const { AgenticLoop } = await import("../../lib/run/agentic_loop.ts");
  const model = new ScriptedModel([{ calls: [["deploy", {}]] }, { text: "Done." }]);
  const tools = [foreign(() => Promise.reject(new Error("no network")))];
  const { id } = await new AgenticLoop(workspace, { model, tools }).start(TASK);
  assertEquals(heard, [
    ["agent-started", id],
    ["tool-invoked", id, "deploy", "running"],
    ["tool-invoked", id, "deploy", "error"],
    ["agent-completed", id],
    ["engineer", "reviewer", id],
  ]);
});

Deno.test("AgenticLoop: one or two sentences stand for a settled clarification in the context", async () => {
  using place = new LoopPlace();
  const model = new ScriptedModel([...ASKS.slice(0, 1), { calls: [["issue_list", {}]] }, {}]);
  await (await place.loop({ model, agents: ARCHITECT })).start(TASK);
  const texts = model.asked.map(({ messages }) => messages.map(({ text }) => text));
  assert(texts[1].at(-1)!.includes("More follows."));
  const summary = '[CLR-42-001 settled, "Database layer"] architect: PostgreSQL. It is in ADR-1.';
  assert(texts[2].includes(summary), JSON.stringify(texts[2]));
  assert(!JSON.stringify(texts[2]).includes("More follows."));
});

Deno.test("AgenticLoop: asking again is the next round; the round too many is escalated with its summary", async () => {
  using place = new LoopPlace();
  const again = { ...QUESTION, clarification_id: "CLR-42-001" };
  const script = [
    ASKS[0],
    ...[1, 2, 3].map((round): ScriptedTurn => ({
      calls: [["request_clarification", { ...again, question: `Round ${round}?` }]],
    })),
  ];
  const options = { agents: ARCHITECT, clarifyMaxRounds: 2 };
  const { id, exit, text } = await place.run(script, options);
  assertEquals(exit, "escalated");
  assert(text.includes("Refused question: Round 2?"), text);
  const resume = async () => await (await place.loop({ script, ...options })).resume(id);
  assertEquals((await resume()).exit, "escalated");
  const router = await (await place.open()).router();
  const decision = { clarificationId: "CLR-42-001", resolutionBody: "Take MySQL.", by: "human" };
  await router.resolveClarification(decision);
  await (await place.loop({ script: [{ text: "MySQL." }], ...options })).resume(id);
  const { calls } = place.transcript(id).turns[3] as { calls: { result: string }[] } & object;
  assert(calls.at(-1)!.result.includes("Take MySQL."), JSON.stringify(calls));
});

Deno.test("AgenticLoop: a model that calls no tool says it in a line of its text", async () => {
  using place = new LoopPlace();
  const text = "Let me see.\nCLARIFY architect [Database layer]: PostgreSQL or SQLite?\n";
  const { exit } = await place.run([{ text }, { text: "Done." }], { agents: ARCHITECT });
  const { ledger } = await place.open();
  const [{ topic, to, thread }] = ledger.getByIssue(42);
  assertEquals([exit, topic, to], ["complete", "Database layer", "architect"]);
  assertEquals(thread[0].body, "PostgreSQL or SQLite?");
});

Deno.test("AgenticLoop: the signal in a text can be another, and means the first agent by itself", async () => {
  using place = new LoopPlace();
  const ambiguitySignal = /\bUNCLEAR: (?<question>.+)/g;
  const script = [{ text: "UNCLEAR: which database?" }, { text: "Done." }];
  await place.run(script, { agents: ARCHITECT, ambiguitySignal, canClarify: ["architect"] });
  const [{ topic, to }] = (await place.open()).ledger.getByIssue(42);
  assertEquals([topic, to], ["which database?", "architect"]);
});

Deno.test("AgenticLoop: onClarificationNeeded is asked in place of the hub, once for each call", async () => {
  using place = new LoopPlace();
  const asked: string[][] = [];
  const { id, exit, clarifications } = await place.run(ASKS, {
    onClarificationNeeded: (topic, question, { to, callId }) => {
      asked.push([topic, question, to, callId.split(".")[1]]);
      return Promise.resolve({ status: "answered", clarificationId: "X-1", text: "SQLite." });
    },
  });
  assertEquals([exit, clarifications], ["complete", ["X-1"]]);
  assertEquals(asked, [["Database layer", "PostgreSQL or SQLite?", "architect", "1"]]);
  const [{ summary }] = place.transcript(id).settled;
  assertEquals(summary, "[X-1 settled] Answer of architect (X-1): SQLite.");
});

Deno.test("AgenticLoop: a question out of scope is told to the model, and nothing is written", async () => {
  using place = new LoopPlace();
  const question = { ...QUESTION, to: "tester" };
  const { exit } = await place.run([{ calls: [["request_clarification", question]] }, {}], {
    canClarify: ["tester"],
  });
  const failed = place.steps.find(({ kind }) => kind === "failed");
  assert(exit === "complete" && JSON.stringify(failed).includes("Cannot ask tester as engineer"));
  assertEquals((await place.open()).ledger.getByIssue(42), []);
});

Deno.test("AgenticLoop: a foreign call that was cut off is not made again, and its outcome is unknown", async () => {
  using place = new LoopPlace();
  const id = await cutOff(place);
  assertEquals(place.transcript(id).end?.exit, "abort");
  const script = [{ calls: [["deploy", {}]] as const }, { text: "Looking first." }];
  const tools = [foreign(() => Promise.reject(new TypeError("must not be called")))];
  const model = new ScriptedModel(script);
  const { exit } = await (await place.loop({ model, tools })).resume(id);
  const result = model.asked[0].messages.at(-1);
  assert(exit === "complete" && result?.role === "tool" && result.isError);
  assert(result.text.startsWith("The outcome of this call is unknown"), result.text);
});

Deno.test("AgenticLoop: a foreign call that is declared idempotent is made again", async () => {
  using place = new LoopPlace();
  const id = await cutOff(place);
  const ids: string[] = [];
  const tools = [foreign((_, { callId }) => {
    ids.push(callId);
    return Promise.resolve("deployed");
  }, true)];
  const script = [{ calls: [["deploy", {}]] as const }, { text: "Done." }];
  const { exit } = await (await place.loop({ script, tools })).resume(id);
  assertEquals([exit, ids], ["complete", [`${id}.1`]]);
});

Deno.test("AgenticLoop: a session that is complete goes on with another task only", async () => {
  using place = new LoopPlace();
  const { id } = await place.run([{ text: "Done." }]);
  const loop = await place.loop({ script: [{}, { text: "More is done." }] });
  const error = await refusal("INVALID_INPUT", () => loop.resume(id));
  assert(error.message.includes("it is complete"), error.message);
  const { exit, text } = await loop.resume(id, { prompt: "And the tests." });
  assertEquals([exit, text], ["complete", "More is done."]);
});

const DAMAGED: [what: string, change: (file: LoopTranscript) => unknown, code: string][] = [
  ["of a newer version", (file) => ({ ...file, version: 2 }), "NEWER_STATE"],
  [
    "of another session",
    (file) => ({ ...file, id: "tester-1709035100000-x7y8z9" }),
    "CORRUPT_STATE",
  ],
  ["without a task", (file) => ({ ...file, turns: [] }), "CORRUPT_STATE"],
  ["with a call that is done without a result", (file) => {
    const call = { number: 1, tool: "x", input: {}, state: "done", begunAt: null, result: null };
    const calls = [{ ...call, isError: false, clarificationId: null }];
    return { ...file, turns: [...file.turns, { role: "assistant", text: "", at: "", calls }] };
  }, "CORRUPT_STATE"],
];

for (const [what, change, code] of DAMAGED) {
  Deno.test(`AgenticLoop.resume() refuses a transcript ${what}, and leaves it as it is`, async () => {
    using place = new LoopPlace();
    const { id } = await place.run([{ text: "Done." }]);
    const text = `${JSON.stringify(change(place.transcript(id)))}\n`;
    place.temp.write(place.path(id), text);
    await refusal(
      code as "CORRUPT_STATE",
      async () => await (await place.loop({})).resume(id, { prompt: "More." }),
    );
    assertEquals(place.temp.read(place.path(id)), text);
  });
}

Deno.test("AgenticLoop.resume() refuses a transcript that was half written, or is about another issue", async () => {
  using place = new LoopPlace();
  const { id } = await place.run([{ text: "Done." }]);
  const more = { prompt: "More.", issueNumber: 43 };
  const other = await refusal(
    "INVALID_INPUT",
    async () => await (await place.loop({})).resume(id, more),
  );
  assert(other.message.includes("is about #42"), other.message);
  const text = place.temp.read(place.path(id));
  place.temp.write(place.path(id), text.slice(0, text.length / 2));
  await refusal("CORRUPT_STATE", async () => await (await place.loop({})).resume(id));
});

Deno.test("AgenticLoop.resume() goes on before a step that was cut off", async () => {
  using place = new LoopPlace();
  const { id } = await place.run([{ text: "Done." }]);
  const path = place.path(id);
  const text = place.temp.read(path);
  place.temp.write(path, text + '{"turn":{"role":"assist');
  const loop = await place.loop({ script: [{}, { text: "More is done." }] });
  assertEquals((await loop.resume(id, { prompt: "More." })).exit, "complete");
  assertEquals(place.temp.read(path).startsWith(text + '{"issueNumber":42,'), true);
});

Deno.test("AgenticLoop.resume() names the line of a step that is damaged", async () => {
  using place = new LoopPlace();
  const { id } = await place.run([{ text: "Done." }]);
  const [first, ...rest] = place.temp.read(place.path(id)).split("\n");
  place.temp.write(place.path(id), [first, "{ broken", ...rest].join("\n"));
  const { details } = await refusal(
    "CORRUPT_STATE",
    async () => await (await place.loop({})).resume(id, { prompt: "More." }),
  );
  assertEquals(details.line, 2);
});

Deno.test("AgenticLoop writes each thing that was said once", async () => {
  using place = new LoopPlace();
  const long = "We keep one file per issue. ".repeat(200);
  const tools = [foreign(() => Promise.resolve(long))];
  const script: ScriptedTurn[] = Array.from({ length: 12 }, () => ({ calls: [["deploy", {}]] }));
  const { id } = await place.run([...script, { text: "Done." }], { tools });
  const written = place.temp.read(place.path(id)).length;
  assert(written < 1.5 * JSON.stringify(place.transcript(id)).length, `${written} bytes`);
});

Deno.test("AgenticLoop.resume(): one process at a time is at a session", async () => {
  using place = new LoopPlace();
  const { id } = await place.run([{ text: "Done." }]);
  let second: Promise<unknown> | undefined;
  const tools = [foreign(async () => {
    const other = await place.loop({});
    second = refusal("LOCK_TIMEOUT", () => other.resume(id));
    await second;
    return "done";
  })];
  const script = [{}, { calls: [["deploy", {}]] as const }, { text: "Done." }];
  const { exit } = await (await place.loop({ script, tools })).resume(id, { prompt: "More." });
  assertEquals([exit, second !== undefined], ["complete", true]);
});

Deno.test("AgenticLoop compacts older turns at three quarters of the context, and keeps the task", async () => {
  using place = new LoopPlace();
  const long = "We decided to keep one JSON file per issue. " +
    "It reads a lot of text here. ".repeat(60);
  const tools = [foreign(() => Promise.resolve(long))];
  const calls = [["deploy", {}]] as const;
  const script = [...Array(12).fill({ text: "Decision: pools are configured.", calls }), {
    text: "Done.",
  }];
  let asked = 0;
  const model = new ScriptedModel(script);
  const respond = {
    name: "x",
    respond: (request: Parameters<typeof model.respond>[0]) => {
      model.asked.push(structuredClone({ ...request, signal: undefined }));
      const { text = "", calls = [] } = script[Math.min(asked++, script.length - 1)];
      return Promise.resolve({
        text,
        calls: calls.map(([name, input]: [string, object]) => ({
          id: "1",
          name,
          input: input as Record<string, unknown>,
        })),
      });
    },
  };
  const workspace = await place.loop({ model: respond, tools, contextTokens: 6_000 });
  const { exit, context } = await workspace.start(TASK);
  const compacted = place.steps.filter(({ kind }) => kind === "compacted");
  assert(exit === "complete" && compacted.length > 0, JSON.stringify(place.steps));
  assert(context.totalTokens < context.limit, JSON.stringify(context));
  const [first] = model.asked.at(-1)!.messages;
  assert(first.text.startsWith(TASK.prompt), first.text);
  assert(first.text.includes("### Decisions"), first.text);
});

Deno.test("AgenticLoop ends where even its newest turn does not fit into the context", async () => {
  using place = new LoopPlace();
  const tools = [foreign(() => Promise.resolve("A lot of text. ".repeat(3_000)))];
  const { exit } = await place.run([{ calls: [["deploy", {}]] }, { text: "Done." }], {
    tools,
    contextTokens: 4_000,
  });
  assertEquals(exit, "budget");
});

Deno.test("AgenticLoop remembers what its session learned, and recalls what earlier ones did", async () => {
  using place = new LoopPlace();
  const text =
    "Decision: the pool size comes from POOL_SIZE in the configuration of each environment.";
  const { id } = await place.run([{ text }]);
  const memory = await (await place.open()).memory();
  const observations = await memory.store.getByIssue(42);
  assert(observations.some(({ content }) => content.includes("POOL_SIZE")));
  assertEquals([...new Set(observations.map(({ sessionId }) => sessionId))], [id]);
  const workspace = await place.open();
  const told: (string | undefined)[] = [];
  workspace.events.on("thinking-log", ({ detail }) => told.push(detail));
  const { AgenticLoop } = await import("../../lib/run/agentic_loop.ts");
  const model = new ScriptedModel([{ text: "Done." }]);
  const { context } = await new AgenticLoop(workspace, { model }).start(TASK);
  assert(
    /^Memory recall displaced [1-9]\d* tokens of manual re-read$/.test(told[0] ?? ""),
    told[0],
  );
  assert(context.recalledTokens > 0 && context.freshTokens > 0, JSON.stringify(context));
});

Deno.test("AgenticLoop keeps no secret in its transcript, and sends none to the model", async () => {
  using place = new LoopPlace();
  const secret = "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a";
  place.temp.write("docs/notes.md", `The token is ${secret}.\n`);
  const model = new ScriptedModel([{ calls: [["read_file", { path: "docs/notes.md" }]] }, {}]);
  const { id } = await (await place.loop({ model })).start({
    ...TASK,
    prompt: `Use ${secret} for it.`,
  });
  for (const text of [place.temp.read(place.path(id)), JSON.stringify(model.asked)]) {
    assert(!text.includes(secret), text);
    assert(text.includes("redacted"), text);
  }
});

Deno.test("AgenticLoop: where its step may not wait, a question is asked and the work goes on", async () => {
  using place = new LoopPlace();
  const path = ".agentx/workflows/story.toml";
  const rules = place.temp.read(path).replaceAll(
    /^clarify_blocking_allowed = .*$/gm,
    "",
  ).replaceAll(/^can_clarify = .*$/gm, "$&\nclarify_blocking_allowed = false");
  place.temp.write(path, rules);
  const { exit } = await place.run([...ASKS.slice(0, 1), { text: "I assume PostgreSQL." }]);
  const [{ status, blocking }] = (await place.open()).ledger.getByIssue(42);
  assertEquals([exit, status, blocking], ["complete", "pending", false]);
});

Deno.test("AgenticLoop refuses more rounds than the workflow has, before anybody is asked", async () => {
  using place = new LoopPlace();
  const model = new ScriptedModel([{ text: "Done." }]);
  const loop = await place.loop({ model, clarifyMaxRounds: 99 });
  await refusal("INVALID_INPUT", () => loop.start(TASK));
  assert(!place.temp.has(".agentx/state/agent-status.json"), "nobody is at work");
  assertEquals(model.asked, []);
});

Deno.test("AgenticLoop.resume() follows its issue to the number that it has now", async () => {
  using place = new LoopPlace();
  const uid = "0f3c5e7a9b1d2f40";
  const issue = (number: number, uid: string) =>
    place.temp.write(
      `.agentx/issues/${number}.json`,
      JSON.stringify({ number, uid, title: "Health endpoint", labels: ["type:story"] }),
    );
  issue(42, uid);
  const { id } = await place.run([{ text: "Done." }]);
  issue(42, "ffffffffffffffff");
  issue(43, uid);
  const loop = await place.loop({ script: [{}, { text: "Done." }] });
  assertEquals((await loop.resume(id, { prompt: "More." })).issueNumber, 43);
});

Deno.test("AgenticLoop: a question beyond the turns of its issue is escalated with its summary", async () => {
  using place = new LoopPlace();
  place.temp.write(".agentx/config.json", JSON.stringify({ clarify: { maxTurns: 2 } }));
  const again = { ...QUESTION, clarification_id: "CLR-42-001" };
  const script = [ASKS[0], { calls: [["request_clarification", again]] as const }];
  const { exit, text } = await place.run(script, { agents: ARCHITECT });
  assertEquals(exit, "escalated");
  assert(text.includes("the limit of 2 turns"), text);
});
