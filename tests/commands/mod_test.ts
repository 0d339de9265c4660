import { assert, assertEquals } from "@std/assert";
import { walkSync } from "@std/fs/walk";
import { main } from "../../cli.ts";
import { globalArguments } from "../../lib/cli/argv.ts";
import { subcommandsOf } from "../../lib/cli/find_command.ts";
import { argumentsOf } from "../../lib/cli/spec.ts";
import { INSTEAD, OTHER_NAMES, SUBJECTS } from "../../lib/cli/spellings.ts";
import { DAILY } from "../../lib/commands/daily.ts";
import { COMMANDS } from "../../lib/commands/mod.ts";
import { FakeIo } from "../cli/fake_io.ts";

for (const entry of COMMANDS) {
  const { name } = entry;

  Deno.test(`COMMANDS: ${name} has examples of itself, or subcommands`, async () => {
    const command = (await entry.load?.())?.command;
    if (command === undefined) return assert(subcommandsOf(name, COMMANDS).length > 0);
    assert(command.examples.length > 0);
    if (entry.isHidden) return; // another spelling shows the one of the screens
    assert(command.examples.every((line) => line.startsWith(`agentx ${name}`)));
  });

  Deno.test(`COMMANDS: ${name} has arguments that nothing else takes`, async () => {
    const command = (await entry.load?.())?.command;
    const accepted = command === undefined ? [] : argumentsOf(command);
    const words = [...accepted, ...globalArguments()].flatMap(({ name, short }) => [name, short])
      .filter((word) => word !== null);
    assertEquals(words.length, new Set(words).size);
    assert(accepted.every(({ description }) => description !== ""));
    const hasPositional = accepted.some(({ kind }) => kind === "positional");
    assert(!hasPositional || entry.takesWord || subcommandsOf(name, COMMANDS).length === 0);
  });

  Deno.test(`COMMANDS: the help of ${name} fits into 80 columns`, async () => {
    const io = new FakeIo();
    assertEquals(await main([...name.split(" "), "--help"], io), 0);
    assertEquals(io.out.split("\n").filter((line) => line.length > 80), []);
  });
}

Deno.test("DAILY: each of the daily commands is that of the table, and has no subcommands", async () => {
  for (const [daily, load] of Object.entries(DAILY)) {
    const entry = COMMANDS.find(({ name }) => name === daily);
    assert((await load()).command === (await entry?.load?.())?.command, daily);
    assertEquals(subcommandsOf(daily, COMMANDS), []);
  }
});

Deno.test("COMMANDS: the words of a command lead to its file, which exports command", async () => {
  const folder = new URL("../../lib/commands/", import.meta.url);
  const files = COMMANDS.filter(({ load }) => load !== undefined)
    .map(({ name }) => `${name.replaceAll(" ", "/").replaceAll("-", "_")}.ts`);
  for (const [index, file] of files.entries()) {
    const { command } = await import(new URL(file, folder).href);
    const { load, name } = COMMANDS.filter(({ load }) => load !== undefined)[index];
    const loaded = (await load!()).command;
    if (typeof command === "function") assertEquals(command(COMMANDS).kind, loaded.kind, name);
    else assert(command === loaded, name);
  }
  const exporting = Array.from(
    walkSync(folder.pathname, { includeDirs: false }),
    ({ path }) => path,
  )
    .filter((path) => /^export (?:const|function) command\b/m.test(Deno.readTextFileSync(path)))
    .map((path) => path.slice(folder.pathname.length));
  assertEquals(exporting.sort(), files.sort());
});

Deno.test("COMMANDS: each other spelling names a command of the table", () => {
  const names = COMMANDS.map(({ name }) => name);
  const words = [...Object.values(OTHER_NAMES), ...SUBJECTS.map(([, , words]) => words)]
    .map((words) => words.filter((word) => !word.startsWith("--")).join(" "));
  const instead = Object.values(INSTEAD).map((line) => line.replace(/ (?:N\b|--).*$/, ""));
  const spelled = COMMANDS.filter(({ summary }) => summary.endsWith("in the documents' words"));
  const named = spelled.flatMap(({ summary }) => {
    const [, group, word] = /^agentx (\w+)(?: (\w+ and \w+))?, in the documents' words$/.exec(
      summary,
    )!;
    return word === undefined ? [group] : word.split(" and ").map((each) => `${group} ${each}`);
  });
  assertEquals(spelled.map(({ name }) => name), ["clarify ask", "clarify answer", "hook"]);
  assertEquals(named, ["ask", "answer", "hook start", "hook finish"]);
  assertEquals([...words, ...instead, ...named].filter((name) => !names.includes(name)), []);
});

const shownIn = async (...argv: string[]) => {
  const io = new FakeIo();
  assertEquals(await main([...argv, "--json"], io), 0, io.err);
  const { sections } = JSON.parse(io.out);
  return sections.filter(({ heading }: { heading: string }) => heading !== "Options")
    .flatMap(({ rows }: { rows: { label: string }[] }) =>
      rows.map(({ label }) => label)
    ) as string[];
};

Deno.test("COMMANDS: the first screen has twelve commands at most, all screens 40", async () => {
  const first = await shownIn("help");
  assertEquals(
    first.join(" "),
    "init setup agents doctor status ask answer board inbox ready issue memory",
  );
  const all = await shownIn("help", "--all");
  assert(first.every((name) => all.includes(name)) && all.length <= 40, all.join(" "));
  assertEquals(await shownIn("--help", "--all"), all);
});

Deno.test("COMMANDS: the overview fits into 80 columns", async () => {
  const io = new FakeIo();
  await main([], io);
  assertEquals(io.out.split("\n").filter((line) => line.length > 80), []);
});

Deno.test("COMMANDS: a flag has the same letter in every command, and a letter the same flag", async () => {
  const letters = new Map<string, Set<string>>();
  const note = (key: string, value: string) =>
    letters.set(key, (letters.get(key) ?? new Set()).add(value));
  for (const { load } of COMMANDS) {
    const command = (await load?.())?.command;
    for (const { kind, name, short } of command === undefined ? [] : argumentsOf(command)) {
      if (kind === "positional") continue;
      note(name, short ?? "none");
      if (short !== null) note(short, name);
    }
  }
  assertEquals([...letters].filter(([, others]) => others.size > 1), []);
});

Deno.test("COMMANDS: help --all lists what people look for, and not what programs call", async () => {
  const io = new FakeIo();
  assertEquals(await main(["help", "--all"], io), 0);
  const listed = (name: string) => new RegExp(`^  ${name} `, "m").test(io.out);
  assertEquals(["stats", "digest", "loop", "adopt"].filter((name) => !listed(name)), []);
  assertEquals(["hook", "mcp", "__run", "state"].filter(listed), []);
});
