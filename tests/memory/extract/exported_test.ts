import { assertEquals } from "@std/assert";
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
