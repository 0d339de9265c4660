import { assert, assertEquals } from "@std/assert";
import { sampleRecord } from "../clarify/samples.ts";
import { ASK, TempWorkspace } from "../temp_workspace.ts";

/** What `__complete` prints for a command line, in lines. */
async function complete(temp: TempWorkspace, ...words: string[]): Promise<string[]> {
  const { code, out, err } = await temp.run(["__complete", "--", words.join("\x1f")]);
  assertEquals([code, err], [0, ""]);
  return out.split("\n").slice(0, -1);
}

Deno.test("__complete prints each candidate with what it is", async () => {
  using temp = new TempWorkspace();
  assertEquals(await complete(temp, "clarify", "wat"), [
    "watch\tFollow clarifications until Ctrl-C",
  ]);
});

Deno.test("__complete finds the active clarifications", async () => {
  using temp = new TempWorkspace();
  for (let i = 0; i < 2; i++) await temp.run([...ASK, "--again"]);
  await temp.run(["clarify", "resolve", "CLR-42-001", "Clear."]);
  assertEquals(await complete(temp, "clarify", "answer", ""), [
    "CLR-42-002\tengineer -> architect: Database layer",
  ]);
});

Deno.test("__complete finds the issues that are kept here or asked about", async () => {
  using temp = new TempWorkspace();
  await temp.run(ASK);
  temp.write(".agentx/issues/7.json", '{"title": "Health endpoint"}');
  temp.write(".agentx/issues/notes.json", "{}");
  assertEquals(await complete(temp, "clarify", "--issue", ""), ["7\tHealth endpoint", "42\t"]);
});

Deno.test("__complete finds agents and workflows", async () => {
  using temp = new TempWorkspace({ agents: { "security-analyst": "cat" } });
  assertEquals(await complete(temp, "clarify", "ask", "--to", "se"), ["security-analyst\t"]);
  assertEquals(await complete(temp, "state", "arch"), ["architect\t"]);
  assertEquals(await complete(temp, "clarify", "ask", "--workflow", "s"), ["spike\t", "story\t"]);
});

Deno.test("__complete offers a flag again that may be given again", async () => {
  using temp = new TempWorkspace();
  const words = ["issue", "create", "--title", "T", "--label", "p1", "--"];
  const flags = (await complete(temp, ...words)).map((line) => line.split("\t")[0]);
  assertEquals([flags.includes("--label"), flags.includes("--title")], [true, false]);
});

Deno.test("__complete looks in the folder of --root", async () => {
  using temp = new TempWorkspace();
  using other = new TempWorkspace();
  await other.run(ASK);
  const words = ["--root", other.root, "clarify", "answer", ""];
  assertEquals((await complete(temp, ...words)).length, 1);
});

Deno.test("__complete does without what cannot be read", async () => {
  using temp = new TempWorkspace();
  temp.write(temp.ledgerPath(42), "{ broken");
  assertEquals(await complete(temp, "clarify", "answer", ""), []);
  temp.write(".agentx/config.json", "{ broken");
  assertEquals(await complete(temp, "clarify", "answer", ""), []);
  Deno.removeSync(`${temp.root}/.agentx`, { recursive: true });
  assertEquals(await complete(temp, "clarify", "answer", ""), []);
});

Deno.test("__complete keeps what agents wrote on one safe line", async () => {
  using temp = new TempWorkspace();
  const clarifications = [sampleRecord({ topic: "a\tb\nCLR-42-666\x1b[2J" + "x".repeat(99) })];
  temp.write(temp.ledgerPath(42), JSON.stringify({ issueNumber: 42, clarifications }));
  const lines = await complete(temp, "clarify", "answer", "");
  assertEquals(lines.length, 1);
  assert(!lines[0].includes("\x1b") && lines[0].split("\t").length === 2 && lines[0].length < 80);
});
