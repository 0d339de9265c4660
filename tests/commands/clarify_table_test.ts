import { assert, assertEquals } from "@std/assert";
import type { ClarificationRecord } from "../../lib/clarify/schema.ts";
import { sampleRecord } from "../clarify/samples.ts";
import { TempWorkspace } from "../temp_workspace.ts";

const MINUTE_MS = 60_000;

/** Runs `clarify` on one record that was asked, and is due, so many minutes from now. */
async function tableOf(
  minutes: { asked: number; due: number },
  changes: Partial<ClarificationRecord> = {},
): Promise<string[]> {
  using workspace = new TempWorkspace();
  const fromNow = (minutes: number) => new Date(Date.now() + minutes * MINUTE_MS).toISOString();
  const times = { created: fromNow(minutes.asked), staleAfter: fromNow(minutes.due) };
  const clarifications = [sampleRecord({ ...times, ...changes })];
  workspace.write(workspace.ledgerPath(42), JSON.stringify({ issueNumber: 42, clarifications }));
  const { out, code } = await workspace.run(["clarify"]);
  assertEquals(code, 0);
  return out.trimEnd().split("\n");
}

Deno.test("clarify shows the age of a question and the time left to its SLA", async () => {
  const [header, row] = await tableOf({ asked: -12, due: 18.5 });
  assert(/ROUND {2}AGE {2}SLA {2}TOPIC$/.test(header), header);
  assert(/pending {2}1\/5 {4}12m {2}18m {2}Database layer$/.test(row), row);
});

Deno.test("clarify gives a question past its SLA as much time again", async () => {
  const [, row] = await tableOf({ asked: -120, due: -90 });
  assert(/stale {3}1\/5 {4}2h {3}(29|30)m {2}Database layer$/.test(row), row);
});

Deno.test("clarify shows no SLA where nobody is waited for", async () => {
  const [, row] = await tableOf({ asked: -120, due: -90 }, { status: "answered" });
  assert(/answered {2}1\/5 {4}2h {3}- {4}Database layer$/.test(row), row);
});

Deno.test("clarify keeps to 80 columns with long names", async () => {
  const names = { from: "devops-engineer@12", to: "product-manager", topic: "t".repeat(200) };
  const lines = await tableOf({ asked: -1, due: -1 }, { ...names, id: "CLR-42-1000" });
  assertEquals(lines.filter((line) => line.length > 80), []);
});
