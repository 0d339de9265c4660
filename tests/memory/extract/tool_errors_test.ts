import { assert, assertEquals } from "@std/assert";
import { ERROR_FORMS, errorIn } from "../../../lib/memory/extract/tool_errors.ts";
import { remembered } from "../session_of.ts";

ERROR_FORMS.forEach(({ pattern, error, ordinary }, index) => {
  Deno.test(`error form ${index + 1} matches its examples, which are errors`, () => {
    for (const line of error) {
      assert(pattern.test(line), line);
      assert(errorIn(line, "") !== undefined, line);
    }
    for (const line of ordinary) assertEquals([line, pattern.test(line)], [line, false]);
  });
});

Deno.test("an error is told without the marks and tags around it, and by the line after `ERROR:`", () => {
  assertEquals(
    remembered(
      "tool: <tool_use_error>String to replace not found in file.</tool_use_error>",
      "tool: ERROR:\nParameter `old_str` is required for command: str_replace.",
      "tool: E999:\n- E999 IndentationError: unexpected indent\n1475: return 0",
    ),
    [
      "error: String to replace not found in file.",
      "error: Parameter `old_str` is required for command: str_replace.",
      "error: E999 IndentationError: unexpected indent",
    ],
  );
});

Deno.test("a dump is told by its beginning, without half a word", () => {
  const [said] = remembered(
    `tool: Error checking the registry: ${"retries exceeded ".repeat(200)}`,
  );
  assert(said.length < 400 && said.endsWith("retries") || said.endsWith("exceeded"), said);
});

Deno.test("an error in the JSON that a tool answers with is told without the JSON", () => {
  assertEquals(
    remembered(
      'tool: {"result":"Error: No active project, activate one first"}',
      'tool: {"error": "quota of the account is used up"}',
      'tool: {"result": "Memory of the formats is written"}',
    ),
    [
      "error: Error: No active project, activate one first",
      "error: quota of the account is used up",
    ],
  );
});
