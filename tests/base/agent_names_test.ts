import { assertEquals, assertThrows } from "@std/assert";
import { AgentxError } from "../../lib/base/errors.ts";
import {
  AGENT_ALIASES,
  DOCUMENTED_AGENTS,
  isRoleName,
  isSessionName,
  normalizeAgentName,
  parseAgentName,
  roleOf,
} from "../../lib/base/agent_names.ts";

Deno.test("parseAgentName() spells aliases out and keeps the worker", () => {
  const names = [
    ...["architect", "pm", "ux", "devops", "engineer@2", "pm@12"],
    ...["engineer@claude-3f2a", "pm@x", `engineer@${"a".repeat(24)}`],
  ].map(parseAgentName);
  assertEquals(names, [
    "architect",
    "product-manager",
    "ux-designer",
    "devops-engineer",
    "engineer@2",
    "product-manager@12",
    "engineer@claude-3f2a",
    "product-manager@x",
    `engineer@${"a".repeat(24)}`,
  ]);
});

const BAD_NAMES = [
  ...[
    "",
    " ",
    "Engineer",
    "2nd",
    "-x",
    "a b",
    "a_b",
    "a/b",
    "../../x",
    "__proto__",
    "a\n",
    "\u0430",
  ],
  ...[
    "@2",
    "engineer@",
    "engineer@0",
    "engineer@02",
    "engineer@1@2",
    "engineer@12345",
    "engineer@1-2",
    "engineer@X",
    "engineer@-x",
    "engineer@x-",
    "engineer@x--y",
    "engineer@x_y",
    "engineer@x.y",
    "engineer@x\n",
    "engineer@../x",
    `engineer@${"a".repeat(25)}`,
  ],
  ...["aux", "con", "nul", "prn", "com1", "lpt9", "aux@2", "constructor"],
  ..."a".repeat(41).split(" "),
  ...[null, undefined, 7, ["engineer"], {}],
];
for (const value of BAD_NAMES) {
  Deno.test(`parseAgentName() refuses ${JSON.stringify(value)}`, () => {
    const error = assertThrows(() => parseAgentName(value), AgentxError);
    assertEquals(error.code, "INVALID_INPUT");
    assertEquals(error.details, { field: "agent", value });
  });
}

Deno.test("isRoleName() takes a role or an alias, not a worker", () => {
  assertEquals(["architect", "pm", "auxiliary"].filter(isRoleName).length, 3);
  assertEquals(["engineer@2", "Pm", 7, "aux", "constructor"].filter(isRoleName), []);
});

Deno.test("normalizeAgentName() leaves other names alone", () => {
  assertEquals(normalizeAgentName("constructor"), "constructor");
  assertEquals(normalizeAgentName("ux-designer@2"), "ux-designer@2");
});

Deno.test("isSessionName() takes a role with a worker", () => {
  const names = ["engineer@2", "pm@claude-3f2a", "engineer", "@2", "engineer@", "__proto__@2"];
  assertEquals(names.filter(isSessionName), ["engineer@2", "pm@claude-3f2a"]);
});

Deno.test("roleOf() cuts the worker off", () => {
  assertEquals(roleOf("engineer@2"), "engineer");
  assertEquals(roleOf("engineer"), "engineer");
});

Deno.test("AGENT_ALIASES stand for documented agents", () => {
  assertEquals([...AGENT_ALIASES.values()].filter((name) => !DOCUMENTED_AGENTS.includes(name)), []);
});
