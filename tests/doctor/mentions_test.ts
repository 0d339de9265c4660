/**
 * An issue that gets another number: what names it by a reference follows it, and texts that name its
 * former number are listed, and stay as they are.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import type { Finding } from "../../lib/doctor/finding.ts";
import { TempWorkspace } from "../temp_workspace.ts";

/** Exit code of a question that nobody has answered yet. */
const PENDING = 7;

/** Makes the issues of one branch, the first of which both branches call #1. */
async function branch(temp: TempWorkspace, argvs: string[][]): Promise<Record<string, string>> {
  for (const argv of argvs) {
    const { code } = await temp.run(argv);
    assert(code === 0 || code === PENDING, argv.join(" "));
  }
  return temp.takeIssues();
}

/** Two branches with an issue #1 each; the second one talks about its own. */
async function merged(temp: TempWorkspace): Promise<void> {
  const ours = await branch(temp, [["issue", "create", "-t", "Ours"]]);
  await new Promise((resolve) => setTimeout(resolve, 2)); // the elder keeps the number
  const theirs = await branch(temp, [
    ["issue", "create", "-t", "Theirs", "-b", "As in other/project#1"],
    ["issue", "comment", "-i", "1", "-c", "Now #1 is clear"],
    ["issue", "create", "-t", "After it", "-b", "Like #1\n\n## Dependencies\n- Blocked by #1\n"],
    ["issue", "create", "-t", "Of #12 and #1x", "-b", "## Dependencies\n- Blocks #1\n"],
    ["memory", "note", "--agent", "pm", "--issue", "2", "The clock of #1 is late"],
    ...["2", "3"].map((issue) => [
      ...["clarify", "ask", "--issue", issue, "--from", "engineer", "--to", "architect"],
      ...["--topic", "The clock", issue === "2" ? "Is #1 needed?" : "Is #12 needed?"],
    ]),
  ]);
  temp.bringIssues({ ...ours, ...theirs });
}

async function mentionsIn(temp: TempWorkspace, ...argv: string[]): Promise<Finding[]> {
  const { findings } = await temp.json(["doctor", ...argv]);
  return findings.filter(({ check }: Finding) => check === "mentions");
}

Deno.test("doctor --fix lists texts that name a former number, and leaves them", async () => {
  using temp = new TempWorkspace();
  await merged(temp);
  assertEquals(await mentionsIn(temp), []);
  const [finding, ...others] = await mentionsIn(temp, "--fix");
  assertEquals([finding.level, others], ["warn", []]);
  const [said, where] = finding.message.split(": ");
  assertEquals(said, "texts that mention #1 may mean what is now #4");
  const places = where.replace(/-\d{13}-\w{6}$/, "");
  assertEquals(places, "#2 (body); #4 (comment 1); CLR-2-001; obs-product-manager-2");
  assertEquals(await mentionsIn(temp, "--fix"), []);

  const { issue } = await temp.json(["issue", "get", "4"]);
  assertEquals(issue.comments[0].body, "Now #1 is clear");
  const body = "Like #1\n\n## Dependencies\n- Blocked by #4\n";
  assertEquals((await temp.json(["issue", "get", "2"])).issue.body, body);
});

Deno.test("ready waits for the issue that a body meant, whatever its number", async () => {
  using temp = new TempWorkspace();
  await merged(temp);
  await temp.run(["doctor", "--fix"]);
  const { waiting } = await temp.json(["ready"]);
  const reasons = JSON.stringify(waiting);
  assert(reasons.includes("4") && !/#1\b/.test(reasons), reasons);
  await temp.run(["issue", "close", "1"]);
  assertEquals(JSON.stringify((await temp.json(["ready"])).waiting), reasons);
});
