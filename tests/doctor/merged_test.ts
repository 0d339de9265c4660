import { assert, assertEquals } from "@std/assert";
import type { Finding } from "../../lib/doctor/finding.ts";
import { mergeFile } from "../merge_file.ts";
import { TempWorkspace } from "../temp_workspace.ts";

const ISSUE = ".agentx/issues/1.json";
const MEMORY = ".agentx/memory/issue-1.json";

/** A workspace in which two branches commented on an issue and noted something, merged. */
async function merged(options: readonly string[]): Promise<TempWorkspace> {
  const temp = new TempWorkspace();
  const note = (text: string) =>
    temp.run(["memory", "note", "--agent", "pm", "--issue", "1", text]);
  await temp.run(["issue", "create", "-t", "Crash on start"]);
  await note("The pool is set up once");
  await temp.run(["memory", "rebuild"]);
  const base = [temp.read(ISSUE), temp.read(MEMORY)];
  const sides: string[][] = [];
  for (const side of ["Ours", "Theirs"]) {
    [ISSUE, MEMORY].forEach((path, index) => temp.write(path, base[index]));
    await temp.run(["issue", "comment", "-i", "1", "-c", `${side} looked at it`]);
    await note(`${side} is about the retries`);
    await temp.run(["memory", "rebuild"]);
    sides.push([temp.read(ISSUE), temp.read(MEMORY)]);
  }
  for (const [index, path] of [ISSUE, MEMORY].entries()) {
    temp.write(path, mergeFile(options, sides[0][index], base[index], sides[1][index]));
  }
  return temp;
}

async function examine(temp: TempWorkspace, ...argv: string[]): Promise<Finding[]> {
  const { out } = await temp.run(["doctor", "--json", ...argv]);
  const findings: Finding[] = JSON.parse(out).findings;
  return findings.filter(({ check }) => check === "issues" || check === "memory");
}

const levels = (findings: readonly Finding[]) =>
  findings.map(({ check, level, isFixed }) => `${check} ${isFixed ? "fixed" : level}`);

/** What both sides wrote, each once, in files that are JSON again. */
function assertClean(temp: TempWorkspace): void {
  assertEquals(JSON.parse(temp.read(ISSUE)).comments.length, 2);
  assertEquals(JSON.parse(temp.read(MEMORY)).observations.length, 3);
}

Deno.test("doctor finds nothing wrong with a union of two branches, and --fix clears it up", async () => {
  using temp = await merged(["--union"]);
  assertEquals(levels(await examine(temp)), ["issues ok", "memory ok"]);
  const fixed = await examine(temp, "--fix");
  assertEquals(levels(fixed), ["issues ok", "issues fixed", "memory ok", "memory fixed"]);
  assertClean(temp);
  assertEquals(levels(await examine(temp, "--fix")), ["issues ok", "memory ok"]);
});

Deno.test("doctor names files with conflict markers, and --fix keeps what both sides wrote", async () => {
  using temp = await merged([]);
  const found = await examine(temp);
  assertEquals(levels(found), ["issues ok", "issues fail", "memory ok", "memory fail"]);
  for (const [index, path] of [[1, ISSUE], [3, MEMORY]] as const) {
    assert(found[index].message.includes(path), found[index].message);
    assert(found[index].next?.includes("agentx doctor --fix"));
  }
  const fixed = await examine(temp, "--fix");
  assertEquals(levels(fixed), ["issues ok", "issues fixed", "memory ok", "memory fixed"]);
  assertClean(temp);
});

Deno.test("doctor names a file of memory that cannot be read, also in the archive", async () => {
  using temp = new TempWorkspace();
  temp.write(".agentx/memory/archive/issue-7.json", "{ broken");
  temp.write(".agentx/memory/issue-8.json", '{"version":2}');
  const found = await examine(temp, "--fix");
  assertEquals(levels(found), ["issues ok", "memory ok", "memory fail", "memory fail"]);
  assert(found[2].message.includes("issue-8.json") && found[3].message.includes("issue-7.json"));
});
