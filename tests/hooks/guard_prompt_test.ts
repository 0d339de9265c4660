/**
 * What a person decides is asked where they are: at the prompt of a host that has one, else in the inbox; and the hook
 * answers in time. `recordings/before_tool.jsonl` is what real hosts sent, and whether they showed a prompt.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { AGENTX, TempWorkspace } from "../temp_workspace.ts";
import { replace } from "../lock/faults.ts";

interface Recorded {
  host: string;
  entrypoint: string;
  hasPrompted: boolean;
  payload: Record<string, unknown>;
}

const RECORDED: Recorded[] = Deno.readTextFileSync(
  new URL("recordings/before_tool.jsonl", import.meta.url),
).trim().split("\n").map((line) => JSON.parse(line));

const SHELL = { pid: 3, programs: ["sh"], variables: ["CLAUDECODE"] };
const CLAUDE = { pid: 2, programs: ["claude"], variables: ["PATH", "HOME"] };

/** What is answered to a recorded payload about a command that a person decides. */
async function decisionOn(
  temp: TempWorkspace,
  { host, entrypoint, payload }: Recorded,
  more: Record<string, unknown> = {},
): Promise<string> {
  using _ = replace("ancestors", () => () => [SHELL, CLAUDE]);
  const input = { cwd: temp.root, tool_input: { command: "npm install a" }, ...more };
  const { out } = await temp.run(["hook", "host", host, "PreToolUse"], {
    stdin: JSON.stringify({ ...payload, ...input }),
    env: { CLAUDECODE: "1", CLAUDE_CODE_ENTRYPOINT: entrypoint },
  });
  return out === "" ? "" : JSON.parse(out).hookSpecificOutput.permissionDecision;
}

Deno.test("a host asks its human itself where it was seen to, and the record says so", async () => {
  assert(RECORDED.some(({ hasPrompted }) => hasPrompted));
  for (const recorded of RECORDED) {
    using temp = new TempWorkspace();
    const { hasPrompted, payload } = recorded;
    const name = `${recorded.entrypoint} ${payload.permission_mode}`;
    assertEquals(await decisionOn(temp, recorded), hasPrompted ? "ask" : "deny", name);
    const { entries } = await temp.json(["inbox"]) as { entries: unknown[] };
    assertEquals(entries.length, hasPrompted ? 0 : 1, name);
    const audit = await temp.json(["audit"]) as { entries: { verdict: string; by: string }[] };
    const [{ verdict, by }] = audit.entries;
    assertEquals([verdict, by], ["ask", hasPrompted ? "prompt" : "rules"], name);
  }
});

Deno.test("a mode that was not seen to ask, and what is blocked, is refused", async () => {
  using temp = new TempWorkspace();
  const recorded = RECORDED.find(({ hasPrompted }) => hasPrompted)!;
  for (const permission_mode of ["bypassPermissions", "new", undefined]) {
    assertEquals(await decisionOn(temp, recorded, { permission_mode }), "deny");
  }
  const tool_input = { command: "git reset --hard" };
  assertEquals(await decisionOn(temp, recorded, { tool_input }), "deny");
  assertEquals(await decisionOn(temp, recorded, { tool_input: { command: "ls" } }), "");
});

Deno.test("the hook before a tool answers below the limit of its host, whatever it waits for", async () => {
  using temp = new TempWorkspace();
  const child = new Deno.Command("sh", {
    args: ["-c", `exec ${AGENTX} hook host claude PreToolUse`],
    cwd: temp.root,
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const start = Date.now();
  const { code, stdout } = await child.output(); // its standard input stays open
  const tookMs = Date.now() - start;
  await child.stdin.close().catch(() => {});
  const { hookSpecificOutput: answer } = JSON.parse(new TextDecoder().decode(stdout));
  assertEquals([code, answer.permissionDecision], [0, "deny"]);
  assert(answer.permissionDecisionReason.includes("in 8 s"));
  assert(tookMs < 10_000, `${tookMs} ms`);
});
