/**
 * JSON that is nested 20,000 levels deep, wherever a repository, a host or a person hands it over: it is refused by
 * name, and nothing overflows.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { parseJson } from "../lib/base/checks.ts";
import { TempWorkspace } from "./temp_workspace.ts";

const LEVELS = 20_000;
const DEEP: Record<string, string> = {
  lists: "[".repeat(LEVELS) + "]".repeat(LEVELS),
  objects: '{"a":'.repeat(LEVELS) + "1" + "}".repeat(LEVELS),
};

/** Files of a workspace, and what reads them. */
const FILES: Record<string, string[]> = {
  ".agentx/config.json": ["config", "show"],
  ".agentx/state/agent-status.json": ["state"],
  ".agentx/state/assumptions.json": ["assumptions"],
  ".agentx/state/agent-interactions.json": ["inbox"],
  ".agentx/state/loop-state.json": ["loop", "status"],
  ".agentx/state/clarifications/issue-1.json": ["clarify"],
  ".agentx/issues/1.json": ["issue", "list"],
  ".agentx/issues/2026-11/a.jsonl": ["issue", "list"],
  ".agentx/memory/issue-1.json": ["memory", "search", "x"],
  ".agentx/memory/2026-11/a.jsonl": ["memory", "search", "x"],
};

for (const [kind, deep] of Object.entries(DEEP)) {
  for (const [path, words] of Object.entries(FILES)) {
    Deno.test(`${words.join(" ")} names ${path} of ${LEVELS} ${kind} in each other`, async () => {
      using temp = new TempWorkspace();
      temp.write(path, `{"version":"1","x":${deep}}\n`);
      for (const command of [words, ["doctor"], ["status"]]) {
        const { code, out, err } = await temp.run(command);
        assert(!/bug in agentx|RangeError/.test(out + err), `${command}: ${out}${err}`);
        if (command === words) assert(err.includes(path), `${code} ${out}${err}`);
      }
    });
  }

  Deno.test(`what is imported or sent of ${LEVELS} ${kind} in each other is refused`, async () => {
    using temp = new TempWorkspace();
    const id = "obs-engineer-29-1709035200000-a1b2c3";
    const observation = `{"id":"${id}","category":"key-fact","content":"x","more":${deep}}`;
    const event = (name: string) =>
      `{"session_id":"s","cwd":"${temp.root}","hook_event_name":"${name}","tool_name":"Bash",` +
      `"tool_input":{"command":"rm -rf ~","x":${deep}},"prompt":"hi","source":"startup"}`;
    const runs: Array<[words: string[], stdin: string, code?: number]> = [
      [["memory", "import", "-"], observation, 2],
      [["memory", "import", "-"], `[${observation}]`, 2],
      [["issue", "import", "-"], `[{"number":1,"title":"t","x":${deep}}]`, 2],
      [["memory", "capture", "--agent", "engineer", "--issue", "1"], event("x")],
      [["hook", "host", "claude", "SessionStart"], event("SessionStart")],
      [["hook", "host", "claude", "UserPromptSubmit"], event("UserPromptSubmit")],
      [["hook", "host", "claude", "PostToolUse"], event("PostToolUse")],
    ];
    for (const [words, stdin, expected] of runs) {
      const { code, out, err } = await temp.run(words, { stdin });
      assert(!/bug in agentx|RangeError/.test(out + err), `${words}: ${out}${err}`);
      if (expected !== undefined) assertEquals(code, expected, `${words}: ${err}`);
    }
    const guard = ["hook", "host", "claude", "PreToolUse"];
    const { out } = await temp.run(guard, { stdin: event("PreToolUse") });
    assert(out.includes('"permissionDecision":"deny"'), out);
  });
}

Deno.test("parseJson() counts levels, not brackets in strings or beside each other", () => {
  const deepest = "[".repeat(1_000) + "]".repeat(1_000);
  assertEquals(JSON.stringify(parseJson(deepest)), deepest);
  const texts = [
    "[{".repeat(5_000),
    '\\"[[['.repeat(5_000),
    "\\".repeat(9_999) + "[".repeat(5_000),
  ];
  for (const text of texts) assertEquals(parseJson(JSON.stringify({ text })), { text });
  const wide = JSON.stringify(Array.from({ length: 5_000 }, () => [{}]));
  assertEquals(JSON.stringify(parseJson(wide)), wide);
  assertEquals(parseJson(JSON.stringify("x".repeat(2_000))), "x".repeat(2_000));
});
