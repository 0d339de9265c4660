import { assert, assertEquals } from "@std/assert";
import type { ClarificationRequest } from "../../lib/clarify/hub/requests.ts";
import { AgentEventBus } from "../../lib/events/bus.ts";
import { openWorkspaceParts } from "../../lib/workspace/open.ts";
import type { OpenWorkspaceOptions } from "../../lib/workspace/state.ts";
import { request } from "../clarify/hub.ts";
import { refusal } from "../refusal.ts";
import { TempWorkspace } from "../temp_workspace.ts";

const REQUEST = request();

/** Prints the part of its prompt from the artifact on. */
const SHOWS_ARTIFACT = "sed -n '/^## Artifact/,/^## Your answer/p'";

/** Asks once and gives the answer. */
async function ask(
  options: OpenWorkspaceOptions,
  changes: Partial<ClarificationRequest> = {},
): Promise<string | null> {
  const router = await (await openWorkspaceParts(options)).router();
  return (await router.requestClarification({ ...REQUEST, ...changes })).answer;
}

Deno.test("openParts() finds the workspace from a folder below", async () => {
  using temp = new TempWorkspace();
  temp.write("src/x.ts", "");
  const { root, tree } = await openWorkspaceParts({ root: `${temp.root}/src` });
  assertEquals([root, tree], [temp.root, temp.root]);
});

Deno.test("openParts() writes nothing", async () => {
  using temp = new TempWorkspace();
  const before = temp.snapshot();
  await openWorkspaceParts({ root: temp.root });
  assertEquals(temp.snapshot(), before);
});

Deno.test("openParts() completes the settings", async () => {
  using temp = new TempWorkspace({ config: { memory: { enabled: false } } });
  const { config } = await openWorkspaceParts({ root: temp.root });
  assertEquals([config.defaultWorkflow, config.memory], ["feature", {
    enabled: false,
    maxTokens: 20_000,
    ask: "off",
    startTokens: 600,
  }]);
});

Deno.test("openParts() does without a config", async () => {
  using temp = new TempWorkspace();
  Deno.removeSync(`${temp.root}/.agentx/config.json`);
  assertEquals((await openWorkspaceParts({ root: temp.root })).config.mode, "local");
});

Deno.test("openParts() refuses a broken config with its line", async () => {
  using temp = new TempWorkspace();
  temp.write(".agentx/config.json", '{\n  "mode": "local"\n  "x": 1\n}');
  const { details } = await refusal(
    "INVALID_CONFIG",
    () => openWorkspaceParts({ root: temp.root }),
  );
  assertEquals(details, { path: `${temp.root}/.agentx/config.json`, line: 3, key: null });
});

Deno.test("openParts() refuses where there is none", async () => {
  await refusal("NOT_INITIALISED", () => openWorkspaceParts({ root: "/nowhere/at/all" }));
});

Deno.test("openParts() lists the workflows and reads one", async () => {
  using temp = new TempWorkspace();
  const { workflowTypes, workflow } = await openWorkspaceParts({ root: temp.root });
  const types = ["bug", "devops", "docs", "epic", "feature", "spike", "story"];
  assertEquals([workflowTypes(), workflow("bug").steps[0].agent], [types, "engineer"]);
});

Deno.test("openParts() runs an agent as config.json says, for each of its workers", async () => {
  using temp = new TempWorkspace({ agents: { "product-manager": "echo yes" } });
  assertEquals(await ask({ root: temp.root }, { toAgent: "product-manager@2" }), "yes");
});

Deno.test("openParts() runs nothing that nobody agreed to, and says why and who can change it", async () => {
  using temp = new TempWorkspace({
    agents: { architect: "touch ran; echo yes" },
    isTrusted: false,
  });
  const router = await (await openWorkspaceParts({ root: temp.root })).router();
  const { status, answer, reach } = await router.requestClarification(REQUEST);
  assertEquals([status, answer, temp.has("ran")], ["pending", null, false]);
  const reason = "what is run for architect is not agreed to here";
  assertEquals(reach, { by: "nobody", isConfigured: true, reason, next: "agentx trust" });
});

Deno.test("openParts() runs the agents of the program itself without consent", async () => {
  using temp = new TempWorkspace({ agents: { architect: "echo no" }, isTrusted: false });
  const agents = { architect: () => Promise.resolve("yes") };
  assertEquals(await ask({ root: temp.root, agents }), "yes");
  assertEquals(await ask({ root: temp.root, agents }, { toAgent: "architect@2" }), "yes");
});

Deno.test("openParts() escalates where a function of the program fails twice", async () => {
  using temp = new TempWorkspace();
  let calls = 0;
  const architect = () => Promise.reject(new Error(`broken ${++calls}`));
  const events = new AgentEventBus();
  const options = { root: temp.root, agents: { architect }, events, retryDelayMs: 0 };
  const router = await (await openWorkspaceParts(options)).router();
  const { status, clarification } = await router.requestClarification(REQUEST);
  assertEquals([status, calls], ["escalated", 2]);
  assert(clarification.thread.at(-1)!.body.includes("broken 2"));
  const names = events.getHistory().map(({ name }) => name);
  assertEquals(names, [
    "clarification-requested",
    "agent-started",
    "agent-error",
    "clarification-escalated",
  ]);
});

Deno.test("openParts() gives each target what it wrote itself", async () => {
  const agents = { "architect": SHOWS_ARTIFACT, "product-manager": SHOWS_ARTIFACT };
  using temp = new TempWorkspace({ agents });
  temp.write("docs/adr/ADR-42.md", "Decision: both.");
  temp.write("docs/prd/PRD-42.md", "Need: storage.");
  const decided = await ask({ root: temp.root });
  assert(decided?.includes("## Artifact docs/adr/ADR-42.md\n\n> Decision: both.\n"));
  const needed = await ask({ root: temp.root }, { toAgent: "product-manager" });
  assert(needed?.includes("## Artifact docs/prd/PRD-42.md\n\n> Need: storage.\n"));
});

Deno.test("openParts() gives the target what the requester builds on", async () => {
  using temp = new TempWorkspace({ agents: { architect: SHOWS_ARTIFACT } });
  temp.write("docs/prd/PRD-42.md", "Need: storage.");
  temp.write("docs/adr/ADR-7.md", "Another issue.");
  const answer = await ask({ root: temp.root });
  assert(answer?.includes("## Artifact docs/prd/PRD-42.md\n\n> Need: storage.\n"));
});

Deno.test("openParts() gives the artifact of the workflow that is named", async () => {
  using temp = new TempWorkspace({ agents: { engineer: SHOWS_ARTIFACT } });
  temp.write(
    ".agentx/workflows/audit.toml",
    '[[steps]]\nid = "fix"\nagent = "engineer"\noutput = "docs/FIX-{{issue_number}}.md"\n' +
      '[[steps]]\nid = "audit"\nagent = "tester"\nneeds = ["fix"]\ncan_clarify = ["engineer"]\n',
  );
  temp.write("docs/FIX-42.md", "Fixed so.");
  const changes = { fromAgent: "tester", toAgent: "engineer", workflow: "audit" };
  assert((await ask({ root: temp.root }, changes))?.includes("> Fixed so."));
});

Deno.test("openParts() asks under a named workflow where the default one is missing", async () => {
  using temp = new TempWorkspace({ agents: { architect: "echo yes" } });
  Deno.removeSync(`${temp.root}/.agentx/workflows/feature.toml`);
  assertEquals(await ask({ root: temp.root }, { workflow: "story" }), "yes");
});

for (const path of ["docs/adr/ADR-42.md/x", "docs/x"]) {
  Deno.test(`openParts() asks without an artifact where ${path} is in its way`, async () => {
    using temp = new TempWorkspace({ agents: { architect: `${SHOWS_ARTIFACT}; echo none` } });
    const blocked = path === "docs/x" ? "docs" : path; // a file for a folder, a folder for a file
    temp.write(blocked, "x");
    assertEquals(await ask({ root: temp.root }), "none");
  });
}

Deno.test("openParts() reads no artifact outside of the tree", async () => {
  using temp = new TempWorkspace({ agents: { architect: `${SHOWS_ARTIFACT}; echo none` } });
  using outside = new TempWorkspace();
  outside.write("secret.md", "secret");
  temp.write("docs/adr/x", "");
  Deno.symlinkSync(`${outside.root}/secret.md`, `${temp.root}/docs/adr/ADR-42.md`);
  assertEquals(await ask({ root: temp.root }), "none");
});

Deno.test("openParts() reads an artifact through a link inside the tree", async () => {
  using temp = new TempWorkspace({ agents: { architect: SHOWS_ARTIFACT } });
  temp.write("decisions/42.md", "Decision: both.");
  temp.write("docs/adr/x", "");
  Deno.symlinkSync(`${temp.root}/decisions/42.md`, `${temp.root}/docs/adr/ADR-42.md`);
  assert((await ask({ root: temp.root }))?.includes("> Decision: both."));
});

const PRIVATE: Record<string, (temp: TempWorkspace) => string> = {
  "a dot-file": () => ".env",
  "a file in a hidden folder": () => ".hidden/config",
  "the configuration of npm": () => "packages/app/.npmrc",
  "a state file of ours": () => ".agentx/state/agent-status.json",
  "what the root ignores": (temp) => (temp.write(".gitignore", "*.pem\n"), "deploy/key.pem"),
  "what its own folder ignores": (
    temp,
  ) => (temp.write("local/.gitignore", "*\n"), "local/notes.md"),
};

for (const [what, prepare] of Object.entries(PRIVATE)) {
  Deno.test(`openParts() gives the target nothing of ${what}`, async () => {
    using temp = new TempWorkspace({ agents: { architect: `${SHOWS_ARTIFACT}; echo none` } });
    const output = prepare(temp);
    temp.write(output, "SECRET=x");
    temp.write("docs/adr/x", "");
    temp.write(
      ".agentx/workflows/feature.toml",
      `[[steps]]\nid = "a"\nagent = "architect"\noutput = "${output}"\n` +
        '[[steps]]\nid = "e"\nagent = "engineer"\ncan_clarify = ["architect"]\n',
    );
    assertEquals(await ask({ root: temp.root }), "none");
    // Nor through a link with a harmless name.
    Deno.symlinkSync(`${temp.root}/${output}`, `${temp.root}/docs/adr/ADR-42.md`);
    const workflow = temp.read(".agentx/workflows/feature.toml");
    temp.write(".agentx/workflows/feature.toml", workflow.replace(output, "docs/adr/ADR-42.md"));
    assertEquals(await ask({ root: temp.root }), "none");
  });
}

Deno.test("openParts() refuses an output that leads out of the tree", async () => {
  using temp = new TempWorkspace();
  temp.write(
    ".agentx/workflows/feature.toml",
    '[[steps]]\nid = "x"\nagent = "architect"\noutput = "../secret.md"\n',
  );
  const { details } = await refusal("INVALID_CONFIG", () => ask({ root: temp.root }));
  assertEquals([details.line, details.key], [4, "output"]);
});

Deno.test("openParts() takes the workflow of the issue from its label", async () => {
  using temp = new TempWorkspace();
  temp.write(".agentx/issues/42.json", JSON.stringify({ number: 42, labels: ["p1", "type:bug"] }));
  const { details } = await refusal("SCOPE_VIOLATION", () => ask({ root: temp.root }));
  assertEquals(details.allowed, ["architect"]);
});

Deno.test("openParts() gives the target title and text of the issue", async () => {
  using temp = new TempWorkspace({ agents: { architect: "sed -n '/^## Issue/,/^## Your/p'" } });
  const issue = { number: 42, title: "Health endpoint", body: "As an operator.", labels: [] };
  temp.write(".agentx/issues/42.json", JSON.stringify(issue));
  const answer = await ask({ root: temp.root });
  assert(answer?.startsWith("## Issue #42\n\n> Health endpoint\n>\n> As an operator."));
});

for (const text of ["{", "null", "[]", '"x"', '{"labels":"type:bug","title":1}']) {
  Deno.test(`openParts() asks all the same where the issue is ${text}`, async () => {
    using temp = new TempWorkspace({ agents: { architect: "echo yes" } });
    temp.write(".agentx/issues/42.json", text);
    assertEquals(await ask({ root: temp.root }), "yes");
  });
}

const KNOWN: Record<string, (temp: TempWorkspace) => void> = {
  "of config.json": (temp) =>
    temp.write(".agentx/config.json", '{"agents":{"auditor":{"command":["true"]}}}'),
  "of .github/agents": (temp) => temp.write(".github/agents/auditor.agent.md", "# Auditor"),
  "of a workflow": (temp) =>
    temp.write(".agentx/workflows/audit.toml", '[[steps]]\nid = "x"\nagent = "auditor"\n'),
};

for (const [place, name] of Object.entries(KNOWN)) {
  Deno.test(`openParts() knows the agents ${place}`, async () => {
    using temp = new TempWorkspace();
    const changes = { fromAgent: "auditor" };
    await refusal("INVALID_INPUT", () => ask({ root: temp.root }, changes));
    name(temp);
    await refusal("SCOPE_VIOLATION", () => ask({ root: temp.root }, changes));
  });
}

Deno.test("openParts() logs what happens, without what anybody wrote", async () => {
  using temp = new TempWorkspace({ agents: { architect: "echo Both, says the architect" } });
  await ask({ root: temp.root });
  const [file] = Array.from(Deno.readDirSync(`${temp.root}/.agentx/log`), ({ name }) => name);
  const text = temp.read(`.agentx/log/${file}`);
  const lines = text.trim().split("\n").map((line) => JSON.parse(line));
  assertEquals(lines.map(({ operation, status }) => [operation, status]), [
    ["clarification-requested", "pending"],
    ["agent-started", undefined],
    ["clarification-answered", "answered"],
    ["agent-completed", undefined],
  ]);
  for (const word of ["PostgreSQL", "Database", "Both"]) assert(!text.includes(word));
});

Deno.test("openParts() logs an event as it was, whatever became of the ledger since", async () => {
  using temp = new TempWorkspace();
  const { events } = await openWorkspaceParts({ root: temp.root });
  const { question: _, ...asked } = REQUEST;
  const now = { agent: "agent-x", round: 2, status: "stale", timestamp: Date.now() };
  events.emit("clarification-stale", { clarificationId: "CLR-42-009", ...asked, ...now });
  const [file] = Array.from(Deno.readDirSync(`${temp.root}/.agentx/log`), ({ name }) => name);
  const { clarificationId, round, status } = JSON.parse(temp.read(`.agentx/log/${file}`));
  assertEquals([clarificationId, round, status], ["CLR-42-009", 2, "stale"]);
});
