import { assert, assertEquals } from "@std/assert";
import { ERROR_FORMS, errorIn } from "../../../lib/memory/extract/tool_errors.ts";

ERROR_FORMS.forEach(({ pattern, error, ordinary }, index) => {
  Deno.test(`error form ${index + 1} matches its examples, which are errors`, () => {
    for (const line of error) {
      assert(pattern.test(line), line);
      assert(errorIn(line, "") !== undefined, line);
    }
    for (const line of ordinary) assertEquals([line, pattern.test(line)], [line, false]);
  });
});

Deno.test("errorIn() leaves out the marks and tags around an error, and the JSON it stands in", () => {
  const told: [string, string, string][] = [
    [
      "<tool_use_error>String to replace not found in file.</tool_use_error>",
      "",
      "String to replace not found in file.",
    ],
    [
      "Parameter `old_str` is required for command: str_replace.",
      "ERROR:",
      "Parameter `old_str` is required for command: str_replace.",
    ],
    ["- E999 IndentationError: unexpected indent", "", "E999 IndentationError: unexpected indent"],
    [
      '{"result":"Error: No active project, activate one first"}',
      "",
      "Error: No active project, activate one first",
    ],
    ['{"error": "quota of the account is used up"}', "", "quota of the account is used up"],
  ];
  for (const [line, before, error] of told) assertEquals(errorIn(line, before), error);
  assertEquals(errorIn('{"result": "Memory of the formats is written"}', ""), undefined);
  const dump = errorIn(`Error checking the registry: ${"retries exceeded ".repeat(200)}`, "")!;
  assert(dump.length < 400 && /retries$|exceeded$/.test(dump), dump);
});
