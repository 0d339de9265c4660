import { assertEquals } from "@std/assert";
import { findDefinition } from "../../../lib/memory/anchors/fingerprints.ts";

const CASES: Record<string, { source: string; symbol: string; found: string[] | null }> = {
  "a function with its signature on several lines": {
    symbol: "retry",
    source: `import { retry } from "x";
retry();
export async function retry(
  turn: number,
): Promise<void> {
  await sleep(turn);

  done();
}
const after = 1;`,
    found: [
      "export async function retry(",
      "  turn: number,",
      "): Promise<void> {",
      "  await sleep(turn);",
      "",
      "  done();",
      "}",
    ],
  },
  "a constant of one line": {
    symbol: "MAX_WAIT",
    source: "use(MAX_WAIT);\nexport const MAX_WAIT = 5;\nother();",
    found: ["export const MAX_WAIT = 5;"],
  },
  "a method of a class": {
    symbol: "update",
    source:
      "class A {\n  run() {\n    this.update(1);\n  }\n  async update(by: number) {\n    x += by;\n  }\n}",
    found: ["  async update(by: number) {", "    x += by;", "  }"],
  },
  "a function of Python": {
    symbol: "load",
    source: "@cached\ndef load(path,\n         mode):\n    return 1\n\nload('x', 2)",
    found: ["def load(path,", "         mode):", "    return 1"],
  },
  "a function of C with its brace on the next line": {
    symbol: "hash",
    source: "int x = hash(1);\nstatic int hash(int v)\n{\n  return v;\n}\nint y;",
    found: ["static int hash(int v)", "{", "  return v;", "}"],
  },
  "a method of Go": {
    symbol: "Close",
    source: "func (s *Store) Close() error {\n\treturn nil\n}\n",
    found: ["func (s *Store) Close() error {", "\treturn nil", "}"],
  },
  "a key of a configuration": {
    symbol: "timeout",
    source: "server:\n  timeout: 30\n  port: 80",
    found: ["  timeout: 30"],
  },
  "a name that is only used": { symbol: "retry", source: "if (retry(1)) go();", found: null },
  "a part of another name": { symbol: "try", source: "const retry = 1;", found: null },
};

for (const [name, { source, symbol, found }] of Object.entries(CASES)) {
  Deno.test(`findDefinition: ${name}`, () => {
    const lines = source.split("\n");
    const block = findDefinition(lines, symbol);
    assertEquals(block === undefined ? null : lines.slice(block.start, block.end), found);
  });
}
