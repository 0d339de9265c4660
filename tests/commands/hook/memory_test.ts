/**
 * From session to session, through the hooks.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { RECALL_BEGIN, RECALL_END } from "../../../lib/text/recall_markers.ts";
import { ended, TempWorkspace } from "../../temp_workspace.ts";

const DECISION =
  "We store every timestamp in UTC with milliseconds, because the monitor compares " +
  "them as text.";

/** A session of Claude Code about an issue. */
function session(messages: [role: "user" | "assistant", text: string][], sessionId = "s-1") {
  const lines = messages.map(([role, text], index) => ({
    type: role,
    sessionId,
    uuid: `u-${index}`,
    timestamp: `2026-02-27T10:00:0${index % 10}.000Z`,
    message: { role, content: [{ type: "text", text }] },
  }));
  return lines.map((line) => `${JSON.stringify(line)}\n`).join("");
}

const TRANSCRIPT = session([
  ["user", "Fix the clock of the monitor."],
  ["assistant", `Done.\n\n## Decisions\n\n- ${DECISION}\n`],
]);

const START = ["hook", "start", "engineer", "42"];
const FINISH = ["hook", "finish", "engineer", "42"];

/** Everything that is stored, as the export prints it. */
async function contents(temp: TempWorkspace): Promise<string[]> {
  const { observations } = await temp.json(["memory", "export"]);
  return observations.map(({ content }: { content: string }) => content);
}

Deno.test("Session to session: what one process captured, a fresh one recalls, finds and shows", async () => {
  using temp = new TempWorkspace();
  temp.write("t.jsonl", TRANSCRIPT);
  const finish = [...FINISH, "--transcript", "t.jsonl"];
  const first = await ended(temp.spawn(finish));
  assert(first.code === 0 && /Remembered: [1-9]\d*\.\n$/.test(first.out), first.out + first.err);
  const count = (await contents(temp)).length;
  const second = await ended(temp.spawn(finish));
  assertEquals([second.code, second.out.includes("Remembered")], [0, false]);
  assertEquals((await contents(temp)).length, count);

  const { code, out } = await ended(temp.spawn(START));
  assertEquals(code, 0);
  assert(out.startsWith("  engineer is working on #42.\n\n<!-- agentx:memory-recall -->\n"));
  assert(out.replace(/\n> +/g, " ").includes(DECISION), out);

  const search = await ended(temp.spawn(["memory", "search", "storing timestamps", "--json"]));
  const [{ id }] = JSON.parse(search.out).observations;
  const get = await ended(temp.spawn(["memory", "get", id]));
  assert(get.out.replace(/\s+/g, " ").includes(DECISION), get.out);
});

Deno.test("hook start gives the recall as a field under --json, empty where there is none", async () => {
  using temp = new TempWorkspace();
  assertEquals((await temp.json(START)).recall, "");
  assertEquals((await temp.run(START)).out, "  engineer is working on #42.\n");
  await temp.run([...FINISH, "--transcript", "-"], { stdin: TRANSCRIPT });
  const { kind, recall, captured } = await temp.json(START);
  assertEquals([kind, captured], ["hook", []]);
  assert(recall.startsWith(RECALL_BEGIN) && recall.includes("UTC"));
});

Deno.test("hook finish gives the ids of what it captured under --json", async () => {
  using temp = new TempWorkspace();
  const { captured, recall } = await temp.json([...FINISH, "--transcript", "-"], {
    stdin: TRANSCRIPT,
  });
  assert(captured.length >= 1 && captured.every((id: string) => id.startsWith("obs-engineer-42-")));
  assertEquals(recall, "");
});

Deno.test("hook takes the transcript in the spelling of the original AgentX", async () => {
  using temp = new TempWorkspace();
  temp.write("t.jsonl", TRANSCRIPT);
  const path = `${temp.root}/t.jsonl`;
  const words = ["hook", "-Phase", "finish", "-Agent", "engineer", "-Issue", "42"];
  assert((await temp.json([...words, "-Transcript", path])).captured.length >= 1);
  const { recall } = await temp.json([
    "hook",
    "-Phase",
    "start",
    "-Agent",
    "engineer",
    "-Issue",
    "42",
  ]);
  assert(recall.includes("UTC"));
  const start = ["hook", "-Phase", "start", "-Agent", "engineer", "--transcript", path];
  assertEquals((await temp.run(start)).code, 2);
});

Deno.test("hook finish captures for the issue that the agent began with", async () => {
  using temp = new TempWorkspace();
  await temp.run(START);
  await temp.run(["hook", "finish", "engineer", "--transcript", "-"], { stdin: TRANSCRIPT });
  assert((await temp.json(["memory", "search", "--issue", "42"])).observations.length >= 1);
});

Deno.test("hook finish captures also where the loop does not let the work be handed over", async () => {
  using temp = new TempWorkspace();
  await temp.run(["loop", "start", "42"]);
  const { code } = await temp.run([...FINISH, "--transcript", "-"], { stdin: TRANSCRIPT });
  assertEquals([code, (await contents(temp)).length >= 1], [6, true]);
});

for (
  const [what, { stdin = "", words = FINISH, before, expected = 1 }] of Object.entries<{
    stdin?: string;
    words?: string[];
    before?: (temp: TempWorkspace) => void;
    expected?: number;
  }>({
    "a transcript that is not there": {
      words: [...FINISH, "--transcript", "nowhere.jsonl"],
      expected: 4,
    },
    "a binary file": { stdin: "\x7fELF\0\0\0" },
    "a file where memory should be": {
      stdin: TRANSCRIPT,
      before: (temp) => temp.write(".agentx/memory", "x"),
    },
  })
) {
  Deno.test(`hook finish warns of ${what}, and does its work`, async () => {
    using temp = new TempWorkspace();
    before?.(temp);
    const argv = words.includes("--transcript") ? words : [...words, "--transcript", "-"];
    const { code, out, err } = await temp.run(argv, { stdin });
    assertEquals([code, out.startsWith("  engineer is done")], [expected, true], err);
    assert(err.startsWith("note: The session was not captured: "), err);
  });
}

Deno.test("hook finish says how to capture a session that could not be stored, and that works", async () => {
  using temp = new TempWorkspace();
  temp.write(".agentx/memory", "x");
  const recording = "it's t.jsonl";
  temp.write(recording, TRANSCRIPT);
  const path = `${temp.root}/${recording}`;
  const argv = ["hook", "finish", "engineer@2", "42", "--transcript", path, "--json"];
  const { code, out, err } = await temp.run(argv);
  assertEquals([code, JSON.parse(out).captured], [1, []]);
  const [why, next] = err.split("\n");
  assert(why.startsWith("note: The session was not captured: "), err);
  assertEquals(
    next,
    "note: Capture it later with: agentx memory capture --agent engineer --issue 42 " +
      `--from '${temp.root}/it'\\''s t.jsonl'`,
  );
  Deno.removeSync(`${temp.root}/.agentx/memory`);
  const later = ["memory", "capture", "--agent", "engineer", "--issue", "42"];
  assert((await temp.json([...later, "--from", path])).observations.length >= 1);
});

Deno.test("hook finish captures beside memory of a newer version, and names it", async () => {
  using temp = new TempWorkspace();
  temp.write(".agentx/memory/issue-42.json", '{"version":9}');
  const finish = [...FINISH, "--transcript", "-", "--json"];
  const { code, out, err } = await temp.run(finish, { stdin: TRANSCRIPT });
  assertEquals([code, JSON.parse(out).captured.length >= 1], [0, true]);
  assert(err.includes("a newer agentx wrote it (version 9)"), err);
});

Deno.test("hook finish captures beside a manifest that is something else", async () => {
  using temp = new TempWorkspace();
  temp.write(".agentx/memory/manifest.json", '{"a":1}');
  const finish = [...FINISH, "--transcript", "-"];
  assert((await temp.json(finish, { stdin: TRANSCRIPT })).captured.length >= 1);
});

for (
  const [what, path, text] of [
    ["a newer version", ".agentx/memory/issue-42.json", '{"version":9,"issueNumber":42}'],
    ["somebody else's file", ".agentx/memory/issue-42.json", "[]"],
    ["a file for a folder", ".agentx/memory", "x"],
  ]
) {
  Deno.test(`hook start does its work with ${what} for memory`, async () => {
    using temp = new TempWorkspace();
    temp.write(path, text);
    const { code, out } = await temp.run(START);
    assertEquals([code, out], [0, "  engineer is working on #42.\n"]);
  });
}

Deno.test("hook start recalls what is intact beside a corrupt file, which it names", async () => {
  using temp = new TempWorkspace();
  await temp.run([...FINISH, "--transcript", "-"], { stdin: TRANSCRIPT });
  temp.write(".agentx/memory/issue-7.json", "{");
  await temp.run(["issue", "create", "-t", "x"]);
  const { code, out } = await temp.run(START);
  assertEquals([code, out.includes("UTC")], [0, true]);
  const search = await temp.run(["memory", "search", "timestamp"]);
  assert(search.out.includes("UTC") && search.err.includes("issue-7.json"), search.err);
});

Deno.test("hook neither captures nor recalls where memory is switched off", async () => {
  using temp = new TempWorkspace({ config: { memory: { enabled: false } } });
  await temp.run([...FINISH, "--transcript", "-"], { stdin: TRANSCRIPT });
  assertEquals(await contents(temp), []);
  assertEquals((await temp.json(START)).recall, "");
});

Deno.test("hook with a budget of 0 captures, and recalls nothing", async () => {
  using temp = new TempWorkspace({ config: { memory: { maxTokens: 0 } } });
  await temp.run([...FINISH, "--transcript", "-"], { stdin: TRANSCRIPT });
  assert((await contents(temp)).length >= 1);
  assertEquals((await temp.json(START)).recall, "");
});

Deno.test("T9: hook finish writes neither a secret nor what is private anywhere", async () => {
  using temp = new TempWorkspace();
  const token = `ghp_${"aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dE3fG5"}`;
  const stdin = session([
    ["user", `Always deploy with the token ${token}. <PRIVATE>My name is Zaphod.\n\nReally.`],
    ["assistant", `Done.\n\nWe decided to deploy with ${token} from the CI only.\n`],
  ]);
  const { captured } = await temp.json([...FINISH, "--transcript", "-"], { stdin });
  assert(captured.length >= 1);
  const files = Object.values(temp.snapshot()).join("\n");
  assert(!files.includes(token.slice(0, 10)) && !files.includes("Zaphod"));
  assert(files.includes("from the CI only"));
});

Deno.test("hook logs that something was stored and recalled, and not what", async () => {
  using temp = new TempWorkspace();
  await temp.run([...FINISH, "--transcript", "-"], { stdin: TRANSCRIPT });
  await temp.run(START);
  const [log] = Array.from(Deno.readDirSync(`${temp.root}/.agentx/log`), ({ name }) => name);
  const text = temp.read(`.agentx/log/${log}`);
  const lines = text.trim().split("\n").map((line) => JSON.parse(line));
  for (const name of ["memory-stored", "memory-recalled"]) {
    const { issueNumber, count, totalTokens } = lines.find(({ operation }) => operation === name);
    assert(issueNumber === 42 && count >= 1 && totalTokens > 5);
  }
  assert(!text.includes("milliseconds"));
});

Deno.test("20 sessions in a row that capture what was recalled: the store does not grow from its own text", async () => {
  using temp = new TempWorkspace();
  await temp.run([...FINISH, "--transcript", "-"], { stdin: TRANSCRIPT });
  const first = await contents(temp);
  for (let turn = 2; turn <= 21; turn++) {
    const { recall } = await temp.json(START);
    assert(recall.includes("UTC"));
    const quoted = recall.replace(/^/gm, "> ");
    const bare = recall.replace(RECALL_BEGIN, "").replace(RECALL_END, "");
    const said = [recall, `As recalled:\n\n${quoted}`, bare][turn % 3];
    const stdin = session([
      ["user", `${said}\n\nGo on.`],
      ["assistant", `I was told this:\n\n${said}`],
      ["assistant", "Going on."],
    ], `s-${turn}`);
    await temp.run([...FINISH, "--transcript", "-"], { stdin });
  }
  assertEquals(await contents(temp), first);
});

Deno.test("20 sessions that say in their own words what they were told add nothing that is recalled twice", async () => {
  using temp = new TempWorkspace();
  for (let turn = 1; turn <= 20; turn++) {
    const stdin = session([
      ["user", "Go on."],
      ["assistant", `Done.\n\n## Decisions\n\n- ${DECISION}\n`],
    ], `s-${turn}`);
    await temp.run([...FINISH, "--transcript", "-"], { stdin });
  }
  const { recall } = await temp.json(START);
  assertEquals(recall.match(/UTC/g)?.length, 1);
});
