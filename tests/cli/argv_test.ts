import { assert, assertEquals, assertThrows } from "@std/assert";
import { type Given, parseArgv } from "../../lib/cli/argv.ts";
import { flagIn } from "../../lib/cli/flags.ts";
import type { Argument } from "../../lib/cli/spec.ts";
import { AgentxError } from "../../lib/base/errors.ts";

const ACCEPTED: readonly Argument[] = [
  argument("issue", "option", { short: "-i" }),
  argument("maxRounds", "option", { name: "--max-rounds" }),
  argument("json", "switch"),
];

const ID_AND_TEXT: readonly Argument[] = [
  ...ACCEPTED,
  argument("id", "positional", { name: "ID" }),
  argument("text", "positional", { name: "TEXT", isRequired: true }),
];

function argument(key: string, kind: Argument["kind"], rest: Partial<Argument> = {}): Argument {
  return {
    key,
    kind,
    name: `--${key}`,
    short: null,
    placeholder: "",
    description: "",
    isRequired: false,
    readsStdin: false,
    takesRest: false,
    ...rest,
  };
}

function parse(argv: string[], accepted = ID_AND_TEXT): Record<string, Given["value"]> {
  const given = parseArgv(argv, accepted, "clarify ask");
  return Object.fromEntries([...given].map(([key, { value }]) => [key, value]));
}

function refusal(argv: string[], accepted = ID_AND_TEXT): AgentxError<"INVALID_INPUT"> {
  const error = assertThrows(() => parse(argv, accepted), AgentxError);
  assertEquals(error.code, "INVALID_INPUT");
  return error as AgentxError<"INVALID_INPUT">;
}

Deno.test("parseArgv() reads --flag value, --flag=value, a short flag and a switch", () => {
  assertEquals(parse(["--issue", "42", "--max-rounds=3", "--json"]), {
    issue: "42",
    maxRounds: "3",
    json: true,
  });
  assertEquals(parse(["-i", "42"]), { issue: "42" });
  assertEquals(parse(["-i=42"]), { issue: "42" });
});

Deno.test("parseArgv() keeps values as they were written", () => {
  for (const value of ["007", "1e3", "true", "0x10", " 42", "a=b", "a.b", "x\ny", "=", "-"]) {
    assertEquals(parse(["--issue", value, value]), { issue: value, text: value });
    assertEquals(parse([`--issue=${value}`]), { issue: value });
  }
});

Deno.test("parseArgv() takes a negative number for a value", () => {
  assertEquals(parse(["--issue", "-1", "-2"]), { issue: "-1", text: "-2" });
});

Deno.test("parseArgv() takes a sentence that begins with dashes for a value", () => {
  assertEquals(parse(["--json is broken", "--issue", "- an item"]), {
    issue: "- an item",
    text: "--json is broken",
  });
});

Deno.test("parseArgv() takes no word after a switch for its value", () => {
  assertEquals(parse(["--json", "true"]), { json: true, text: "true" });
});

Deno.test("parseArgv() ends options at --", () => {
  assertEquals(parse(["--issue", "1", "--", "--json"]), { issue: "1", text: "--json" });
  assertEquals(parse(["--", "--"]), { text: "--" });
});

Deno.test("parseArgv() reads PowerShell's spelling of a flag", () => {
  assertEquals(parse(["-Issue", "42", "-MaxRounds", "3"]), { issue: "42", maxRounds: "3" });
});

Deno.test("parseArgv() serves required positionals first, then the optional ones", () => {
  assertEquals(parse(["why?"]), { text: "why?" });
  assertEquals(parse(["CLR-1-001", "why?"]), { id: "CLR-1-001", text: "why?" });
});

Deno.test("parseArgv() gives an optional positional at the end what is left", () => {
  const accepted = [
    argument("id", "positional", { isRequired: true }),
    argument("text", "positional"),
  ];
  assertEquals(parse(["CLR-1-001"], accepted), { id: "CLR-1-001" });
  assertEquals(parse(["CLR-1-001", "Clear."], accepted), { id: "CLR-1-001", text: "Clear." });
});

Deno.test("parseArgv() leaves a missing positional to the schema", () => {
  assertEquals(parse([]), {});
});

Deno.test("parseArgv() refuses too many positionals", () => {
  assertEquals(refusal(["a", "b", "c"]).details, { field: "c", value: "c" });
});

Deno.test("parseArgv() refuses a flag without a value", () => {
  for (const argv of [["--issue"], ["--issue="], ["--issue", ""], ["--issue", "--json"]]) {
    assertEquals(refusal(argv).details, { field: "--issue", value: "" });
  }
});

Deno.test("parseArgv() refuses a repeated flag", () => {
  const { details } = refusal(["--issue", "1", "-i", "2"]);
  assertEquals(details, { field: "-i", value: ["1", "2"] });
});

Deno.test("parseArgv() collects the values of a list in their order", () => {
  const accepted = [...ACCEPTED, argument("label", "list", { short: "-l" })];
  assertEquals(parse(["--label", "b,c", "-l", "a", "--label=b,c"], accepted), {
    label: ["b,c", "a", "b,c"],
  });
  assertEquals(parse(["-l", "a"], accepted), { label: ["a"] });
  assertEquals(parse([], accepted), {});
});

Deno.test("parseArgv() refuses an empty value among those of a list", () => {
  const accepted = [...ACCEPTED, argument("label", "list")];
  assertEquals(refusal(["--label", "a", "--label"], accepted).details, {
    field: "--label",
    value: "",
  });
});

Deno.test("parseArgv() refuses a value for a switch", () => {
  for (const word of ["--json=yes", "--json=false", "--json="]) {
    assertEquals(refusal([word]).details, { field: "--json", value: word });
  }
});

Deno.test("parseArgv() refuses an unknown flag and suggests a near one", () => {
  assert(refusal(["--isuse", "1"]).message.includes("Did you mean --issue?"));
  assert(refusal(["--maxrounds", "1"]).message.includes("Did you mean --max-rounds?"));
  assert(!refusal(["--something-else"]).message.includes("Did you mean"));
});

Deno.test("parseArgv() refuses bundled, negated and inherited flags", () => {
  for (const word of ["-ij", "-i42", "--no-json", "--constructor", "--a.b=1", "--toString"]) {
    refusal([word]);
  }
});

Deno.test("parseArgv() survives a very long unknown flag", () => {
  assert(refusal([`--${"x".repeat(1_000_000)}`]).message.length < 300);
});

Deno.test("flagIn() tells flags from values", () => {
  const words = ["--json", "-i", "--a=b c", "-1", "-", "--", "---", "- x", "--a b", "a-b", ""];
  assertEquals(words.map(flagIn).filter((flag) => flag !== undefined), ["--json", "-i", "--a"]);
});
