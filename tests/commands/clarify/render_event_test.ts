import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { renderEvent } from "../../../lib/commands/clarify/render_event.ts";
import type { ThreadEntry } from "../../../lib/clarify/schema.ts";
import type { LogLine } from "../../../lib/events/follower.ts";
import { makeStyle } from "../../../lib/text/style.ts";
import { displayWidth } from "../../../lib/text/text.ts";
import { sampleRecord, START_MS } from "../../clarify/samples.ts";

const VIEW = { style: makeStyle(false), width: 100 };

const ASKED: LogLine = {
  time: "2026-02-26T10:00:05.123Z",
  operation: "clarification-requested",
  clarificationId: "CLR-42-001",
  fromAgent: "engineer",
  toAgent: "architect",
  round: 1,
};

/** A thread of two rounds and an end. */
function threadRecord() {
  const record = sampleRecord();
  const [question] = record.thread;
  const entry = (type: ThreadEntry["type"], round: number, body: string): ThreadEntry => ({
    ...question,
    type,
    round,
    body,
  });
  record.thread.push(
    entry("answer", 1, "Both:\n  PostgreSQL in production"),
    entry("question", 2, "And pooling?"),
    entry("answer", 2, "By configuration"),
    entry("resolution", 2, "Clear"),
  );
  return record;
}

function render(changes: Partial<LogLine>): string {
  return renderEvent({ ...ASKED, ...changes }, threadRecord(), START_MS, VIEW);
}

Deno.test("renderEvent() shows a first question with its topic", () => {
  assertEquals(
    render({}),
    "  10:00:05  CLR-42-001  engineer -> architect  asks: Database layer: PostgreSQL or SQLite?",
  );
});

Deno.test("renderEvent() shows what was written in the round of the event", () => {
  assert(render({ round: 2 }).endsWith("  asks: And pooling?"));
  const answered = { operation: "clarification-answered" };
  assertEquals(
    render(answered),
    "  10:00:05  CLR-42-001  architect -> engineer  answers: Both: PostgreSQL in production",
  );
  assert(render({ ...answered, round: 2 }).endsWith("  answers: By configuration"));
});

Deno.test("renderEvent() shows how a clarification ends", () => {
  const endings = ["stale", "resolved", "escalated", "abandoned"].map((end) =>
    render({ operation: `clarification-${end}`, round: 2 }).split("engineer -> architect  ")[1]
  );
  assertEquals(endings, [
    "has no answer in time: Database layer",
    "resolved: Clear",
    "needs a human: Database layer",
    "abandoned: Database layer",
  ]);
});

Deno.test("renderEvent() dates what is a day old", () => {
  const line = renderEvent(ASKED, undefined, START_MS + 25 * 3_600_000, VIEW);
  assertEquals(line, "  02-26 10:00  CLR-42-001  engineer -> architect  asks");
});

Deno.test("renderEvent() does without a record that cannot be read", () => {
  const line = renderEvent(ASKED, undefined, START_MS, VIEW);
  assertEquals(line, "  10:00:05  CLR-42-001  engineer -> architect  asks");
});

Deno.test("renderEvent() cuts the text at the width of the terminal", () => {
  const line = renderEvent(ASKED, threadRecord(), START_MS, { ...VIEW, width: 80 });
  assertEquals(displayWidth(line), 80);
  assert(line.endsWith("  asks: Database layer: PostgreS..."), line);
});

Deno.test("renderEvent() gives one safe line that fits, whatever the log and the ledger say", () => {
  const anyText = fc.oneof(
    fc.string({ unit: "binary", maxLength: 60 }),
    fc.string({ unit: fc.constantFrom("\u6f22", "a"), maxLength: 60 }),
  );
  fc.assert(fc.property(anyText, anyText, anyText, (a, b, c) => {
    const record = { ...threadRecord(), topic: c };
    const line = { ...ASKED, fromAgent: a, toAgent: b, clarificationId: c, operation: a };
    const text = renderEvent(line, record, START_MS, { ...VIEW, width: 140 });
    // deno-lint-ignore no-control-regex -- nothing may control the terminal
    assert(!/[\x00-\x1f\x7f-\x9f]/.test(text) && displayWidth(text) <= 140);
  }));
});
