/**
 * Scheduled tasks of a workspace that several machines share: one of them runs each.
 *
 * @module
 */

import { assertEquals } from "@std/assert";
import { sys } from "../../lib/sys/mod.ts";
import { ownProgram } from "../own_program.ts";
import { type TempMachine, TempMachines, YES } from "./temp_machines.ts";

const START = Date.parse("2026-11-28T10:30:00Z");
const HOUR_MS = 60 * 60_000;

async function idsOf(machine: TempMachine): Promise<string[]> {
  const { runs } = await machine.json(["schedule", "run"]);
  return runs.map(({ id, exitCode }: { id: string; exitCode: number }) => `${id} ${exitCode}`);
}

Deno.test("schedule run: of two machines one has a task, whatever their clocks say, and none without the remote", async () => {
  using _ = ownProgram();
  using machines = await TempMachines.make(["desk", "box"]);
  const [desk, box] = machines.all;
  const { now } = sys;
  const ahead = (machine: TempMachine) => machine === box ? 90_000 : 0;
  let time = START;
  const tick = async (machine: TempMachine, ms: number) => {
    time = START + ms;
    sys.now = () => time + ahead(machine);
    return await idsOf(machine);
  };
  try {
    const task = { cron: "0 * * * *", run: ["version"], enabled: true };
    for (const machine of machines.all) {
      const text = JSON.stringify({ schedules: { hourly: task } });
      Deno.writeTextFileSync(`${machine.root}/.agentx/schedules.json`, text);
      await machine.ok(["trust"], YES);
      await tick(machine, 0);
    }
    const half = HOUR_MS / 2;
    assertEquals(await tick(box, half - 80_000), ["hourly 0"]);
    assertEquals(await tick(desk, half + 1_000), []);
    assertEquals(await tick(desk, half + 20 * 60_000), []);
    assertEquals(await tick(desk, half + HOUR_MS), ["hourly 0"], "box is away");
    assertEquals(await tick(box, half + HOUR_MS), []);
    {
      using _cut = machines.cut();
      assertEquals(await tick(desk, half + 2 * HOUR_MS), ["hourly null"]);
    }
    assertEquals(await tick(desk, half + 2 * HOUR_MS + 60_000), ["hourly 0"]);
    assertEquals(await tick(box, half + 2 * HOUR_MS + 60_000), []);
    assertEquals((await desk.json(["sync"])).problems, []);
  } finally {
    sys.now = now;
  }
});
