/** The quick look misses nothing: where it sees nothing, the rules find nothing. */

import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { SESSION_HOSTS } from "../../lib/who/host_session.ts";
import { mayHoldSecret } from "../../lib/redact/hint.ts";
import { redact } from "../../lib/redact/redact.ts";
import { DEV } from "./labelled_dev.ts";
import { HELD_OUT } from "./labelled_held_out.ts";
import { DEV_NEGATIVES } from "./negatives_dev.ts";
import { HELD_OUT_NEGATIVES } from "./negatives_held_out.ts";
import { often } from "../often.ts";

const NAMES = SESSION_HOSTS.map(({ name }) => name);

const TEXTS = [...DEV, ...HELD_OUT, ...DEV_NEGATIVES, ...HELD_OUT_NEGATIVES]
  .map(({ text }) => text);

Deno.test("mayHoldSecret() sees every labelled text that redaction changes", () => {
  const missed = TEXTS.filter((text) => !mayHoldSecret(text) && redact(text) !== text);
  assertEquals(missed, []);
});

/** What turns a labelled text into a plainer one, of which the quick look sees less. */
const PLAINER: ((text: string) => string)[] = [
  (text) => text.replaceAll(/[0-9]/g, ""),
  (text) => text.replaceAll(/[^\t\n\r A-Za-z0-9.,;:?!()'"#/`-]/g, " "),
  (text) => text.replaceAll(/[^\t\n\r A-Za-z0-9.,;:?!()'"#/`-]/g, ":"),
  (text) => text.toLowerCase(),
  (text) => text.replaceAll(/\s--?/g, " "),
  (text) => text.replaceAll(/(?<=[A-Za-z])(?=[0-9])|(?<=[0-9])(?=[A-Za-z])/g, " "),
  (text) => text.replaceAll(/pass|key|token|secre|auth|cred|login|user/gi, "name"),
];

Deno.test("mayHoldSecret() is false only for what redaction leaves as it is", () => {
  let clean = 0;
  fc.assert(
    fc.property(
      fc.constantFrom(...TEXTS),
      fc.subarray(PLAINER, { minLength: 3 }),
      fc.nat(),
      (labelled, steps, cut) => {
        const whole = steps.reduce((text, step) => step(text), labelled);
        const text = whole.slice(0, 1 + cut % whole.length);
        if (mayHoldSecret(text)) return;
        clean++;
        assertEquals(redact(text), text);
      },
    ),
    often(3_000),
  );
  assert(clean > 300, `${clean} texts were taken for clean`);
});

Deno.test("mayHoldSecret() sees what only a shape or a rare word gives away", () => {
  const texts = [
    'api-schluessel: "Hund:katze!"',
    "engineer@glpat-1a2b-codex-3c4d",
    "127.0.0.1:5432:1:1:81723",
    "eyJabcdefghij.klmnopqrstuv",
  ];
  assertEquals(texts.filter((text) => redact(text) === text || !mayHoldSecret(text)), []);
});

Deno.test("mayHoldSecret() is false for ids and names of sessions, which redaction leaves alone", () => {
  const own = fc.oneof(
    fc.stringMatching(/^(?:#[1-9]\d{0,8} )?(?:[0-9a-v]{12}|[0-9a-f]{16})$/),
    fc.stringMatching(/^obs-(?:engineer|ux-designer)-[1-9]\d{0,8}-\d{13}-[a-z0-9]{6}$/),
    fc.constantFrom("key-fact", "decision", "error-fix"),
    fc.tuple(
      fc.constantFrom("engineer", "auth-key", "glpat"),
      fc.uniqueArray(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 2 }),
      fc.stringMatching(/^[0-9a-f]{4}$/),
    ).map(([role, hosts, id]) => `${role}@${hosts.map((host) => `${host}-${id}`).join("-")}`),
    fc.tuple(
      fc.constantFrom("engineer", "auth-key", "password", "token"),
      fc.stringMatching(/^[a-z0-9]{1,6}$/),
    ).map((words) => words.join("@")),
    fc.tuple(fc.nat(999_999_999), fc.date({ noInvalidDate: true, min: new Date(0) }))
      .map(([number, date]) => `${number}-${date.toISOString()}`)
      .filter((uid) => !uid.includes("+")),
  );
  fc.assert(
    fc.property(own, (text) => {
      assertEquals([mayHoldSecret(text), redact(text)], [false, text]);
    }),
    often(3_000),
  );
});

Deno.test("mayHoldSecret() is false for the sentences, names, times and labels of a list", () => {
  const plain = [
    "ADR-42 says PostgreSQL, but local development uses SQLite. Dual adapter or migrate?",
    "Database layer",
    "product-manager",
    "blocked-clarification",
    "2026-02-26T10:00:00.000Z",
    "CLR-42-001",
    "type:bug",
    "priority:p1",
    "Crash on start (12)",
    // The inbox says it of each question that nobody answers.
    "or configure it: agentx config set --global agents.default.preset claude",
  ];
  assertEquals(plain.filter(mayHoldSecret), []);
});
