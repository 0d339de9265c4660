/**
 * Hooks in a workspace that machines share.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { main } from "../../cli.ts";
import { FakeIo } from "../cli/fake_io.ts";
import { ended } from "../temp_workspace.ts";
import { type TempMachine, TempMachines } from "./temp_machines.ts";

/** Runs a hook of Claude Code in this process; returns how long it took, and the syncs that it began. */
async function hook(machine: TempMachine, event: string, syncs: "run" | "hang") {
  const begun: Promise<unknown>[] = [];
  const payload = {
    ...{ session_id: "3f2a9c01-0000-4000-8000-000000000000", cwd: machine.root },
    ...{ hook_event_name: event, source: "startup", prompt: "Hello" },
  };
  const io = Object.assign(new FakeIo({ stdin: JSON.stringify(payload) }), {
    startAgain(words: readonly string[]) {
      begun.push(syncs === "run" ? synced(machine, words) : Promise.resolve());
    },
  });
  const began = performance.now();
  const code = await machine.as(() =>
    main(["--root", machine.root, "hook", "host", "claude", event], io)
  );
  const ms = performance.now() - began;
  assertEquals(code, 0, io.err);
  await Promise.all(begun);
  return { ms, begun: begun.length };
}

Deno.test("the start of a session hears of other machines; later hooks begin a sync and do not wait", async () => {
  using machines = await TempMachines.make(["desk", "box"]);
  const [desk, box] = machines.all;
  await desk.run(["ask", "architect", "-i", "1", "--from", "engineer", "Which?"]);

  assertEquals((await hook(box, "SessionStart", "run")).begun, 1);
  const { clarifications } = await box.json(["clarify"]);
  assertEquals(clarifications.map(({ id }: { id: string }) => id), ["CLR-1-001"]);

  assertEquals((await hook(box, "UserPromptSubmit", "hang")).begun, 0, "one has just ended");
  const view = viewOf(box);
  const { synced, ...rest } = JSON.parse(Deno.readTextFileSync(view));
  const past = new Date(Date.parse(synced) - 30_000).toISOString();
  Deno.writeTextFileSync(view, JSON.stringify({ ...rest, synced: past }));
  const later = await hook(box, "UserPromptSubmit", "hang");
  assertEquals(later.begun, 1);
});

Deno.test("the start of a session waits a second for a remote that does not answer, and no longer", async () => {
  using machines = await TempMachines.make(["desk"]);
  const [desk] = machines.all;
  await hook(desk, "SessionStart", "hang");
  const { ms } = await hook(desk, "SessionStart", "hang");
  assert(ms > 900 && ms < 2_500, `${ms} ms`);
});

function viewOf({ home }: TempMachine): string {
  const folder = `${home}/state/agentx/remotes`;
  const [{ name }] = [...Deno.readDirSync(folder)];
  return `${folder}/${name}/view.json`;
}

async function synced(machine: TempMachine, words: readonly string[]): Promise<void> {
  const { code, err } = await ended(machine.spawn(words));
  assertEquals(code, 0, err);
}
