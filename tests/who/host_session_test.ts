import { assert, assertEquals } from "@std/assert";
import { isAgentName } from "../../lib/base/agent_names.ts";
import { hostWorker, isSessionVariable, sessionVariable } from "../../lib/who/host_session.ts";

const CLAUDE_ID = "0b5c6f0e-7f5d-4f0e-9c80-6f0c7d9a3F2A";
const CODEX_ID = "01a20384-7e8f-74f3-84a5-63f87f170f13";

/** What each host sets for the commands of its agents, and the worker that follows. */
const HOSTS: Record<string, [variables: Record<string, string>, worker: string | undefined]> = {
  "Claude Code": [{ CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: CLAUDE_ID }, "claude-3f2a"],
  "Codex": [
    { CODEX_CI: "1", CODEX_SESSION_ID: CODEX_ID, CODEX_THREAD_ID: CODEX_ID },
    "codex-0f13",
  ],
  "Gemini CLI": [{ GEMINI_CLI: "1" }, undefined],
  "Copilot CLI": [{ COPILOT_CLI: "1", COPILOT_AGENT_SESSION_ID: CLAUDE_ID }, "copilot-3f2a"],
  "opencode": [{ OPENCODE: "1", AGENT: "1", OPENCODE_PID: "7" }, undefined],
};

function envOf(variables: Record<string, string>): (name: string) => string | undefined {
  return (name) => variables[name];
}

for (const [host, [variables, worker]] of Object.entries(HOSTS)) {
  Deno.test(`sessionVariable() and hostWorker() know a session of ${host}`, () => {
    assertEquals(sessionVariable(envOf(variables)), Object.keys(variables)[0]);
    assertEquals(hostWorker(envOf(variables)), worker);
  });
}

for (const name of ["AGENTX_AGENT", "AGENTX_DEPTH", "CLAUDECODE", "GEMINI_CLI", "CODEX_CI"]) {
  Deno.test(`sessionVariable() takes ${name} for a session, whatever it holds`, () => {
    const found = ["1", "0", ""].map((value) => sessionVariable(envOf({ [name]: value })));
    assertEquals(found, [name, name, name]);
    assertEquals(isSessionVariable(name), true);
  });
}

Deno.test("sessionVariable() takes no setting of a person for a session", () => {
  const settings = {
    ...{ CODEX_HOME: "/x", CLAUDE_CONFIG_DIR: "/x", COPILOT_MODEL: "x", GEMINI_API_KEY: "x" },
    ...{ ANTHROPIC_API_KEY: "x", OPENCODE_CONFIG: "/x", CURSOR_AGENT: "1", AGENT: "1", CI: "true" },
  };
  assertEquals([sessionVariable(envOf(settings)), hostWorker(envOf(settings))], [
    undefined,
    undefined,
  ]);
});

Deno.test("hostWorker() names both hosts where one runs in the session of the other", () => {
  const worker = hostWorker(envOf({ ...HOSTS["Codex"][0], ...HOSTS["Claude Code"][0] }));
  assertEquals(worker, "claude-3f2a-codex-0f13");
  assertEquals(isAgentName(`engineer@${worker}`), true);
});

const workerOf = (id: string) =>
  hostWorker(envOf({ CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: id })) ?? "";

for (const id of ["", " "]) {
  Deno.test(`hostWorker() names no session by ${JSON.stringify(id)}`, () => {
    assertEquals(workerOf(id), "");
  });
}

Deno.test("hostWorker() tells sessions apart whose ids do not end in four digits", () => {
  const ids = ["session-one", "session-two", "3f2", "x", "../../etc/passwd", "3f2a\n", "__proto__"];
  const workers = ids.map(workerOf);
  assertEquals(new Set(workers).size, ids.length);
  for (const worker of workers) {
    assert(/^claude-[0-9a-f]{4}$/.test(worker), worker);
    assertEquals(isAgentName(`engineer@${worker}`), true);
  }
  assertEquals(ids.map(workerOf), workers);
});
