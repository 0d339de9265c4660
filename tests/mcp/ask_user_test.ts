/**
 * The tool `ask_user`: the gate through MCP, with the form of a client, and without.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { DANGEROUS, STRIPE } from "../gate/samples.ts";
import { TempWorkspace } from "../temp_workspace.ts";
import { ASK_HUMAN, ERAS, McpClient, type Said, until } from "./mcp_client.ts";

const INTERACTIONS = ".agentx/state/agent-interactions.json";

/** A decision about security without a safe default. */
const SECURITY = { ...ASK_HUMAN, blockerType: DANGEROUS["blocker-type"], risk: DANGEROUS.risk };

const REFUSALS: [changes: Partial<Record<keyof typeof ASK_HUMAN, unknown>>, reasons: string[]][] = [
  [{ blockerType: "technical_detail" }, ["blocker_type"]],
  [{ codebaseSearch: undefined }, ["evidence_empty:codebaseSearch"]],
  [{ similarFeatures: ASK_HUMAN.question }, ["evidence_copied:similarFeatures"]],
  [{ phase: "development" }, ["not_planning"]],
];

for (const era of ERAS) {
  const outcomes: [Said, outcome: string, option: string][] = [
    [{ action: "accept", content: { answer: `c) ${STRIPE.options[2]}` } }, "human", "c"],
    [{ action: "decline" }, "declined", "a"],
    [{ action: "cancel" }, "cancelled", "a"],
  ];
  for (const [said, outcome, option] of outcomes) {
    Deno.test(`ask_user gives what the human said, and asks once: ${outcome}, ${era}`, async () => {
      using temp = new TempWorkspace();
      await using mcp = await McpClient.connect(temp, { era, human: () => said });
      for (let call = 0; call < 3; call++) {
        const { structured: { next, answer, ...structured } } = await mcp.call(
          "ask_user",
          ASK_HUMAN,
        );
        assertEquals(structured, { id: "ASK-001", outcome, option });
        assertEquals(answer, STRIPE.options["abc".indexOf(option)]);
        assert(next.startsWith("Continue with it"), next);
      }
      assertEquals(mcp.asked.length, 1);
      assert(mcp.asked[0].startsWith("## PM Status: NEEDS_CLARIFICATION\n"), mcp.asked[0]);
      const { agent_interactions: [record] } = JSON.parse(temp.read(INTERACTIONS));
      assertEquals([record.status, record.outcome], ["resolved", outcome]);
    });
  }

  Deno.test(`ask_user refuses what does not meet the conditions: ${era}`, async () => {
    using temp = new TempWorkspace();
    const human = (): Said => ({ action: "decline" });
    await using mcp = await McpClient.connect(temp, { era, human });
    for (const [changes, reasons] of REFUSALS) {
      const { isError, code, details } = await mcp.call("ask_user", { ...ASK_HUMAN, ...changes });
      assertEquals([isError, code, details.reasons], [true, "GATE_REFUSED", reasons]);
    }
    assertEquals([mcp.asked, temp.has(INTERACTIONS)], [[], false]);
    await mcp.call("ask_user", ASK_HUMAN);
    const again = await mcp.call("ask_user", { ...ASK_HUMAN, question: "And which currency?" });
    assertEquals([again.code, again.details.reasons], ["GATE_REFUSED", ["quota_session"]]);
    assertEquals(mcp.asked.length, 1);
  });

  Deno.test(`ask_user asks one question of the project at a time: ${era}`, async () => {
    using temp = new TempWorkspace();
    await using one = await McpClient.connect(temp, { era, args: waiting(temp, "100ms") });
    await using other = await McpClient.connect(temp, { era });
    const first = await one.call("ask_user", ASK_HUMAN);
    assertEquals(first.structured.outcome, "pending");
    const { code, details } = await other.call("ask_user", ASK_HUMAN);
    assertEquals([code, details.reasons], ["GATE_REFUSED", ["quota_project"]]);
  });

  Deno.test(`ask_user refuses an answer that its form does not allow: ${era}`, async () => {
    using temp = new TempWorkspace();
    const human = (): Said => ({ action: "accept", content: { answer: "Do what you like" } });
    await using mcp = await McpClient.connect(temp, { era, human });
    const { isError, code } = await mcp.call("ask_user", ASK_HUMAN);
    assertEquals([isError, code], [true, "INVALID_INPUT"]);
    assertEquals((await temp.run(["answer", "ASK-001", "a"])).code, 0);
    const { structured } = await mcp.call("ask_user", ASK_HUMAN);
    assertEquals([structured.outcome, structured.option], ["human", "a"]);
  });

  Deno.test(`ask_user waits for agentx answer where the client has no form: ${era}`, async () => {
    using temp = new TempWorkspace();
    await using mcp = await McpClient.connect(temp, { era });
    const asking = mcp.call("ask_user", ASK_HUMAN);
    await until(() => temp.has(INTERACTIONS));
    assertEquals((await temp.run(["answer", "1", "A sandbox of our own"])).code, 0);
    const { structured: { outcome, option, answer } } = await asking;
    assertEquals([outcome, option, answer], ["human", undefined, "A sandbox of our own"]);
  });

  Deno.test(`ask_user gives the id of what is pending, and waits on by it: ${era}`, async () => {
    using temp = new TempWorkspace();
    temp.user.configure({ gate: { timeout: "2s" } });
    await using mcp = await McpClient.connect(temp, { era, args: waiting(temp, "100ms") });
    const { structured } = await mcp.call("ask_user", ASK_HUMAN);
    assertEquals([structured.outcome, structured.option], ["pending", undefined]);
    let last = structured;
    await until(async () => {
      last = (await mcp.call("ask_user", { id: structured.id })).structured;
      return last.outcome !== "pending";
    });
    assertEquals([last.outcome, last.option], ["timeout", "a"]);
    assertEquals((await temp.run(["answer", "ASK-001", "b"])).code, 0); // late, and still counts
    last = (await mcp.call("ask_user", ASK_HUMAN)).structured;
    assertEquals([last.id, last.outcome, last.option], ["ASK-001", "human", "b"]);
  });

  Deno.test(`ask_user never takes silence for consent to what is dangerous: ${era}`, async () => {
    using temp = new TempWorkspace();
    temp.user.configure({ gate: { timeout: "1s" } });
    await using mcp = await McpClient.connect(temp, { era, args: waiting(temp, "1500ms") });
    const { structured } = await mcp.call("ask_user", SECURITY);
    assertEquals([structured.outcome, structured.option], ["pending", undefined]);
    const decline = ["answer", "ASK-001", "--decline"];
    assertEquals((await temp.run(decline)).code, 6);
    assertEquals((await temp.run(decline, { terminal: true })).code, 0);
    const { structured: declined } = await mcp.call("ask_user", { id: "ASK-001" });
    assertEquals([declined.outcome, declined.option, declined.answer], [
      "declined",
      undefined,
      undefined,
    ]);
  });

  Deno.test(`ask_user is answered by a standing answer, and says so: ${era}`, async () => {
    using temp = new TempWorkspace();
    {
      await using mcp = await McpClient.connect(temp, { era, args: waiting(temp, "100ms") });
      await mcp.call("ask_user", ASK_HUMAN);
    }
    assertEquals((await temp.run(["answer", "1", "c", "--always"])).code, 0);
    await using mcp = await McpClient.connect(temp, { era });
    const { structured, text } = await mcp.call("ask_user", ASK_HUMAN);
    assertEquals([structured.id, structured.outcome, structured.option], ["ASK-002", "human", "c"]);
    assert(text.includes("answered by the standing answer of ASK-001"), text);
  });

  Deno.test(`ask_user wants to know who asks: ${era}`, async () => {
    using temp = new TempWorkspace();
    await using mcp = await McpClient.connect(temp, { era, human: () => ({ action: "decline" }) });
    const { from: _, ...anonymous } = ASK_HUMAN;
    for (const from of [{}, { from: "human" }, { from: "agent-x" }, { from: "nobody-here" }]) {
      const { code } = await mcp.call("ask_user", { ...anonymous, ...from });
      assertEquals(code, "INVALID_INPUT", JSON.stringify(from));
    }
    assertEquals(mcp.asked, []);
  });
}

/** Arguments of a server whose tools wait no longer. */
function waiting(temp: TempWorkspace, time: string): string[] {
  return ["--root", temp.root, "--wait", time];
}
