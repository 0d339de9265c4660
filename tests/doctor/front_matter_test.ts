import { assertEquals } from "@std/assert";
import type { Finding } from "../../lib/doctor/finding.ts";
import { SKILL } from "../../lib/setup/content.ts";
import { TempWorkspace } from "../temp_workspace.ts";

async function roles(temp: TempWorkspace): Promise<Finding[]> {
  const { out } = await temp.run(["doctor", "--json"]);
  return JSON.parse(out).findings.filter(({ check }: Finding) => check === "roles");
}

Deno.test("doctor reads every shipped role file and skill as strictly as hosts do", async () => {
  using temp = new TempWorkspace();
  const shipped = new URL("../../.github/agents/", import.meta.url);
  let files = 1;
  temp.write(".claude/skills/agentx/SKILL.md", SKILL);
  for (const { name } of Deno.readDirSync(shipped)) {
    temp.write(`.github/agents/${name}`, Deno.readTextFileSync(new URL(name, shipped)));
    files++;
  }
  const [{ level, message }] = await roles(temp);
  assertEquals([level, message], ["ok", `${files} role files and skills are read by hosts`]);
});

Deno.test("doctor names a role file whose front matter is no YAML, and leaves prose alone", async () => {
  using temp = new TempWorkspace();
  temp.write(".github/agents/coach.agent.md", "---\ndescription: Helps: all of it: now\n---\nText");
  temp.write(".claude/agents/prose.md", "No front matter");
  const [{ level, message }] = await roles(temp);
  assertEquals(level, "warn");
  assertEquals(message.startsWith(".github/agents/coach.agent.md: "), true, message);
});
