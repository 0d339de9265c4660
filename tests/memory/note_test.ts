import { assert, assertEquals } from "@std/assert";
import { openMemory } from "../../lib/memory/memory.ts";
import { refusal } from "../refusal.ts";
import { TempFolder } from "../lock/temp_folder.ts";
import { TempWorkspace } from "../temp_workspace.ts";

const NOTE = ["memory", "note", "--agent", "engineer", "--issue", "42"];
const FULL = "\u{1f600}".repeat(2_000);

Deno.test("A note has at most 2,000 Unicode characters, and none is cut", async () => {
  using temp = new TempWorkspace();
  const { observation } = await temp.json([...NOTE, FULL]);
  assertEquals(observation.content, FULL);
  const { code, err } = await temp.run([...NOTE, `${FULL}x`]);
  assertEquals(code, 2);
  assert(err.includes("it has 2001 characters, but at most 2000 are allowed"), err);
  assertEquals((await temp.json(["memory", "stats"])).stats.totalObservations, 1);
});

Deno.test("One note of several that is too long: none is kept", async () => {
  using temp = new TempWorkspace();
  const { code, err } = await temp.run([...NOTE, `- Pools are set up once.\n- ${FULL}x`]);
  assertEquals(code, 2);
  assert(err.includes("2001 characters"), err);
  assertEquals((await temp.json(["memory", "stats"])).stats.totalObservations, 0);
});

Deno.test("A search does not take the notes of an agent, of many sessions, for neighbours", async () => {
  using temp = new TempWorkspace();
  const words = [
    "logo",
    "font",
    "lock",
    "queue",
    "inbox",
    "digest",
    "budget",
    "lease",
    "gate",
    "tab",
  ];
  const notes = [
    "The PKCE verifier is kept in a cookie.",
    ...words.map((word) => `The ${word} waits.`),
  ];
  for (const note of notes) await temp.run([...NOTE, note]);
  const { observations } = await temp.json(["memory", "search", "PKCE verifier"]);
  assertEquals(observations.map(({ summary }: { summary: string }) => summary), [
    "The PKCE verifier is kept in a cookie.",
  ]);
});

Deno.test("A note that the marks of a redaction make too long is refused, too", async () => {
  using folder = new TempFolder();
  const memory = openMemory(folder.path);
  const secret = "password=hunter2x ";
  const { details } = await refusal(
    "INVALID_INPUT",
    () => memory.note(secret.repeat(111).slice(0, 2_000)),
  );
  assertEquals(details.field, "text");
  await memory.close();
});
