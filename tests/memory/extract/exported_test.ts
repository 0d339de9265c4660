import { assertEquals } from "@std/assert";
import { extractFromTranscript } from "../../../lib/memory/extract/extract.ts";
import { readTranscript } from "../../../lib/transcripts/mod.ts";
import { remembered } from "../session_of.ts";

Deno.test("an exported call says which tool a result is of: a reader tells nothing", () => {
  const error = "Error: EMFILE: too many open files, watch '/w/content'";
  assertEquals(
    remembered(
      `tool: Tool use: **Read**\n \`./main.go\`\n\n\`\`\`text\n${error}\n\`\`\``,
      `tool: Tool use: **Bash** Run it\n\n\`\`\`\n${error}\n\`\`\``,
    ),
    [`error: ${error}`],
  );
});

Deno.test("a check that went well is told with its command", () => {
  assertEquals(
    remembered(
      "tool: Tool use: **Bash**\nRun linter\n\n`golangci-lint run`\n\n```text\n0 issues.\n```",
    ),
    ["key-fact: golangci-lint run: 0 issues."],
  );
});

Deno.test("what a person answers a tool is a decision, and what they refuse is told", () => {
  assertEquals(
    remembered(
      "tool: Tool use: **AskUserQuestion**\n**Answer:** five characters for the session",
      "tool: Tool use: **ExitPlanMode**\n\n```\nThe user doesn't want to proceed with this tool use. STOP.\n```",
    ),
    [
      "decision: five characters for the session",
      "key-fact: ExitPlanMode: The user doesn't want to proceed with this tool use.",
    ],
  );
});

Deno.test("the decisions in a document that the agent wrote are remembered, however it was written", () => {
  const lines = ["# Plan", "", "Use a scored matcher over two signals.", "Its history is long."];
  const written = [
    `tool: Tool use: **apply_patch**\n**Add: \`docs/plan.md\`**\n\n\`\`\`diff\n${
      lines.map((line) => `+${line}`).join("\n")
    }\n\`\`\``,
    `tool: Tool use: **Write** \`docs/plan.md\`\n\n\`\`\`md\n${lines.join("\n")}\n\`\`\``,
    `assistant: \`\`\`bash\ncat > docs/plan.md <<'EOF'\n${lines.join("\n")}\nEOF\n\`\`\``,
  ];
  for (const line of written) {
    const decisions = remembered(line).filter((said) => said.startsWith("decision"));
    assertEquals(decisions, [
      "decision: Use a scored matcher over two signals. Its history is long.",
    ], line);
  }
  assertEquals(remembered(written[0].replaceAll("plan.md", "plan.ts")).length, 1);
});

Deno.test("the subject of a commit on a command line is a change", () => {
  assertEquals(
    remembered('tool: Running git commit -m "refactor: add a content field to SignalSchema"'),
    ["code-change: git commit: refactor: add a content field to SignalSchema"],
  );
});

Deno.test("what was tried and dropped is a decision", () => {
  assertEquals(
    remembered(
      "tool: Commit `8971d08` was reset and removed from git.",
      "tool: HEAD is now at 1a2b3c4 refactor: keep the pool",
    ),
    [
      "decision: Commit `8971d08` was reset and removed from git",
      "decision: HEAD is now at 1a2b3c4 refactor: keep the pool",
    ],
  );
});

/** A session of Claude Code with these calls: tool, input, result. */
function session(...calls: [string, Record<string, string>, string][]): string {
  return calls.flatMap(([name, input, content], index) => [
    { type: "assistant", content: [{ type: "tool_use", id: `${index}`, name, input }] },
    { type: "user", content: [{ type: "tool_result", tool_use_id: `${index}`, content }] },
  ]).map(({ type, content }) => JSON.stringify({ type, sessionId: "s", message: { content } }))
    .join("\n");
}

function rememberedOf(text: string): string[] {
  const whose = { agent: "engineer", issueNumber: 42, sessionId: "s" };
  return extractFromTranscript(readTranscript(text), whose)
    .map(({ category, content }) => `${category}: ${content}`);
}

Deno.test("of a check that failed and then passed, the error and the last outcome are told", () => {
  const command = "npm test";
  assertEquals(
    rememberedOf(session(
      ["Bash", { command }, "Exit code 1\nTypeError: cannot read properties of undefined"],
      ["Bash", { command }, "Tests:       62 passed, 62 total"],
      ["Bash", { command }, "Tests:       63 passed, 63 total"],
    )),
    [
      "error: npm test: TypeError: cannot read properties of undefined",
      "key-fact: npm test: Tests:       63 passed, 63 total",
    ],
  );
});

Deno.test("a document that could not be written decides nothing, and a secret in one is cut", () => {
  const input = { file_path: "plan.md", content: "Never use `AWS_SECRET=abcdef` in the tests.\n" };
  assertEquals(
    rememberedOf(session(["Write", input, "File has not been read yet. Read it first."])),
    ["error: File has not been read yet. Read it first."],
  );
  const token = `ghp_${"a1B2c3D4e5F6g7H8i9".repeat(2)}`;
  const secret = { file_path: "plan.md", content: `Use ${token} in the deployment of the api.\n` };
  const [, said] = rememberedOf(
    session(["Write", secret, "File created successfully at: plan.md"]),
  );
  assertEquals(said, "decision: Use [redacted: github-token] in the deployment of the api.");
});
