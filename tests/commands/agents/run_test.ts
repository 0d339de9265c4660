import { assert, assertEquals } from "@std/assert";
import { APIS, httpAgent, scriptedEndpoint } from "../../loop/scripted_turns.ts";
import { ADR_ARCHITECT, TempWorkspace } from "../../temp_workspace.ts";

const QUESTION = { to: "architect", topic: "Database layer", question: "PostgreSQL or SQLite?" };

for (const api of APIS) {
  Deno.test(`agentx run: an ambiguous task is clarified with another agent and finished (${api})`, async () => {
    await using model = scriptedEndpoint(
      api,
      { text: "Reading the ADR.", calls: [["read_file", { path: "docs/adr/ADR-42.md" }]] },
      { calls: [["request_clarification", QUESTION]] },
      { text: "PostgreSQL it is.", calls: [["issue_comment", { text: "Uses PostgreSQL." }]] },
      { text: "Done." },
    );
    using temp = new TempWorkspace({ agents: { architect: ADR_ARCHITECT } });
    const config = JSON.parse(temp.read(".agentx/config.json"));
    config.agents.engineer = httpAgent(api, model);
    temp.write(".agentx/config.json", JSON.stringify(config));
    temp.write("docs/adr/ADR-42.md", "Decision: PostgreSQL in production.\n");
    temp.write(
      ".agentx/issues/42.json",
      JSON.stringify({ number: 42, title: "Health endpoint", labels: ["type:story"] }),
    );
    const { code, out, err } = await temp.run(["run", "engineer", "--issue", "42", "Implement it"]);

    assertEquals(code, 0, err);
    assert(out.includes("[Engineer -> Architect] Clarification needed (CLR-42-001):"), out);
    assert(out.includes("Loop complete: iterations=4, tools=3, exit=complete."), out);
    const [record] = temp.ledger().clarifications;
    assertEquals(record.status, "resolved");
    const { issue } = await temp.json(["issue", "get", "42"]);
    assertEquals(issue.comments.map(({ body }: { body: string }) => body), ["Uses PostgreSQL."]);
    assert(model.asked.length === 4);
  });
}
