import { assert, assertEquals } from "@std/assert";
import { AgentxError } from "../../lib/base/errors.ts";
import { failure } from "../../lib/doctor/finding.ts";
import { fault, replace } from "../lock/faults.ts";
import { ASK, TempWorkspace } from "../temp_workspace.ts";

const ASK_MORE = [...ASK.slice(0, -1), "--non-blocking", "And the cache?"];

/** A ledger with two questions, which something else cuts off. */
async function damaged(cutOff: (text: string) => string): Promise<TempWorkspace> {
  const temp = new TempWorkspace();
  for (const words of [[...ASK, "--non-blocking"], ASK_MORE]) await temp.run(words);
  const path = temp.ledgerPath(42);
  temp.write(path, cutOff(temp.read(path)));
  return temp;
}

/** What the doctor says, on one line. */
async function doctor(temp: TempWorkspace, ...flags: string[]) {
  const { code, out } = await temp.run(["doctor", "--json", ...flags]);
  return { code, out };
}

for (
  const [what, cutOff] of Object.entries({
    "cut off": (text: string) => text.slice(0, text.length / 2),
    "emptied": () => "",
  })
) {
  Deno.test(`doctor --fix brings back a ledger that was ${what}`, async () => {
    using temp = await damaged(cutOff);
    const broken = temp.read(temp.ledgerPath(42));
    const seen = await doctor(temp);
    assertEquals(seen.code, 1);
    assert(seen.out.includes("agentx doctor --fix"), seen.out);
    const { code, out } = await doctor(temp, "--fix");
    assertEquals(code, 0, out);
    assert(out.includes("restored") && out.includes("it has all that"), out);
    assertEquals(temp.ledger().clarifications.map(({ id }) => id), ["CLR-42-001", "CLR-42-002"]);
    assertEquals(temp.read(`${temp.ledgerPath(42)}.damaged`), broken);
    assertEquals((await temp.run(["doctor"])).code, 0);
  });
}

Deno.test("doctor --fix brings back a file of the gate, under its own heading", async () => {
  using temp = new TempWorkspace();
  const path = ".agentx/state/agent-interactions.json";
  temp.write(`${path}.copy`, '{"interactions":[]}');
  temp.write(path, "");
  const { findings } = await temp.json(["doctor", "--fix"]);
  const [{ check }] = findings.filter(({ message }: { message: string }) =>
    message.startsWith("restored")
  );
  assertEquals(check, "files");
});

Deno.test("failure() of an error without a next step has none, rather than an empty line", () => {
  const details = { kind: "issue", id: "1" };
  assertEquals(failure("files", new AgentxError("NOT_FOUND", "Cannot", { details })).next, null);
});

Deno.test("doctor --fix names what the copy of a ledger does not have", async () => {
  using temp = await damaged((text) => text.replaceAll("CLR-42-002", "CLR-42-003").slice(0, -9));
  const { out } = await doctor(temp, "--fix");
  assert(out.includes("missing, written otherwise since: CLR-42-003"), out);
});

Deno.test("doctor --fix leaves a damaged ledger whose copy is damaged as well", async () => {
  using temp = await damaged((text) => text.slice(0, 20));
  temp.write(`${temp.ledgerPath(42)}.copy`, "{ broken");
  const before = temp.read(temp.ledgerPath(42));
  assertEquals((await temp.run(["doctor", "--fix"])).code, 1);
  assertEquals(temp.read(temp.ledgerPath(42)), before);
});

Deno.test("doctor cuts secrets in a ledger, and keeps no copy of them", async () => {
  using temp = await damaged((text) =>
    text.replace("And the cache?", "Is it AKIAIOSFODNN7EXAMPLQ?")
  );
  temp.write(`${temp.ledgerPath(42)}.copy`, temp.read(temp.ledgerPath(42)));
  await temp.run(["doctor", "--fix"]);
  assert(!JSON.stringify(temp.snapshot()).includes("AKIA"));
});

for (const errno of ["ENOSPC", "EROFS", "EACCES"]) {
  Deno.test(`doctor fails where nothing can be written: ${errno}`, async () => {
    using temp = await damaged((text) => text);
    using _ = replace("writeNewFile", () => (path) => {
      throw fault(errno, path);
    });
    const { code, out } = await doctor(temp);
    const { findings } = JSON.parse(out);
    const writing = findings.find(({ check }: { check: string }) => check === "writing");
    assertEquals([code, writing.level], [1, "fail"]);
    assert(writing.message.includes(errno), writing.message);
  });
}
