/**
 * Each hostile text of the fixture on each surface: what people read on a terminal, what programs read
 * as JSON, what is kept in a file, and what a model is given.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { newInteractionFile } from "../lib/gate/gate_file.ts";
import { endByHuman, newInteraction } from "../lib/gate/interaction.ts";
import { checkQuestion } from "../lib/gate/request.ts";
import { sampleRecord } from "./clarify/samples.ts";
import { STRIPE } from "./gate/samples.ts";
import { sample } from "./memory/temp_store.ts";
import { ASK, TempWorkspace } from "./temp_workspace.ts";

const TEXTS: string[] = Deno
  .readTextFileSync(new URL("./fixtures/hostile_text.jsonl", import.meta.url))
  .trim().split("\n").map((row) => JSON.parse(row).text);

/** Whatever a terminal would obey or hide, and half a character. A joiner counts outside emoji. */
const UNSAFE = new RegExp(
  String.raw`[\x00-\x09\x0b-\x1f\x7f-\x9f\xad\u061c\u115f\u1160\u200b\u200c\u200e\u200f` +
    String.raw`\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\ud800-\udfff` +
    String.raw`\u{e0000}-\u{e007f}\u{e0100}-\u{e01ef}]|[\ufe00-\ufe0f]{2}|\p{M}{9}|[a-z]\u200d`,
  "u",
);

/** Writes the files that hold a text, as others may have left them. */
function plant(temp: TempWorkspace, text: string): void {
  const entry = { round: 1, from: text, body: text, timestamp: text };
  const types = ["question", "answer", "resolution", "escalation"] as const;
  const thread = types.map((type) => ({ ...entry, type }));
  const record = sampleRecord({ status: "answered", topic: text, thread });
  temp.write(temp.ledgerPath(42), JSON.stringify({ issueNumber: 42, clarifications: [record] }));
  const comments = [{ author: text, body: text }];
  const issue = { number: 42, title: text, body: text, labels: [text], status: text, comments };
  temp.write(".agentx/issues/42.json", JSON.stringify(issue));
  const observations = [sample(text, { issueNumber: 42 })];
  const updatedAt = observations[0].timestamp;
  const memory = { version: 1, issueNumber: 42, updatedAt, observations };
  temp.write(".agentx/memory/issue-42.json", JSON.stringify(memory));
  plantGate(temp, text);
}

/** What was asked of a human, and assumed. */
function plantGate(temp: TempWorkspace, text: string): void {
  const request = checkQuestion(STRIPE);
  Object.assign(request, { agent: text, topic: text, question: text, session: text });
  request.options[0].text = text;
  const nowMs = Date.parse("2026-02-26T10:00:00.000Z");
  const asked = newInteraction(request, {
    id: "ASK-001",
    content: text,
    nowMs,
    deadlineMs: null,
    orchestrated: false,
    callId: null,
    before: [],
  });
  const deed = { answer: text || "x", outcome: "human", verified: false, always: false } as const;
  endByHuman(asked, deed, nowMs);
  const file = { ...newInteractionFile(), agent_interactions: [asked] };
  temp.write(".agentx/state/agent-interactions.json", JSON.stringify(file));
  const assumptions = { version: 1, assumptions_made: [] };
  temp.write(".agentx/state/assumptions.json", JSON.stringify(assumptions));
}

const TERMINAL: readonly (readonly string[])[] = [
  ["clarify"],
  ["clarify", "--issue", "42"],
  ["clarify", "wait", "CLR-42-001"],
  ["issue", "get", "42"],
  ["issue", "list"],
  ["ready"],
  ["memory", "search", "--issue", "42"],
  ["memory", "recall", "--agent", "engineer", "--issue", "42"],
  ["hook", "start", "engineer", "42"],
  ["ask-user", "--id", "ASK-001"],
  ["assumptions"],
  ["assumptions", "revert", "ASM-001"],
];

for (const words of TERMINAL) {
  for (const flags of [[], ["--json"]]) {
    const title = [...words, ...flags].join(" ");
    Deno.test(`${title} prints every hostile text so that a terminal obeys none of it`, async () => {
      using temp = new TempWorkspace();
      for (const text of TEXTS) {
        plant(temp, text);
        const { code, out, err } = await temp.run([...words, ...flags]);
        assert(code !== 70 && (out !== "" || words[0] === "memory"), err);
        assert(!UNSAFE.test(out) && !UNSAFE.test(err), JSON.stringify([text, out, err]));
      }
    });
  }
}

Deno.test("An error prints every hostile text so that a terminal obeys none of it", async () => {
  using temp = new TempWorkspace();
  for (const text of TEXTS) {
    for (const flags of [[], ["--json"]]) {
      for (const words of [["clarify", "--issue", text], [text], ["workflow", text]]) {
        const { code, out, err } = await temp.run([...flags, ...words]);
        assertEquals([code > 0 && code !== 70, out], [true, ""], err);
        assert(!UNSAFE.test(err), JSON.stringify([text, err]));
      }
    }
  }
});

Deno.test("A ledger and --json keep every hostile text exactly", async () => {
  for (const text of TEXTS.filter((text) => text.isWellFormed())) {
    using temp = new TempWorkspace();
    await temp.run([...ASK.slice(0, -1), "--", `x${text}`]);
    const { clarifications } = await temp.json(["clarify", "--issue", "42"]);
    for (const [record] of [clarifications, temp.ledger().clarifications]) {
      assertEquals(record.thread[0].body, `x${text}`);
    }
    assert(!UNSAFE.test(temp.read(temp.ledgerPath(42))));
  }
});

Deno.test("A prompt hides nothing of any hostile text", async () => {
  using temp = new TempWorkspace({ agents: { architect: "cat >prompt; echo Done." } });
  for (const text of TEXTS) {
    plant(temp, text);
    Deno.removeSync(`${temp.root}/${temp.ledgerPath(42)}`);
    temp.write("docs/adr/ADR-42.md", text.toWellFormed());
    const { code, err } = await temp.run([...ASK.slice(0, -1), "--", `x${text.toWellFormed()}`]);
    assertEquals(code, 0, JSON.stringify([text, err]));
    assert(!UNSAFE.test(temp.read("prompt")), JSON.stringify(text));
  }
});
