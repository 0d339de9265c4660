/**
 * Every command line that the documents show, and what people write instead of ours.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { ASK, TempWorkspace } from "../temp_workspace.ts";

/** A command line, and another that prints the same JSON. */
const SAME: readonly (readonly [written: string, ours: string])[] = [
  ["clarify --issue 42", "clarify --issue 42"],
  ["clarify -Issue 42", "clarify --issue 42"],
  ["clarify 42", "clarify --issue 42"],
  ["clarify #42", "clarify --issue 42"],
  ["clarify CLR-42-001", "clarify --id CLR-42-001"],
  ["clarify 42-1", "clarify --id CLR-42-001"],
  ["clarify show CLR-42-001", "clarify --id CLR-42-001"],
  ["clarify show 42", "clarify --issue 42"],
  ["clarify list", "clarify"],
  ["workflow -Type feature", "workflow feature"],
  ["workflow --type feature", "workflow feature"],
  ["deps -Issue 1", "deps 1"],
  ["deps --issue 1", "deps 1"],
  ["deps -i 1", "deps 1"],
  ["deps #1", "deps 1"],
  ["route --issue 1", "route 1"],
  ["issue 1", "issue get 1"],
  ["issue #1", "issue get 1"],
  ["issue view 1", "issue get 1"],
  ["issue show 1", "issue get 1"],
  ["issue get -i 1", "issue get 1"],
  ["issue get -Issue 1", "issue get 1"],
  ["issue get -n 1", "issue view 1"],
  ["issue update -n #1 -s Ready", "issue edit 1 -s Ready"],
  ["clarify stats", "stats"],
  ["memory list", "memory search --from 2000-01-01"],
  ["memory list --limit 1", "memory search --from 2000-01-01 --limit 1"],
  ["config list", "config show"],
  ["agents list", "agents"],
  ["assumptions list", "assumptions"],
  ["guard audit", "audit"],
  ["plugin list", "plugin"],
  ["schedule list", "schedule"],
  ["workflow list", "workflow"],
  ["loop 1", "loop status 1"],
  ["loop status -i 1", "loop status 1"],
  ["status engineer", "state engineer"],
  ["memory-stats", "memory stats"],
  ["search-memory repository", "memory search repository"],
  ["search-memory -Query repository", "memory search repository"],
  ["compact-memory --dry-run", "memory compact --dry-run"],
];

/** What the documents show and nothing of ours repeats. */
const DOCUMENTED: readonly string[] = [
  "clarify",
  "clarify stale",
  "clarify --json",
  "ready",
  "state",
  "hook -Phase start -Agent engineer -Issue 42",
  "hook -Phase finish -Agent engineer -Issue 42",
  "clarify escalate CLR-42-001",
  "clarify resolve CLR-42-001",
];

async function workspace(): Promise<TempWorkspace> {
  const temp = new TempWorkspace();
  await temp.run(["issue", "create", "-t", "Pay by card", "-l", "type:story"]);
  await temp.run(ASK);
  const session = ["--agent", "engineer", "--issue", "1"];
  await temp.run(["memory", "note", ...session, "The repository pattern stays."]);
  return temp;
}

Deno.test("The command line takes other spellings for its own", async () => {
  using temp = await workspace();
  const withoutTime = (value: object) => ({ ...value, nowMs: null });
  for (const [written, ours] of SAME) {
    const [a, b] = [await temp.json(written.split(" ")), await temp.json(ours.split(" "))];
    assert(a.error === undefined, `${written}: ${JSON.stringify(a.error)}`);
    assertEquals(withoutTime(a), withoutTime(b), written);
  }
});

for (const flag of ["-m", "--message"]) {
  Deno.test(`issue comment and issue close take ${flag} for -c, but not after --`, async () => {
    using temp = await workspace();
    const said = async (...argv: string[]) => {
      const { issue } = await temp.json(["issue", ...argv]);
      return issue.comments.at(-1).body;
    };
    assertEquals(await said("comment", "1", flag, "Seen on Linux"), "Seen on Linux");
    assertEquals(await said("comment", "-n", "1", flag, "Again"), "Again");
    assertEquals(await said("close", "1", flag, "Fixed"), "Fixed");
    assertEquals(await said("comment", "1", "-c", "Kept"), "Kept");
    assertEquals((await temp.run(["issue", "comment", "1", "--", flag])).code, 2);
  });
}

Deno.test("The command line takes what the documents show", async () => {
  using temp = await workspace();
  for (const line of DOCUMENTED) {
    const { code, err } = await temp.run(line.split(" "));
    assertEquals(code, 0, `${line}: ${err}`);
  }
});

Deno.test("The command line explains a text without quotes", async () => {
  using temp = await workspace();
  for (
    const line of [
      "clarify ask CLR-42-001 And pooling?",
      "clarify ask And pooling?",
      "clarify answer CLR-42-001 Both of them",
      "clarify resolve CLR-42-001 It is clear",
      "issue create -t Crash on start",
      "issue comment 1 -c Seen on Linux",
      "memory search why postgres",
    ]
  ) {
    const { code, err } = await temp.run(line.split(" "));
    assertEquals(code, 2, line);
    assert(err.includes('Put a text of several words in quotes: "...".'), `${line}: ${err}`);
  }
});

Deno.test("The command line names the option that a text belongs to", async () => {
  using temp = await workspace();
  for (
    const [argv, option] of [
      [["issue", "comment", "1", "Seen on Linux"], "comment"],
      [["issue", "comment", "1", "Seen", "on", "Linux"], "comment"],
    ] as const
  ) {
    const { code, err } = await temp.run([...argv]);
    const line = err.split("\n")[1];
    const told = `  Give the text as: --${option} "...". See: agentx ${argv[0]} ${argv[1]} --help`;
    assertEquals([code, line], [2, told]);
  }
  const torn = await temp.run(["issue", "comment", "1", "-c", "Seen", "on", "Linux"]);
  assert(torn.err.includes("Put a text of several words in quotes"), torn.err);
});

for (const words of ["issue view", "issue get", "issue close", "loop start"]) {
  Deno.test(`${words} without a number shows how to give one`, async () => {
    using temp = await workspace();
    const name = words.replace("get", "view");
    const { code, err } = await temp.run(words.split(" "));
    assertEquals(code, 2);
    assertEquals(err.split("\n").slice(0, 2), [
      `error: Cannot run agentx ${name}: N is required (number of the issue)`,
      `  Give it as in: agentx ${name} 42. See: agentx ${name} --help`,
    ]);
  });
}

Deno.test("The command line asks for no quotes around a text that had some", async () => {
  using temp = await workspace();
  const { code, err } = await temp.run(["issue", "close", "1", "Fixed in 1.2"]);
  assertEquals(code, 2);
  assert(err.includes('unexpected argument "Fixed in 1.2"'), err);
  assert(!err.includes("quotes"), err);
});

Deno.test("The command line says in a sentence what is missing", async () => {
  using temp = await workspace();
  const lines = async (...argv: string[]) => (await temp.run(argv)).err.split("\n").slice(0, 2);
  assertEquals(await lines("deps"), [
    "error: Cannot run agentx issue deps: N is required (number of the issue)",
    "  Give it as in: agentx issue deps 42. See: agentx issue deps --help",
  ]);
  assertEquals(await lines("ready", "--issue", "1"), [
    "error: Cannot run agentx ready: --claim is required with --issue",
    "  See: agentx ready --help",
  ]);
});

Deno.test("The command line says which arguments do not go together", async () => {
  using temp = await workspace();
  const line = async (...argv: string[]) => (await temp.run(argv)).err.split("\n")[0];
  const id = "CLR-1-001";
  assertEquals(
    await line("clarify", "ask", id, "Again?", "--to", "pm"),
    `error: Cannot run agentx clarify ask: --to does not go with ${id}`,
  );
  assertEquals(
    await line("config", "get", "mode", "--global", "--local"),
    "error: Cannot run agentx config get: --local does not go with --global",
  );
  assertEquals(
    await line("memory", "compact", "--undo"),
    "error: Cannot run agentx memory compact: --issue is required with --undo",
  );
});

Deno.test("The command line suggests what does the deed that there is not", async () => {
  using temp = await workspace();
  for (
    const [line, meant] of [
      ["issue rm 1", "issue delete"],
      ["memory rm x", "memory delete"],
      ["merge 7", "workflow merge N"],
    ]
  ) {
    const { code, err } = await temp.run(line.split(" "));
    assertEquals([code, err.includes(`Did you mean "agentx ${meant}"?`)], [2, true], err);
  }
});
