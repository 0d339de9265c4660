import { assert, assertEquals } from "@std/assert";
import schemaFile from "../../lib/config/config.schema.json" with { type: "json" };
import { findMisfit, type Schema, schemaAt, withDefaults } from "../../lib/base/json_schema.ts";

const NESTED: Schema = {
  type: "object",
  properties: {
    list: { type: "array", items: { enum: ["a", "b"], errorMessage: "it must be a or b" } },
    inner: { type: "object", default: {}, properties: { count: { default: 1 } } },
  },
};

Deno.test("findMisfit() names the way to the value, what it must be and what it is", () => {
  const misfit = findMisfit({ list: ["a", "c"] }, NESTED);
  assertEquals(misfit, { key: "list.1", why: 'it must be a or b, but is "c"' });
});

Deno.test("findMisfit() names the length of a text that is too long", () => {
  const why = "must have at most 3 characters, but has 4";
  assertEquals(findMisfit("abcd", { maxLength: 3 }), { key: "", why });
});

Deno.test("findMisfit() finds nothing in what fits", () => {
  assertEquals(findMisfit({ list: ["b"], other: [null] }, NESTED), undefined);
});

const LIMITS: [schema: Schema, fits: unknown[], doesNot: unknown[]][] = [
  [{ type: "integer" }, [0, -1], [0.5, "1", null, 2 ** 53]],
  [{ type: ["string", "null"] }, ["", null], [0, [], {}, false]],
  [{ type: "object" }, [{}], [[], null, "x"]],
  [{ minimum: 0 }, [0, "x"], [-1]],
  [{ exclusiveMinimum: 0 }, [0.1], [0]],
  [{ maximum: 3 }, [3, -1], [3.1]],
  [{ pattern: "^a$" }, ["a", 1], ["ab"]],
  [{ minItems: 1 }, [[1]], [[]]],
  [{ propertyNames: { pattern: "^[a-z]+$" } }, [{ a: 1 }], [{ A: 1 }]],
  [{ additionalProperties: { type: "string" } }, [{ a: "" }], [{ a: 1 }]],
];
for (const [schema, fits, doesNot] of LIMITS) {
  Deno.test(`findMisfit() tells what fits ${JSON.stringify(schema)}`, () => {
    const isFit = (value: unknown) => findMisfit(value, schema) === undefined;
    assertEquals(fits.filter((value) => !isFit(value)), []);
    assertEquals(doesNot.filter(isFit), []);
  });
}

Deno.test("schemaAt() knows no key that only a prototype has", () => {
  assertEquals(schemaAt(["constructor"], NESTED), undefined);
  assertEquals(schemaAt(["inner", "count"], NESTED), { default: 1 });
});

Deno.test("withDefaults() completes at every depth and keeps unknown keys", () => {
  assertEquals(withDefaults({ x: 1 }, NESTED), { x: 1, inner: { count: 1 } });
  assertEquals(withDefaults({ inner: { y: 2 } }, NESTED), { inner: { y: 2, count: 1 } });
});

Deno.test("config.schema.json uses only the keywords that are checked, and always says why", () => {
  const checked = [
    ..."type enum pattern minimum exclusiveMinimum maximum minItems items properties propertyNames"
      .split(
        " ",
      ),
    ..."additionalProperties default errorMessage".split(" "),
  ];
  const forEditors = ["$schema", "title", "description"];
  const visit = (schema: Schema): void => {
    const keywords = Object.keys(schema);
    assertEquals(keywords.filter((name) => ![...checked, ...forEditors].includes(name)), []);
    assertEquals(typeof schema.errorMessage, "string");
    const { items, propertyNames, additionalProperties, properties = {} } = schema;
    [items, propertyNames, additionalProperties, ...Object.values(properties)]
      .forEach((child) => child && visit(child));
  };
  visit(schemaFile);
});

Deno.test("findMisfit() quotes the beginning of a long value", () => {
  const schema = { type: "string", errorMessage: "it must be a string" };
  const { why } = findMisfit(Array(40_000).fill(1), schema)!;
  assert(why.length < 200, `${why.length} characters`);
});
