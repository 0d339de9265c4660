import { assert, assertEquals } from "@std/assert";
import { type Memory, openMemory } from "../../lib/memory/memory.ts";
import { refusal } from "../refusal.ts";
import { TempFolder } from "../lock/temp_folder.ts";

/** Notes of two agents on two issues. */
async function filled(folder: TempFolder): Promise<Memory> {
  const memory = openMemory(folder.path);
  await memory.note("Pools are set up once.", { agent: "engineer", issue: 42 });
  await memory.note("Pools are drained by hand.", {
    agent: "tester",
    issue: 43,
    category: "decision",
  });
  return memory;
}

Deno.test("memory.search() finds by words, and only what its options let through", async () => {
  using folder = new TempFolder();
  const memory = await filled(folder);
  const found = async (options?: Parameters<Memory["search"]>[1]) =>
    (await memory.search("pool", options)).map(({ agent }) => agent).sort();
  assertEquals(await found(), ["engineer", "tester"]);
  assertEquals(await found({ agent: "engineer" }), ["engineer"]);
  assertEquals(await found({ issue: 43 }), ["tester"]);
  assertEquals(await found({ category: "decision" }), ["tester"]);
  assertEquals(await found({ to: "2020-01-01" }), []);
  assertEquals((await found({ limit: 1 })).length, 1);
  await memory.close();
});

Deno.test("memory.note() is of the project and of an agent where nobody says more", async () => {
  using folder = new TempFolder();
  const memory = openMemory(folder.path);
  const { id, agent, issueNumber, category } = await memory.note("Releases are on Mondays.");
  assertEquals([agent, issueNumber, category], ["agent", 0, "key-fact"]);
  assertEquals((await memory.get(id))?.content, "Releases are on Mondays.");
  await memory.note("Releases are on Fridays.", { supersedes: id });
  const recalled = await memory.recall({ about: "releases" });
  assert(recalled.includes("Fridays") && !recalled.includes("Mondays"), recalled);
  assertEquals(await memory.recall({ maxTokens: 0 }), "");
  await memory.close();
});

Deno.test("another process finds what was noted, and a session is captured once", async () => {
  using folder = new TempFolder();
  const session = "## User\n\nWe decided on PostgreSQL, because operations back it up.\n";
  const memory = openMemory(folder.path);
  const whose = { agent: "engineer", issue: 42, session: "s-1" };
  assertEquals((await memory.capture(session, whose)).length, 1);
  assertEquals(await memory.capture(session, whose), []);
  await memory.close();
  const other = openMemory(folder.path);
  assertEquals((await other.search("postgresql")).length, 1);
  await other.close();
});

Deno.test("memory refuses an agent, a text or a folder that is empty, and what is too long", async () => {
  using folder = new TempFolder();
  const memory = openMemory(folder.path);
  for (
    const [field, action] of [
      ["agent", () => memory.note("A", { agent: "" })],
      ["agent", () => memory.recall({ agent: "" })],
      ["agent", () => memory.capture("A", { agent: " " })],
      ["issue", () => memory.note("A", { issue: -1 })],
      ["text", () => memory.note("")],
      ["text", () => memory.note("x".repeat(2_001))],
      ["folder", () => openMemory("")],
    ] as const
  ) {
    const { details } = await refusal("INVALID_INPUT", action);
    assertEquals(details.field, field);
  }
  assertEquals(folder.names(), []);
});
