import { clarificationId } from "../../../lib/commands/clarify/input.ts";
import { assertAccepts, assertRefuses } from "../../cli/spec_cases.ts";

Deno.test("clarificationId reads sequences of three digits or more", () => {
  const ids = ["CLR-42-001", "CLR-1-1000"];
  assertAccepts(clarificationId, Object.fromEntries(ids.map((id) => [id, id])));
});

Deno.test("clarificationId completes what is short", () => {
  assertAccepts(clarificationId, {
    "CLR-42-1": "CLR-42-001",
    "clr-42-001": "CLR-42-001",
    "42-1": "CLR-42-001",
    "42-1000": "CLR-42-1000",
  });
});

Deno.test("clarificationId refuses everything else", () => {
  const ids = [
    "CLR-42-0",
    "CLR-0-001",
    "42-001-1",
    "CLR-42-001 ",
    "CLR-../x-001",
    "42",
    "##42",
    "",
  ];
  assertRefuses(clarificationId, ids);
});
