import { assertEquals } from "@std/assert";
import { remembered } from "../session_of.ts";

Deno.test("items below a question are answers to choose from", () => {
  assertEquals(
    remembered(
      "assistant: What should start the agent?\n\n" +
        "- **After commits**: `git` is a natural signal that work is done\n" +
        "- **Explicit command**: `/sync` runs it when it is needed\n",
    ),
    [],
  );
});

Deno.test("what somebody sees is no plan: problems are errors, benefits are facts, fixed issues changes", () => {
  const below = (title: string) =>
    remembered(
      `assistant: ${title}\n\n- The hook in \`stop.sh\` sees the compressed history only\n`,
    );
  assertEquals(below("Problems I can see:")[0].split(":")[0], "error");
  assertEquals(below("## Why this works well")[0].split(":")[0], "key-fact");
  assertEquals(below("It solves your documentation problem:")[0].split(":")[0], "key-fact");
  assertEquals(below("## Issues resolved")[0].split(":")[0], "code-change");
  assertEquals(below("Causes found and fixed:")[0].split(":")[0], "error");
});

Deno.test("what is ticked off is not wrong, and what is crossed out is", () => {
  assertEquals(
    remembered(
      "assistant: - `pip3 --version` in the shell is blocked \u2713\n" +
        "- `python3 --version` in the shell is allowed \u2717\n" +
        "- \u274c Removed the permissions of `npm test`\n",
    ),
    [
      "key-fact: `pip3 --version` in the shell is blocked \u2713",
      "error: `python3 --version` in the shell is allowed \u2717",
      "code-change: \u274c Removed the permissions of `npm test`",
    ],
  );
});

Deno.test("changes that a tool tells in the same words are one, with all files", () => {
  assertEquals(
    remembered(
      "tool: File created successfully at: /w/agents/loader.md",
      "tool: File created successfully at: /w/agents/scribe.md",
      "tool: File created successfully at: /w/agents/scribe.md",
    ),
    ["code-change: File created successfully at: /w/agents/loader.md; /w/agents/scribe.md"],
  );
});

Deno.test("of a long answer, what it says first is kept rather than what its lists say", () => {
  const items = Array.from(
    { length: 60 },
    (_, at) => `- **Part ${at}**: \`part${at}.ts\` holds item ${at} of shelf ${at * 7}`,
  );
  const said = remembered(
    `assistant: Yes, making \`Wheel\` a node is a natural fit here.\n\n${items.join("\n")}\n`,
  );
  assertEquals(said[0], "decision: Yes, making `Wheel` a node is a natural fit here.");
});

Deno.test("a person who proposes something or is annoyed says how it shall be, or what is wrong", () => {
  assertEquals(
    remembered("user: the stop hook is a bust. maybe a better approach would be one agent each"),
    [
      "error: the stop hook is a bust.",
      "decision: maybe a better approach would be one agent each",
    ],
  );
});

Deno.test("patches of one file each are one, with all files", () => {
  assertEquals(
    remembered(
      "tool: Success. Updated the following files:\nA docs/quickstart.md",
      "tool: Success. Updated the following files:\nM README.md",
    ),
    ["code-change: Success. Updated the following files: A docs/quickstart.md; M README.md"],
  );
});

Deno.test("of two that say the same, the category is that of the one that stays", () => {
  assertEquals(
    remembered(
      "user: Add two more printer models to the examples.",
      "tool: [main e10ff63] examples: add two more printer models to the examples (MK4, Voron)",
    ),
    ["code-change: Commit e10ff63 examples: add two more printer models to the examples (MK4, Voron)"],
  );
});
