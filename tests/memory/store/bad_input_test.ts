/**
 * What a store does with files that it cannot read or may not write: it names them, goes on with the
 * others, and leaves them as they are.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { fault, replaceFiles } from "../../lock/faults.ts";
import { refusal } from "../../refusal.ts";
import { sample, samples, TempStore } from "../temp_store.ts";

const ISSUE = (changes: Record<string, unknown>) =>
  JSON.stringify({
    version: 1,
    issueNumber: 29,
    updatedAt: "",
    observations: [sample("Old")],
    ...changes,
  });

const READABLE: Record<string, string> = {
  "over several lines": JSON.stringify(JSON.parse(ISSUE({})), null, 4),
  "with CRLF": JSON.stringify(JSON.parse(ISSUE({})), null, 2).replaceAll("\n", "\r\n"),
  "with a byte order mark": `\ufeff${ISSUE({})}`,
  "with keys of the original AgentX": ISSUE({
    schema: "agentx/1",
    observations: [{ ...sample("Old"), importance: 3, tags: ["a"] }],
  }),
};

for (const [how, text] of Object.entries(READABLE)) {
  Deno.test(`JsonObservationStore reads an issue file ${how}, and leaves it`, async () => {
    using temp = new TempStore();
    temp.write("issue-29.json", text);
    await temp.store.store([sample("New")]);
    const found = await temp.another().getByIssue(29);
    assertEquals(found.map(({ content }) => content).sort(), ["New", "Old"]);
    const wanted = JSON.parse(text.replace("\ufeff", "")).observations[0];
    assertEquals(found.find(({ content }) => content === "Old"), wanted);
    assertEquals([temp.read("issue-29.json"), temp.notices], [text, []]);
  });
}

const DAMAGED = [
  "",
  "{",
  "[]",
  "null",
  "7",
  '"text"',
  '{"version":1}',
  ISSUE({ issueNumber: 3 }),
  JSON.stringify({ name: "an app" }),
  ISSUE({ version: 2 }),
];

for (const text of DAMAGED) {
  Deno.test(`JsonObservationStore skips an issue file that holds ${text.slice(0, 40)}, names it each time, and leaves it`, async () => {
    using temp = new TempStore();
    temp.write("issue-29.json", text);
    await temp.store.store([sample("Beside"), ...samples(3, { issueNumber: 30 })]);
    for (const store of [temp.another(), temp.another()]) {
      temp.notices.length = 0;
      assertEquals((await store.search("observation")).length, 3);
      assertEquals(temp.notices.filter((notice) => notice.includes("issue-29.json")).length, 1);
    }
    assertEquals((await temp.store.getByIssue(29)).map(({ content }) => content), ["Beside"]);
    assertEquals(temp.read("issue-29.json"), text);
  });
}

Deno.test("JsonObservationStore steps over a bad line, names it with its number, and reads the others", async () => {
  using temp = new TempStore();
  await temp.store.store(samples(2));
  const [[path, text]] = Object.entries(temp.snapshot()).filter(([path]) =>
    path.endsWith(".jsonl")
  );
  const name = path.slice("/memory/".length);
  Deno.removeSync(`${temp.root}/state`, { recursive: true });
  for (const bad of ["{", '{"v":1}', "<<<<<<< HEAD", "null"]) {
    temp.notices.length = 0;
    const [first, second] = text.split("\n");
    temp.write(name, `${first}\n${bad}\n${second}\n{"v":1,"id":"cut`);
    assertEquals((await temp.another().getByIssue(29)).length, 2);
    assertEquals(temp.notices.length, 1, temp.notices.join());
    assert(temp.notices[0].includes(`line 2 of "${temp.folder}/${name}"`), temp.notices[0]);
  }
});

for (const errno of ["ENOSPC", "EROFS"]) {
  Deno.test(`JsonObservationStore.store() leaves nothing behind when ${errno} stops the append`, async () => {
    using temp = new TempStore();
    await temp.store.store([sample("Before")]);
    await temp.store.search("before");
    for (const step of ["writeAt", "sync"] as const) {
      const { id } = sample("More");
      using _ = replaceFiles(/\.(?:txt|jsonl)$/, (file) => ({
        [step]: (text: string, offset: number) => {
          if (step === "writeAt") file.writeAt(text.slice(0, 20), offset);
          throw fault(errno);
        },
      }));
      const error = await refusal("IO_ERROR", () => temp.store.store([sample("More")]));
      assertEquals(error.details.errno, errno);
      assertEquals(await temp.another().getById(id), null);
      assertEquals((await temp.another().listAll()).length, 1);
    }
    assertEquals((await temp.store.store([sample("More")])).length, 1);
    assertEquals((await temp.another().listAll()).length, 2);
  });
}
