/** What passes the border once passes it again unchanged. */

import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { cutting, withoutSecrets } from "../../lib/redact/border.ts";
import { Hub, request } from "../clarify/hub.ts";
import { refusal } from "../refusal.ts";
import { leaks, LEAKY, privatePart, TOKEN } from "../secrets.ts";
import { DEV } from "./labelled_dev.ts";
import { HELD_OUT } from "./labelled_held_out.ts";
import { often } from "../often.ts";

/** Cuts one text, and what was told of it. */
async function cutOnce(text: string): Promise<{ left: string; told: string[] }> {
  const told: string[] = [];
  const notify = (message: string) => told.push(message);
  const left = await cutting((cut) => cut("question", text), { what: "CLR-42-001", notify });
  return { left, told };
}

/** Labelled texts, and pieces of them, with private parts in between. */
const SOME_TEXT = fc.array(
  fc.oneof(
    fc.constantFrom(...DEV, ...HELD_OUT).map(({ text }) => text),
    fc.constantFrom(...privatePart("|").split("|"), "<priv", "ate>", " and ", "\n", LEAKY),
    fc.string({ maxLength: 20 }),
  ),
  { minLength: 1, maxLength: 4 },
).map((parts) => parts.join("").toWellFormed());

Deno.test("cutting() leaves a text alone that was cut before, and tells of nothing", async () => {
  await fc.assert(
    fc.asyncProperty(SOME_TEXT, async (text) => {
      const { left } = await cutOnce(`kept: ${text}`);
      assertEquals(await cutOnce(left), { left, told: [] });
      assertEquals(await withoutSecrets({ text: left }), { text: left });
    }),
    often(300),
  );
});

Deno.test("Writing what was read of a ledger changes nothing", async () => {
  await fc.assert(
    fc.asyncProperty(SOME_TEXT, async (text) => {
      using hub = new Hub();
      const question = `kept: ${[...text].slice(0, 1_000).join("")}`;
      const first = await hub.router.requestClarification(request({ question }));
      const { body } = first.clarification.thread[0];
      const told = hub.notes.length;
      const again = await hub.router.requestClarification(request({ question: body }));
      assertEquals([again.clarification.thread[0].body, hub.notes.length], [body, told]);
    }),
    often(60),
  );
});

Deno.test("cutting() tells the kinds and how many there were, and never a value", async () => {
  const { left, told } = await cutOnce(`${LEAKY} Or use ${TOKEN} again.`);
  assertEquals(told.length, 1);
  assert(
    /^Cut from CLR-42-001 before it was written: .*github-token \(\d\)/.test(told[0]),
    told[0],
  );
  assert(told[0].includes("private (1)"), told[0]);
  assertEquals([leaks(left), leaks(told[0])], [false, false]);
});

Deno.test("cutting() begins again for a text that needs the rules, and only then", async () => {
  for (const [text, runs] of [["PostgreSQL or SQLite?", 1], [LEAKY, 2]] as const) {
    let begun = 0;
    let written = 0;
    await cutting((cut) => {
      begun++;
      cut("question", text);
      written++;
    }, { what: "CLR-42-001", notify: () => {} });
    assertEquals([begun, written], [runs, 1]);
  }
});

Deno.test("cutting() refuses a text of which nothing is left, and checks what is left", async () => {
  for (
    const text of [TOKEN, ` ${TOKEN}.`, privatePart("x"), `${privatePart("x")} ${TOKEN}`]
  ) {
    const { details } = await refusal("INVALID_INPUT", () => cutOnce(text));
    assertEquals(details, { field: "question", value: null });
  }
  const checked: string[] = [];
  const check = (left: string) => (checked.push(left), left);
  const options = { what: "CLR-42-001", notify: () => {} };
  await cutting((cut) => cut("topic", "Database", check) + cut("question", LEAKY, check), options);
  assertEquals(checked.map((left) => [leaks(left), left.startsWith("Use ")]), [[false, true]]);
});

Deno.test("withoutSecrets() gives a value back as it is where nothing is to be cut", async () => {
  const value = { topic: "Database layer", thread: [{ body: "PostgreSQL or SQLite?" }], round: 1 };
  assert(await withoutSecrets(value) === value);
  const cut = await withoutSecrets({ ...value, thread: [{ body: LEAKY, round: null }] });
  assertEquals([cut.topic, cut.round, cut.thread[0].round], ["Database layer", 1, null]);
  assertEquals([leaks(JSON.stringify(cut)), cut.thread[0].body.startsWith("Use ")], [false, true]);
});
