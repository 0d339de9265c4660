import { assertEquals } from "@std/assert";
import { sessionVariable } from "../../lib/agents/host_session.ts";

function found(variables: Record<string, string>): string | undefined {
  return sessionVariable((name) => variables[name]);
}

for (const name of ["AGENTX_AGENT", "AGENTX_DEPTH", "CLAUDECODE", "GEMINI_CLI", "CODEX_SANDBOX"]) {
  Deno.test(`sessionVariable() takes ${name} for a session, whatever it holds`, () => {
    assertEquals([found({ [name]: "1" }), found({ [name]: "" })], [name, name]);
  });
}

Deno.test("sessionVariable() takes no setting of a person for a session", () => {
  const settings = {
    CODEX_HOME: "/x",
    CLAUDE_CONFIG_DIR: "/x",
    ANTHROPIC_API_KEY: "x",
    CI: "true",
  };
  assertEquals(found(settings), undefined);
});
