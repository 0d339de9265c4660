import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import {
  displayWidth,
  encodeJson,
  fitCell,
  markdownFence,
  markdownLine,
  mermaidLabel,
  terminalBlock,
  terminalLine,
} from "../../lib/text/text.ts";
import { grownTooFast } from "../steps/steps.ts";
import { often } from "../often.ts";

interface HostileText {
  name: string;
  text: string;
  line: string;
}

const HOSTILE: HostileText[] = Deno
  .readTextFileSync(new URL("../fixtures/hostile_text.jsonl", import.meta.url))
  .trim().split("\n").map((row) => JSON.parse(row));

/** Written out by code point, so that it does not share a mistake with the properties of lib/text. */
const INVISIBLE = new RegExp(
  String
    .raw`[\x00-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f` +
    String
      .raw`\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0d\ufeff\uffa0\ufff9-\ufffb\ud800-\udfff` +
    String.raw`\u{e0000}-\u{e0fff}]`,
  "u",
);

const LONG_RUN = /[\ufe0e\ufe0f]{2}|\p{M}{9}/u;

const EMOJI_JOINER =
  /(\p{Extended_Pictographic}(?:\p{Emoji_Modifier}|\ufe0f)?)\u200d(?=\p{Extended_Pictographic})/gu;

function isSafe(line: string): boolean {
  return !INVISIBLE.test(line.replace(EMOJI_JOINER, "$1")) && !LONG_RUN.test(line);
}

/** Any string: hostile pieces, whole code points and halves of surrogate pairs in any order. */
const anyText = fc.array(
  fc.oneof(
    fc.constantFrom(...HOSTILE.map((row) => row.text), " ", "\n", "\r\n", "\t", "`".repeat(5)),
    fc.string({ unit: "binary" }),
    fc.string({ unit: "grapheme" }),
    fc.integer({ min: 0xd7f0, max: 0xe010 }).map((unit) => String.fromCharCode(unit)),
    fc.constantFrom("\u200d", "\ufe0f", "\u{1f468}", "\u{1f3fd}", "\u0301", "\u{e0061}", "\u6f22"),
  ),
  { maxLength: 40 },
).map((pieces) => pieces.join(""));

for (const { name, text, line } of HOSTILE) {
  Deno.test(`terminalLine() ${name}`, () => assertEquals(terminalLine(text), line));
}

Deno.test("terminalLine() gives no forbidden character for any text", () => {
  fc.assert(fc.property(anyText, (text) => isSafe(terminalLine(text))));
});

Deno.test("terminalLine() changes nothing when it is applied twice", () => {
  fc.assert(fc.property(anyText, (text) => {
    const line = terminalLine(text);
    return terminalLine(line) === line;
  }));
});

Deno.test("terminalLine() cuts to the given columns and says so", () => {
  assertEquals(terminalLine("a question about the schema", 13), "a question...");
});

Deno.test("terminalLine() keeps a line that just fits", () => {
  assertEquals(terminalLine("schema", 6), "schema");
});

Deno.test("terminalLine() cuts in front of an emoji that does not fit whole", () => {
  assertEquals(terminalLine("ab\u{1f468}\u200d\u{1f469}cdef", 8), "ab...");
});

Deno.test("terminalLine() gives no forbidden character where it cuts", () => {
  fc.assert(fc.property(anyText, fc.integer({ min: 1, max: 30 }), (text, maxWidth) => {
    const line = terminalLine(text, maxWidth);
    return isSafe(line) && displayWidth(line) <= maxWidth;
  }));
});

Deno.test("terminalLine() refuses a width of nothing", () => {
  assertThrows(() => terminalLine("a", 0), RangeError, '"0"');
});

Deno.test("fitCell() pads to the width", () => {
  assertEquals(fitCell("pending", 10), "pending   ");
});

Deno.test("fitCell() counts two columns for a wide character", () => {
  assertEquals(fitCell("\u8cea\u554f", 6), "\u8cea\u554f  ");
});

Deno.test("fitCell() takes exactly the width for any text", () => {
  fc.assert(fc.property(anyText, fc.integer({ min: 1, max: 30 }), (text, width) => {
    const cell = fitCell(text, width);
    return isSafe(cell) && displayWidth(cell) === width;
  }));
});

Deno.test("displayWidth() counts a combining mark with its letter", () => {
  assertEquals(displayWidth("cafe\u0301"), 4);
});

Deno.test("displayWidth() counts emoji and East Asian characters double", () => {
  assertEquals(displayWidth("\u{1f600}\u2764\ufe0f\u6f22\uac00\uff21"), 10);
});

Deno.test("terminalBlock() indents every line, so that none passes for ours", () => {
  const text = "fine\n[ESCALATED] CLR-42-001\r\n+-------+\nCLR-42-002  resolved";
  assertEquals(terminalBlock(text, { indent: "    " }), [
    "    fine",
    "    [ESCALATED] CLR-42-001",
    "    +-------+",
    "    CLR-42-002  resolved",
  ]);
});

Deno.test("terminalBlock() keeps blank lines", () => {
  assertEquals(terminalBlock("a\n\nb", { indent: "  " }), ["  a", "  ", "  b"]);
});

Deno.test("terminalBlock() shows line breaks other than a line feed", () => {
  assertEquals(terminalBlock("a\rb\u2028c", { indent: "  " }), ["  a\\rb\\u{2028}c"]);
});

Deno.test("terminalBlock() keeps the indentation of code", () => {
  assertEquals(terminalBlock("if (a) {\n\tb();\n}", { indent: "| ", width: 40 }), [
    "| if (a) {",
    "|     b();",
    "| }",
  ]);
});

Deno.test("terminalBlock() wraps between words, the indent included", () => {
  assertEquals(terminalBlock("one adapter for both databases", { indent: "  ", width: 14 }), [
    "  one adapter",
    "  for both",
    "  databases",
  ]);
});

Deno.test("terminalBlock() breaks a word that is longer than a line", () => {
  assertEquals(terminalBlock("see abcdefghij", { indent: " ", width: 6 }), [
    " see a",
    " bcdef",
    " ghij",
  ]);
});

Deno.test("terminalBlock() breaks East Asian text by its columns", () => {
  assertEquals(terminalBlock("\u6f22".repeat(5), { indent: " ", width: 5 }), [
    " \u6f22\u6f22",
    " \u6f22\u6f22",
    " \u6f22",
  ]);
});

Deno.test("terminalBlock() wraps plain letters as it wraps others of the same width", () => {
  const piece = fc.constantFrom("a", "ab", "abc", "abcdef", "a".repeat(9), " ", "  ", "      ");
  fc.assert(
    fc.property(fc.array(piece), fc.integer({ min: 1, max: 12 }), (pieces, columns) => {
      const text = pieces.join("");
      const options = { indent: "|", width: columns + 1 };
      const others = terminalBlock(text.replaceAll("a", "\u00e4"), options);
      assertEquals(
        terminalBlock(text, options),
        others.map((line) => line.replaceAll("\u00e4", "a")),
      );
    }),
    often(2_000),
  );
});

Deno.test("terminalBlock() says how many lines it left out", () => {
  const lines = terminalBlock("x\n".repeat(50_000), { indent: "  " });
  assertEquals(lines.at(-1), `  ... (lines left out: ${50_001 - (lines.length - 1)})`);
});

for (
  const [name, text] of Object.entries({ letters: "x", spaces: "a ", escapes: "\x1b", tabs: "\t" })
) {
  Deno.test(`terminalBlock() stays below 12,000 characters for a line of 10,000 ${name}`, () => {
    const lines = terminalBlock(text.repeat(10_000), { indent: "  " });
    assert(lines.join("\n").length < 12_000);
  });
}

Deno.test("terminalBlock() gives indented, safe and bounded lines for any text", () => {
  fc.assert(fc.property(anyText, fc.integer({ min: 4, max: 90 }), (text, width) => {
    const lines = terminalBlock(text, { indent: "> ", width });
    return lines.every((line) => line.startsWith("> ") && isSafe(line)) &&
      lines.join("\n").length < 12_000;
  }));
});

Deno.test("terminalBlock() gives no line wider than asked for", () => {
  fc.assert(fc.property(anyText, fc.integer({ min: 30, max: 90 }), (text, width) => {
    return terminalBlock(text, { indent: "  ", width }).every((line) =>
      displayWidth(line) <= width
    );
  }));
});

Deno.test("terminalBlock() refuses an empty indent", () => {
  assertThrows(() => terminalBlock("a", { indent: "" }), RangeError);
});

Deno.test("terminalBlock() refuses an indent that leaves no room", () => {
  assertThrows(() => terminalBlock("a", { indent: "    ", width: 4 }), RangeError, "4 columns");
});

Deno.test("markdownFence() shows text word for word in a fence", () => {
  const text = "Fixes #1 for @octocat: <b>![x](https://evil.example)</b> <!-- a -->\n# heading";
  assertEquals(markdownFence(text.split("\n")), "```text\n" + text + "\n```");
});

Deno.test("markdownFence() has a longer fence than any in the text", () => {
  assertEquals(markdownFence(["```", "@octocat", "````"]), "`````text\n```\n@octocat\n````\n`````");
});

Deno.test("markdownFence() cannot be closed from inside by any text", () => {
  fc.assert(fc.property(anyText, (text) => {
    const [opening, ...lines] = markdownFence(terminalBlock(text, { indent: " " })).split("\n");
    const fence = opening.replace("text", "");
    return lines.pop() === fence && lines.every((line) => isSafe(line) && !line.includes(fence));
  }));
});

Deno.test("markdownFence() of a block stays below 12,000 characters", () => {
  const block = terminalBlock("`".repeat(100_000), { indent: " ", width: 80 });
  assert(markdownFence(block).length < 12_000);
});

Deno.test("encodeJson() escapes what a terminal would act on", () => {
  assertEquals(encodeJson("\x1b\x7f\x9b\u202e\u2028"), '"\\u001b\\u007f\\u009b\\u202e\\u2028"');
});

Deno.test("encodeJson() escapes a character outside the first plane as its pair", () => {
  assertEquals(encodeJson("\u{e0061}"), '"\\udb40\\udc61"');
});

Deno.test("encodeJson() replaces a lone surrogate, in keys too", () => {
  assertEquals(encodeJson({ "\udc00": "a\ud800b" }), '{"\\ufffd":"a\\ufffdb"}');
});

Deno.test("encodeJson() leaves a typed backslash escape alone", () => {
  assertEquals(JSON.parse(encodeJson("\\ud800 \\\\ud800")), "\\ud800 \\\\ud800");
});

Deno.test("encodeJson() indents like JSON.stringify", () => {
  const record = { id: "CLR-42-001", thread: [{ round: 1, body: "caf\u00e9" }] };
  assertEquals(encodeJson(record, 2), JSON.stringify(record, null, 2));
});

Deno.test("encodeJson() gives back every well-formed string", () => {
  fc.assert(fc.property(anyText.map((text) => text.toWellFormed()), (text) => {
    return JSON.parse(encodeJson(text)) === text;
  }));
});

Deno.test("encodeJson() gives back a string that is not well-formed with U+FFFD", () => {
  fc.assert(fc.property(anyText, (text) => JSON.parse(encodeJson(text)) === text.toWellFormed()));
});

Deno.test("encodeJson() gives no forbidden character for any text", () => {
  fc.assert(fc.property(anyText, (text) => {
    return !INVISIBLE.test(encodeJson({ [text]: [text] }));
  }));
});

Deno.test("encodeJson() refuses what JSON cannot express", () => {
  assertThrows(() => encodeJson(undefined), TypeError, '"undefined"');
});

const PATTERNS = {
  letters: "x",
  escapes: "\x1b[31m",
  marks: "e\u0301\u0301\u0301",
  "marks only": "\u0301",
  "emoji joiners": "\u{1f468}\u200d",
  "skin tones": "\u{1f3fd}",
  "half pairs": "\ud800",
  "wide characters": "\u6f22",
  "spaced words": "\u00e9 ",
  spaces: "  \u3000",
  lines: "\n",
  backslashes: "\\ud800",
};

Deno.test("safe text takes steps in proportion to its length", async () => {
  const work = (pattern: string, length: number) => {
    const text = pattern.repeat(Math.ceil(length / pattern.length));
    terminalLine(text, 80);
    terminalBlock(text, { indent: "  ", width: 80 });
    encodeJson(text);
  };
  assertEquals(await grownTooFast(Object.values(PATTERNS), work, 1_000), []);
});

Deno.test("markdownLine() gives a code span that the text cannot end", () => {
  assertEquals(markdownLine("fixes #1, @all"), "` fixes #1, @all `");
  assertEquals(markdownLine("`<b>``"), "``` `<b>`` ```");
  assertEquals(markdownLine("a\n# b"), "` a\\n# b `");
  assertEquals(markdownLine(""), "`  `");
});

Deno.test("markdownLine() cuts a long text", () => {
  assertEquals(markdownLine("x".repeat(300)).length, 204);
  assertEquals(markdownLine("x".repeat(300), 5), "` xx... `");
});

Deno.test("markdownLine() gives one safe code span for any text", () => {
  fc.assert(fc.property(anyText, (text) => {
    const span = markdownLine(text);
    const fence = /^`+/.exec(span)![0];
    const inside = span.slice(fence.length, -fence.length);
    const isOpen = !inside.split(/[^`]+/).includes(fence);
    return isSafe(span) && span.endsWith(` ${fence}`) && isOpen;
  }));
});

Deno.test("mermaidLabel() writes what Mermaid might take for markup as codes", () => {
  assertEquals(mermaidLabel('a"]; click b'), "a#34;#93;#59; click b");
  assertEquals(
    mermaidLabel("`**x**` #35; <br>"),
    "#96;#42;#42;x#42;#42;#96; #35;35#59; #60;br#62;",
  );
  assertEquals(mermaidLabel("\u0394 engineer@2"), "\u0394 engineer@2");
});

Deno.test("mermaidLabel() gives one line without quotes or brackets for any text", () => {
  fc.assert(fc.property(anyText, (text) => {
    const label = mermaidLabel(text);
    return isSafe(label) && !/["\[\](){}<>`|\\]/.test(label);
  }));
});
