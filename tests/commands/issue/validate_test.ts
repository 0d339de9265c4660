import { assert, assertEquals } from "@std/assert";
import { TempWorkspace } from "../../temp_workspace.ts";

const TEMPLATE = "docs/templates/PRD.md";

const FEATURE = `
[[steps]]
id = "prd"
agent = "product-manager"
output = "docs/prd/PRD-{{issue_number}}.md"
template = "${TEMPLATE}"

[[steps]]
id = "implement"
agent = "engineer"
needs = ["prd"]
iterate = true
`;

interface Files {
  /** The artifact; none where it is left out. */
  prd?: string;
  /** The template; none where it is left out. */
  template?: string;
}

/** Issue 1, a feature, with a template and an artifact. */
async function withArtifact({ prd, template }: Files): Promise<TempWorkspace> {
  const workspace = new TempWorkspace();
  workspace.write(".agentx/workflows/feature.toml", FEATURE);
  if (prd !== undefined) workspace.write("docs/prd/PRD-1.md", prd);
  if (template !== undefined) workspace.write(TEMPLATE, template);
  await workspace.run(["issue", "create", "-t", "x", "-l", "type:feature"]);
  return workspace;
}

/** Exit code and reasons. */
async function verdict(files: Files, role = "pm"): Promise<[number, string[]]> {
  using workspace = await withArtifact(files);
  const { code, out } = await workspace.run(["validate", "1", role, "--json"]);
  const { isReady, reasons } = JSON.parse(out);
  assertEquals(isReady, code === 0);
  return [code, reasons];
}

Deno.test("validate is content with the artifact, its headings and a checklist that is done", async () => {
  const template = "# PRD: ${title}\n## Problem\n## Goals\n";
  const prd = "# PRD: Pay\n## Goals\n- [x] measured\n- [X] agreed\n## Problem\nText [ ] here\n";
  assertEquals(await verdict({ template, prd }), [0, []]);
});

Deno.test("validate says that the artifact does not exist", async () => {
  assertEquals(await verdict({ template: "## A\n" }), [
    6,
    ["docs/prd/PRD-1.md does not exist (step prd)"],
  ]);
});

Deno.test("validate says that the artifact is empty", async () => {
  assertEquals(await verdict({ prd: " \n" }), [6, ["docs/prd/PRD-1.md is empty"]]);
});

Deno.test("validate says that the template does not exist", async () => {
  assertEquals(await verdict({ prd: "# PRD\n" }), [
    6,
    [`${TEMPLATE}, the template of docs/prd/PRD-1.md, does not exist`],
  ]);
});

Deno.test("validate names each heading of level 2 that is missing", async () => {
  const template = "# PRD\n## Problem\n### Detail\n## Goals\n## Risks\n";
  assertEquals(await verdict({ template, prd: "## Goals\nx\n" }), [6, [
    'docs/prd/PRD-1.md is missing the headings "Problem", "Risks" of its template',
  ]]);
});

Deno.test("validate compares headings without numbers, emphasis and case", async () => {
  const template = "## 1. Problem Statement\n## 2. Goals & Metrics\n";
  const prd = "## Problem statement:\nx\n### 7.2 **Goals & metrics**\ny\n";
  assertEquals(await verdict({ template, prd }), [0, []]);
});

Deno.test("validate asks for no heading that is optional or to be filled in", async () => {
  const template = "## Appendix (optional)\n## ${name}\n## {{name}}\n## [Area]\n## <Area>\n##\n";
  assertEquals(await verdict({ template, prd: "Text\n" }), [0, []]);
});

Deno.test("validate takes a heading in code or in a comment for none", async () => {
  const prd = "```\n## A\n```\n<!--\n## A\n-->\n";
  const [code] = await verdict({ template: "## A\n", prd });
  assertEquals(code, 6);
});

Deno.test("validate names each item of the checklist that is not done, with its line", async () => {
  const prd = "## A\n- [ ] one\n  * [ ] two\n1. [ ] three\n> - [ ] four\n- [ ]\n- [x] five\n";
  assertEquals(await verdict({ template: "## A\n", prd }), [
    6,
    ["one", "two", "three", "four", "[ ]"].map((item, index) =>
      `docs/prd/PRD-1.md, line ${index + 2} is not done: ${item}`
    ),
  ]);
});

Deno.test("validate counts no item in code or in a comment", async () => {
  const prd = "## A\n```\n- [ ] one\n```\n<!-- - [ ] two -->\nx\n";
  assertEquals(await verdict({ template: "## A\n", prd }), [0, []]);
});

Deno.test("validate follows no link out of the repository", async () => {
  using workspace = await withArtifact({ template: "## A\n" });
  const outside = await Deno.makeTempFile();
  try {
    await Deno.writeTextFile(outside, "## A\n");
    await Deno.mkdir(`${workspace.root}/docs/prd`, { recursive: true });
    await Deno.symlink(outside, `${workspace.root}/docs/prd/PRD-1.md`);
    assertEquals((await workspace.run(["validate", "1", "pm"])).code, 6);
  } finally {
    await Deno.remove(outside);
  }
});

Deno.test("validate lets a step without an artifact pass", async () => {
  assertEquals(await verdict({}, "engineer@2"), [0, []]);
});

Deno.test("validate asks the loop gate where a step iterates", async () => {
  using workspace = await withArtifact({});
  await workspace.run(["loop", "start", "1"]);
  const { reasons } = await workspace.json(["validate", "1", "engineer"]);
  assertEquals(reasons, [
    "its iterative loop is active (iteration 1 of 10). Continue with: agentx loop complete 1",
  ]);
});

Deno.test("validate prints the reasons as a list, without their escapes", async () => {
  using workspace = await withArtifact({ template: "## A\n", prd: "## A\n- [ ] \x1b[2Jone\n" });
  const { code, out, err } = await workspace.run(["validate", "1", "pm"]);
  assertEquals([code, err], [6, ""]);
  assertEquals(out.split("\n"), [
    "  #1 cannot be handed over by product-manager",
    "    - docs/prd/PRD-1.md, line 2 is not done: \\u{1b}[2Jone",
    "",
  ]);
});

Deno.test("validate logs its verdict, without the reasons", async () => {
  using workspace = await withArtifact({});
  await workspace.run(["validate", "1", "pm"]);
  const folder = `${workspace.root}/.agentx/log`;
  const [{ name }] = Deno.readDirSync(folder);
  const last = JSON.parse(Deno.readTextFileSync(`${folder}/${name}`).trim().split("\n").at(-1)!);
  assertEquals([last.operation, last.agent, last.issueNumber, last.passed], [
    "validation-result",
    "product-manager",
    1,
    false,
  ]);
  assert(!("errors" in last));
});

Deno.test("validate refuses a role that the workflow has no step for", async () => {
  using workspace = await withArtifact({});
  const { code, err } = await workspace.run(["validate", "1", "tester"]);
  assertEquals(code, 2);
  assert(err.includes("product-manager, engineer"));
});

Deno.test("validate of an unknown issue is not found", async () => {
  using workspace = new TempWorkspace();
  assertEquals((await workspace.run(["validate", "7", "pm"])).code, 4);
});

Deno.test("validate names the files that a role changed beyond its may_change, committed or not", async () => {
  using workspace = await withArtifact({ prd: "# PRD\n", template: "# PRD\n" });
  const { root } = workspace;
  const env = { GIT_COMMITTER_DATE: "2020-01-01T00:00:00Z" };
  const git = (...args: string[]) => {
    const as = ["-c", "user.name=t", "-c", "user.email=t@example.org", ...args];
    assert(
      new Deno.Command("git", { args: as, cwd: root, env, stderr: "null" }).outputSync().success,
    );
  };
  workspace.write(
    ".github/agents/product-manager.agent.md",
    "---\nmay_change: [docs/**]\n---\nYou plan.\n",
  );
  workspace.write(".gitignore", "src/ignored.ts\n");
  workspace.write("src/before.ts", "1\n");
  git("init", "-q");
  git("add", "-A");
  git("commit", "-qm", "before");
  const validate = async () => {
    const { out } = await workspace.run(["validate", "1", "pm", "--json"]);
    return JSON.parse(out).reasons;
  };
  assertEquals(await validate(), []);
  workspace.write("src/a.ts", "1\n");
  workspace.write("src/ignored.ts", "1\n");
  workspace.write("docs/b.md", "1\n");
  const why = "was changed: the role product-manager may change docs/** (may_change)";
  assertEquals(await validate(), [`src/a.ts ${why}`]);
  git("add", "-A");
  git("commit", "-qm", "before the claim");
  assertEquals(await validate(), []);
  assertEquals(
    (await workspace.run(["ready", "--claim", "pm", "--issue", "1", "--force"])).code,
    0,
  );
  workspace.write("src/c.ts", "1\n");
  env.GIT_COMMITTER_DATE = new Date(Date.now() + 1_000).toISOString();
  git("add", "-A");
  git("commit", "-qm", "since the claim");
  assertEquals(await validate(), [`src/c.ts ${why}`]);
});

Deno.test("validate asks for text under each heading that the template leaves open", async () => {
  const template =
    "## A\n<!-- what -->\n## B\n| x | y |\n|---|---|\n## C\n{describe}\n## D\nFixed.\n" +
    "## E\n```mermaid\ngraph TD\n```\n### F\n";
  const nothing = ["A", "B", "C"].map((title) =>
    `docs/prd/PRD-1.md has nothing under the heading "${title}"`
  );
  assertEquals(await verdict({ template, prd: template }), [6, nothing]);
  const prd = "## A\nx\n## B\n| x | y |\n|---|---|\n| 1 | 2 |\n## C\n```\ncode\n```\n## D\n## E\n";
  assertEquals(await verdict({ template, prd }), [0, []]);
});

Deno.test("validate asks for the fields above the first heading of the template", async () => {
  const template =
    "# T\n**Status**: <what>\n**Owner:** x\n**PRD** (optional): y\n**Extra (optional)**:\n";
  const prd = "# T\n**Status**: <what>\n";
  assertEquals(await verdict({ template, prd }), [6, [
    'docs/prd/PRD-1.md still says "<what>" in its field "Status"',
    'docs/prd/PRD-1.md is missing the fields "Owner", "PRD" of its template',
  ]]);
  const whole = "# T\n**Status**: Draft\n**Owner**: Ada\n**PRD**: none\n";
  assertEquals(await verdict({ template, prd: whole }), [0, []]);
});

Deno.test("validate reads links that do not end, soon", async () => {
  const prd = ["![x](", "`", "`a``b", "](a(b)", "[x](<a", "](a ", "]( "].map((part) =>
    part === "![x](" ? part + "a".repeat(60_000) : part.repeat(60_000 / part.length)
  );
  const startMs = performance.now();
  await verdict({ template: "# PRD\n", prd: prd.join("\n\n") });
  const tookMs = performance.now() - startMs;
  assert(tookMs < 3_000, `it took ${tookMs} ms`);
});

Deno.test("validate names the links that lead nowhere, or out of the repository", async () => {
  const prd = "[a](../../docs/prd/PRD-1.md#x) [b](https://example.org) [c](#d) `[e](f)`\n" +
    '![g](gone.png)\n[h]: </docs/none.md>\n[i](<a b.md> "t")\n[j](../../../../etc/passwd)\n' +
    "```\n[k](l)\n```\n<!-- [m](n) -->\n[o](/docs/prd)\n";
  const [, reasons] = await verdict({ template: "# T\n", prd });
  const [path, gone] = ["docs/prd/PRD-1.md, line", "which does not exist"];
  assertEquals(reasons.slice(0, 3), [
    `${path} 2 links to gone.png, ${gone}`,
    `${path} 3 links to /docs/none.md, ${gone}`,
    `${path} 4 links to a b.md, ${gone}`,
  ]);
  assertEquals(reasons.length, 4);
  assert(reasons[3].startsWith(`${path} 5 links to ../../../../etc/passwd`));
});

Deno.test("validate asks for the acceptance criteria where a step writes no document", async () => {
  using workspace = await withArtifact({});
  const body = "## Acceptance criteria\n- [x] by card\n- [ ] by bank\n";
  await workspace.run(["issue", "edit", "1", "-b", body]);
  const { reasons } = await workspace.json(["validate", "1", "engineer"]);
  assertEquals(reasons, ["criterion 2 of #1 is not met: by bank"]);
  await workspace.run(["issue", "check", "1", "2"]);
  assertEquals((await workspace.run(["validate", "1", "engineer"])).code, 0);
});
