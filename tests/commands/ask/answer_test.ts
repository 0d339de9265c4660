/**
 * `agentx answer`: standing answers, the topics of the settings, and input that is no answer.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import type { Assumption } from "../../../lib/gate/assumption.ts";
import { askWords, DANGEROUS, STRIPE } from "../../gate/samples.ts";
import { TempWorkspace } from "../../temp_workspace.ts";
import { openWorkspaceParts } from "../../../lib/workspace/open.ts";
import { testWithGit } from "../../workspace/temp_repository.ts";

const INTERACTIONS = ".agentx/state/agent-interactions.json";

/** Asks in a session of its own, without waiting. */
async function ask(temp: TempWorkspace, session: string, changes: Record<string, string> = {}) {
  return await temp.run([...askWords({ session, ...changes }), "--no-wait"]);
}

Deno.test("A standing answer answers the next question of its kind, says so, and is taken back", async () => {
  using temp = new TempWorkspace();
  const topic = { topic: "Stripe  environment?" };
  await ask(temp, "s1", topic);
  assertEquals((await temp.run(["answer", "1", "c", "--always"])).code, 0);
  const again = await ask(temp, "s2", { topic: "stripe environment", question: "Which mode?" });
  assertEquals(again.code, 0);
  assert(again.out.includes("is answered by the standing answer of ASK-001: (c) Both"), again.out);
  const { assumptions } = await temp.json(["assumptions"]);
  assertEquals(
    assumptions.map((one: { user_response: string }) => one.user_response),
    [
      `User confirmed option (c): ${STRIPE.options[2]}`,
      `Standing answer of ASK-001: option (c): ${STRIPE.options[2]}`,
    ],
  );
  assertEquals((await temp.run(["answer", "ASK-001", "--take-back"])).code, 0);
  const asked = await ask(temp, "s2", topic); // a standing answer used up no quota
  assertEquals(asked.code, 7);
  const { code, err } = await temp.run(["answer", "ASK-001", "--take-back"]);
  assertEquals(code, 6);
  assert(err.includes("has no standing answer"), err);
});

Deno.test("A human sees the earlier answer to the same question, and a new one supersedes it everywhere", async () => {
  using temp = new TempWorkspace();
  const topic = { topic: "Payments" };
  await ask(temp, "s1", topic);
  await temp.run(["answer", "1", "b"]);
  await ask(temp, "s2", { ...topic, question: "Which currency do we charge in?" });
  await temp.run(["answer", "2", "Euro only"]);
  await ask(temp, "s3", { ...topic, question: STRIPE.question.toUpperCase() });
  const [{ content }] = (await temp.json(["inbox"])).entries;
  assert(
    content.includes(`Answered before, in ASK-001: b) ${STRIPE.options[1]}\n\na) `),
    content,
  );
  const block = JSON.parse(temp.read(INTERACTIONS)).agent_interactions[2].content;
  assert(!block.includes("Answered before"), "the block is what the agent wrote");
  await temp.run(["answer", "3", "c"]);

  const { assumptions } = await temp.json(["assumptions"]);
  assertEquals(
    assumptions.map(({ status, supersededBy }: Assumption) => [status, supersededBy]),
    [["superseded", "ASM-003"], ["confirmed", null], ["confirmed", null]],
  );
  const recall = await temp.run(["memory", "recall", "--agent", "engineer", "--issue", "42"]);
  assert(recall.out.includes("Both (configurable") && recall.out.includes("Euro"), recall.out);
  assert(!recall.out.includes("Production mode"), recall.out);
  const first = await temp.run(["ask", "human", "--id", "1"]);
  assert(first.out.includes("Production mode") && first.out.includes("ASK-003"), first.out);
});

Deno.test("A late answer supersedes the later answer to the same question, a fallback never does", async () => {
  using temp = new TempWorkspace();
  const gate = await (await openWorkspaceParts({ root: temp.root })).gate();
  const askBriefly = async (session: string) => {
    const { id } = await gate.ask({ ...STRIPE, session }, { timeout: "1ms" });
    while ((await gate.get(id)).status === "pending");
  };
  const states = () => gate.assumptions.list().map((one) => `${one.clarificationId} ${one.status}`);
  await askBriefly("s1");
  await askBriefly("s2");
  await gate.answer("ASK-002", "b");
  await askBriefly("s3");
  assertEquals(states(), [
    "ASK-001 superseded",
    "ASK-002 superseded",
    "ASK-002 confirmed",
    "ASK-003 open",
  ]);
  await gate.answer("ASK-001", "b");
  assertEquals(states().filter((one) => !one.endsWith("superseded")), ["ASK-001 confirmed"]);
  const recall = await temp.run(["memory", "recall", "--agent", "engineer", "--issue", "42"]);
  assertEquals(recall.out.split("Production mode").length, 2, recall.out);
});

Deno.test("A standing answer is for identical options, the same blocker and topic", async () => {
  using temp = new TempWorkspace();
  await ask(temp, "s1");
  await temp.run(["answer", "1", "c", "--always"]);
  const others: Record<string, string>[] = [
    { "blocker-type": "mutually_exclusive_requirements" },
    { topic: "Another one" },
    { option: "Neither" },
  ];
  for (const [index, changes] of others.entries()) {
    const { code } = await ask(temp, `t${index}`, changes);
    assertEquals(code, 7, JSON.stringify(changes));
    await temp.run(["answer", `${index + 2}`, "a"]);
  }
});

Deno.test("A decision about security is never answered by a standing answer", async () => {
  using temp = new TempWorkspace();
  await ask(temp, "s1", DANGEROUS);
  const { code, err } = await temp.run(["answer", "1", "a", "--always", "--json"], {
    terminal: true,
  });
  assertEquals([code, JSON.parse(err).error.details.reasons], [6, ["standing_security"]]);
  assertEquals(JSON.parse(temp.read(INTERACTIONS)).agent_interactions[0].status, "pending");
  const text = await temp.run(["answer", "1", "In words", "--always", "--json"]);
  assertEquals(text.code, 6);
});

Deno.test("gate.neverAsk refuses a topic, gate.alwaysAsk asks about it whatever the phase, and both are logged", async () => {
  using temp = new TempWorkspace({ config: { gate: { alwaysAsk: ["pricing"] } } });
  temp.user.configure({ gate: { neverAsk: ["test framework"] } });
  const never = await ask(temp, "s1", { topic: "Which Test-Framework to use" });
  assertEquals(never.code, 6);
  assert(never.err.includes("gate.neverAsk lists this topic"), never.err);
  const always = { topic: "Pricing, of refunds", phase: "qa", "blocker-type": "style" };
  for (const id of ["1", "2"]) {
    assertEquals((await ask(temp, "s1", always)).code, 7);
    assertEquals((await temp.run(["answer", id, "a"])).code, 0);
  }
  const lacking = await ask(temp, "s1", { ...always, "codebase-search": "-" });
  assertEquals(lacking.code, 6);
  const [name] = [...Deno.readDirSync(`${temp.root}/.agentx/log`)].map((entry) => entry.name);
  const log = temp.read(`.agentx/log/${name}`);
  assert(log.includes('"newState":"gate.never_ask"'), log);
  assert(log.includes('"newState":"gate.always_ask"'), log);
  assert(log.includes('"newState":"refused:never_ask"'), log);
  assert(!log.includes("refunds"), log);
});

const BAD: [words: string[], code: number, why: string][] = [
  [["answer", "1", "d"], 2, "there is no such option; there are a, b, c"],
  [["answer", "1", "(z)"], 2, "there is no such option"],
  [["answer", "1", "a", "b"], 2, "unexpected"],
  [["answer", "1", "a", "--decline"], 2, "does not go with"],
  [["answer", "1", " "], 2, "blank"],
  [["answer", "1", "x".repeat(2_001)], 2, "2000 characters, not 2001"],
  [["answer", "1"], 2, "is required"],
  [["answer"], 2, "is required"],
  [["answer", "2", "a"], 4, "ASK-001 is waiting for an answer"],
  [["answer", "CLR-42-001", "a"], 4, "no such clarification"],
  [["answer", "CLR-42-001", "--decline"], 2, "--decline does not go with CLR-42-001"],
  [["answer", "1", "a", "--round", "2"], 2, "--round does not go with ASK-001"],
  [["answer", "nonsense", "a"], 2, "must look like CLR-42-001, ASK-001, ASM-001, GRD-001"],
  [["ask-user", "--id", "ASK-009"], 4, "no such question"],
  [["assumptions", "confirm", "1"], 4, "no such assumption"],
];

for (const [words, code, why] of BAD) {
  const title = words.map((word) => word.slice(0, 12)).join(" ");
  Deno.test(`${title} is refused with ${code}, and changes nothing`, async () => {
    using temp = new TempWorkspace();
    await ask(temp, "s1");
    const before = temp.read(INTERACTIONS);
    const ran = await temp.run(words);
    assertEquals([ran.code, ran.out], [code, ""], ran.err);
    assert(ran.err.includes(why), ran.err);
    assertEquals(temp.read(INTERACTIONS), before);
  });
}

const WRONG: [changes: Record<string, string | undefined>, why: string][] = [
  [{ fallback: "d" }, "it is not one of the options a, b, c"],
  [{ fallback: "Test mode" }, "it is not one of the options"],
  [{ risk: "terrible" }, "it must begin with one of high, medium, low"],
  [{ confidence: "sure" }, "it must be one of high, medium, low"],
  [{ because: "." }, "it is empty"],
  [{ question: undefined }, "QUESTION is required"],
  [{ phase: undefined }, "--phase is required"],
  [{ phase: undefined, risk: undefined }, "--phase, --risk are required"],
  [{ from: "nobody-here" }, "no such agent is known here"],
  [{ from: undefined }, "--from is required"],
  [{ timeout: "5 minutes" }, "must be a time such as 90s"],
  [{ timeout: "0s" }, "must be a time such as 90s"],
  [{ option: STRIPE.options[0].toUpperCase() }, "it is given twice"],
];

for (const [changes, why] of WRONG) {
  Deno.test(`ask-user refuses ${Object.entries(changes)[0].join(": ")}`, async () => {
    using temp = new TempWorkspace();
    const { code, err } = await temp.run(askWords(changes));
    assertEquals(code, 2, err);
    assert(err.includes(why), err);
    assert(!temp.has(INTERACTIONS));
  });
}

Deno.test("A question of 10 MB is refused, also in a block", async () => {
  using temp = new TempWorkspace();
  const huge = "x ".repeat(5_000_000);
  const words = ["ask-user", "-i", "42", "--from", "pm"];
  const prose =
    `## PM Status: NEEDS_CLARIFICATION\n**Question:** ${huge}\n**Options:**\na) x\nb) y\n`;
  for (
    const run of [
      temp.run([...askWords({ question: "-" })], { stdin: huge }),
      temp.run([...words, "--block", "-"], { stdin: prose }),
      temp.run([...words, "--block", "-"], { stdin: "\n".repeat(10_000_000) }),
      temp.run([...words, "--block", "-"], { stdin: `{ "question": "${huge}" }` }),
    ]
  ) {
    const { code, err } = await run;
    assertEquals(code, 2);
    assert(err.length < 1_000, err.slice(0, 100));
  }
  assert(!temp.has(INTERACTIONS));
});

for (const name of ["agent-interactions", "assumptions"]) {
  Deno.test(`A newer or damaged ${name}.json is refused, and left as it is`, async () => {
    using temp = new TempWorkspace();
    temp.user.hasOneSecond();
    await temp.run(askWords());
    const path = `.agentx/state/${name}.json`;
    const list = name === "assumptions" ? "assumptions_made" : "agent_interactions";
    for (
      const [text, code] of [
        [JSON.stringify({ version: 2, [list]: [] }), "NEWER_STATE"],
        [JSON.stringify({ version: 1, [list]: [{}] }), "CORRUPT_STATE"],
        ["{", "CORRUPT_STATE"],
      ]
    ) {
      temp.write(path, text);
      for (const words of [["assumptions"], ["answer", "1", "b"], askWords({ session: "s2" })]) {
        const before = temp.snapshot();
        const { error } = await temp.json([...words]);
        assertEquals(error.code, code, words[0]);
        assertEquals(stateOf(temp.snapshot()), stateOf(before));
      }
    }
  });
}

/** Without the log, in which a refusal stands. */
function stateOf(snapshot: Record<string, string>) {
  return Object.entries(snapshot).filter(([path]) => !path.startsWith("/.agentx/log"));
}

Deno.test("A question that has ended is neither answered nor declined again, in plain words", async () => {
  using temp = new TempWorkspace();
  await ask(temp, "s1");
  await temp.run(["answer", "1", "a"]);
  const declined = await temp.run(["answer", "1", "--decline"]);
  assertEquals(declined.code, 6);
  assert(declined.err.includes("Cannot decline ASK-001: a human has answered it"), declined.err);
  const again = await temp.run(["answer", "1", "b"]);
  assert(again.err.includes("Take that answer back first: agentx undo OP"), again.err);
});

testWithGit("What git tracks was asked of nobody here: it is refused", async () => {
  using temp = new TempWorkspace();
  await temp.run([...askWords(), "--no-wait"]);
  await track(temp, INTERACTIONS);
  for (const words of [["answer", "1", "a"], askWords({ session: "s2" })]) {
    const { error } = await temp.json([...words]);
    assertEquals(error.code, "UNTRUSTED");
  }
});

testWithGit("What git tracks was assumed by nobody here: it is refused", async () => {
  using temp = new TempWorkspace();
  await temp.run([...askWords(), "--no-wait"]);
  await temp.run(["answer", "1", "a"]);
  await track(temp, ".agentx/state/assumptions.json");
  const before = temp.read(".agentx/state/assumptions.json");
  for (
    const words of [["assumptions"], ["assumptions", "revert", "1"], askWords({ session: "s2" })]
  ) {
    const { error } = await temp.json([...words]);
    assertEquals(error.code, "UNTRUSTED");
  }
  assertEquals(temp.read(".agentx/state/assumptions.json"), before);
  const { out, err } = await temp.run(["digest"]);
  assert(!out.includes("Test mode"), out);
  assert(err.includes("it came from elsewhere"), err);
});

Deno.test("An assumption that came with a copy is confirmed by nobody here, and is not remembered", async () => {
  using temp = new TempWorkspace();
  const add = ["assumptions", "add", "--from", "engineer", "-i", "42", "--because", "it is usual"];
  await temp.run([...add, "--risk", "low", "Every ledger is kept plain"]);
  temp.write(".agentx/state/birth", `${"0123456789abcdef".repeat(2)}\n`);
  await temp.run([...add, "--risk", "low", "Retries are 3 for each request"]);
  const before = JSON.parse(temp.read(".agentx/state/assumptions.json")).assumptions_made;
  assertEquals(before.map(({ id }: { id: string }) => id), ["ASM-001", "ASM-002"]);
  for (const how of ["confirm", "revert"]) {
    assertEquals((await temp.run(["assumptions", how, "ASM-001"])).code, 4);
  }
  assertEquals((await temp.run(["assumptions", "confirm", "ASM-002"])).code, 0);
  const [foreign] = JSON.parse(temp.read(".agentx/state/assumptions.json")).assumptions_made;
  assertEquals(foreign, before[0]);
  assertEquals((await temp.json(["memory", "search", "ledger"])).observations, []);
});

async function track(temp: TempWorkspace, path: string): Promise<void> {
  for (const args of [["init"], ["add", "-f", path]]) {
    await new Deno.Command("git", { args, cwd: temp.root, stdout: "null", stderr: "null" })
      .output();
  }
}

Deno.test("answer takes an option in the words of the documents, with what is said beside it", async () => {
  for (
    const [said, text] of [
      ["Use option c", STRIPE.options[2]],
      ["option C", STRIPE.options[2]],
      ["Use option c - with the test keys", `${STRIPE.options[2]} - with the test keys`],
    ]
  ) {
    using temp = new TempWorkspace();
    await ask(temp, "s1");
    assertEquals((await temp.run(["answer", "1", said])).code, 0);
    const { interaction } = await temp.json(["ask-user", "--id", "ASK-001"]);
    assertEquals(interaction.decision, { label: "c", text });
  }
});
