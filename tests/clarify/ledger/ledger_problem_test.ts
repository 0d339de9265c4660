import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { ledgerProblem } from "../../../lib/clarify/ledger/ledger_problem.ts";
import { sampleRecord } from "../samples.ts";

/** A ledger of issue 42 with one record, changed by `change`. */
// deno-lint-ignore no-explicit-any -- a test breaks it
function changed(change: (ledger: any) => void): unknown {
  const ledger = { issueNumber: 42, clarifications: [sampleRecord()] };
  change(ledger);
  return ledger;
}

Deno.test("ledgerProblem() finds none in a ledger", () => {
  assertEquals(ledgerProblem({ issueNumber: 42, clarifications: [] }), undefined);
  assertEquals(ledgerProblem(changed(() => {})), undefined);
});

Deno.test("ledgerProblem() lets keys pass that it does not know", () => {
  const ledger = changed((ledger) => {
    ledger.version = 1;
    ledger.clarifications[0].priority = "p1";
    ledger.clarifications[0].thread[0].model = "x";
  });
  assertEquals(ledgerProblem(ledger), undefined);
});

Deno.test("ledgerProblem() lets a record without resolvedAt pass, as the original wrote it", () => {
  assertEquals(
    ledgerProblem(changed((ledger) => delete ledger.clarifications[0].resolvedAt)),
    undefined,
  );
});

// deno-lint-ignore no-explicit-any -- a test breaks it
const MISFITS: Record<string, (ledger: any) => void> = {
  "issueNumber": (ledger) => ledger.issueNumber = "42",
  "clarifications": (ledger) => ledger.clarifications = {},
  "clarifications[0] ": (ledger) => ledger.clarifications[0] = null,
  "clarifications[0].id": (ledger) => ledger.clarifications[0].id = "CLR-7-001",
  "clarifications[0].id must belong": (ledger) => ledger.clarifications[0].id = "../x",
  "clarifications[0].id must belong to issue 42": (ledger) => {
    ledger.clarifications[0].id = "CLR-42-0001";
  },
  "clarifications[1].id": (ledger) => ledger.clarifications.push(ledger.clarifications[0]),
  "clarifications[0].from": (ledger) => ledger.clarifications[0].from = 1,
  "clarifications[0].to": (ledger) => delete ledger.clarifications[0].to,
  "clarifications[0].topic": (ledger) => ledger.clarifications[0].topic = ["x"],
  "clarifications[0].blocking": (ledger) => ledger.clarifications[0].blocking = "true",
  "clarifications[0].status": (ledger) => ledger.clarifications[0].status = "open",
  "clarifications[0].round": (ledger) => ledger.clarifications[0].round = 0,
  "clarifications[0].maxRounds": (ledger) => ledger.clarifications[0].maxRounds = 1e999,
  "clarifications[0].created": (ledger) => ledger.clarifications[0].created = "yesterday",
  "clarifications[0].staleAfter": (ledger) => ledger.clarifications[0].staleAfter = "",
  "clarifications[0].resolvedAt": (ledger) => ledger.clarifications[0].resolvedAt = 5,
  "clarifications[0].thread": (ledger) => ledger.clarifications[0].thread = null,
  "clarifications[0].thread[0]": (ledger) => ledger.clarifications[0].thread[0].type = "note",
};

for (const [place, spoil] of Object.entries(MISFITS)) {
  Deno.test(`ledgerProblem() names ${place.trim()} where it does not fit`, () => {
    assertEquals(ledgerProblem(changed(spoil))?.startsWith(place), true);
  });
}

for (const value of [null, [], "x", 42, true]) {
  Deno.test(`ledgerProblem() refuses ${JSON.stringify(value)}`, () => {
    assertEquals(ledgerProblem(value), "it is not an object");
  });
}

Deno.test("ledgerProblem() refuses what is nested too deep to be written again", () => {
  const deep = JSON.parse("[".repeat(50_000) + "]".repeat(50_000));
  for (
    const ledger of [
      changed((ledger) => ledger.extra = deep),
      changed((ledger) => ledger.clarifications[0].extra = deep),
      changed((ledger) => ledger.clarifications[0].thread[0].extra = { deep }),
    ]
  ) {
    assertEquals(ledgerProblem(ledger), "it is nested too deep");
  }
});

Deno.test("ledgerProblem() has a word for any JSON", () => {
  fc.assert(fc.property(fc.jsonValue(), (value) => {
    assertEquals(typeof ledgerProblem(value), "string");
  }));
});

for (const name of ["../../x", "/etc/hosts", "CLR-42-001-r1-1.txt/..", 7]) {
  Deno.test(`ledgerProblem() refuses ${JSON.stringify(name)} as the name of an attachment`, () => {
    const record = sampleRecord();
    Object.assign(record.thread[0], { attachments: [name] });
    const problem = ledgerProblem({ issueNumber: 42, clarifications: [record] });
    assertEquals(problem, "clarifications[0].thread[0] is not an entry of a thread");
  });
}
