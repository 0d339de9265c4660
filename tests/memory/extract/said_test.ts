import { assertEquals } from "@std/assert";
import { remembered } from "../session_of.ts";

Deno.test("what a person pasted from a terminal is no statement, but its errors count", () => {
  assertEquals(
    remembered(
      "user: the deploy fails, and the old app must stay up\n\n" +
        "\u279c  api git:(main) npm run deploy\nUpdating existing machines in 'api'\n" +
        "Error: failed to update machine d89d: force_https is not allowed\n",
    ),
    [
      "decision: the deploy fails, and the old app must stay up",
      "error: Error: failed to update machine d89d: force_https is not allowed",
    ],
  );
});

Deno.test("what a shell script printed is not said", () => {
  assertEquals(
    remembered(
      "user: Run mkdocs build\n/home/runner/_temp/ad16.sh: line 1: mkdocs: command not found",
    ),
    ["error: /home/runner/_temp/ad16.sh: line 1: mkdocs: command not found"],
  );
});

Deno.test("code that a person pasted is no statement, to the end of its paragraph", () => {
  assertEquals(
    remembered(
      "user: export const Metadata = z.object({\n  id: z.string().uuid(),\n  name, always\n});\n\n" +
        "Keep the schema in src/schema.ts.",
    ),
    ["decision: Keep the schema in src/schema.ts."],
  );
});

Deno.test("a sentence that begins like code is none", () => {
  const said = [
    "if the token is missing, return 401 (not 403) from src/auth.ts",
    "use bull 4.12; never the newest one",
    "for new files keep `strict = true` in the config",
    "import the schema from src/schema.ts instead of copying it",
    "return the cached value (never null) where the pool is full",
    "let the monitor decide; never retry in the client",
  ];
  for (const each of said) {
    assertEquals(remembered(`user: ${each}`).map((one) => one.replace(/^[a-z-]+: /, "")), [each]);
  }
});

Deno.test("typed commands of a chat are no statements; what follows some of them is", () => {
  assertEquals(
    remembered(
      "user: /add src/app.module.ts\n/drop",
      "user: /code Never store the token in a file.",
    ),
    ["decision: Never store the token in a file."],
  );
});

Deno.test("of an issue that a harness quotes, the issue counts and not the harness", () => {
  assertEquals(
    remembered(
      "user: <uploaded_files>\n/testbed\n</uploaded_files>\n<pr_description>\n" +
        "The parser ignores default options of the parent command.\n</pr_description>\n" +
        "You should never install packages, always rerun the script.",
    ),
    ["key-fact: The parser ignores default options of the parent command."],
  );
});

Deno.test("a call that an export writes below the agent's words is not the agent's word", () => {
  assertEquals(
    remembered(
      "assistant: The `CommandParser` class is defined in `cli/parser.pony`.\n" +
        "[edit] path: /w/cli/parser.pony\nnew_str: We decided to use `x` instead of y.",
      "assistant: The pool is closed twice by `close()`.\n" +
        '{"arguments": "{\\"text\\": \\"never use it in src/a.ts\\"}", "name": "edit"}',
    ),
    [
      "key-fact: The `CommandParser` class is defined in `cli/parser.pony`.",
      "key-fact: The pool is closed twice by `close()`.",
    ],
  );
});

Deno.test("what is mended next was wrong", () => {
  assertEquals(
    remembered("assistant: Both loops print a divider at the end. Let me fix that."),
    ["error: Both loops print a divider at the end."],
  );
});

Deno.test("what was found to be the issue was wrong, and so is what a change did not settle", () => {
  assertEquals(
    remembered(
      "assistant: Found the issue! The hook in `post-checkout` looks for the old folder.",
      "assistant: The worktree was created successfully, but there's an issue with `uv sync`.",
    ),
    [
      "error: The hook in `post-checkout` looks for the old folder.",
      "error: The worktree was created successfully, but there's an issue with `uv sync`.",
    ],
  );
});

Deno.test("a sentence that means another one by `it` stands with that one", () => {
  assertEquals(
    remembered("assistant: `src/viewer.tsx` shows signals. It does not open a modal yet."),
    ["key-fact: `src/viewer.tsx` shows signals. It does not open a modal yet."],
  );
});

Deno.test("a question behind a statement does not take it along", () => {
  assertEquals(
    remembered(
      "assistant: `eslint-plugin-import` supports flat config from 2.31 on. Which do you have?",
    ),
    ["key-fact: `eslint-plugin-import` supports flat config from 2.31 on."],
  );
});

Deno.test("a list of a few words each is one statement with what it is a list of", () => {
  assertEquals(
    remembered(
      "assistant: Created `docs/plan.md` with:\n\n- pros and cons\n- examples\n- two flows",
    ),
    ["code-change: Created `docs/plan.md` with: pros and cons; examples; two flows"],
  );
  assertEquals(
    remembered("assistant: - **Created `modal.tsx`**:\n  - shows a summary\n  - saves the URL"),
    ["code-change: **Created `modal.tsx`**: shows a summary; saves the URL"],
  );
});

Deno.test("what is still to do is no statement", () => {
  assertEquals(
    remembered("assistant: - [ ] Replace `vertexai` by `google-genai` in pyproject.toml"),
    [],
  );
});

Deno.test("a long line is read sentence by sentence, and data in it is left out", () => {
  const filler = "The `pool` holds no lock here. ".repeat(600);
  assertEquals(
    remembered(`user: ${filler}Never use two locks in src/store.ts. ${"QUJD".repeat(5_000)}`).at(
      -1,
    ),
    "decision: Never use two locks in src/store.ts.",
  );
  const chinese =
    "\u6211\u4eec\u51b3\u5b9a\u6bcf\u4e2a\u95ee\u9898\u4f7f\u7528\u4e00\u4e2a\u6587\u4ef6\u3002";
  assertEquals(remembered(`user: ${chinese.repeat(1_000)}`), [`key-fact: ${chinese}`]);
});

Deno.test("what a host adds to a message, or gives back of the agent's, is nobody's word", () => {
  const plan = "Replace `call_llm` by a client, and never store the key in src/config.ts. ".repeat(
    4,
  );
  assertEquals(
    remembered(
      "user: Base directory for this skill: /s\n\n- Never use emoji in commits.",
      "user: <thinking>We should use `x` instead of y.</thinking>",
      "assistant: <thinking>We need to keep `x`, not y.</thinking>The class is defined in `src/a.ts`.",
      `assistant: ${plan}`,
      `user: ${plan}`,
    ).map((one) => one.replace(/\..*/, "")),
    [
      "key-fact: The class is defined in `src/a",
      "decision: Replace `call_llm` by a client, and never store the key in src/config",
    ],
  );
});

Deno.test("code that an agent writes into an element is no statement", () => {
  assertEquals(
    remembered(
      "assistant: src/a.py\n<source>\nThe queue of `a.py` is kept in memory because it is small.\n</source>\n\n" +
        "The class is defined in `src/a.py`.",
    ),
    ["key-fact: The class is defined in `src/a.py`."],
  );
});

Deno.test("a sentence ends at `etc.` before a capital letter", () => {
  assertEquals(
    remembered("user: I'd like to split the car into engine, wheels, etc. How would you do it?"),
    ["decision: I'd like to split the car into engine, wheels, etc."],
  );
});

Deno.test("what answers the agent's question is decided, unless it tells what is wrong", () => {
  assertEquals(
    remembered(
      "assistant: Where shall the workspaces be saved?",
      "user: a dump on the server side, so the client stays ephemeral",
      "assistant: Does it work now?",
      "user: dragging a node is laggy, and the buttons don't work",
    ),
    [
      "decision: a dump on the server side, so the client stays ephemeral",
      "error: dragging a node is laggy, and the buttons don't work",
    ],
  );
});

Deno.test("a document that a person pastes does not silence what was said", () => {
  const rules = Array.from({ length: 60 }, (_, at) => `- Never use rule${at} in part${at}.`);
  const changes = [
    "moved the queue into `queue.ts`",
    "renamed the parser to `reader.ts`",
    "deleted three dead branches of `retry()`",
    "added an index on `orders.user_id`",
    "split `server.ts` by route",
    "replaced moment by `Temporal`",
    "pinned `undici` at 6.2",
    "wrapped every handler in `guard()`",
    "documented the exit codes in `README.md`",
    "raised the pool to 20 connections in `db.ts`",
    "converted `legacy.js` to TypeScript",
    "disabled keep-alive for `/health`",
  ];
  const said = remembered(
    `user: ${rules.join("\n")}`,
    ...changes.map((change) => `assistant: I've ${change}.`),
  );
  assertEquals(said.filter((one) => one.startsWith("code-change")).length, changes.length);
});

Deno.test("what the agent asks the person to do is no statement, and what the person asks for is one", () => {
  assertEquals(
    remembered(
      "assistant: Please add `schemas/pipeline.ts` to the chat, because it must be changed.",
      "user: now apply the correct formatting to the contents of both notebooks",
    ),
    ["decision: now apply the correct formatting to the contents of both notebooks"],
  );
});
