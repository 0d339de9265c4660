/**
 * The tool `ask_user`: with the form of a client, and without.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { TempWorkspace } from "../../temp_workspace.ts";
import { ERAS, McpClient, type Said } from "./mcp_client.ts";

const ASK = {
  issue: 42,
  from: "engineer",
  question: "Delete the old table?",
  options: ["Delete it", "Keep it for a release"],
};

for (const era of ERAS) {
  const outcomes: [Said, outcome: string, answer: string | null][] = [
    [{ action: "accept", content: { answer: "Delete it" } }, "accepted", "Delete it"],
    [{ action: "decline" }, "declined", null],
    [{ action: "cancel" }, "cancelled", null],
  ];
  for (const [said, outcome, answer] of outcomes) {
    Deno.test(`ask_user gives what the human said, and asks once: ${outcome}, ${era}`, async () => {
      using temp = new TempWorkspace();
      await using mcp = await McpClient.connect(temp, { era, human: () => said });
      for (let call = 0; call < 3; call++) {
        const { structured: { next, ...structured } } = await mcp.call("ask_user", ASK);
        assertEquals(structured, { outcome, answer, clarificationId: null });
        assert(/^(The human|Nobody) /.test(next), next);
      }
      assertEquals(mcp.asked, ["engineer asks about issue #42:\n\nDelete the old table?"]);
      assert(!temp.has(temp.ledgerPath(42)));
    });
  }

  Deno.test(`ask_user refuses an answer that its form does not allow: ${era}`, async () => {
    using temp = new TempWorkspace();
    const human = (): Said => ({ action: "accept", content: { answer: "Do what you like" } });
    await using mcp = await McpClient.connect(temp, { era, human });
    const { isError, code } = await mcp.call("ask_user", ASK);
    assertEquals([isError, code], [true, "INVALID_INPUT"]);
  });

  Deno.test(`ask_user escalates with the options where the client has no form: ${era}`, async () => {
    using temp = new TempWorkspace();
    await using mcp = await McpClient.connect(temp, { era });
    for (let call = 0; call < 2; call++) {
      const { structured: { next, ...structured } } = await mcp.call("ask_user", ASK);
      assert(next.includes("is escalated"), next);
      const expected = { outcome: "escalated", answer: null, clarificationId: "CLR-42-001" };
      assertEquals(structured, expected);
    }
    const [record, ...others] = temp.ledger().clarifications;
    assertEquals([record.from, record.to, record.status], ["engineer", "human", "escalated"]);
    assertEquals(others, []);
    assertEquals(record.thread.at(-1)!.body.split("Options:\n")[1].split("\n"), [
      "  a) Delete it",
      "  b) Keep it for a release",
      "  c) decide otherwise",
    ]);
    const agent = { id: "CLR-42-001", conclusion: "a" };
    for (const as of ["engineer", "human"]) {
      const { isError, code } = await mcp.call("clarify_resolve", { ...agent, as });
      assertEquals([isError, code], [
        true,
        as === "human" ? "INVALID_INPUT" : "INVALID_TRANSITION",
      ]);
    }
    assertEquals((await temp.run(["clarify", "resolve", "CLR-42-001", "b"])).code, 0);
    const { structured } = await mcp.call("clarify_list", { id: "CLR-42-001" });
    const [{ status, thread }] = structured.clarifications;
    assertEquals([status, thread.at(-1).from], ["resolved", "human"]);
    assertEquals(thread.at(-1).body, "b) Keep it for a release");
  });

  Deno.test(`ask_user wants to know who asks: ${era}`, async () => {
    using temp = new TempWorkspace();
    await using mcp = await McpClient.connect(temp, { era, human: () => ({ action: "decline" }) });
    const { from: _, ...anonymous } = ASK;
    for (const from of [{}, { from: "human" }, { from: "agent-x" }, { from: "nobody-here" }]) {
      const { code } = await mcp.call("ask_user", { ...anonymous, ...from });
      assertEquals(code, "INVALID_INPUT", JSON.stringify(from));
    }
    assertEquals(mcp.asked, []);
  });
}
