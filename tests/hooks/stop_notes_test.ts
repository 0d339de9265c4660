/**
 * `memory.ask = "stop"`: who is asked for notes before a session stops, and who never is.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import type { Ancestor } from "../../lib/sys/ancestors.ts";
import { replace } from "../lock/faults.ts";
import { TempWorkspace } from "../temp_workspace.ts";
import { HookSession } from "./hook_session.ts";

const AT_TERMINAL = { CLAUDE_CODE_ENTRYPOINT: "cli", CLAUDECODE: "1" };

const SHELL: Ancestor = { pid: 3, programs: ["sh"], variables: ["CLAUDECODE"] };
const CLAUDE: Ancestor = { pid: 2, programs: ["claude"], variables: ["PATH", "HOME"] };

interface Case {
  env?: Record<string, string>;
  ancestors?: Ancestor[];
  ask?: "off" | "stop";
  commits?: boolean;
}

/** What a session hears when it stops after a commit. */
async function stopped(temp: TempWorkspace, given: Case = {}): Promise<HookSession> {
  const { env = AT_TERMINAL, commits = true } = given;
  temp.write(".git/HEAD", "ref: refs/heads/issue-42-cache\n");
  const session = new HookSession(temp, { env });
  await session.fire("SessionStart");
  const seconds = Math.ceil(Date.now() / 1_000);
  const entry = (what: string) =>
    `${"0".repeat(40)} ${"1".repeat(40)} A <a@b> ${seconds} +0000\t${what}`;
  temp.write(".git/logs/HEAD", `${entry(commits ? "commit: Add it" : "checkout: moving")}\n`);
  return session;
}

const answersTo = async (given: Case = {}) => {
  using temp = new TempWorkspace();
  temp.user.configure({ memory: { ask: given.ask ?? "stop" } });
  using _ = replace("ancestors", () => () => given.ancestors ?? [SHELL, CLAUDE]);
  const session = await stopped(temp, given);
  return (await session.fire("Stop")).text;
};

Deno.test("a session at a terminal is asked once, after a commit", async () => {
  using temp = new TempWorkspace();
  temp.user.configure({ memory: { ask: "stop" } });
  using _ = replace("ancestors", () => () => [SHELL, CLAUDE]);
  const session = await stopped(temp);
  const { answer } = await session.fire("Stop");
  assertEquals(answer.decision, "block");
  assert(answer.reason.includes("at most five notes"), answer.reason);
  assertEquals((await session.fire("Stop", { stop_hook_active: true })).text, "");
  assertEquals((await session.fire("Stop")).text, "");
});

const NEVER: Record<string, Case> = {
  "memory.ask is off": { ask: "off" },
  "nothing was committed": { commits: false },
  "it runs with -p": { env: { ...AT_TERMINAL, CLAUDE_CODE_ENTRYPOINT: "sdk-cli" } },
  "nothing shows how it runs": { env: {} },
  "it runs in CI": { env: { ...AT_TERMINAL, CI: "true" } },
  "a script of another session runs it": {
    ancestors: [SHELL, { ...CLAUDE, variables: ["CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT"] }],
  },
  "what started it cannot be read": { ancestors: [] },
  "agentx runs it": { env: { ...AT_TERMINAL, AGENTX_DEPTH: "1" } },
};

for (const [why, given] of Object.entries(NEVER)) {
  Deno.test(`a session is not asked before it stops where ${why}`, async () => {
    assertEquals(await answersTo(given), "");
  });
}

Deno.test("a repository alone cannot have its sessions asked, which costs its users", async () => {
  using temp = new TempWorkspace({ config: { memory: { ask: "stop" } }, isTrusted: false });
  using _ = replace("ancestors", () => () => [SHELL, CLAUDE]);
  assertEquals((await (await stopped(temp)).fire("Stop")).text, "");
});

Deno.test("a session that has kept notes is not asked for them again", async () => {
  using temp = new TempWorkspace();
  temp.user.configure({ memory: { ask: "stop" } });
  using _ = replace("ancestors", () => () => [SHELL, CLAUDE]);
  const session = await stopped(temp);
  await session.run(["memory", "note", "--agent", "engineer", "--issue", "42", "JSON merges"]);
  assertEquals((await session.fire("Stop")).text, "");
});
