import { assertEquals } from "@std/assert";
import { isObject } from "../../lib/base/checks.ts";
import { JsonList } from "../../lib/lock/json_list.ts";
import { FileLockManager } from "../../lib/lock/mod.ts";
import { refusal } from "../refusal.ts";

interface Item {
  id: number;
  isOpen: boolean;
}

Deno.test("JsonList.update() keeps the bound: what is over goes first, then the oldest", async () => {
  const folder = Deno.makeTempDirSync();
  const open = () =>
    new JsonList<Item>(`${folder}/list.json`, new FileLockManager(), {
      key: "items",
      isItem: isObject,
      max: 3,
      isKept: ({ isOpen }) => isOpen,
    });
  assertEquals(open().read(), []);
  for (const id of [1, 2, 3, 4, 5]) {
    await open().update("t", (items) => [...items, { id, isOpen: id !== 2 }]);
  }
  assertEquals(open().read().map(({ id }) => id), [3, 4, 5]);
  await open().update("t", (items) => [{ id: 0, isOpen: true }, ...items].slice(0, 3));
  await open().update("t", (items) => [...items, { id: 9, isOpen: false }]);
  assertEquals(open().read().map(({ id }) => id), [0, 3, 4]);
  Deno.writeTextFileSync(`${folder}/list.json`, '{"version":1,"items":[7]}');
  await refusal("CORRUPT_STATE", () => open().update("t", (items) => items));
  Deno.removeSync(folder, { recursive: true });
});
