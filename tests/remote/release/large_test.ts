/**
 * A file of 1 GB at the remote, which takes its time.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { commit, headOf, treeOf } from "../stranger.ts";
import { git, TempMachines } from "../temp_machines.ts";

Deno.test("a file of 1 GB is named by its size and not read", async () => {
  using machines = await TempMachines.make(["desk"], { issues: [] });
  const [desk] = machines.all;
  const zeros = new Deno.Command("sh", {
    args: ["-c", "head -c 1G /dev/zero | git hash-object -w --stdin"],
    cwd: machines.bare,
  }).outputSync();
  const blob = new TextDecoder().decode(zeros.stdout).trim();
  await headOf(machines.bare, { "0001.jsonl": blob });
  const named = (await desk.json(["sync"])).problems.join("\n");
  assert(named.includes("it has 1073741824 bytes"), named);
});

Deno.test("a commit with a message of 100 MB hides no claim of others", async () => {
  using machines = await TempMachines.make(["desk", "box"], { issues: ["First"] });
  const [desk, box] = machines.all;
  await desk.ok(["ready", "--claim", "engineer", "--issue", "1"]);
  const long = await commit(
    machines.bare,
    "x".repeat(100 * 2 ** 20),
    await treeOf(machines.bare, {}),
  );
  git(machines.bare, "update-ref", "refs/agentx/claims/long", long);
  const { err, code } = await box.run(["ready", "--claim", "engineer", "--issue", "1"]);
  assertEquals(code, 6, err);
  const { problems } = await box.json(["sync"]);
  assert(problems.join().includes("The claim long counts for nothing"), problems.join());
});
