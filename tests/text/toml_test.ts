import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { parseToml } from "../../lib/text/toml.ts";
import { AgentxError } from "../../lib/base/errors.ts";
import { often } from "../often.ts";

const PATH = ".agentx/workflows/feature.toml";

function read(text: string): unknown {
  return parseToml(text, PATH).value;
}

function refusal(text: string): AgentxError<"INVALID_CONFIG"> {
  const error = assertThrows(() => read(text), AgentxError);
  assertEquals(error.code, "INVALID_CONFIG");
  return error as AgentxError<"INVALID_CONFIG">;
}

Deno.test("parseToml() reads tables, arrays of tables, dotted and quoted keys", () => {
  const text = `
# a comment
title = "TOML" # another one
"a b".'c.d' = [1, 2.5, -3,]   # a trailing comma
[owner]
name.first = 'Ada'
name.last = "Love\\tlace"
[owner.address]
city = """
London \\
  SW1"""
[[steps]]
id = "one"
needs = [
  # nothing yet ]
  "]",
  '#',
]
[[steps]]
id = "two"
point = { x = 1, y.z = true }
[steps.deep]
raw = '''it's "so"'''
`;
  assertEquals(read(text), {
    title: "TOML",
    "a b": { "c.d": [1, 2.5, -3] },
    owner: { name: { first: "Ada", last: "Love\tlace" }, address: { city: "London SW1" } },
    steps: [
      { id: "one", needs: ["]", "#"] },
      { id: "two", point: { x: 1, y: { z: true } }, deep: { raw: `it's "so"` } },
    ],
  });
});

Deno.test("parseToml() reads a table whose subtable came first", () => {
  assertEquals(read("[a.b]\nx = 1\n[a]\ny = 2\n"), { a: { b: { x: 1 }, y: 2 } });
});

Deno.test("parseToml() reads a file with a byte order mark and Windows line ends", () => {
  assertEquals(read("\uFEFFa = 1\r\n[b]\r\nc = 2\r\n"), { a: 1, b: { c: 2 } });
});

Deno.test("parseToml() reads long strings that end in quotes of their own", () => {
  assertEquals(read(`a = """"x""""\nb = \'\'\'y\'\'\'\'\nc = """"""\n`), {
    a: '"x"',
    b: "y'",
    c: "",
  });
});

Deno.test("parseToml() reads an empty file", () => {
  assertEquals(read(""), {});
});

// Each text with the line that the refusal must name.
const REFUSED: Record<string, [text: string, line: number]> = {
  "a duplicate key": ["a = 1\nb = 2\na = 3\n", 3],
  "a duplicate key, once in quotes": ['a = 1\n"a" = 2\n', 2],
  "a duplicate key in a table": ["[t]\nx = 1\n\nx = 2\n", 4],
  "a duplicate key in an array of tables": ["[[t]]\nx = 1\n[[t]]\nx = 2\nx = 3\n", 5],
  "a duplicate key in an inline table": ["a = { b = 1, b = 2 }\n", 1],
  "a duplicate dotted key": ["a.b = 1\na.b = 2\n", 2],
  "a duplicate key that every object inherits": ["toString = 1\ntoString = 2\n", 2],
  "a table twice": ["[a]\nx = 1\n[a]\ny = 2\n", 3],
  "a table that is an array of tables": ["[[a]]\n[a]\n", 2],
  "an array of tables that is a table": ["[a]\n[[a]]\n", 2],
  "an array of tables that is an array": ["a = [1]\n[[a]]\n", 2],
  "a value in place of a table": ["a.b = 1\na = 2\n", 2],
  "a table in place of a value": ["a = 1\n[a.b]\n", 2],
  "a table opened by dots and again by a header": ["a.b = 1\n[a]\nc = 2\n", 2],
  "an inline table that is extended": ["a = { x = 1 }\na.y = 2\n", 2],
  "two pairs on one line": ["a = 1 b = 2\n", 1],
  "a pair behind a header": ["[a] b = 1\n", 1],
  "a pair behind a long string": ['a = """\n""" b = 1\n', 2],
  "a large integer": ["a = 9007199254740993\n", 1],
  "a large integer in an array": ["a = [\n1,\n0xFFFFFFFFFFFFFFF,\n]\n", 3],
  "half of a surrogate pair": ['a = "\\\\ \\uD83D"\n', 1],
  "an escape that does not exist": ['a = "\\q"\n', 1],
  "a text without quotes": ["a = yes\n", 1],
  "a string without end": ['a = "b\nc = 1\n', 1],
  "a long string without end": ['b = 1\na = """b\n', 2],
  "an array without commas": ["a = [1 2]\n", 1],
  "an array without end": ["a = [1,\n", 2],
  "an inline table without end": ["a = { b = 1\n", 2],
  "a key without value": ["a =\nb = 1\n", 1],
  "a key without equals sign": ["a\n", 1],
  "a value without key": ["= 1\n", 1],
  "an empty part of a key": ["a..b = 1\n", 1],
  "a header without end": ["[[a]\n", 1],
  "a lone carriage return": ["a = 1\rb = 2\n", 1],
};

for (const [name, [text, line]] of Object.entries(REFUSED)) {
  Deno.test(`parseToml() refuses ${name} with file and line`, () => {
    assertEquals(refusal(text).details, { path: PATH, line, key: null });
  });
}

Deno.test("parseToml() refuses arrays nested without end instead of overflowing the stack", () => {
  assertEquals(refusal("a = " + "[".repeat(1e5)).details.line, 1);
});

Deno.test("parseToml() keeps constructor and __proto__ away from real prototypes", () => {
  const value = read("constructor.prototype.hit = 1\n");
  assertEquals(value, { constructor: { prototype: { hit: 1 } } } as unknown);
  read("__proto__ = { hit = 1 }\n[a.__proto__]\nhit = 1\n");
  assertEquals(({} as { hit?: number }).hit, undefined);
});

Deno.test("lineOf() finds the statement of tables, their keys and the elements of arrays", () => {
  const text = "a = 1\n\n[[steps]]\nid = 1\n[[steps]]\n# c\nneeds = [\n'x',\n'y' ]\n";
  const document = parseToml(text, PATH);
  assertEquals(document.lineOf(["a"]), 1);
  assertEquals(document.lineOf(["steps"]), 3);
  assertEquals(document.lineOf(["steps", 0, "id"]), 4);
  assertEquals(document.lineOf(["steps", 1]), 5);
  assertEquals(document.lineOf(["steps", 1, "needs"]), 7);
  assertEquals(document.lineOf(["steps", 1, "needs", 1]), 7);
});

Deno.test("lineOf() gives null for what the file does not have", () => {
  const document = parseToml("[a]\nb = 1\n", PATH);
  assertEquals(document.lineOf(["a", "c"]), null);
  assertEquals(document.lineOf(["a", "b", "c"]), null);
  assertEquals(document.lineOf([]), null);
});

Deno.test("error() names the line of the table where the key is missing", () => {
  const document = parseToml("a = 1\n[[steps]]\nid = 1\n", PATH);
  const { details } = document.error(["steps", 0, "agent"], "it is missing");
  assertEquals(details, { path: PATH, line: 2, key: "agent" });
});

Deno.test("error() names no line in a file without the table", () => {
  const { details } = parseToml("", PATH).error(["steps"], "it is missing");
  assertEquals(details, { path: PATH, line: null, key: "steps" });
});

const key = fc.oneof(
  fc.stringMatching(/^[a-z0-9_-]{1,6}$/),
  fc.string({ maxLength: 6, unit: "binary" }),
  fc.constantFrom("constructor", "toString", "a.b", "#", "=", "[x]", '"'),
).filter((name) => name !== "__proto__");
const scalar = fc.oneof(
  fc.maxSafeInteger(),
  fc.boolean(),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
  fc.string({ unit: "binary" }),
);
const { table } = fc.letrec<{ value: unknown; table: Record<string, unknown> }>((tie) => ({
  value: fc.oneof({ maxDepth: 3 }, scalar, fc.array(tie("value"), { maxLength: 3 }), tie("table")),
  table: fc.dictionary(key, tie("value"), { maxKeys: 4, noNullPrototype: true }),
}));

Deno.test("parseToml() reads back what was written, inline or under headers", () => {
  fc.assert(
    fc.property(table, fc.boolean(), (value, useHeaders) => {
      assertEquals(read(useHeaders ? underHeaders(value, []) : inline(value)), value);
    }),
    often(300),
  );
});

Deno.test("parseToml() reads or refuses any text, and nothing else happens", () => {
  const piece = fc.constantFrom(
    ..."a b . = \" ' \"\"\" ''' [ ] [[ ]] { } , # \n \r\n \\ \\U 1 0x 1e9 true __proto__".split(
      " ",
    ),
    ..." x",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 25 }), (pieces) => {
      try {
        read(pieces.join(""));
      } catch (error) {
        assertEquals((error as AgentxError).code, "INVALID_CONFIG");
      }
      assertEquals(Object.keys(Object.prototype), []);
    }),
    often(2000),
  );
});

function inline(value: Record<string, unknown>): string {
  return Object.entries(value).map(([name, item]) => `${quote(name)} = ${literal(item)}\n`).join(
    "",
  );
}

/** Writes tables as `[a.b]`, and arrays of nothing but tables as `[[a.b]]`. */
function underHeaders(value: Record<string, unknown>, path: string[]): string {
  const isTable = (item: unknown): item is Record<string, unknown> =>
    typeof item === "object" && item !== null && !Array.isArray(item);
  const isTables = (item: unknown): item is Record<string, unknown>[] =>
    Array.isArray(item) && item.length > 0 && item.every(isTable);
  const entries = Object.entries(value);
  const pairs = entries.filter(([, item]) => !isTable(item) && !isTables(item));
  const nested = entries.filter(([, item]) => isTable(item) || isTables(item));
  return inline(Object.fromEntries(pairs)) + nested.map(([name, item]) => {
    const header = [...path, quote(name)];
    return [item].flat().map((child) =>
      (Array.isArray(item) ? `[[${header.join(".")}]]\n` : `[${header.join(" . ")}]\n`) +
      underHeaders(child as Record<string, unknown>, header)
    ).join("");
  }).join("");
}

function literal(value: unknown): string {
  if (typeof value === "string") return quote(value);
  if (Array.isArray(value)) return `[${value.map(literal).join(",\n")}]`;
  if (typeof value === "number" && !Number.isSafeInteger(value)) return value.toExponential();
  if (typeof value !== "object" || value === null) return String(value);
  const pairs = Object.entries(value).map(([name, item]) => `${quote(name)} = ${literal(item)}`);
  return `{ ${pairs.join(", ")} }`;
}

function quote(text: string): string {
  return JSON.stringify(text);
}

/** What a file of a stranger may be made of: 40 kB of it, each an error. */
const LONG = "k".repeat(40_000);
const LONG_TEXTS: Record<string, string> = {
  "a key without a value": LONG,
  "a quoted key": `"${LONG}" = `,
  "a key with many parts": Array(20_000).fill("a").join("."),
  "a key that is there already": `${LONG} = 1\n${LONG} = 2`,
  "a value without quotes": `a = ${LONG}`,
  "an integer": `a = ${"9".repeat(40_000)}`,
};

for (const [name, text] of Object.entries(LONG_TEXTS)) {
  Deno.test(`parseToml() quotes the beginning of ${name}`, () => {
    const { message } = refusal(text);
    assert(message.length < 500, `${message.length} characters`);
  });
}
