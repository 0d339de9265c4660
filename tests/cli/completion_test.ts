import { assert, assertEquals } from "@std/assert";
import { main } from "../../cli.ts";
import { complete, type CompletionWord } from "../../lib/cli/completion.ts";
import { FakeIo } from "./fake_io.ts";
import { SAMPLE_COMMANDS } from "./sample_commands.ts";

/** What the last word may become, with the table of the samples. */
async function completed(...words: string[]): Promise<string[]> {
  const valuesOf = (kind: string): CompletionWord[] => [{ word: `4-${kind}`, text: "" }];
  const candidates = await complete(words, { commands: SAMPLE_COMMANDS, valuesOf });
  return candidates.map(({ word }) => word);
}

Deno.test("complete() offers the commands, and help", async () => {
  assertEquals(await completed(""), ["clarify", "config", "help"]);
  assertEquals(await completed("c"), ["clarify", "config"]);
});

Deno.test("complete() says what a command and a flag are for", async () => {
  const options = { commands: SAMPLE_COMMANDS, valuesOf: () => [] };
  assertEquals(await complete(["cl"], options), [
    { word: "clarify", text: "List the clarifications" },
  ]);
  assertEquals(await complete(["clarify", "ask", "--iss"], options), [
    { word: "--issue", text: "Issue that the question belongs to" },
  ]);
});

Deno.test("complete() offers subcommands after their command", async () => {
  assertEquals(await completed("clarify", ""), ["ask"]);
  assertEquals(await completed("--json", "config", "s"), ["show"]);
});

Deno.test("complete() offers commands after help", async () => {
  assertEquals(await completed("help", ""), ["clarify", "config"]);
  assertEquals(await completed("help", "config", ""), ["show"]);
});

Deno.test("complete() offers the flags of a command and those of all", async () => {
  assertEquals(await completed("clarify", "-"), ["--issue", "--json", "--root", "--help"]);
  assertEquals(await completed("--"), ["--json", "--root", "--help"]);
});

Deno.test("complete() offers no flag twice", async () => {
  const flags = await completed("clarify", "--issue", "4", "--json", "-");
  assertEquals(flags, ["--root", "--help"]);
  assertEquals(await completed("clarify", "ask", "-i", "4", "--iss"), []);
  assertEquals(await completed("clarify", "ask", "--issue=4", "--iss"), []);
});

Deno.test("complete() offers the values of a flag", async () => {
  assertEquals(await completed("clarify", "--issue", ""), ["4-issue"]);
  assertEquals(await completed("clarify", "ask", "-i", "4"), ["4-issue"]);
  assertEquals(await completed("clarify", "ask", "--mode", "b"), ["brief"]);
  assertEquals(await completed("clarify", "ask", "--topic", ""), []);
});

Deno.test("complete() offers the values of a flag after =", async () => {
  assertEquals(await completed("clarify", "ask", "--mode=f"), ["--mode=full"]);
  assertEquals(await completed("clarify", "ask", "--json=x"), []);
});

Deno.test("complete() bears with bash, which makes a word of =", async () => {
  assertEquals(await completed("clarify", "ask", "--mode", "="), ["brief", "full"]);
  assertEquals(await completed("clarify", "ask", "--mode", "=", "f"), ["full"]);
  assertEquals(await completed("clarify", "ask", "--mode", "=", "full", ""), ["4-clarification"]);
});

Deno.test("complete() offers values for the words that are no flags", async () => {
  assertEquals(await completed("clarify", "ask", ""), ["4-clarification"]);
  assertEquals(await completed("clarify", "ask", "--non-blocking", ""), ["4-clarification"]);
  assertEquals(await completed("clarify", "ask", "--mode", "brief", ""), ["4-clarification"]);
  assertEquals(await completed("clarify", "ask", "CLR-4-001", ""), []);
});

Deno.test("complete() steps over options before the command", async () => {
  assertEquals(await completed("--root", "clarify", "config", ""), ["show"]);
});

Deno.test("complete() offers no flags after --", async () => {
  assertEquals(await completed("clarify", "ask", "--", "-"), []);
  assertEquals(await completed("clarify", "ask", "--", ""), ["4-clarification"]);
});

Deno.test("complete() offers nothing after a word that is no command", async () => {
  assertEquals(await completed("nonsense", ""), []);
  assertEquals(await completed("config", "nonsense", ""), []);
  assertEquals(await completed("clarify", "nonsense", ""), []);
});

Deno.test("the hidden command is neither in the overview nor suggested", async () => {
  const io = new FakeIo();
  await main([], io);
  await main(["__complet"], io);
  assert(!(io.out + io.err).includes("__complete"));
});
