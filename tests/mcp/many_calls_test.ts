/**
 * A client that calls more at once than a server should work on.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { CallQueue } from "../../lib/mcp/call_queue.ts";
import { refusal } from "../refusal.ts";
import { TempWorkspace } from "../temp_workspace.ts";
import { McpClient, QUESTION, until } from "./mcp_client.ts";

const ERA = "2026-07-28";

const PATIENT = "cat >/dev/null; while [ ! -e go ]; do sleep 0.05; done; echo PG.";

const note = (at: number) => ({ agent: "engineer", issue: 42, text: `Fact ${at} of the build` });

Deno.test("CallQueue lets one call work until it ends or only waits, and refuses the 101st", async () => {
  const calls = new CallQueue();
  const ends: (() => void)[] = [];
  const turn = () => new Promise((resolve) => setTimeout(resolve, 0));
  const begun = Array.from(
    { length: 100 },
    (_, at) =>
      calls.run((waits) =>
        new Promise<void>((resolve) => {
          if (at === 1) waits();
          ends.push(resolve);
        })
      ),
  );
  await turn();
  assertEquals(ends.length, 1);
  await refusal("GATE_REFUSED", () => calls.run(() => Promise.resolve()));
  ends[0]();
  await begun[0];
  await turn();
  assertEquals(ends.length, 3); // the second only waits
  begun.push(calls.run(() => Promise.resolve())); // there is room again
  for (const end of ends) { // grows meanwhile
    end();
    await turn();
  }
  await Promise.all(begun);
  assertEquals(ends.length, 100);
});

Deno.test("Beyond a hundred calls at once the server refuses, and says what to do", async () => {
  using temp = new TempWorkspace({ agents: { architect: PATIENT } });
  await using mcp = await McpClient.connect(temp, { era: ERA });
  const calls = Array.from({ length: 100 }, () => mcp.call("clarify_ask", QUESTION));
  const { code, text } = await mcp.call("ready", {});
  assertEquals(code, "GATE_REFUSED");
  assert(text.includes("Nothing was done: call it again"), text);
  temp.write("go", "1");
  for (const { structured } of await Promise.all(calls)) assertEquals(structured.answer, "PG.");
  assertEquals((await mcp.call("ready", {})).isError, false);
});

Deno.test("Notes of two servers at once all wait for their turn", async () => {
  using temp = new TempWorkspace();
  await using one = await McpClient.connect(temp, { era: ERA });
  await using other = await McpClient.connect(temp, { era: ERA });
  const calls = Array.from({ length: 40 }, (_, at) => [
    one.call("memory_note", note(at)),
    other.call("memory_note", note(at + 40)),
  ]);
  const codes = (await Promise.all(calls.flat())).map(({ code }) => code);
  assertEquals(codes, Array(80).fill(undefined));
});

Deno.test("Questions that wait for their answers let other calls work", async () => {
  using temp = new TempWorkspace({
    agents: { architect: PATIENT },
  });
  await using mcp = await McpClient.connect(temp, { era: ERA });
  const asked = Array.from(
    { length: 6 },
    (_, at) =>
      mcp.call("clarify_ask", { ...QUESTION, topic: `Part ${at}`, question: `How ${at}?` }),
  );
  await until(() =>
    temp.has(temp.ledgerPath(42)) && temp.ledger().clarifications.length === asked.length
  );
  assertEquals((await mcp.call("memory_note", note(1))).isError, false);
  temp.write("go", "1");
  for (const { structured } of await Promise.all(asked)) assertEquals(structured.answer, "PG.");
});
