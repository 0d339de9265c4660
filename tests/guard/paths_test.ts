import { assertEquals } from "@std/assert";
import { judge } from "../../lib/guard/judge.ts";
import { judgePath } from "../../lib/guard/paths.ts";
import { policyOf } from "../../lib/guard/policy.ts";

/** A tree of its own for a step of a workflow, where this repository keeps it. */
const root = "/w/.agentx/state/worktrees/1-prd";
const place = { root, cwd: root, home: "/h" };

Deno.test("judgePath(): the tree of a step may be changed, by whole paths as well", () => {
  const verdictOn = (path: string, mayChange = ["docs/**"]) =>
    judgePath(path, false, place, { paths: { role: "product-manager", mayChange, below: "" } })
      .verdict;
  assertEquals(verdictOn(`${root}/docs/prd/PRD-1.md`), "allow");
  assertEquals(verdictOn("docs/prd/PRD-1.md"), "allow");
  assertEquals(verdictOn(`${root}/src/a.ts`), "block");
  assertEquals(verdictOn("/w/docs/prd/PRD-1.md"), "block");
  for (const path of [".agentx/config.json", ".claude/settings.json"]) {
    assertEquals([verdictOn(path, ["**"]), verdictOn(`${root}/${path}`, ["**"])], ["ask", "ask"]);
  }
  const git = [
    ".git",
    ".git/config",
    "vendor/x/.git",
    "src/.GIT/hooks/x",
    "git~1/config",
    ".g\u200cit",
  ];
  assertEquals(git.filter((path) => verdictOn(path, ["**"]) !== "block"), []);
  assertEquals([".github/a.md", ".gitignore", "x.git/a"].map((path) => verdictOn(path, ["**"])), [
    ...["allow", "allow", "allow"],
  ]);
});

Deno.test("judgePath(): the patterns of a role begin at its workspace", () => {
  const limits = { role: "product-manager", mayChange: ["docs/**"], below: "packages/shop/" };
  const verdictOn = (path: string) => judgePath(path, false, place, { paths: limits }).verdict;
  assertEquals(verdictOn("packages/shop/docs/a.md"), "allow");
  assertEquals(["docs/a.md", "packages/api/docs/a.md"].map(verdictOn), ["block", "block"]);
  limits.mayChange = ["**"];
  assertEquals(["packages/shop/a.md", "docs/a.md"].map(verdictOn), ["allow", "block"]);
});

Deno.test("judgePath(): a file that starts a program is asked about, unless the role names it by more than **", () => {
  const ruleOn = (path: string, ...mayChange: string[]) =>
    judgePath(path, false, place, { paths: { role: "r", mayChange, below: "" } }).rule;
  const starts = [".mcp.json", "packages/a/.mcp.json", ".github/workflows/ci.yml"]
    .concat(".GitHub/hooks/x.json", ".claude/settings.local.json", ".opencode/plugins/a.js")
    .concat("opencode.json", ".husky/pre-commit", ".gitattributes", ".agentx/workflows/bug.toml");
  assertEquals(starts.map((path) => ruleOn(path, "**")), starts.map(() => "guard-settings"));
  assertEquals(ruleOn(".github/workflows/ci.yml", ".github/workflows/**"), "edit");
  assertEquals(ruleOn(".github/workflows/ci.yml", "**", "**/*"), "guard-settings");
  assertEquals([ruleOn(".git", "**"), ruleOn(".git/config", ".git/**")], [
    "git-folder",
    "git-folder",
  ]);
  const ordinary = ["package.json", ".github/dependabot.yml", "docs/agents.md", "git/config"];
  assertEquals(ordinary.map((path) => ruleOn(path, "**")), ordinary.map(() => "edit"));
});

Deno.test("judgePath(): a file that instructs agents is asked about, unless a person sees it at the merge", () => {
  const instructs = ["CLAUDE.md", "docs/AGENTS.md", ".github/agents/engineer.agent.md"]
    .concat(".claude/skills/a/SKILL.md", ".agentx/templates/prd.md", ".codex/skills/a/x.py");
  for (const [isMerged, rule] of [[false, "instructions"], [true, "edit"]] as const) {
    const rules = instructs.map((path) => judgePath(path, false, place, { isMerged }).rule);
    assertEquals(rules, instructs.map(() => rule));
  }
});

Deno.test("judge(): files of a step's tree are deleted, by whole paths as well", () => {
  const policy = policyOf(undefined);
  const on = (command: string) => judge(command, { place, policy }).verdict;
  assertEquals(on(`rm -rf ${root}/dist`), on("rm -rf dist"));
  assertEquals(on(`rm -rf ${root}/.git`), on("rm -rf .git"));
  assertEquals([on("rm -rf dist"), on("rm -rf .git")], ["ask", "block"]);
});
