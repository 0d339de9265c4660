/**
 * Claims between machines: one of any number that want an issue has it.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import type { RemoteClaim } from "../../lib/remote/claims.ts";
import { GitClaims } from "../../lib/remote/git_claims.ts";
import { GitRemote } from "../../lib/remote/git_remote.ts";
import { sys } from "../../lib/sys/mod.ts";
import { TempMachines } from "./temp_machines.ts";

Deno.test("ready --claim gives an issue to one machine; the other sees its holder, and gets the next", async () => {
  using machines = await TempMachines.make(["desk", "box"]);
  const [desk, box] = machines.all;
  await desk.ok(["ready", "--claim", "engineer", "--issue", "1"]);

  const refused = await box.run(["ready", "--claim", "engineer", "--issue", "1"]);
  assertEquals(refused.code, 6);
  assert(refused.err.includes(", on desk"), refused.err);
  const { issue } = await box.json(["ready", "--claim", "engineer"]);
  assertEquals(issue.number, 2);
  const { waiting } = await box.json(["ready"]);
  assertEquals(waiting[0].reasons[0].agent, "engineer on desk");
});

Deno.test("ready --release frees an issue for the other machine", async () => {
  using machines = await TempMachines.make(["desk", "box"]);
  const [desk, box] = machines.all;
  await desk.ok(["ready", "--claim", "engineer", "--issue", "1"]);
  await desk.ok(["ready", "--release", "engineer"]);
  await box.ok(["ready", "--claim", "engineer", "--issue", "1"]);
});

Deno.test("ready --claim takes over an issue once its lease has ended by more than clocks may differ", async () => {
  using machines = await TempMachines.make(["desk", "box"]);
  const [desk, box] = machines.all;
  const claim = ["ready", "--claim", "engineer", "--issue", "1"];
  await desk.ok([...claim, "--lease", "10m"]);
  const { now } = sys;
  try {
    sys.now = () => now() + 10 * 60_000 + 40_000;
    assertEquals((await box.run(claim)).code, 6, "the clock of desk may be 40 s behind");
    sys.now = () => now() + 12 * 60_000;
    await box.ok(claim);
  } finally {
    sys.now = now;
  }
  await desk.ok(["sync"]);
  assertEquals((await desk.json(["issue", "view", "1"])).issue.assignee, null);
});

Deno.test("ready --claim is refused while the remote cannot be reached; --offline is settled by the next sync", async () => {
  using machines = await TempMachines.make(["desk", "box"]);
  const [desk, box] = machines.all;
  const claim = ["ready", "--claim", "engineer", "--issue", "1"];
  {
    using _away = machines.cut();
    const refused = await desk.run(claim);
    assertEquals(refused.code, 1);
    assert(refused.err.includes("--offline"), refused.err);
    assertEquals((await desk.json(["issue", "view", "1"])).issue.assignee, null);
    await desk.ok([...claim, "--offline"]);
    await desk.ok(["ready", "--claim", "engineer", "--issue", "2", "--offline"]);
  }
  await box.ok(claim);

  const out = await desk.ok(["sync"]);
  assert(out.includes("engineer has lost #1: engineer on box has it"), out);
  assertEquals((await desk.json(["issue", "view", "1"])).issue.assignee, null);
  assertEquals((await box.run(["ready", "--claim", "engineer", "--issue", "2"])).code, 6);
});

Deno.test("sync gives back what ended here, and makes a renewed lease last longer", async () => {
  using machines = await TempMachines.make(["desk", "box"]);
  const [desk, box] = machines.all;
  await desk.ok(["ready", "--claim", "engineer", "--issue", "1", "--lease", "10m"]);
  await desk.ok(["ready", "--claim", "engineer@2", "--issue", "2"]);
  await desk.ok(["issue", "close", "2"]);
  await desk.ok(["ready", "--claim", "engineer", "--issue", "1", "--lease", "3h"]);
  const { now } = sys;
  sys.now = () => now() + 61_000; // sooner it might be one that is being made
  try {
    await desk.ok(["sync"]);
  } finally {
    sys.now = now;
  }
  await box.ok(["sync"]);
  const { waiting } = await box.json(["ready"]);
  const leases = waiting.flatMap((
    { number, reasons }: { number: number; reasons: { kind: string; until: string }[] },
  ) =>
    reasons.filter(({ kind }) => kind === "lease").map((
      { until },
    ) => [number, Date.parse(until) > Date.now() + 2 * 3_600_000])
  );
  assertEquals(leases, [[1, true]]);
});

Deno.test("equal claims of one second have one winner, because each has a nonce; without it the oracle sees several", async () => {
  using machines = await TempMachines.make(["desk"], { issues: [], areShared: false });
  const writers = Array.from({ length: 4 }, (_, index) => {
    const folder = `${machines.folder}/writer${index}`;
    GitRemote.create(folder, { address: machines.bare, format: "sha1" });
    return new GitClaims(new GitRemote({ folder, root: "/nonexistent", name: "origin" }));
  });
  const { now } = sys;
  sys.now = () => Date.parse("2026-11-28T12:00:00Z");
  /** How many rounds have more or fewer winners than one. */
  const wrongRounds = async (name: string, nonce: () => string): Promise<number> => {
    let wrong = 0;
    for (let round = 0; round < 10; round++) {
      const won = await Promise.all(writers.map((writer) => {
        const claim: RemoteClaim = {
          ...{ v: 1, key: `${name}-${round}`, issue: 1, agent: "engineer", nonce: nonce() },
          machine: { id: "desk00000000", name: "desk", login: "d" },
          ...{ claimed: "2026-11-28T12:00:00.000Z", until: "2026-11-28T12:30:00.000Z" },
        };
        return writer.write(claim, null);
      }));
      if (won.filter((each) => each).length !== 1) wrong++;
    }
    return wrong;
  };
  try {
    assertEquals(await wrongRounds("with", () => crypto.randomUUID()), 0);
    assert(await wrongRounds("without", () => "") > 0, "the oracle cannot fail");
  } finally {
    sys.now = now;
  }
});

Deno.test("a push that took effect without an answer is a claim that was won", async () => {
  using machines = await TempMachines.make(["desk", "box"]);
  const [desk, box] = machines.all;
  const hook = `${machines.bare}/hooks/reference-transaction`;
  Deno.writeTextFileSync(hook, `#!/bin/sh\n[ "$1" = committed ] && kill -9 $PPID\nexit 0\n`, {
    mode: 0o755,
  });
  await desk.ok(["ready", "--claim", "engineer", "--issue", "1"]);
  Deno.removeSync(hook);
  assertEquals((await box.run(["ready", "--claim", "engineer", "--issue", "1"])).code, 6);
});

Deno.test("sync does not free a claim that a session of this machine is making; an abandoned one is freed later", async () => {
  using machines = await TempMachines.make(["desk", "box"]);
  const [desk, box] = machines.all;
  await desk.ok(["ready", "--claim", "engineer", "--issue", "1"]);
  const { issue: { uid } } = await desk.json(["issue", "view", "1"]);
  const folder = `${machines.folder}/writer`;
  GitRemote.create(folder, { address: machines.bare, format: "sha1" });
  const claims = new GitClaims(new GitRemote({ folder, root: "/nonexistent", name: "origin" }));
  const at = (await claims.read(uid))!;
  await desk.ok(["ready", "--release", "engineer"]);
  // As another session of desk does between its push and its own lock.
  const free = (await claims.read(uid))!;
  const making: RemoteClaim = {
    ...at.claim as RemoteClaim,
    agent: "engineer@2",
    claimed: new Date().toISOString(),
  };
  assertEquals(await claims.write({ ...making, nonce: "n" }, free.id), true);
  await desk.ok(["sync"]);
  assertEquals((await box.run(["ready", "--claim", "engineer", "--issue", "1"])).code, 6);

  const { now } = sys;
  sys.now = () => now() + 120_000;
  try {
    await desk.ok(["sync"]);
    await box.ok(["ready", "--claim", "engineer", "--issue", "1"]);
  } finally {
    sys.now = now;
  }
});
