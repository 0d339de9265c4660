/**
 * A disk that is really full in the middle of whatever the store does.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { AgentxError } from "../../../lib/errors.ts";
import { FileLockManager } from "../../../lib/lock/mod.ts";
import type { Observation } from "../../../lib/memory/schema.ts";
import { JsonObservationStore } from "../../../lib/memory/store/store.ts";
import { SmallDisk } from "../../small_disk.ts";
import { samples } from "../temp_store.ts";

Deno.test("JsonObservationStore keeps what it acknowledged on a disk that is really full", async () => {
  using disk = SmallDisk.mount(256);
  if (disk === undefined) return;
  const notices: string[] = [];
  const folder = `${disk.path}/memory`;
  const another = () =>
    new JsonObservationStore(folder, new FileLockManager(), {
      recallsPath: `${disk.path}/recalls.json`,
      notify: (message) => notices.push(message),
    });
  const acknowledged: Observation[] = [];
  const store = async (count: number) =>
    void acknowledged.push(...await another().store(samples(count)));
  const assertWhole = async () => {
    const ids = acknowledged.map(({ id }) => id).sort();
    assertEquals((await another().getByIssue(29)).map(({ id }) => id).sort(), ids);
    const found = await another().search("observation", 1_000);
    assertEquals(found.map(({ id }) => id).sort(), ids);
    for (const { name } of Deno.readDirSync(folder)) {
      assert(!name.endsWith(".tmp") && !name.endsWith(".lock"), name);
      if (/^(issue|manifest).*json$/.test(name)) {
        JSON.parse(Deno.readTextFileSync(`${folder}/${name}`));
      }
    }
  };
  await store(20);
  let refusals = 0;
  for (let spared = 0; spared < 10; spared++) {
    disk.fill();
    disk.free(4_096 * spared);
    for (let turn = 0; turn < 20; turn++) {
      try {
        await store(5);
      } catch (error) {
        assert(error instanceof AgentxError && error.code === "IO_ERROR", String(error));
        assertEquals(error.details.errno, "ENOSPC");
        refusals++;
        break;
      }
    }
    await another().close();
    await assertWhole();
    if (acknowledged.length > 80) break;
  }
  assert(refusals > 3, `${refusals} refusals`);
  const { id } = acknowledged[3];
  disk.fill();
  for (
    const change of [
      () => another().retract(id, "wrong"),
      () => another().remove(id),
      () => another().replace(29, { remove: [id], add: samples(1) }),
    ]
  ) {
    await change().then(() => assert(false, "it fits"), (error: unknown) => {
      assert(error instanceof AgentxError && error.code === "IO_ERROR", String(error));
    });
    await assertWhole();
  }
  Deno.removeSync(`${disk.path}/filler`);
  await store(5);
  await another().close();
  await assertWhole();
  assert(await another().remove(id));
});
