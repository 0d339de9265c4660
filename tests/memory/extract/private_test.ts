import { assert, assertEquals } from "@std/assert";
import { extractFromTranscript, extractObservations } from "../../../lib/memory/extract/extract.ts";
import { MAX_CONTENT } from "../../../lib/memory/schema.ts";
import { readTranscript, type TranscriptFormat } from "../../../lib/transcripts/mod.ts";
import { randomFrom } from "../../redact/shapes.ts";
import { observationsOf } from "../session_of.ts";

const draw = randomFrom(7);

/** Made here, so that no secret stands in the source. */
const TOKEN = `ghp_${Array.from({ length: 36 }, () => draw(36).toString(36)).join("")}`;

const HIDDEN = "Never tell the board about project Heron in src/heron.ts";

function captured(text: string, format?: TranscriptFormat): string {
  const transcript = readTranscript(text, { format });
  const whose = { agent: "engineer", issueNumber: 1, sessionId: "s" };
  return extractFromTranscript(transcript, whose).map(({ content }) => content).join("\n");
}

const PRIVATE = [
  `<private>${HIDDEN}</private>`,
  `<PRIVATE>\n${HIDDEN}\n\n- ${HIDDEN}\n</Private>`,
  `<private>a <private>b</private> ${HIDDEN}.</private>`,
  `<private>${HIDDEN}`,
  `<private>\n\n## Assistant\n\n${HIDDEN}\n\n## User\n\n</private>`,
  `<private>\n#### ${HIDDEN}\n> Applied edit to src/heron.ts\n#### </private>`,
  `<system-reminder>x <private></system-reminder>${HIDDEN}</private>`,
];

const SAID = "Decision: never use two locks in src/store.ts.";

for (const part of PRIVATE) {
  Deno.test(`T9: private text never becomes an observation: ${JSON.stringify(part)}`, () => {
    const texts: [string, TranscriptFormat][] = [
      [`## User\n\n${SAID}\n\n${part}\n\n## Assistant\n\nOK\n`, "markdown"],
      [`User: ${SAID}\n${part}\nAssistant: OK\n`, "markdown"],
      [`# aider chat started at 2026-03-01 10:00:00\n#### ${SAID}\n#### ${part}\n`, "aider"],
      ...["user", "assistant"].map((type): [string, TranscriptFormat] => [
        JSON.stringify({ type, sessionId: "s", message: { content: `${SAID}\n\n${part}` } }),
        "claude",
      ]),
      [
        JSON.stringify({
          type: "response_item",
          payload: { type: "function_call_output", output: `Error: ${SAID}\n${part}` },
        }),
        "codex",
      ],
    ];
    for (const [text, format] of texts) {
      const found = captured(text, format);
      assertEquals([format, /heron/i.test(found)], [format, false], found);
      assert(format === "codex" || found.includes(SAID), `${format}: ${found}`);
    }
    const summary = `### Decisions\n- ${SAID}\n- ${part}`;
    const contents = extractObservations(summary, "engineer", 1, "s").map(({ content }) => content);
    assertEquals(/heron/i.test(contents.join()), false);
  });
}

/** The messages of a person, each of them a list of blocks, as Claude Code records them. */
function blocks(...messages: string[][]): string {
  return messages.map((texts) =>
    JSON.stringify({
      type: "user",
      sessionId: "s",
      message: { content: texts.map((text) => ({ type: "text", text })) },
    })
  ).join("\n");
}

for (
  const [name, session] of Object.entries({
    "two blocks": blocks([`${SAID}\n<private>${HIDDEN}`, `${HIDDEN}</private>`]),
    "three blocks": blocks([`${SAID}\n`, "<private>", HIDDEN, "</private>"]),
    "two messages": blocks([`${SAID}\n<private>${HIDDEN}`], [`${HIDDEN}</private>`]),
    "three messages": blocks([`${SAID}\n<private>x`], [HIDDEN], [`${HIDDEN}.</private>`]),
  })
) {
  Deno.test(`T9: a private part over ${name} never becomes an observation`, () => {
    const found = captured(session, "claude");
    assertEquals([found.includes(SAID), /heron/i.test(found)], [true, false], found);
  });
}

Deno.test("T9: a part that is not closed costs its message, and a mention of the tag nothing", () => {
  const later = "Never use a database for the ledger.";
  for (
    const [begin, isKept] of [
      [`<private>${HIDDEN}`, false],
      ["What does the <private> tag do?", true],
      ["Put it between `<private>` and `</private>`.", true],
    ] as const
  ) {
    const first = `${begin}\n${SAID}`;
    const sessions: [string, TranscriptFormat][] = [
      [`## User\n\n${first}\n\n## Assistant\n\nOK\n\n## User\n\n${later}\n`, "markdown"],
      [
        `# aider chat started at 2026-03-01 10:00:00\n#### ${
          first.replace("\n", "\n#### ")
        }\n\nOK\n\n#### ${later}\n`,
        "aider",
      ],
      [blocks([first], [later]), "claude"],
    ];
    for (const [session, format] of sessions) {
      const found = captured(session, format);
      assertEquals([format, found.includes(later), found.includes(SAID)], [format, true, isKept]);
      assertEquals(/heron/i.test(found), false);
    }
  }
});

Deno.test("T9: a secret is taken out before sentences are cut", () => {
  for (const role of ["user", "assistant"]) {
    const said = `${role}: We decided to use the key ${TOKEN} because CI needs it.`;
    const [{ content }] = observationsOf([said]);
    assertEquals(content.includes(TOKEN.slice(0, 12)), false);
    assert(content.startsWith("We decided to use the key ["), content);
  }
});

Deno.test("T9: what a message shows to be a secret is cut from all of them", () => {
  const value = TOKEN.slice(4, 20);
  const said = [
    `user: We always deploy with ${value} from the CI because the wiki says so.`,
    `tool: DEPLOY_PASSWORD=${value}`,
    `assistant: Decision: we keep ${value} in the vault, because the CI reads it there.`,
  ];
  const found = observationsOf(said).map(({ content }) => content).join("\n");
  assert(found.includes("the wiki says so") && found.includes("in the vault"), found);
  assertEquals(found.includes(value.slice(0, 8)), false, found);
});

Deno.test("T9: a secret across the longest content leaves no part of itself", () => {
  for (let at = MAX_CONTENT - 60; at <= MAX_CONTENT + 10; at += 7) {
    const words = "never use more ".repeat(200).slice(0, at - 1);
    for (const { content } of observationsOf([`user: ${words} ${TOKEN} and the rest of it`])) {
      assertEquals(content.includes(TOKEN.slice(0, 8)), false);
    }
  }
});
