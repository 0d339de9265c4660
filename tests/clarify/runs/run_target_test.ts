import { assert, assertEquals } from "@std/assert";
import type { AgentCall } from "../../../lib/agents/agent_call.ts";
import { RunFiles } from "../../../lib/agents/run_files.ts";
import { runTarget, type RunTargetOptions } from "../../../lib/clarify/runs/run_target.ts";
import { AgentxError } from "../../../lib/base/errors.ts";
import { replace } from "../../lock/faults.ts";
import { refusal } from "../../refusal.ts";
import { sampleRecord } from "../samples.ts";

const FOLDER = Deno.makeTempDirSync({ prefix: "agentx-test-" });
globalThis.addEventListener("unload", () => Deno.removeSync(FOLDER, { recursive: true }));

/** Waits that are over at once, and what ends them. */
const waits: number[] = [];
const ends: unknown[] = [];
replace("wait", () => (ms, signal) => (waits.push(ms), ends.push(signal), Promise.resolve()));

/** An agent that replies, or fails, as the script says. */
function scripted(...script: (string | Error)[]) {
  const calls: AgentCall[] = [];
  waits.length = ends.length = 0;
  const notes: string[] = [];
  const options: RunTargetOptions = {
    invoke: (call) => {
      calls.push(call);
      const next = script.shift();
      return typeof next === "string" ? Promise.resolve(next) : Promise.reject(next);
    },
    context: { issue: null, artifact: null },
    retryDelayMs: 30_000,
    keep: () => {},
    files: new RunFiles(`${FOLDER}/${crypto.randomUUID()}`, "1"),
    notify: (message) => notes.push(message),
  };
  return { calls, notes, options };
}

function failure(reason = "exit code 1") {
  return new AgentxError("AGENT_ERROR", `Cannot get an answer from architect: ${reason}`, {
    details: { agent: "architect", reason },
  });
}

const TOO_LONG = "x".repeat(2_001);

Deno.test("runTarget() asks the target once and gives its answer", async () => {
  const { calls, notes, options } = scripted("Both.");
  assertEquals((await runTarget(sampleRecord(), options)).body, "Both.");
  assertEquals([calls.length, calls[0].agent, waits, notes], [1, "architect", [], []]);
  assert(calls[0].prompt.includes("> PostgreSQL or SQLite?"));
});

Deno.test("runTarget() waits after a failure, says so, and asks once more", async () => {
  const { calls, notes, options } = scripted(failure("exit code 3"), "Both.");
  assertEquals((await runTarget(sampleRecord(), options)).body, "Both.");
  assertEquals([calls.length, waits, notes.length], [2, [30_000], 1]);
  assert(notes[0].includes("exit code 3") && notes[0].includes("30 s"));
});

Deno.test("runTarget() gives up after the second failure", async () => {
  const { calls, options } = scripted(failure("first"), failure("second"), "never asked");
  const { details } = await refusal("AGENT_ERROR", () => runTarget(sampleRecord(), options));
  assertEquals([calls.length, details.reason], [2, "second"]);
});

Deno.test("runTarget() asks at once again for a shorter answer, and says why", async () => {
  const { calls, options } = scripted(TOO_LONG, "Both.");
  assertEquals((await runTarget(sampleRecord(), options)).body, "Both.");
  assertEquals([calls.length, waits], [2, []]);
  assert(calls[1].prompt.includes("Your last one had 2001 characters and was refused."));
});

Deno.test("runTarget() takes a second answer that is too long for a failed run", async () => {
  const { calls, options } = scripted(TOO_LONG, TOO_LONG, "Both.");
  assertEquals((await runTarget(sampleRecord(), options)).body, "Both.");
  assertEquals([calls.length, waits], [3, [30_000]]);
});

Deno.test("runTarget() never cuts an answer that stays too long", async () => {
  const { calls, options } = scripted(TOO_LONG, TOO_LONG, TOO_LONG, TOO_LONG);
  const { details } = await refusal("AGENT_ERROR", () => runTarget(sampleRecord(), options));
  assertEquals(calls.length, 4);
  assert(details.reason.includes("2001"));
});

Deno.test("runTarget() counts characters, not code units", async () => {
  const answer = "\u{1f600}".repeat(2_000);
  const { calls, options } = scripted(answer);
  assertEquals((await runTarget(sampleRecord(), options)).body, answer);
  assertEquals(calls.length, 1);
});

Deno.test("runTarget() gives an answer that can be written as UTF-8", async () => {
  const { options } = scripted("a\ud800b");
  assertEquals((await runTarget(sampleRecord(), options)).body, "a\ufffdb");
});

Deno.test("runTarget() takes blank text for a failed run", async () => {
  const { calls, options } = scripted(" \n", " \n");
  await refusal("AGENT_ERROR", () => runTarget(sampleRecord(), options));
  assertEquals(calls.length, 2);
});

Deno.test("runTarget() does not retry what is not a failure of the agent", async () => {
  const { calls, options } = scripted(
    new AgentxError("IO_ERROR", "No disk", {
      details: { operation: "read", path: "/x", errno: "EIO" },
    }),
  );
  const error = await runTarget(sampleRecord(), options).catch((error) => error);
  assertEquals([error.code, calls.length], ["IO_ERROR", 1]);
});

Deno.test("runTarget() passes the signal to agent and wait", async () => {
  const { signal } = new AbortController();
  const { calls, options } = scripted(failure(), "Both.");
  await runTarget(sampleRecord(), { ...options, signal });
  assertEquals([...calls.map((call) => call.signal === signal), ends[0] === signal], [
    true,
    true,
    true,
  ]);
});
