import { assert, assertEquals } from "@std/assert";
import { main } from "../../cli.ts";
import { FakeIo } from "./fake_io.ts";
import { SAMPLE_COMMANDS } from "./sample_commands.ts";

async function help(...argv: string[]): Promise<string> {
  const io = new FakeIo();
  assertEquals(await main(argv, io, { commands: SAMPLE_COMMANDS }), 0, io.err);
  return io.out;
}

Deno.test("agentx alone prints the overview with the commands in their groups", async () => {
  const text = await help();
  assert(text.startsWith("agentx - "));
  assert(/\nQuestions\n {2}clarify +List the clarifications\n\nSettings\n {2}config /.test(text));
  assert(!text.includes("  clarify ask "));
});

Deno.test("help prints the same, however it is asked for", async () => {
  const text = await help();
  assertEquals([await help("help"), await help("--help"), await help("-h")], [text, text, text]);
  const command = await help("clarify", "ask", "--help");
  assertEquals(await help("help", "clarify", "ask"), command);
  assertEquals(await help("clarify", "ask", "-h", "--bogus"), command);
});

Deno.test("the overview leaves out what is seldom needed, and help --all shows it", async () => {
  const rare = { ...SAMPLE_COMMANDS[0], name: "rare", summary: "Seldom needed", isMore: true };
  const helpWith = async (...argv: string[]) => {
    const io = new FakeIo();
    assertEquals(await main(argv, io, { commands: [...SAMPLE_COMMANDS, rare] }), 0, io.err);
    return [io.out.includes("Seldom needed"), io.out.includes("agentx help --all")];
  };
  assertEquals(await helpWith("help"), [false, true]);
  assertEquals(await helpWith("help", "--all"), [true, false]);
});

Deno.test("help of a command shows usage, arguments, options and examples", async () => {
  assertEquals(
    await help("help", "clarify", "ask"),
    `agentx clarify ask - Ask another agent

Usage
  agentx clarify ask [options] [CLR-N-NNN] QUESTION

Arguments
  CLR-N-NNN               Id of the clarification
  QUESTION                What to ask; "-" reads standard input

Options
  -i, --issue N           Issue that the question belongs to
      --max-rounds MAX-ROUNDS
      --mode brief|full   How much to say
      --non-blocking      Work on meanwhile
      --timeout TIME      A duration such as 90s or 5m
      --topic TEXT        1 to 20 characters; "-" reads standard input
      --json              Print the result as one JSON value
      --root DIR          Use the workspace in DIR, not the nearest
  -h, --help              Show this help

Examples
  $ agentx clarify ask --issue 42 'SQL?'
`,
  );
});

Deno.test("help of a command lists its subcommands", async () => {
  const text = await help("help", "clarify");
  assert(text.includes("\n  agentx clarify [options]\n  agentx clarify <command> [options]\n"));
  assert(/\n {2}clarify ask +Ask another agent\n/.test(text));
});

Deno.test("help of a group shows the examples of its subcommands", async () => {
  assert((await help("help", "config")).includes("Examples\n  $ agentx config show\n"));
});

Deno.test("help fits into 80 columns", async () => {
  for (const name of ["", "clarify", "clarify ask", "config"]) {
    const text = await help("help", ...name.split(" ").filter(Boolean));
    assertEquals(text.split("\n").filter((line) => line.length > 80), []);
  }
});

Deno.test("help is one JSON value under --json", async () => {
  const page = JSON.parse(await help("help", "clarify", "ask", "--json"));
  assertEquals([page.kind, page.name], ["help", "agentx clarify ask"]);
});

Deno.test("help of an unknown command is refused", async () => {
  const io = new FakeIo();
  assertEquals(await main(["help", "nonsense"], io, { commands: SAMPLE_COMMANDS }), 2);
});
