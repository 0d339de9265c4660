import { assertEquals } from "@std/assert";
import { AgentxError } from "../../lib/base/errors.ts";

function missing(next?: string): AgentxError {
  const details = { kind: "workflow", id: "story" };
  return new AgentxError("NOT_FOUND", 'Cannot find "story"', { details, next });
}

Deno.test("AgentxError says what failed and what to do, apart and together", () => {
  const { summary, next, message, oneLine } = missing("Create it");
  assertEquals([summary, next], ['Cannot find "story"', "Create it"]);
  assertEquals(message, 'Cannot find "story"\nCreate it');
  assertEquals(oneLine, 'Cannot find "story". Create it');
});

Deno.test("AgentxError without a next step is its summary", () => {
  const { summary, next, message, oneLine } = missing();
  assertEquals([message, oneLine, next], [summary, summary, undefined]);
});
