import { assert, assertEquals } from "@std/assert";
import type { Finding } from "../../lib/doctor/finding.ts";
import { TempWorkspace } from "../temp_workspace.ts";

async function examine(temp: TempWorkspace, ...argv: string[]): Promise<Finding[]> {
  const { out } = await temp.run(["doctor", "--json", ...argv]);
  const findings: Finding[] = JSON.parse(out).findings;
  return findings.filter(({ check }) => check === "issues" || check === "memory");
}

const levels = (findings: readonly Finding[]) =>
  findings.map(({ check, level, isFixed }) => `${check} ${isFixed ? "fixed" : level}`);

Deno.test("doctor names a file of memory that cannot be read, also in the archive", async () => {
  using temp = new TempWorkspace();
  temp.write(".agentx/memory/archive/issue-7.json", "{ broken");
  temp.write(".agentx/memory/issue-8.json", '{"version":2}');
  const found = await examine(temp, "--fix");
  assertEquals(levels(found), ["issues ok", "memory ok", "memory fail", "memory fail"]);
  const messages = found.map(({ message }) => message).join();
  assert(messages.includes("issue-8.json") && messages.includes("issue-7.json"), messages);
});
