import { assertEquals } from "@std/assert";
import { judge } from "../../lib/guard/judge.ts";
import { judgePath } from "../../lib/guard/paths.ts";
import { policyOf } from "../../lib/guard/policy.ts";

/** A tree of its own for a step of a workflow, where this repository keeps it. */
const root = "/w/.agentx/state/worktrees/1-prd";
const place = { root, cwd: root, home: "/h" };

Deno.test("judgePath(): the tree of a step may be changed, by whole paths as well", () => {
  const verdictOn = (path: string, mayChange = ["docs/**"]) =>
    judgePath(path, false, place, { role: "product-manager", mayChange, below: "" }).verdict;
  assertEquals(verdictOn(`${root}/docs/prd/PRD-1.md`), "allow");
  assertEquals(verdictOn("docs/prd/PRD-1.md"), "allow");
  assertEquals(verdictOn(`${root}/src/a.ts`), "block");
  assertEquals(verdictOn("/w/docs/prd/PRD-1.md"), "block");
  for (const path of [".agentx/config.json", ".claude/settings.json", ".git/config"]) {
    assertEquals([verdictOn(path, ["**"]), verdictOn(`${root}/${path}`, ["**"])], ["ask", "ask"]);
  }
});

Deno.test("judgePath(): the patterns of a role begin at its workspace", () => {
  const limits = { role: "product-manager", mayChange: ["docs/**"], below: "packages/shop/" };
  const verdictOn = (path: string) => judgePath(path, false, place, limits).verdict;
  assertEquals(verdictOn("packages/shop/docs/a.md"), "allow");
  assertEquals(["docs/a.md", "packages/api/docs/a.md"].map(verdictOn), ["block", "block"]);
  limits.mayChange = ["**"];
  assertEquals(["packages/shop/a.md", "docs/a.md"].map(verdictOn), ["allow", "block"]);
});

Deno.test("judge(): files of a step's tree are deleted, by whole paths as well", () => {
  const policy = policyOf(undefined);
  const on = (command: string) => judge(command, { place, policy }).verdict;
  assertEquals(on(`rm -rf ${root}/dist`), on("rm -rf dist"));
  assertEquals(on(`rm -rf ${root}/.git`), on("rm -rf .git"));
  assertEquals([on("rm -rf dist"), on("rm -rf .git")], ["ask", "block"]);
});
