/**
 * What proved wrong is shown when the next assumption of its kind is made, and at no other.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { lessonOf } from "../../../lib/gate/assumption.ts";
import { askWords, sampleAssumption } from "../../gate/samples.ts";
import { TempWorkspace } from "../../temp_workspace.ts";

function assume(decision: string, source?: string): string[] {
  const words = [
    "assumptions",
    "add",
    "-i",
    "1",
    "--from",
    "pm",
    "--because",
    "x",
    "--risk",
    "low",
  ];
  return [...words, ...source === undefined ? [] : ["--source", source], decision];
}

Deno.test("a wrong assumption is shown at the next of its source, and at no other", async () => {
  using temp = new TempWorkspace();
  await temp.run(["issue", "create", "Pay"]);
  await temp.run(assume("JWT", "codebase"));
  await temp.run(assume("Sessions", "README"));
  await temp.run(assume("Cookies"));
  assertEquals((await temp.run(assume("Tabs", "codebase"))).err, "");
  for (const id of ["1", "3"]) {
    await temp.run(["assumptions", "revert", id, "--because", "We are leaving it"]);
  }
  const lesson = "note: 1 of 2 earlier assumptions of this kind (codebase) proved wrong, such as " +
    "ASM-001: JWT (We are leaving it)\n";
  assertEquals((await temp.run(assume("Spaces", "Codebase"))).err, lesson);
  for (const source of ["README", "a guess", undefined]) {
    assertEquals((await temp.run(assume(`By ${source}`, source))).err, "");
  }
  assert(!(await temp.run([...askWords({ issue: "1" }), "--no-wait"])).err.includes("wrong"));
});

Deno.test("a wrong answer is shown at the next question about its blocker, and at no other", async () => {
  using temp = new TempWorkspace();
  await temp.run(["issue", "create", "Pay"]);
  const asked = async (session: string, changes: Record<string, string> = {}) => {
    const words = askWords({ issue: "1", session, question: `Which ${session}?`, ...changes });
    const { code, err } = await temp.run([...words, "--no-wait"]);
    assertEquals(code, 7, err);
    await temp.run(["answer", `ASK-00${session.slice(1)}`, "a"]);
    return err;
  };
  await asked("s1");
  await temp.run(["assumptions", "revert", "1"]);
  const err = await asked("s2");
  assert(err.includes("1 of 1 earlier assumptions of this kind (missing_external_data)"), err);
  const other = await asked("s3", { "blocker-type": "mutually_exclusive_requirements" });
  assert(!other.includes("proved wrong"), other);
});

Deno.test("lessonOf() counts what a person decided otherwise later", () => {
  const kind = { blocker_type: "missing_external_data" };
  const taken = sampleAssumption({ ...kind, status: "superseded", supersededBy: "ASM-002" });
  const decided = (decision: string) =>
    sampleAssumption({ ...kind, id: "ASM-002", decision, status: "confirmed" });
  const lesson = lessonOf("missing_external_data", [taken, decided("Sessions")]);
  assert(lesson?.startsWith("1 of 2 earlier assumptions"), lesson);
  assertEquals(lessonOf("missing_external_data", [taken, decided(taken.decision)]), undefined);
  assertEquals(lessonOf(null, [taken, decided("Sessions")]), undefined);
});

Deno.test("a judgement that is undone teaches nothing", async () => {
  using temp = new TempWorkspace();
  await temp.run(["issue", "create", "Pay"]);
  await temp.run(assume("JWT", "codebase"));
  await temp.run(["assumptions", "revert", "1"]);
  await temp.run(["undo"]);
  assertEquals((await temp.run(assume("Tabs", "codebase"))).err, "");
});
