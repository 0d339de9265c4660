/**
 * The hooks in the real Claude Code, Codex and Copilot, in front of a model on loopback. What `.ci/run` did not
 * install is ignored.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { walkSync } from "@std/fs/walk";
import type { Delivery } from "../../lib/hooks/session_files.ts";
import { readTranscript } from "../../lib/transcripts/mod.ts";
import { AGENTX, type TempWorkspace } from "../temp_workspace.ts";
import { type Host, HOSTS, programOf, titleOf } from "../hosts/host.ts";
import { ASK_AND_GO_ON, entries, HookUser, WORKING_HOSTS } from "./hook_user.ts";
import { type Step, WorkingModel } from "./working_model.ts";

const COPILOT = HOSTS.find(({ name }) => name === "copilot")!;

const DECISION = "We decided to keep one JSON file per issue, because git merges those.";
const NONCE = "PostgreSQL, says the architect 7f3a9c.";
const LEARNED =
  "We decided to use PostgreSQL 16 for the ledger, because the architect asked for it.";

/** The engineer asks; while it works, the architect's answer arrives; then it says what it learned. */
async function work(host: Host): Promise<void> {
  const temp: { workspace?: TempWorkspace } = {};
  const steps: Step[] = [{ shell: ASK_AND_GO_ON }, { shell: "true" }, { text: LEARNED }];
  await using model = new WorkingModel(async (_, number) => {
    if (number === 2) await temp.workspace!.run(["clarify", "answer", "CLR-42-001", NONCE]);
    return steps[number - 1] ?? { text: "Done." };
  });
  using user = new HookUser(host, model.url);
  temp.workspace = user.temp;
  user.installHooks();
  await user.temp.run(["here", "--as", "engineer", "--issue", "42"]);
  const other = host.name === "claude" ? codexRecording(DECISION) : claudeRecording(DECISION);
  user.temp.write("other.jsonl", other);
  const capture = ["memory", "capture", "--agent", "architect", "--issue", "42", "--from"];
  await user.temp.run([...capture, `${user.temp.root}/other.jsonl`]);
  const { code, out, err } = await user.work("Go on with the issue.");
  const told = `${out}\n${err}\n${model.requests.join("\n\n")}`.slice(-20_000);
  assertEquals(code, 0, told);
  assert(model.requests[0]?.includes("keep one JSON file per issue"), `no recall: ${told}`);
  const withAnswer = model.requests.map((request) => request.includes("7f3a9c"));
  assertEquals(withAnswer, [false, false, true], told);
  await untilCaptured(user.temp);
  const [file] = Array.from(Deno.readDirSync(`${user.temp.root}/.agentx/state/sessions`))
    .filter(({ name }) => !name.startsWith("tree-") && name.endsWith(".json"));
  const { deliveries } = JSON.parse(user.temp.read(`.agentx/state/sessions/${file.name}`));
  const seen = deliveries.map(({ id, offers, proof }: Delivery) => [id, offers.length, proof]);
  assertEquals(seen, [["CLR-42-001.2", 1, "transcript"]], JSON.stringify(deliveries));
  const [, answer] = user.temp.ledger().clarifications[0].thread;
  assertEquals(answer.body, NONCE);
}

const CAPTURED_MS = 30_000;

async function untilCaptured(temp: TempWorkspace): Promise<void> {
  for (const end = Date.now() + CAPTURED_MS;;) {
    const shown = JSON.stringify(await temp.json(["memory", "search", "PostgreSQL 16"]));
    if (shown.includes("PostgreSQL 16")) return;
    assert(Date.now() < end, `not captured: ${shown}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** What the host has recorded of its only session. */
function recordingOf({ home }: HookUser): string {
  const [file] = Array.from(walkSync(home, { exts: [".jsonl"], includeDirs: false }))
    .filter(({ path }) => /\/(?:projects|sessions)\//.test(path));
  return Deno.readTextFileSync(file.path);
}

function codexRecording(text: string): string {
  const message = { type: "message", role: "assistant", content: [{ type: "output_text", text }] };
  return [
    {
      type: "session_meta",
      payload: { id: "s1", timestamp: "2026-02-26T10:00:00.000Z", cwd: "/" },
    },
    { type: "response_item", timestamp: "2026-02-26T10:00:01.000Z", payload: message },
  ].map((line) => JSON.stringify(line)).join("\n");
}

function claudeRecording(text: string): string {
  const line = { sessionId: "s1", cwd: "/", isSidechain: false, parentUuid: null };
  const message = { role: "assistant", content: [{ type: "text", text }] };
  return JSON.stringify({
    ...line,
    type: "assistant",
    uuid: "u1",
    timestamp: "2026-02-26T10:00:00.000Z",
    message,
  });
}

for (const host of WORKING_HOSTS) {
  const other = host.name === "claude" ? "Codex" : "Claude";
  Deno.test({
    name: `${
      titleOf(host)
    }: recalls what a ${other} session decided, hears an answer while it works, is captured`,
    ignore: programOf(host) === undefined,
    fn: () => work(host),
  });
}

for (const host of WORKING_HOSTS) {
  Deno.test({
    name: `${
      titleOf(host)
    }: recalls by its first prompt where it has no issue, once, and is seen to note`,
    ignore: programOf(host) === undefined,
    async fn() {
      const steps: Step[] = [];
      await using model = new WorkingModel((_, number) => steps[number - 1] ?? { text: "Done." });
      using user = new HookUser(host, model.url);
      user.installHooks();
      user.write("bin/agentx", `#!/bin/sh\nexec ${AGENTX} "$@"\n`);
      Deno.chmodSync(`${user.home}/bin/agentx`, 0o755);
      const noteIt = "memory note --agent engineer --issue 0 'The limit is 5 MB.'";
      steps.push({ shell: `${user.home}/bin/agentx ${noteIt}` });
      const note = ["memory", "note", "--agent", "engineer", "--issue", "0"];
      await user.temp.run([...note, "--category", "decision", DECISION]);
      const { code, out, err } = await user.work("Why do we keep one JSON file per issue in git?");
      const told = `${out}\n${err}\n${model.requests.join("\n\n")}`.slice(-20_000);
      assertEquals(code, 0, told);
      const recalls = model.requests.map((request) =>
        request.split("because git merges").length - 1
      );
      assertEquals(recalls.slice(0, 2), [1, 1], told);
      const { messages } = readTranscript(recordingOf(user));
      assertEquals(messages.map(({ isNote }) => isNote).filter((is) => is), [true], told);
    },
  });
}

for (const both of [true, false]) {
  Deno.test({
    name: `copilot: recalls once and is captured with ${both ? "both" : "Claude Code's"} hooks`,
    ignore: programOf(COPILOT) === undefined,
    async fn() {
      await using model = new WorkingModel(() => ({ text: LEARNED }));
      using user = new HookUser(COPILOT, model.url);
      const { root } = user.temp;
      user.write(".copilot/config.json", JSON.stringify({ trusted_folders: [root] }));
      user.temp.write(".git/HEAD", "ref: refs/heads/issue-42-ledger\n");
      const claude = { hooks: entries("claude", "command") };
      user.temp.write(".claude/settings.json", JSON.stringify(claude));
      const bash = (event: string) => `${AGENTX} hook host copilot ${event}`;
      const own = ["sessionStart", "userPromptSubmitted", "agentStop", "sessionEnd"].map((event) =>
        [event, [{ type: "command", bash: bash(event), cwd: ".", timeoutSec: 20 }]] as const
      );
      const hooks = { version: 1, hooks: Object.fromEntries(own) };
      if (both) user.temp.write(".github/hooks/agentx.json", JSON.stringify(hooks));
      const note = ["memory", "note", "--agent", "engineer", "--issue", "42"];
      await user.temp.run([...note, "--category", "decision", DECISION]);
      const args = ["-p", "Go on.", "-s", "--allow-all-tools", "--disable-builtin-mcps"];
      const { code, out, err } = await user.run([...args, "--no-ask-user"], "");
      const told = `${out}\n${err}\n${model.requests.join("\n\n")}`.slice(-20_000);
      assertEquals(code, 0, told);
      assertEquals(model.requests[0]?.split("keep one JSON file per issue").length, 2, told);
      await untilCaptured(user.temp); // copilot does not wait for the last hook
    },
  });
}
