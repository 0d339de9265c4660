import { assertEquals, assertThrows } from "@std/assert";
import { AgentxError, orElse } from "../../lib/base/errors.ts";

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

Deno.test("orElse: an error that is meant is replaced, and no other one", () => {
  const fail = () => {
    throw missing();
  };
  const crash = () => {
    throw new TypeError("a bug");
  };
  assertEquals(orElse("instead", () => "done"), "done");
  assertEquals(orElse("instead", fail), "instead");
  assertEquals(orElse("instead", fail, "IO_ERROR", "NOT_FOUND"), "instead");
  assertThrows(() => orElse("instead", fail, "IO_ERROR"), AgentxError);
  assertThrows(() => orElse("instead", crash), TypeError);
});
