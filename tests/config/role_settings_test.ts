import { assertEquals } from "@std/assert";
import { mayChange, modelsOfRoles } from "../../lib/config/role_settings.ts";
import { TempWorkspace } from "../temp_workspace.ts";

/** What the front matter of a role says, and its models. */
const MODELS: [front: string, models: string[] | undefined][] = [
  ["model: opus", ["opus"]],
  ["model: opus   # the best", ["opus"]],
  ['model: "Claude Sonnet 4 (copilot)"', ["Claude Sonnet 4 (copilot)"]],
  ["model: [opus, 'sonnet' , loopback/m]", ["opus", "sonnet", "loopback/m"]],
  ["model:\n  - opus\n  - sonnet", ["opus", "sonnet"]],
  ["model: [a, b, c, d, e, f]", ["a", "b", "c", "d", "e"]],
  ["model: [--yolo, -c, opus]", ["opus"]],
  ["model: \u001b[2J", undefined],
  ["model:", undefined],
  ["# model: opus", undefined],
  ["models: opus", undefined],
];

for (const [front, models] of MODELS) {
  Deno.test(`modelsOfRoles() reads ${JSON.stringify(front)}`, () => {
    using temp = new TempWorkspace();
    temp.write(".github/agents/architect.agent.md", `---\nname: architect\n${front}\n---\nYou.\n`);
    assertEquals(modelsOfRoles(temp.root), models === undefined ? {} : { architect: models });
  });
}

Deno.test("modelsOfRoles() takes the nearest file, and those of no other host", () => {
  using temp = new TempWorkspace();
  temp.write(".git/HEAD", "ref: refs/heads/main\n");
  temp.write(".github/agents/architect.agent.md", "---\nmodel: far\n---\n");
  temp.write(".github/agents/reviewer.agent.md", "---\nmodel: far\n---\n");
  temp.write(".claude/agents/tester.md", "---\nmodel: sonnet\n---\n");
  temp.write("a/.github/agents/architect.agent.md", "---\nmodel: near\n---\n");
  assertEquals(modelsOfRoles(`${temp.root}/a`), { architect: ["near"], reviewer: ["far"] });
});

Deno.test("mayChange() reads a list, an empty one, and none", () => {
  using temp = new TempWorkspace();
  const may = (front: string) => {
    temp.write(".github/agents/architect.agent.md", `---\n${front}\n---\n`);
    return mayChange("architect", temp.root);
  };
  assertEquals(may('may_change: [docs/adr/**, "*.md"]'), ["docs/adr/**", "*.md"]);
  assertEquals(may("may_change: []"), []);
  assertEquals(may("name: architect"), undefined);
});
