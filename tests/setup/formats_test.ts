import { assert, assertEquals, assertThrows } from "@std/assert";
import { jsonEntries } from "../../lib/setup/json_entries.ts";
import { markdownBlock } from "../../lib/setup/markdown_block.ts";
import { tomlTable } from "../../lib/setup/toml_table.ts";

const JSON_FORMAT = jsonEntries([
  { at: ["servers", "ours"], value: { command: "ours" } },
  {
    at: ["hooks", "Stop"],
    item: { hooks: [{ command: "ours" }] },
    isOurs: ({ command }) => command === "ours",
  },
], { path: "settings.json" });

/** With an edit after ours was put in, so that nothing is put back from a copy. */
const COMMENTED = [
  '{\n  "hooks": {\n    "Stop": [\n      { "command": "a" } // a\n      // end\n    ]\n  }\n}\n',
  '{\n  // first\n  "servers": {\n    // b\n    "b": {}, // after b\n  }, /* last */\n}\n',
  '{ "servers": { "b": 1 }, "hooks": { "Stop": [ { "command": "a" }, ] } }',
  "// only\n{}\n",
  '{\r\n\t"hooks": {\r\n\t\t"Stop": [] // none yet\r\n\t}\r\n}',
];

for (const [index, text] of COMMENTED.entries()) {
  Deno.test(`jsonEntries: comments and foreign values outlive both ways, ${index}`, () => {
    const after = JSON_FORMAT.insert(text);
    assertEquals(JSON_FORMAT.presence(after), "same");
    assertEquals(after.match(/\/\/.*|\/\*.*?\*\//g), text.match(/\/\/.*|\/\*.*?\*\//g));
    const back = JSON_FORMAT.withdraw(after);
    assertEquals(JSON_FORMAT.presence(back), "absent");
    assertEquals(back.match(/\/\/.*|\/\*.*?\*\//g), text.match(/\/\/.*|\/\*.*?\*\//g));
    assert(!back.includes("ours"), back);
    assertEquals(JSON_FORMAT.withdraw(JSON_FORMAT.insert(back)), back);
  });
}

Deno.test("jsonEntries: of a group that holds a foreign handler as well, only ours is taken out", () => {
  const text = '{"hooks":{"Stop":[{"hooks":[{"command":"a"},{"command":"ours"}]}]}}';
  assertEquals(JSON_FORMAT.presence(text), "different");
  assertEquals(JSON.parse(JSON_FORMAT.withdraw(text)), {
    hooks: { Stop: [{ hooks: [{ command: "a" }] }] },
  });
});

Deno.test("jsonEntries: a key __proto__ is a key", () => {
  const text = '{"__proto__":{"a":1},"servers":{"__proto__":2}}';
  const back = JSON_FORMAT.withdraw(JSON_FORMAT.insert(text));
  assertEquals(back.match(/"__proto__": ?(?:\{\s*"a": ?1|2)/g)?.length, 2, back);
});

const TOML = tomlTable({ command: "ours", args: ["a", "b"], limit: 1 }, {
  path: "config.toml",
  name: ["mcp_servers", "agentx"],
});

Deno.test("tomlTable: what a host added after ours stays, with its comments", () => {
  const ours = TOML.insert("# top\na = 1\n");
  const later = `${ours}\n# about b\n[mcp_servers.b]\nlimit = 2\n`;
  assertEquals(TOML.presence(later), "same");
  assertEquals(TOML.withdraw(later), "# top\na = 1\n\n# about b\n[mcp_servers.b]\nlimit = 2\n");
});

Deno.test("tomlTable: a table without its marker, with tables of its own and other spellings is ours", () => {
  const text =
    "[mcp_servers.agentx]\ncommand = 'x'\n[mcp_servers.agentx.env]\nA = 'b'\n[other]\nc = 1\n";
  assertEquals(TOML.presence(text), "different");
  assertEquals(TOML.withdraw(text), "[other]\nc = 1\n");
  assertEquals(
    TOML.withdraw("[\"mcp_servers\" . 'agentx']\na = 1\n".replace('"mcp_servers"', "mcp_servers")),
    "",
  );
});

Deno.test("tomlTable: a text that only looks like a header is not taken out", () => {
  const text = 'a = """\n[mcp_servers.agentx]\n"""\nb = 1\n';
  assertEquals(TOML.presence(text), "absent");
  assertThrows(() => TOML.withdraw(text), Error, "not written as a table of its own");
  assert(TOML.insert(text).startsWith(text));
});

const BLOCK = markdownBlock("Ask.\nAnswer.", "AGENTS.md");

Deno.test("markdownBlock: whatever stands around it stays, and a block of another version is replaced", () => {
  for (const text of ["", "# A", "# A\n", "# A\r\n\r\ntext\r\n", "\n\n"]) {
    const after = BLOCK.insert(text);
    assertEquals(BLOCK.presence(after), "same");
    assertEquals(BLOCK.withdraw(after).trimEnd(), text.trimEnd());
    assert(BLOCK.withdraw(`${after}# After\n`).endsWith("# After\n"));
  }
  const old = "<!-- agentx:begin v0 -->\nold\n<!-- agentx:end -->\n";
  assertEquals(BLOCK.presence(old), "different");
  assertEquals(BLOCK.withdraw(old), "");
});

Deno.test("markdownBlock: a marker without its other end is an error, and nothing is cut", () => {
  for (const text of ["<!-- agentx:begin v1 -->\nx", "x\n<!-- agentx:end -->\n"]) {
    assertThrows(() => BLOCK.withdraw(text), Error, "has no counterpart");
  }
});
