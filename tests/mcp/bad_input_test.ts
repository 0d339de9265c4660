/**
 * What a client, an agent or a repository may hand in: nothing of it ends the server, and nothing of it
 * is shown with an effect.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { sampleRecord } from "../clarify/samples.ts";
import { TempWorkspace } from "../temp_workspace.ts";
import { ASK_HUMAN, ERAS, McpClient, QUESTION } from "./mcp_client.ts";

const TEXTS: string[] = Deno
  .readTextFileSync(new URL("../fixtures/hostile_text.jsonl", import.meta.url))
  .trim().split("\n").map((row) => JSON.parse(row).text);

/** Whatever a terminal would obey or hide, but for the end of a line; and the marks of a turn. */
const UNSAFE = new RegExp(
  String.raw`[\x00-\x09\x0b-\x1f\x7f-\x9f\xad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f` +
    String.raw`\ufeff\ud800-\udfff\u{e0000}-\u{e007f}]|<\|im_`,
  "u",
);

const BAD: readonly [tool: string, args: Record<string, unknown>, field: string][] = [
  ["clarify_ask", {}, "to"],
  ["clarify_ask", { ...QUESTION, issue: 0 }, "issue"],
  ["clarify_ask", { ...QUESTION, issue: "../etc" }, "issue"],
  ["clarify_ask", { ...QUESTION, issue: 1.5 }, "issue"],
  ["clarify_ask", { ...QUESTION, issue: undefined }, "--issue"],
  ["clarify_ask", { ...QUESTION, from: undefined }, "--from"],
  ["clarify_ask", { ...QUESTION, from: "human" }, "--as"],
  ["clarify_ask", { ...QUESTION, to: ["architect"] }, "to"],
  ["clarify_ask", { ...QUESTION, topic: "" }, "topic"],
  ["clarify_ask", { ...QUESTION, question: "x".repeat(2_001) }, "question"],
  ["clarify_ask", { ...QUESTION, question: "x".repeat(2_000_000) }, "question"],
  ["clarify_ask", { ...QUESTION, question: "half \ud800 a pair" }, "question"],
  ["clarify_ask", { ...QUESTION, nonBlocking: "yes" }, "nonBlocking"],
  ["clarify_ask", { ...QUESTION, workflow: "feature" }, "workflow"],
  ["clarify_ask", { id: "CLR-1" }, "id"],
  ["clarify_answer", { id: "CLR-42-001" }, "answer"],
  ["clarify_list", { constructor: "x" }, "constructor"],
  ["ask_user", { ...ASK_HUMAN, option: "yes" }, "option"],
  ["ask_user", { ...ASK_HUMAN, option: "abcde".split("") }, "option"],
  ["ask_user", { ...ASK_HUMAN, option: ["one"] }, "options"],
  ["ask_user", { ...ASK_HUMAN, option: ["one", "One"] }, "option"],
  ["ask_user", { ...ASK_HUMAN, fallback: "d" }, "fallback"],
  ["ask_user", { ...ASK_HUMAN, risk: "some" }, "risk"],
  ["ask_user", { ...ASK_HUMAN, confidence: "very" }, "confidence"],
  ["ask_user", { ...ASK_HUMAN, issue: undefined }, "--issue"],
  ["ask_user", { ...ASK_HUMAN, from: undefined }, "--from"],
  ["ask_user", { ...ASK_HUMAN, session: "mine" }, "session"],
  ["ask_user", { ...ASK_HUMAN, question: "x".repeat(2_000_000) }, "question"],
  ["memory_search", { limit: -1 }, "limit"],
  ["memory_note", { agent: "engineer", issue: 1, text: "x", category: "gossip" }, "category"],
  ["ready", { claim: "Engineer!" }, "claim"],
];

for (const era of ERAS) {
  Deno.test(`Bad arguments are errors of the tool, with our codes: ${era}`, async () => {
    using temp = new TempWorkspace();
    await using mcp = await McpClient.connect(temp, { era });
    const before = temp.snapshot();
    for (const [tool, args, field] of BAD) {
      const { isError, code, details, text } = await mcp.call(tool, args);
      const shown = [tool, JSON.stringify(args).slice(0, 100), text].join(" ");
      assertEquals([isError, code, details?.field], [true, "INVALID_INPUT", field], shown);
      assert(text.startsWith("INVALID_INPUT: Cannot "), text);
      assert(text.length < 1_000, `${text.length} characters`);
    }
    assertEquals(temp.snapshot(), before);
    for (const args of ['{ "issue": null, "id": null }', '{ "__proto__": { "issue": "x" } }']) {
      assertEquals((await mcp.call("clarify_list", JSON.parse(args))).isError, false, args);
    }
  });

  Deno.test(`Whatever is refused has the code of the command line: ${era}`, async () => {
    using temp = new TempWorkspace();
    await using mcp = await McpClient.connect(temp, { era });
    const refused: [tool: string, args: Record<string, unknown>, code: string][] = [
      ["clarify_ask", { ...QUESTION, to: "tester" }, "SCOPE_VIOLATION"],
      ["clarify_ask", { id: "CLR-42-009" }, "NOT_FOUND"],
      ["clarify_resolve", { id: "CLR-42-009" }, "NOT_FOUND"],
      ["memory_get", { id: "obs-engineer-42-1709035200000-a1b2c3" }, "NOT_FOUND"],
      ["ready", { claim: "engineer", issue: 9 }, "NOT_FOUND"],
    ];
    for (const [tool, args, expected] of refused) {
      assertEquals((await mcp.call(tool, args)).code, expected, tool);
    }
    temp.write(temp.ledgerPath(42), "{ half");
    assertEquals((await mcp.call("clarify_list", { issue: 42 })).code, "CORRUPT_STATE");
  });

  Deno.test(`Messages that are none do not end the server: ${era}`, async () => {
    using temp = new TempWorkspace();
    await using mcp = await McpClient.connect(temp, { era });
    for (const line of ["", "{", "null", "[]", "42", '{"jsonrpc":"2.0"}', "\u0000", '{"id":{}}']) {
      await mcp.transport.write(`${line}\n`);
    }
    const unknown = mcp.client.callTool({ name: "rm_rf", arguments: {} });
    assertEquals(await unknown.then(() => "called", () => "refused"), "refused");
    assertEquals((await mcp.client.listTools()).tools.length, 10);
  });

  Deno.test(`Nobody is a human through a tool: ${era}`, async () => {
    using temp = new TempWorkspace();
    await using mcp = await McpClient.connect(temp, { era });
    const asked = await mcp.call("clarify_ask", { ...QUESTION, nonBlocking: true });
    assertEquals(asked.structured.status, "pending");
    for (const name of ["clarify_answer", "clarify_resolve", "clarify_escalate"]) {
      const answer = name === "clarify_answer" ? { answer: "Yes." } : {};
      const { code } = await mcp.call(name, { id: "CLR-42-001", as: "human", ...answer });
      assertEquals(code, "INVALID_INPUT", name);
    }
    const answered = await mcp.call("clarify_answer", { id: "CLR-42-001", answer: "Yes." });
    assertEquals(answered.structured.status, "answered");
    assertEquals(temp.ledger().clarifications[0].thread[1].from, "architect");
  });

  Deno.test(`A session of a host acts under its own name, and nobody as another agent: ${era}`, async () => {
    using temp = new TempWorkspace();
    const session = {
      CLAUDECODE: "1",
      CLAUDE_CODE_SESSION_ID: "08385963-14fd-494e-ad64-478b3e3c3f2a",
    };
    {
      await using mcp = await McpClient.connect(temp, { era, env: session });
      await mcp.call("clarify_ask", { ...QUESTION, nonBlocking: true });
      assertEquals(temp.ledger().clarifications[0].from, "engineer@claude-3f2a");
    }
    await using mcp = await McpClient.connect(temp, { era, env: { AGENTX_AGENT: "tester" } });
    for (const [name, given] of [["clarify_ask", QUESTION], ["ask_user", ASK_HUMAN]] as const) {
      assertEquals((await mcp.call(name, given)).code, "INVALID_INPUT", name);
    }
  });

  Deno.test(`No hostile text has an effect in a result: ${era}`, async () => {
    using temp = new TempWorkspace();
    await using mcp = await McpClient.connect(temp, { era });
    for (const text of TEXTS) {
      const entry = { round: 1, from: text, body: text, timestamp: text };
      const types = ["question", "answer", "resolution", "escalation"] as const;
      const thread = types.map((type) => ({ ...entry, type }));
      const record = { ...sampleRecord({ status: "answered", topic: text, thread }), [text]: text };
      const ledger = { issueNumber: 42, clarifications: [record] };
      temp.write(temp.ledgerPath(42), JSON.stringify(ledger));
      for (const args of [{}, { issue: 42 }, { id: "CLR-42-001" }]) {
        const shown = await mcp.call("clarify_list", args);
        assertEquals(shown.isError, false, shown.text);
        assert(!UNSAFE.test(shown.text), JSON.stringify([text, shown.text]));
        assert(!strings(shown.structured).some((each) => UNSAFE.test(each)), JSON.stringify(text));
      }
      const asked = await mcp.call("clarify_ask", { id: "CLR-42-001" });
      assert(!UNSAFE.test(asked.text), JSON.stringify([text, asked.text]));
      const { contents } = await mcp.client.readResource({ uri: "agentx://clarifications/42" });
      assert(!strings(contents).some((each) => UNSAFE.test(each)), JSON.stringify(text));
      const refused = await mcp.call(`clarify_list`, { [text]: text });
      assert(refused.isError && !UNSAFE.test(refused.text), JSON.stringify(refused.text));
    }
  });

  Deno.test(`A question to the human shows no hostile text with an effect: ${era}`, async () => {
    using temp = new TempWorkspace({ config: { gate: { alwaysAsk: ["hostile"] } } });
    await using mcp = await McpClient.connect(temp, {
      era,
      human: () => ({ action: "decline" }),
    });
    for (const text of TEXTS.filter((text) => text.isWellFormed())) {
      const question = `x${text}`.slice(0, 2_000);
      const option = [`y${text}`.slice(0, 200).toWellFormed(), "Nothing"];
      await mcp.call("ask_user", { ...ASK_HUMAN, topic: "hostile", question, option });
    }
    assert(mcp.asked.length > 10);
    assertEquals(mcp.asked.filter((message) => UNSAFE.test(message)), []);
  });

  Deno.test(`A secret in a question is cut, and the result says so: ${era}`, async () => {
    using temp = new TempWorkspace();
    await using mcp = await McpClient.connect(temp, { era });
    const question = "Is <private>our secret plan</private> right?";
    const { text } = await mcp.call("clarify_ask", { ...QUESTION, question, nonBlocking: true });
    assert(text.includes("note: Cut from the new clarification"), text);
    const { structured } = await mcp.call("clarify_list", { issue: 42 });
    assert(!JSON.stringify(structured).includes("secret plan"));
  });
}

/** All keys and texts in a value. */
function strings(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [key, ...strings(inner)]);
}
