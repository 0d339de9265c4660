/** A workspace in a folder of its repository: the paths of `may_change` and of fixers are its own. */

import { assert, assertEquals } from "@std/assert";
import { TempFolder } from "../lock/temp_folder.ts";
import { TempWorkspace } from "../temp_workspace.ts";

const WORKFLOW = `
[[steps]]
id = "prd"
agent = "product-manager"
[steps.fixers]
"docs/**" = ["sh", "-c", "for file; do echo fixed >>$file; done", "fix"]
`;

/** Packages of one repository, nothing of which is committed, and a role that writes documents. */
class Packages extends TempFolder {
  readonly shop: TempWorkspace;
  readonly api: TempWorkspace;

  constructor() {
    super();
    const args = ["init", "-q"];
    assert(new Deno.Command("git", { args, cwd: this.path, stderr: "null" }).outputSync().success);
    Deno.writeTextFileSync(`${this.path}/.gitignore`, "*\n!*/\n!*.md\n!*.jsonl\n");
    [this.shop, this.api] = [1, 2].map(() => new TempWorkspace({ parent: this.path }));
    this.shop.write(".agentx/workflows/feature.toml", WORKFLOW);
    const role = ".claude/agents/product-manager.md";
    this.shop.write(role, "---\nmay_change: [docs/**, .claude/**]\n---\nYou plan.\n");
  }

  /** The path of a file of the shop, from the top of the repository. */
  inShop(path: string): string {
    return `${this.shop.root.slice(this.shop.root.lastIndexOf("/") + 1)}/${path}`;
  }

  override [Symbol.dispose](): void {
    this.api[Symbol.dispose]();
    this.shop[Symbol.dispose]();
    super[Symbol.dispose]();
  }
}

Deno.test("validate in a package asks for what its role may change there, and leaves what agentx keeps alone", async () => {
  using packages = new Packages();
  const { shop, api } = packages;
  for (const each of [shop, api]) {
    await each.run(["issue", "create", "-t", "x", "-l", "type:feature"]);
  }
  const validate = async () => (await shop.json(["validate", "1", "pm"])).reasons;
  shop.write("docs/a.md", "1\n");
  assertEquals(await validate(), []);
  shop.write("a.md", "1\n");
  api.write("docs/a.md", "1\n");
  const reasons = await validate();
  const why = "was changed: the role product-manager may change docs/**, .claude/** (may_change)";
  assertEquals(reasons.length, 2);
  assert(reasons.includes(`${packages.inShop("a.md")} ${why}`), reasons.join("\n"));
});

Deno.test("review in a package gives its fixers the files of its own folders", async () => {
  using packages = new Packages();
  const { shop, api } = packages;
  await shop.run(["issue", "create", "-t", "x", "-l", "type:feature"]);
  shop.write("docs/a.md", "1\n");
  api.write("docs/a.md", "1\n");
  const { files, fixed } = await shop.json(["review", "1", "--fix"]);
  assertEquals([fixed.changed, fixed.needsHuman], [["docs/a.md"], []]);
  assertEquals([shop.read("docs/a.md"), api.read("docs/a.md")], ["1\nfixed\n", "1\n"]);
  const other = `../${api.root.slice(api.root.lastIndexOf("/") + 1)}/docs/a.md`;
  assertEquals(files, [other, ".claude/agents/product-manager.md", "docs/a.md"]);
});

Deno.test("the hook in a package asks its definition of a role, for the paths of its own folders", async () => {
  using packages = new Packages();
  const { shop, api } = packages;
  const isAllowed = async (path: string) => {
    const stdin = JSON.stringify({
      ...{ hook_event_name: "PreToolUse", session_id: "s1", cwd: shop.root },
      ...{ agent_type: "product-manager", tool_name: "Write", tool_input: { file_path: path } },
    });
    return (await shop.run(["hook", "host", "claude", "PreToolUse"], { stdin })).out === "";
  };
  const paths = [`${shop.root}/docs/a.md`, `${shop.root}/a.md`, `${api.root}/docs/a.md`];
  assertEquals(await Promise.all(paths.map(isAllowed)), [true, false, false]);
});
