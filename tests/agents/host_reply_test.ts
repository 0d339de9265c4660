/**
 * What hosts print, as it was recorded from the versions in `.ci/hosts.txt`, cut to what matters.
 *
 * @module
 */

import { assertEquals } from "@std/assert";
import type { HostReply } from "../../lib/agents/host_reply.ts";
import { READERS } from "../../lib/agents/host_reply.ts";
import type { HostName } from "../../lib/hosts/hosts.ts";

const ID = "4e55638c-a07c-488e-abf4-2f336ea29e7f";
const ANSWER = 'Both.\nSee {"a": 1}.';

function lines(...events: object[]): string {
  return events.map((event) => `${JSON.stringify(event)}\n`).join("");
}

function read(name: string, stdout: string, stderr = ""): HostReply {
  const { text, complaint, isCut = false, session } = READERS[name as HostName]!({
    stdout,
    stderr,
  });
  return { text, complaint, isCut, session };
}

const CLAUDE = { type: "result", subtype: "success", session_id: ID };
const CODEX = [
  { type: "thread.started", thread_id: ID },
  { type: "item.completed", item: { type: "error", message: "Model metadata not found." } },
  { type: "turn.started" },
];
const CODEX_SAID = (text: string) => ({
  type: "item.completed",
  item: { type: "agent_message", text },
});
const COPILOT_SAID = (content: string) => ({ type: "assistant.message", data: { content } });
const COPILOT_END = (exitCode: number) => ({ type: "result", sessionId: ID, exitCode });
const OPENCODE_SAID = (text: string) => ({ type: "text", sessionID: "ses_1", part: { text } });
const OPENCODE_END = {
  type: "step_finish",
  sessionID: "ses_dfaa59c0ffe2",
  part: { reason: "stop" },
};

/** What each prints with its answer. */
const ANSWERED: Record<string, string> = {
  claude: lines({ ...CLAUDE, is_error: false, result: ANSWER }),
  codex: lines(...CODEX, CODEX_SAID("I look."), CODEX_SAID(ANSWER), { type: "turn.completed" }),
  gemini: JSON.stringify({ session_id: ID, response: ANSWER, stats: { models: {} } }, null, 2),
  copilot: lines(
    { type: "session.tools_updated", data: { model: "m" } },
    COPILOT_SAID("I look."),
    COPILOT_SAID(ANSWER),
    COPILOT_SAID(""),
    COPILOT_END(0),
  ),
  opencode: lines(OPENCODE_SAID("I look."), OPENCODE_SAID(ANSWER), OPENCODE_END),
};

for (const [name, printed] of Object.entries(ANSWERED)) {
  const session = name === "opencode" ? "ses_dfaa59c0ffe2" : ID;

  Deno.test(`${name}: the answer is the text alone, with its session`, () => {
    assertEquals(read(name, printed), {
      text: ANSWER,
      complaint: undefined,
      isCut: false,
      session,
    });
  });

  Deno.test(`${name}: a banner before the answer, and a warning behind it, are left out`, () => {
    const noisy = `Update available: {1.2} -> 1.3\n{ not JSON\n${printed}\nbye\n`;
    assertEquals(read(name, noisy).text, ANSWER);
  });

  Deno.test(`${name}: half of its output is never an answer`, () => {
    for (let end = 0; end < printed.trimEnd().length; end++) {
      const { complaint, isCut } = read(name, printed.slice(0, end));
      if (complaint === undefined && !isCut) throw new Error(printed.slice(0, end));
    }
  });

  Deno.test(`${name}: what is no answer of it is none`, () => {
    for (
      const text of ["", "Both.", "{}", "[]", "null", '{"type":"result"}', '{"type":1}\n{"x":[]}']
    ) {
      const { text: answer, isCut } = read(name, text);
      assertEquals([answer, isCut], ["", true], text);
    }
  });
}

const FAILED: [name: string, stdout: string, stderr: string, complaint: string][] = [
  [
    "claude",
    lines({ ...CLAUDE, is_error: true, result: "API Error: 401 no" }),
    "",
    "API Error: 401 no",
  ],
  [
    "claude",
    lines({ ...CLAUDE, subtype: "error_max_turns", is_error: true }),
    "",
    "error_max_turns",
  ],
  ["claude", lines({ ...CLAUDE, result: "a lie without is_error" }), "", "a lie without is_error"],
  [
    "codex",
    lines(...CODEX, { type: "error", message: "Reconnecting" }, {
      type: "turn.failed",
      error: { message: "unexpected status 401" },
    }),
    "",
    "unexpected status 401",
  ],
  ["codex", lines(...CODEX, { type: "error", message: "waiting" }), "", "waiting"],
  [
    "gemini",
    "",
    `Warning: x\n${
      JSON.stringify(
        { session_id: ID, error: { message: '{"error":{"message":"no key"}}', code: 401 } },
        null,
        2,
      )
    }\n`,
    "HTTP 401: no key",
  ],
  [
    "gemini",
    JSON.stringify({ session_id: ID, error: { message: "Set GEMINI_API_KEY", code: 41 } }),
    "",
    "Set GEMINI_API_KEY",
  ],
  [
    "copilot",
    lines({ type: "session.error", data: { message: "Authentication failed" } }, COPILOT_END(1)),
    "",
    "Authentication failed",
  ],
  [
    "opencode",
    lines({ type: "error", error: { name: "APIError", data: { message: "no", statusCode: 401 } } }),
    "",
    "HTTP 401: no",
  ],
  ["opencode", lines({ type: "error", error: { name: "Unknown" } }, OPENCODE_END), "", "Unknown"],
];

for (const [name, stdout, stderr, complaint] of FAILED) {
  Deno.test(`${name}: it failed with ${complaint}`, () => {
    assertEquals(read(name, stdout, stderr).complaint, complaint);
  });
}

Deno.test("gemini: half an answer with an error is none, though it ends well", () => {
  const error = { type: "INVALID_STREAM", message: "Model stream ended" };
  const printed = JSON.stringify({ session_id: ID, response: "Postgre", error });
  const { text, complaint } = read("gemini", printed);
  assertEquals([text, complaint], ["Postgre", "Model stream ended"]);
});

Deno.test("opencode: an answer that ended for any reason but its own is cut", () => {
  for (const reason of ["unknown", "length", "tool-calls", undefined]) {
    const printed = lines(OPENCODE_SAID("Postgre"), { ...OPENCODE_END, part: { reason } });
    assertEquals(read("opencode", printed).isCut, true);
  }
});

Deno.test("copilot: a complaint that passed is none", () => {
  const passed = { type: "session.error", data: { message: "Retrying" } };
  const { text, complaint } = read("copilot", lines(passed, COPILOT_SAID("x"), COPILOT_END(0)));
  assertEquals([text, complaint], ["x", undefined]);
});

Deno.test("no session that could be an option of a command line is taken", () => {
  for (const id of ["--yolo", "-x12345", "a b c d e f", "", "../../../x", 5, null]) {
    const printed = lines({ ...CLAUDE, session_id: id, is_error: false, result: "x" });
    assertEquals(read("claude", printed).session, undefined, String(id));
  }
});

Deno.test("tokens read and written are counted, also in a running session", () => {
  const usage = { input_tokens: 10, cache_read_input_tokens: 1_000, output_tokens: 5 };
  const said = (id: string) => ({ type: "assistant", message: { id, usage } });
  const tokens = (name: string, ...events: object[]) =>
    READERS[name as HostName]!({ stdout: lines(...events), stderr: "" }).tokens;
  const going = [{ type: "system" }, said("msg_1"), said("msg_1"), said("msg_2")];
  assertEquals(tokens("claude", ...going), 2_030);
  const end = { ...CLAUDE, is_error: false, result: ANSWER, usage };
  assertEquals(tokens("claude", ...going, end), 1_015);
  assertEquals(tokens("claude", { type: "system" }), undefined);
  const turn = { type: "turn.completed", usage: { ...usage, cached_input_tokens: 7 } };
  assertEquals(tokens("codex", ...CODEX, CODEX_SAID(ANSWER), turn), 1_015);
});
