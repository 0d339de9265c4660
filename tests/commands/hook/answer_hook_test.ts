import { assert, assertEquals } from "@std/assert";
import {
  answerHook,
  type AnswerHookOptions,
  type HostName,
} from "../../../lib/commands/hook/mod.ts";
import { refusal } from "../../refusal.ts";
import { HookSession } from "../../hooks/hook_session.ts";
import { TempWorkspace } from "../../temp_workspace.ts";

/** Runs a hook of Claude Code in a workspace, and gives what it printed, too. */
async function fire(
  { root }: TempWorkspace,
  event: string,
  { input, ...options }: AnswerHookOptions = {},
) {
  let printed = "";
  const answer = await answerHook("claude", event, {
    input: { session_id: "s-1", cwd: root, hook_event_name: event, ...input as object },
    print: (text) => printed += text,
    ...options,
  });
  return { ...answer, printed };
}

Deno.test("answerHook() tells a session what is remembered of its first prompt", async () => {
  using temp = new TempWorkspace();
  await temp.run([
    "memory",
    "note",
    "--agent",
    "engineer",
    "--issue",
    "0",
    "Pools are set up once.",
  ]);
  await fire(temp, "SessionStart");
  const input = { prompt: "Set the pools up once more" };
  const { answered, exitCode, printed } = await fire(temp, "UserPromptSubmit", { input });
  assertEquals([answered, exitCode], ["context", 0]);
  assert(JSON.parse(printed).hookSpecificOutput.additionalContext.includes("Pools are set up"));
});

for (const isPrinted of [true, false]) {
  const what = isPrinted ? "what was printed" : "nothing that its program could not print";
  Deno.test(`answerHook() notes as delivered ${what}`, async () => {
    using temp = new TempWorkspace();
    const session = new HookSession(temp);
    await session.run(["here", "--as", "engineer", "--issue", "42"]);
    const asked = ["--issue", "42", "--from", "engineer", "--to", "architect"];
    await temp.run(["clarify", "ask", ...asked, "Why?"]);
    await temp.run(["clarify", "answer", "CLR-42-001", "Because."]);
    const input = { session_id: session.id, prompt: "Continue" };
    const { answered } = await fire(temp, "UserPromptSubmit", { input, print: () => isPrinted });
    const [{ offers }] = session.deliveries;
    assertEquals([answered, offers.map(({ putOut }) => putOut)], ["context", [isPrinted]]);
  });
}

Deno.test("answerHook() prints nothing outside of a workspace, and takes text as it was sent", async () => {
  const cwd = Deno.makeTempDirSync();
  let printed = "";
  const answer = await answerHook("claude", "SessionStart", {
    input: JSON.stringify({ session_id: "s-1", cwd }),
    print: (text) => printed += text,
  });
  assertEquals([answer, printed], [{ answered: "nothing", exitCode: 0 }, ""]);
  Deno.removeSync(cwd);
});

Deno.test("answerHook() refuses a host or an event that it does not know", async () => {
  const options = { input: {}, print: () => {} };
  for (
    const [field, host, event] of [
      ["host", "", "SessionStart"],
      ["host", "emacs", "SessionStart"],
      ["event", "claude", ""],
      ["event", "claude", "Nothing"],
    ]
  ) {
    const { details } = await refusal(
      "INVALID_INPUT",
      () => answerHook(host as HostName, event, options),
    );
    assertEquals(details.field, field);
  }
});
