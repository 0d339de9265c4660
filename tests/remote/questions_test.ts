/**
 * Questions and answers between machines.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { readView } from "../../lib/commands/board/read.ts";
import { sys } from "../../lib/sys/mod.ts";
import { openWorkspaceParts } from "../../lib/workspace/open.ts";
import { ended, signal } from "../temp_workspace.ts";
import { type TempMachine, TempMachines } from "./temp_machines.ts";

const ASK = ["ask", "architect", "-i", "1", "--from", "engineer", "PostgreSQL or SQLite?"];

/** The settings of the user of a machine: its architect answers with a file of its home. */
function answersWith(machine: TempMachine, answer: string): void {
  const script = `${machine.home}/architect.sh`;
  Deno.writeTextFileSync(
    script,
    `cat >/dev/null; echo run >> ${machine.home}/runs; echo '${answer}'`,
  );
  const path = `${machine.home}/config/agentx/config.json`;
  const now = JSON.parse(Deno.readTextFileSync(path));
  const agents = { architect: { command: ["sh", script] } };
  Deno.writeTextFileSync(path, JSON.stringify({ ...now, agents }));
}

async function thread(machine: TempMachine, id = "CLR-1-001") {
  return (await machine.json(["clarify", id])).clarifications[0];
}

Deno.test("a question that one machine asks is answered by hand on another, and resolved where it was asked", async () => {
  using machines = await TempMachines.make(["desk", "box"]);
  const [desk, box] = machines.all;
  assertEquals((await desk.run(ASK)).code, 7);
  await box.ok(["sync"]);
  const asked = await thread(box);
  assertEquals([asked.status, asked.shared.machine], ["pending", "desk"]);

  await box.ok(["answer", "CLR-1-001", "SQLite", "--as", "architect"]);
  await desk.ok(["sync"]);
  const answered = await thread(desk);
  assertEquals(answered.status, "answered");
  assertEquals(
    [answered.thread[1].body, answered.thread[1].machine, answered.thread[1].from],
    ["SQLite", "box", "architect"],
  );
  await desk.ok(["clarify", "resolve", "CLR-1-001", "SQLite it is", "--as", "engineer"]);
  await box.ok(["sync"]);
  assertEquals((await thread(box)).status, "resolved");
});

Deno.test("the answer of a run is at the remote by the end of its command, and the turn is free again", async () => {
  using machines = await TempMachines.make(["desk", "box"]);
  const [desk, box] = machines.all;
  answersWith(desk, "SQLite");
  await desk.ok(ASK);
  await box.ok(["sync"]);
  const answered = await thread(box);
  assertEquals([answered.status, answered.thread[1].body], ["answered", "SQLite"]);
  assertEquals((await box.json(["sync"])).claims, []);
});

Deno.test("a human's decision on another machine is shown with machine and login, and as unverified", async () => {
  using machines = await TempMachines.make(["desk", "box"]);
  const [desk, box] = machines.all;
  await desk.run(ASK);
  await desk.ok(["clarify", "escalate", "CLR-1-001", "Too big", "--as", "engineer"]);
  await box.ok(["sync"]);
  const { entries } = await box.json(["inbox"]);
  assertEquals(entries.map(({ id }: { id: string }) => id), ["CLR-1-001"]);
  await box.ok(["answer", "CLR-1-001", "Use SQLite"], { terminal: true });
  await desk.ok(["sync"]);
  const { status, thread: [, , decision] } = await thread(desk);
  assertEquals(status, "resolved");
  const { from, verified, machine, login, body } = decision;
  assertEquals({ from, verified, machine, login, body }, {
    ...{ from: "human", verified: false, machine: "box", login: "user-of-box" },
    body: "Use SQLite",
  });
  const shown = await desk.ok(["clarify", "CLR-1-001"]);
  assert(shown.includes("user-of-box on box"), shown);
});

Deno.test("a target that failed and was asked again is answered on all machines", async () => {
  using machines = await TempMachines.make(["desk", "box"]);
  const [desk, box] = machines.all;
  answersWith(desk, "SQLite");
  const settings = `${desk.home}/config/agentx/config.json`;
  const text = Deno.readTextFileSync(settings);
  Deno.writeTextFileSync(settings, text.replace('"sh"', '"no-such-program"'));
  await desk.run(ASK);
  await box.ok(["sync"]);
  assertEquals((await thread(box)).status, "escalated");
  answersWith(desk, "SQLite");
  await desk.ok(["answer", "CLR-1-001", "a"], { terminal: true });
  await desk.ok(["sync"]);
  await box.ok(["sync"]);
  const { status, round, thread: entries } = await thread(box);
  assertEquals([status, round, entries.at(-1).body], ["answered", 2, "SQLite"]);
});

Deno.test("two decisions on the same state: one wins on all machines, and its loser hears of it", async () => {
  using machines = await TempMachines.make(["desk", "box"]);
  const [desk, box] = machines.all;
  await desk.run(ASK);
  await box.ok(["sync"]);
  {
    using _away = machines.cut();
    await box.ok(["clarify", "escalate", "CLR-1-001", "Too big", "--as", "architect"]);
    await desk.ok(["clarify", "resolve", "CLR-1-001", "Never mind", "--as", "human"]);
  }
  await desk.ok(["sync"]);
  const said = await box.ok(["sync"]);
  await desk.ok(["sync"]);
  assert(said.includes("The escalation of architect on CLR-1-001 does not count"), said);
  assertEquals((await thread(desk)).status, "resolved");
  assertEquals((await thread(box)).status, "resolved");
});

Deno.test("serve on one machine answers for all, each question once, and ask waits for it", async () => {
  using machines = await TempMachines.make(["desk", "box", "cave"]);
  const [desk, box, cave] = machines.all;
  for (const server of [box, cave]) answersWith(server, `SQLite, says ${server.name}`);
  const serving = [box, cave].map((server) => server.spawn(["serve", "--as", "architect"]));
  try {
    for (let tries = 0; tries < 30; tries++) {
      if (Object.keys((await desk.json(["sync"])).machines).length === 2) break;
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
    const { code, out, err } = await desk.run(ASK);
    assertEquals(code, 0, err);
    assert(out.includes("SQLite, says"), out);
  } finally {
    for (const child of serving) signal(child, "SIGTERM");
    for (const { code, err } of await Promise.all(serving.map(ended))) assertEquals(code, 130, err);
  }
  const runs = [box, cave].flatMap(({ home }) => {
    try {
      return Deno.readTextFileSync(`${home}/runs`).trim().split("\n");
    } catch {
      return [];
    }
  });
  assertEquals(runs, ["run"]);
});

Deno.test("questions of two machines under one id stay apart", async () => {
  using machines = await TempMachines.make(["desk", "box"]);
  const [desk, box] = machines.all;
  {
    using _away = machines.cut();
    await desk.run(ASK);
    await box.run(["ask", "architect", "-i", "1", "--from", "engineer", "Which port?"]);
  }
  for (const each of [desk, box, desk]) await each.ok(["sync"]);
  const bodies = async (machine: TempMachine) =>
    (await machine.json(["clarify", "--issue", "1"])).clarifications
      .map(({ id, thread }: { id: string; thread: { body: string }[] }) => [id, thread[0].body]);
  assertEquals(await bodies(desk), [
    ["CLR-1-001", "PostgreSQL or SQLite?"],
    ["CLR-1-002", "Which port?"],
  ]);
  assertEquals(await bodies(box), [
    ["CLR-1-001", "Which port?"],
    ["CLR-1-002", "PostgreSQL or SQLite?"],
  ]);
});

Deno.test("a question that was asked while the remote was away is answered here, and sent with its answer", async () => {
  using machines = await TempMachines.make(["desk", "box"]);
  const [desk, box] = machines.all;
  answersWith(desk, "SQLite");
  answersWith(box, "Postgres");
  {
    using _away = machines.cut();
    assertEquals((await desk.run(ASK)).code, 0);
  }
  await desk.ok(["sync"]);
  await box.ok(["sync"]);
  assertEquals((await thread(box)).thread.map(({ body }: { body: string }) => body), [
    "PostgreSQL or SQLite?",
    "SQLite",
  ]);
});

Deno.test("status, inbox, board and doctor name the other machine", async () => {
  using machines = await TempMachines.make(["desk", "box"]);
  const [desk, box] = machines.all;
  await desk.ok(["ready", "--claim", "engineer", "--issue", "2"]);
  await desk.run(ASK);
  await desk.ok(["clarify", "escalate", "CLR-1-001", "Too big", "--as", "engineer"]);
  await box.ok(["sync"]);

  const status = await box.ok(["status"]);
  assert(/engineer on desk +#2 +until/.test(status), status);
  assert(status.includes("Shared over origin, synced 0s ago"), status);
  const { entries: [{ agent, machine }] } = await box.json(["inbox"]);
  assertEquals([agent, machine], ["engineer", "desk"]);
  const board = await box.as(async () => {
    const workspace = await openWorkspaceParts({ root: box.root });
    return await readView(workspace, "now", new URLSearchParams(), AbortSignal.timeout(9_000));
  });
  assert(JSON.stringify(board).includes("On other machines"), JSON.stringify(board));
  const doctor = await box.run(["doctor"]);
  assert(doctor.out.includes("shared over origin with desk; synced 0s ago"), doctor.out);
});

Deno.test("doctor names a clock that differs by more than 5 s", async () => {
  using machines = await TempMachines.make(["desk", "box"]);
  const [desk, box] = machines.all;
  const { now } = sys;
  for (const [aheadMs, said] of [[40_000, /ahead of/], [-40_000, /behind/]] as const) {
    await box.ok(["sync"]);
    sys.now = () => now() + aheadMs;
    try {
      await desk.run(["ask", "architect", "-i", "1", "--from", "engineer", `Ahead ${aheadMs}?`]);
    } finally {
      sys.now = now;
    }
    await box.ok(["sync"]);
    const { out } = await box.run(["doctor"]);
    assert(/the clock of desk is at least (?:3\d|40)s /.test(out) && said.test(out), out);
  }
});
