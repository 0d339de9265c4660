/** Issues of other projects: shown, and blockers until they are known to be closed. */

import { assert, assertEquals } from "@std/assert";
import { linksOf } from "../../lib/work/issue/dependencies.ts";
import { FileLockManager } from "../../lib/lock/mod.ts";
import { IssueStore } from "../../lib/work/issue/issue_store.ts";
import { TempWorkspace } from "../temp_workspace.ts";

/** Another project in the same folder, with one open issue. */
async function otherProject(root: string): Promise<IssueStore> {
  const issues = new IssueStore(`${root}/shop`, new FileLockManager());
  await issues.create({ title: "Refunds \x1b[2Jfail" });
  return issues;
}

for (
  const words of [["-l", "blocked_by:shop/web#1"], [
    "-b",
    "## Dependencies\nBlocked by shop/web#1\n",
  ]]
) {
  Deno.test(`an issue of another project blocks until it is closed there: ${words[0]}`, async () => {
    using temp = new TempWorkspace();
    const other = await otherProject(temp.root);
    await temp.run(["issue", "create", "-t", "Pay", ...words]);
    const isReady = async () => (await temp.json(["ready"])).issues.length === 1;
    const { waiting: [{ reasons }] } = await temp.json(["ready"]);
    assertEquals(reasons, [{
      kind: "dependency",
      text: "BLOCKED: Waits for shop/web#1",
      blockers: [],
      elsewhere: ["shop/web#1"],
    }]);
    const unknown = (await temp.run(["issue", "deps", "1"])).out;
    assert(unknown.includes("shop/web#1 (not known here)\n"), unknown);
    assert(unknown.includes("agentx link shop/web DIR"), unknown);
    await temp.run(["link", "shop/web", `${temp.root}/shop`]);
    assertEquals(await isReady(), false);
    const { elsewhere } = await temp.json(["issue", "deps", "1"]);
    assertEquals(elsewhere.map(({ ref, state }: Record<string, string>) => [ref, state]), [
      ["shop/web#1", "open"],
    ]);
    const { out } = await temp.run(["issue", "deps", "1"]);
    assert(/shop\/web#1 Refunds \S*fail \(Backlog\)/.test(out) && !out.includes("\x1b"), out);
    await other.update(1, { status: "Done" });
    assertEquals(await isReady(), true);
    await other.delete(1);
    assertEquals(await isReady(), false, "nobody knows");
  });
}

Deno.test("link is a person's, names a workspace, and lists what is linked", async () => {
  using temp = new TempWorkspace();
  await otherProject(temp.root);
  const link = ["link", "shop", `${temp.root}/shop`];
  assertEquals((await temp.run(link, { env: { CLAUDECODE: "1" } })).code, 6);
  assertEquals((await temp.run(["link", "shop", `${temp.root}/agents`])).code, 3);
  assertEquals((await temp.run(["link", "a#b", temp.root])).code, 2);
  assertEquals((await temp.run(["link", "shop"])).code, 2);
  assertEquals((await temp.json(["link"])).links, []);
  await temp.run(link);
  assertEquals((await temp.json(["link"])).links, [{ name: "shop", folder: `${temp.root}/shop` }]);
});

Deno.test("linksOf() reads the issues of other projects, and no addresses", () => {
  const body =
    "## Dependencies\n- Blocked by shop/web#1, #2, api#3 (https://host/x#4)\n- Blocks api#5\n";
  const { blockedBy, elsewhere } = linksOf({ labels: ["blocked_by:lib.x#6"], body });
  assertEquals([blockedBy, elsewhere], [[2], ["lib.x#6", "shop/web#1", "api#3"]]);
});
