import { assertEquals } from "@std/assert";
import { type Assumption, contradicting } from "../../lib/gate/assumption.ts";

function confirmed(id: string, decision: string, changes: Partial<Assumption> = {}): Assumption {
  return {
    decision,
    blocker_type: "none",
    user_response: "inferred",
    reasoning: "Read from the code",
    confidence: "high",
    risk_if_wrong: "low",
    id,
    agent: "engineer",
    issue: 42,
    clarificationId: null,
    created: `2026-11-26T10:00:0${id.slice(-1)}.000Z`,
    status: "confirmed",
    supersededBy: null,
    because: null,
    observation: null,
    ...changes,
  };
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
