import { assertEquals } from "@std/assert";
import { type Assumption, contradicting } from "../../lib/gate/assumption.ts";
import { TempWorkspace } from "../temp_workspace.ts";
import { sampleAssumption } from "./samples.ts";

function confirmed(id: string, decision: string, changes: Partial<Assumption> = {}): Assumption {
  const created = `2026-11-26T10:00:0${id.slice(-1)}.000Z`;
  return sampleAssumption({ id, decision, created, status: "confirmed", ...changes });
}

const COMPRESSED = "Every ledger file is stored compressed in the state folder";
const PLAIN = "Every ledger file is stored plain in the state folder";

Deno.test("contradicting() names what else was confirmed on the issue and cannot be true as well", () => {
  const one = confirmed("ASM-001", COMPRESSED);
  const all = [
    one,
    confirmed("ASM-002", PLAIN),
    confirmed("ASM-003", PLAIN, { issue: 7 }),
    confirmed("ASM-004", PLAIN, { status: "open" }),
    confirmed("ASM-005", "Retries are 3 for each request"),
  ];
  assertEquals(contradicting(one, all).map(({ id }) => id), ["ASM-002"]);
  assertEquals(contradicting(all[1], all).map(({ id }) => id), ["ASM-001"]);
  assertEquals(contradicting(all[3], all), []);
});

Deno.test("assumptions are read as seed 004 has them, and can be confirmed", async () => {
  using temp = new TempWorkspace();
  const { decision, blocker_type, user_response, reasoning, confidence, risk_if_wrong } =
    sampleAssumption();
  const one = { decision, blocker_type, user_response, reasoning, confidence, risk_if_wrong };
  const path = ".agentx/state/assumptions.json";
  temp.write(path, JSON.stringify({ assumptions_made: [one, { ...one, session: "s1" }] }));
  const { assumptions } = await temp.json(["assumptions"]);
  assertEquals(assumptions.map(({ id, status }: Assumption) => [id, status]), [
    ["ASM-001", "open"],
    ["ASM-002", "open"],
  ]);
  assertEquals((await temp.run(["assumptions", "confirm", "ASM-002"])).code, 0);
  const { version, assumptions_made: [first, second] } = JSON.parse(temp.read(path));
  assertEquals([version, first.decision, second.status, second.session], [
    ...[1, decision, "confirmed", "s1"],
  ]);
});
