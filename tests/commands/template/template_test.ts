import { assert, assertEquals } from "@std/assert";
import { SHIPPED_TEMPLATES } from "../../../lib/pipeline/shipped_templates.ts";
import { TempWorkspace } from "../../temp_workspace.ts";

function includes(text: string, wanted: string): void {
  assert(text.includes(wanted), text);
}

/** Issue 1, a feature, beside a template `note`. */
async function withTemplate(head: string, body = "# ${issue.title}\n"): Promise<TempWorkspace> {
  const workspace = new TempWorkspace();
  workspace.write(".agentx/templates/note.md", `---\noutput: docs/NOTE.md\n${head}---\n${body}`);
  await workspace.run(["issue", "create", "-t", "Pay by card", "-l", "type:feature,p1"]);
  return workspace;
}

/** What `new note` wrote for issue 1. */
async function written(head: string, body: string, ...words: string[]): Promise<string> {
  using workspace = await withTemplate(head, body);
  const { code, err } = await workspace.run(["template", "new", "note", "--issue", "1", ...words]);
  assertEquals([code, err], [0, ""]);
  return Deno.readTextFileSync(`${workspace.root}/docs/NOTE.md`);
}

/** Exit code and message of what writes nothing. */
async function refusal(head: string, body: string, ...words: string[]): Promise<[number, string]> {
  using workspace = await withTemplate(head, body);
  const { code, err } = await workspace.run(["template", "new", "note", "--issue", "1", ...words]);
  assertEquals(Array.from(Deno.readDirSync(workspace.root), ({ name }) => name), [".agentx"]);
  return [code, err];
}

Deno.test("template new fills variables by what is set, their defaults and the issue", async () => {
  const head =
    "inputs:\n  owner: {default: '${team}, ${issue.type}'}\n  team:\n    default: core\n" +
    "  day: {type: date, default: 2026-12-24}\n  empty:\n";
  const body =
    "#${issue.number} ${issue.title} ${issue.priority} ${owner} ${day} [${empty}] $${x}\n";
  const text = "#1 Pay by card p1 core, feature 2026-12-24 [] ${x}\n";
  assertEquals(await written(head, body), text);
  assertEquals(await written(head, body, "--set", "team=a, b"), text.replace("core", "a, b"));
});

Deno.test("template new reads nothing in a value", async () => {
  const head = "inputs:\n  owner:\n";
  assertEquals(
    await written(head, "${owner}\n", "--set", "owner=${user} $& $1"),
    "${user} $& $1\n",
  );
});

Deno.test("template new knows the day and who asks", async () => {
  const text = await written("", "${user} ${current_date}\n", "--as", "architect");
  assert(/^architect \d{4}-\d\d-\d\d\n$/.test(text), text);
});

Deno.test("template new refuses when a required value is missing, and says what it is for", async () => {
  const head = "inputs:\n  owner: {required: true, description: Who answers}\n" +
    "  team: {required: true, default: ''}\n  day: {required: true, default: '${owner}'}\n";
  const [code, err] = await refusal(head, "x\n");
  assertEquals(code, 2);
  includes(err, "needs owner, team, day; owner is: Who answers");
  includes(err, "--set owner=...");
});

for (
  const [type, value, wanted] of [
    ["number", "many", "a number"],
    ["boolean", "yes", "true or false"],
    ["date", "2026-02-30", "a day"],
  ]
) {
  Deno.test(`template new refuses what is no ${type}`, async () => {
    const head = `inputs:\n  given: {type: ${type}}\n`;
    const [code, err] = await refusal(head, "x\n", "--set", `given=${value}`);
    assertEquals(code, 2);
    includes(err, `given must be ${wanted}`);
  });
}

for (
  const [what, head, body, wanted] of [
    [
      "a cycle of defaults",
      "inputs: {a: {default: '${b}'}, b: {default: '${a}'}}\n",
      "x\n",
      "a, b",
    ],
    ["a default that needs itself", "inputs: {a: {default: '${a}'}}\n", "x\n", "need each other"],
    [
      "an unknown variable",
      "inputs: {a: {}}\n",
      "x\n${nobody}\n",
      'line 6: it has no variable "nobody"',
    ],
    ["an unknown variable in a default", "inputs: {a: {default: '${b}'}}\n", "x\n", "line 3"],
    ["front matter that is not YAML", "inputs: [a\n", "x\n", "its front matter is not YAML"],
    ["front matter with a key twice", "inputs: {}\ninputs: {}\n", "x\n", "line 4"],
    [
      "a type that there is not",
      "inputs: {a: {type: colour}}\n",
      "x\n",
      "string, number, boolean, date",
    ],
    ["inputs that are no map", "inputs: [a]\n", "x\n", "inputs must be a map"],
    ["aliases that unfold without end", bomb(), "x\n", "cannot be read"],
  ]
) {
  Deno.test(`template new refuses ${what}, named with its file`, async () => {
    using workspace = await withTemplate(head, body);
    const { code, err } = await workspace.run(["template", "new", "note", "--issue", "1"]);
    assertEquals(code, 2);
    includes(err, ".agentx/templates/note.md");
    includes(err, wanted);
    assertEquals(Array.from(Deno.readDirSync(workspace.root), ({ name }) => name), [".agentx"]);
    const listed = await workspace.run(["template", "list"]);
    assertEquals(listed.code, 0);
  });
}

/** Lists of lists of aliases. */
function bomb(): string {
  const names = [..."abcdefgh"];
  return names.map((name, at) => {
    const inner = at === 0 ? "x" : `*${names[at - 1]}`;
    return `${name}: &${name} [${Array(10).fill(inner).join(", ")}]\n`;
  }).join("");
}

Deno.test("template new refuses an output outside of the repository", async () => {
  using workspace = await withTemplate("");
  workspace.write(".agentx/templates/note.md", "---\noutput: a/../../b.md\n---\nx\n");
  const { code, err } = await workspace.run(["template", "new", "note", "--issue", "1"]);
  assertEquals(code, 2);
  includes(err, "not inside the repository");
});

Deno.test("template new refuses a value for no variable", async () => {
  const [code, err] = await refusal("inputs: {a: {}}\n", "x\n", "--set", "b=1");
  assertEquals(code, 2);
  includes(err, 'no variable "b": it has a');
});

Deno.test("template new overwrites nothing", async () => {
  using workspace = await withTemplate("");
  workspace.write("docs/NOTE.md", "mine\n");
  const { code } = await workspace.run(["template", "new", "note", "--issue", "1"]);
  assertEquals([code, Deno.readTextFileSync(`${workspace.root}/docs/NOTE.md`)], [2, "mine\n"]);
});

Deno.test("template new follows no link out of the repository", async () => {
  using workspace = await withTemplate("");
  const outside = Deno.makeTempDirSync();
  try {
    Deno.symlinkSync(outside, `${workspace.root}/docs`);
    const { code } = await workspace.run(["template", "new", "note", "--issue", "1"]);
    assertEquals([code, [...Deno.readDirSync(outside)]], [2, []]);
  } finally {
    Deno.removeSync(outside, { recursive: true });
  }
});

Deno.test("template new writes the file of the step that names the template", async () => {
  using workspace = await withTemplate("");
  workspace.write(
    ".agentx/workflows/feature.toml",
    '[[steps]]\nid = "a"\nagent = "architect"\ntemplate = "note"\noutput = "n/{{issue_number}}.md"\n',
  );
  const { path } = await workspace.json(["template", "new", "note", "--issue", "1"]);
  assertEquals([path, Deno.readTextFileSync(`${workspace.root}/n/1.md`)], [
    "n/1.md",
    "# Pay by card\n",
  ]);
});

Deno.test("template new names the types where there is no such template", async () => {
  using workspace = await withTemplate("");
  const { code, err } = await workspace.run(["template", "new", "nothing", "--issue", "1"]);
  assertEquals(code, 4);
  includes(err, "note, prd");
});

Deno.test("templates of .github/templates are read, and those of .agentx/templates come first", async () => {
  using workspace = await withTemplate("description: Ours\n");
  workspace.write(".github/templates/NOTE-TEMPLATE.md", "---\ndescription: Theirs\n---\n");
  workspace.write(".github/templates/PRD-TEMPLATE.md", "---\ndescription: Their own\n---\n");
  workspace.write(".github/templates/README.md", "# Templates\n");
  const { templates } = await workspace.json(["template", "list"]);
  const of = (type: string) => templates.filter((each: { type: string }) => each.type === type);
  assertEquals(of("note").map((each: { description: string }) => each.description), ["Ours"]);
  assertEquals(of("prd")[0].path, ".github/templates/PRD-TEMPLATE.md");
  assertEquals([of("adr")[0].path, of("readme")], [null, []]);
});

Deno.test("template show prints a file that can be kept as it is", async () => {
  using workspace = new TempWorkspace();
  for (const [type, text] of Object.entries(SHIPPED_TEMPLATES)) {
    const { code, out } = await workspace.run(["template", "show", type]);
    assertEquals([code, out], [0, text]);
  }
});

Deno.test("a document of a shipped template is done once each part is written", async () => {
  using workspace = new TempWorkspace();
  await workspace.run(["issue", "create", "-t", "Pay by card", "-l", "type:feature,needs:ux"]);
  const roles = { prd: "product-manager", ux: "ux-designer", adr: "architect", review: "reviewer" };
  await workspace.run(["template", "new", "ux-prototype", "--issue", "1"]);
  for (const [type, role] of Object.entries(roles)) {
    const { path } = await workspace.json(["template", "new", type, "--issue", "1"]);
    const { reasons } = await workspace.json(["validate", "1", role]);
    const text = Deno.readTextFileSync(`${workspace.root}/${path}`);
    const asked = text.match(/^## (?!.*optional).*$/gm)!;
    const fields = type === "review" ? 2 : 0; // its decision, and the loop
    assertEquals(reasons.length, asked.length + fields, reasons.join("\n"));
    const whole = text.replace(/^(## .*)$/gm, "$1\n\nWritten.").replace(
      /<(?:approved|completed).*>/g,
      "Yes",
    );
    workspace.write(path, whole);
    assertEquals((await workspace.json(["validate", "1", role])).reasons, []);
  }
});
