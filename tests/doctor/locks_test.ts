import { assert, assertEquals } from "@std/assert";
import { Runs } from "../../lib/clarify/runs/runs.ts";
import type { Finding } from "../../lib/doctor/finding.ts";
import { FileLockManager, JsonFile } from "../../lib/lock/mod.ts";
import { temporaryPath } from "../../lib/lock/paths.ts";
import { freshToken } from "../../lib/lock/record.ts";
import { startProcess } from "../lock/contenders.ts";
import { ABANDONED, HERE, lockText, plantLock } from "../lock/plant.ts";
import { ASK, TempWorkspace } from "../temp_workspace.ts";

/** What the doctor says of locks. */
async function locksOf(temp: TempWorkspace, ...argv: string[]): Promise<Finding[]> {
  const { code, out } = await temp.run(["doctor", "--json", ...argv]);
  assertEquals(code, 0, out);
  const findings: Finding[] = JSON.parse(out).findings;
  return findings.filter(({ check }) => check === "locks");
}

function levels(findings: readonly Finding[]): string[] {
  return findings.map(({ level, isFixed }) => isFixed ? "fixed" : level);
}

/** The names in the folder of the ledgers. */
function namesIn(temp: TempWorkspace): string[] {
  const folder = `${temp.root}/.agentx/state/clarifications`;
  return Array.from(Deno.readDirSync(folder), ({ name }) => name).sort();
}

function withLedger(): { temp: TempWorkspace; path: string } {
  const temp = new TempWorkspace();
  temp.write(temp.ledgerPath(42), '{"issueNumber": 42, "clarifications": []}\n');
  return { temp, path: `${temp.root}/${temp.ledgerPath(42)}` };
}

for (const [name, plant] of Object.entries(ABANDONED)) {
  Deno.test(`doctor warns of the lock of ${name}, and leaves it`, async () => {
    const { temp, path } = withLedger();
    using _ = temp;
    plant(path);
    const before = namesIn(temp);
    const findings = await locksOf(temp);
    assertEquals([...new Set(levels(findings))], ["warn"]);
    assertEquals(namesIn(temp), before);
  });

  const isRecord = !/^(garbage|an empty file)/.test(name);
  Deno.test(`doctor --fix ${isRecord ? "removes" : "leaves"} the lock of ${name}`, async () => {
    const { temp, path } = withLedger();
    using _ = temp;
    plant(path);
    const before = namesIn(temp);
    const findings = await locksOf(temp, "--fix");
    assertEquals(levels(findings), [isRecord ? "fixed" : "warn"]);
    assertEquals(namesIn(temp), isRecord ? ["issue-42.json"] : before);
    assertEquals(levels(await locksOf(temp)), [isRecord ? "ok" : "warn"]);
  });
}

Deno.test("doctor --fix follows no link out of the workspace, and removes nothing there", async () => {
  const { temp } = withLedger();
  using _ = temp;
  using other = new TempWorkspace();
  plantLock(`${other.root}/a.json`, lockText());
  plantLock(`${other.root}/b.json`, "4242\n", 60_000);
  const before = other.snapshot();
  for (const name of ["issues", "state/sessions", "memory"]) {
    Deno.symlinkSync(other.root, `${temp.root}/.agentx/${name}`);
  }
  await temp.run(["doctor", "--fix"]);
  assertEquals(other.snapshot(), before);
});

Deno.test("doctor --fix removes a claim whose claimer died after its owner was replaced", async () => {
  const { temp, path } = withLedger();
  using _ = temp;
  Deno.writeTextFileSync(`${path}.${crypto.randomUUID()}.lock`, lockText());
  assertEquals(levels(await locksOf(temp, "--fix")), ["fixed"]);
  assertEquals(namesIn(temp), ["issue-42.json"]);
});

Deno.test("doctor --fix leaves the lock of a living process, and says whose it is", async () => {
  const { temp, path } = withLedger();
  using _ = temp;
  await using contender = startProcess();
  const holding = Promise.withResolvers<void>();
  const done = contender.run(
    { kind: "keep", path, keepMs: 1_500 },
    ({ kind }) => void (kind === "holding" && holding.resolve()),
  );
  await holding.promise;
  const [finding] = await locksOf(temp, "--fix");
  assertEquals(finding.level, "ok");
  assert(finding.message.includes(`process ${contender.pid}`), finding.message);
  assertEquals((await done).kind, "done");
});

Deno.test("doctor --fix removes the lock of a process that was killed", async () => {
  const { temp, path } = withLedger();
  using _ = temp;
  await using contender = startProcess();
  const holding = Promise.withResolvers<void>();
  void contender.run(
    { kind: "keep", path, keepMs: 60_000 },
    ({ kind }) => void (kind === "holding" && holding.resolve()),
  ).catch(() => {});
  await holding.promise;
  await contender.kill();
  assertEquals(levels(await locksOf(temp)), ["warn"]);
  assertEquals(levels(await locksOf(temp, "--fix")), ["fixed"]);
  assertEquals(namesIn(temp), ["issue-42.json"]);
});

Deno.test("doctor warns of a living process that holds a lock for long", async () => {
  const { temp, path } = withLedger();
  using _ = temp;
  const timestamp = new Date(Date.now() - 300_000).toISOString();
  plantLock(
    path,
    lockText({ pid: Deno.pid, witness: "heartbeat", process: HERE, since: timestamp }),
  );
  const [{ level, message }] = await locksOf(temp, "--fix");
  assertEquals(level, "warn");
  assert(message.endsWith(" for 5m"), message);
});

Deno.test("doctor --fix leaves a lock file that is being made", async () => {
  const { temp, path } = withLedger();
  using _ = temp;
  plantLock(path, "");
  assertEquals(levels(await locksOf(temp, "--fix")), ["ok"]);
  assertEquals(namesIn(temp), ["issue-42.json", "issue-42.json.lock"]);
});

Deno.test("doctor --fix leaves a file under the name of a lock that is none of ours", async () => {
  const { temp, path } = withLedger();
  using _ = temp;
  plantLock(path, "# a lock file of somebody else\n".repeat(100), 60_000);
  assertEquals(levels(await locksOf(temp, "--fix")), ["warn"]);
  assertEquals(namesIn(temp), ["issue-42.json", "issue-42.json.lock"]);
});

Deno.test("doctor --fix leaves lock files outside of the folders that we lock in", async () => {
  const { temp } = withLedger();
  using _ = temp;
  temp.write("deno.lock", "{}");
  temp.write(".agentx/tools/Cargo.lock", "");
  const before = temp.snapshot();
  assertEquals(levels(await locksOf(temp, "--fix")), ["ok"]);
  assertEquals(temp.snapshot(), before);
});

Deno.test("doctor fails on a folder in the place of a lock, and leaves it", async () => {
  const { temp, path } = withLedger();
  using _ = temp;
  Deno.mkdirSync(`${path}.lock`);
  const { code, out } = await temp.run(["doctor", "--fix"]);
  assertEquals(code, 1);
  assert(out.replace(/\s+/g, " ").includes("it is not a file (directory)"), out);
});

Deno.test("doctor warns of a lock from the future", async () => {
  const { temp, path } = withLedger();
  using _ = temp;
  const timestamp = new Date(Date.now() + 7_200_000).toISOString();
  plantLock(
    path,
    lockText({ pid: Deno.pid, witness: "heartbeat", process: HERE, since: timestamp }),
  );
  const { out } = await temp.run(["doctor", "--json"]);
  const findings: Finding[] = JSON.parse(out).findings;
  const clock = findings.filter(({ check, level }) => check === "clock" && level === "warn");
  assertEquals(clock.length, 1);
});

Deno.test("doctor --fix removes a temporary file whose writer died", async () => {
  const { temp, path } = withLedger();
  using _ = temp;
  Deno.writeTextFileSync(temporaryPath(path, freshToken()), "half a led");
  assertEquals(levels(await locksOf(temp)), ["warn"]);
  assertEquals(levels(await locksOf(temp, "--fix")), ["fixed"]);
  assertEquals(namesIn(temp), ["issue-42.json"]);
});

Deno.test("doctor --fix leaves a temporary file while its writer has the lock", async () => {
  const { temp, path } = withLedger();
  using _ = temp;
  await new FileLockManager().withSafeLock(path, "engineer", async ({ token }) => {
    Deno.writeTextFileSync(temporaryPath(path, token), "half a led");
    assertEquals(levels(await locksOf(temp, "--fix")), ["ok"]);
    assertEquals(namesIn(temp).length, 3);
    Deno.removeSync(temporaryPath(path, token));
  });
});

Deno.test("doctor --fix leaves a temporary file that somebody else has made", async () => {
  const { temp, path } = withLedger();
  using _ = temp;
  Deno.writeTextFileSync(`${path}.tmp`, "");
  Deno.writeTextFileSync(`${path}.backup.tmp`, "");
  assertEquals(levels(await locksOf(temp, "--fix")), ["ok"]);
  assertEquals(namesIn(temp).length, 3);
});

Deno.test("doctor --fix loses no update of those who write meanwhile", async () => {
  const { temp, path } = withLedger();
  using _ = temp;
  const file = new JsonFile<{ issueNumber: number; count?: number }>(path, new FileLockManager());
  const raise = () =>
    file.update("engineer", (now) => ({ issueNumber: 42, count: (now?.count ?? 0) + 1 }));
  let raised = 0;
  const fixing = (async () => {
    for (let i = 0; i < 5; i++) {
      for (const plant of Object.values(ABANDONED)) {
        if (!namesIn(temp).some((name) => name.endsWith(".lock"))) plant(`${path}.other`);
        await temp.run(["doctor", "--fix"]);
      }
    }
  })();
  let isFixing = true;
  const ended = fixing.finally(() => isFixing = false);
  while (isFixing) {
    await raise();
    raised++;
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  await ended;
  assertEquals(file.read()?.count, raised);
});

Deno.test("doctor --fix removes the note of a run that was killed, and not that of one that goes on", async () => {
  using temp = new TempWorkspace();
  const runs = new Runs(`${temp.root}/.agentx/state/runs`);
  const left = ".agentx/state/runs/CLR-42-001.json";
  temp.write(left, '{"by":"engineer","pid":7,"since":"2026-02-26T10:00:00.000Z"}');
  const names = await runs.hold("CLR-42-002", "engineer", async () => {
    assertEquals(levels(await locksOf(temp)), ["ok", "warn"]);
    assert(temp.has(left));
    assertEquals(levels(await locksOf(temp, "--fix")), ["ok", "fixed"]);
    return [temp.has(left), temp.has(".agentx/state/runs/CLR-42-002.json")];
  });
  assertEquals(names, { value: [false, true] });
});

Deno.test("doctor --fix removes the reply to a question that is open no more, and no other", async () => {
  using temp = new TempWorkspace();
  for (const which of ["Which?", "And which?"]) await temp.run([...ASK.slice(0, -1), which]);
  const ids = ["CLR-42-001", "CLR-42-002"];
  const folders = ids.map((id) => `.agentx/state/runs/${id}.run/reply.json`);
  for (const path of folders) temp.write(path, "{}");
  await temp.run(["clarify", "answer", "CLR-42-001", "Both."]);
  assertEquals((await temp.run(["doctor", "--fix"])).code, 0);
  assertEquals(folders.map((path) => temp.has(path)), [false, true]);
});

Deno.test("doctor --fix goes on where the note of a run is a folder", async () => {
  using temp = new TempWorkspace();
  temp.write(".agentx/state/runs/CLR-42-001.json/x", "");
  temp.write(".agentx/state/runs/CLR-42-002.json", "{}");
  assertEquals((await temp.run(["doctor", "--fix"])).code, 1);
  assertEquals(temp.has(".agentx/state/runs/CLR-42-002.json"), false);
});
