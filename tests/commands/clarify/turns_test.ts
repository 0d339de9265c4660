/**
 * The turns of an issue on the command line: processes cannot pass them together, and a human lifts them.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { ASK, ended, TempWorkspace } from "../../temp_workspace.ts";

const PROCESSES = 8;

const LEFT: readonly string[] = [...ASK, "--non-blocking", "--again"];

function workspace(maxTurns: number): TempWorkspace {
  return new TempWorkspace({ config: { clarify: { maxTurns, retryDelaySeconds: 0 } } });
}

Deno.test(`${PROCESSES} processes that ask at once do not pass the turns of an issue together`, async () => {
  using temp = workspace(3);
  const runs = await Promise.all(
    Array.from({ length: PROCESSES }, () => ended(temp.spawn(LEFT))),
  );
  const codes = runs.map(({ code }) => code).sort();
  assertEquals(codes, [0, 0, 0, 6, 6, 6, 6, 6]);
  const statuses = temp.ledger().clarifications.map(({ status }) => status);
  assertEquals(statuses, ["pending", "pending", "pending", "escalated"]);
});

Deno.test("clarify ask says what lifts the limit of turns, and a human's decision does", async () => {
  using temp = workspace(1);
  await temp.run(LEFT);
  const { code, err } = await temp.run(LEFT);
  assertEquals(code, 6);
  assertEquals(
    err,
    "error: Cannot ask architect about issue #42: the limit of 1 turns of agents on one issue is reached\n" +
      "  It is escalated as CLR-42-002; deciding it allows as many again: " +
      'agentx answer CLR-42-002 a or "..."\n  The limit is the setting clarify.maxTurns\n',
  );
  const { error } = await temp.json(LEFT);
  assertEquals([error.code, error.details.gate], ["GATE_REFUSED", "turns"]);
  assert(error.message.includes("Nothing was asked; CLR-42-002 waits for a human"), error.message);
  assertEquals((await temp.run(["clarify", "resolve", "CLR-42-002", "a"])).code, 0);
  assertEquals((await temp.run(LEFT)).code, 0);
});
