/**
 * Somebody wants a text forgotten, and the process dies at any of its writes: whatever command comes
 * next, either nothing was begun, or the text is in no file of the workspace and in no answer.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { replace } from "../../lock/faults.ts";
import { IS_FULL } from "../../often.ts";
import { TempWorkspace } from "../../temp_workspace.ts";
import { dieAfter } from "../die_after.ts";
import { sample, SAMPLE_TIME_MS, samples } from "../temp_store.ts";

const WORD = "quetzalcoatl";
const DAY_MS = 86_400_000;
const START = ["hook", "start", "engineer", "29"];
const NEXT = [["memory", "search", WORD], START, ["memory", "export"], ["memory", "stats"]];

const text = `The pool is named ${WORD} by everybody`;
const old = { timestamp: new Date(SAMPLE_TIME_MS - 200 * DAY_MS).toISOString() };

/** A text that is fresh, among many, or archived. */
const PLACES = {
  "fresh": [sample(text), ...samples(5)],
  "among many": [sample(text, old), ...samples(60)],
  "in the archive": [sample(text, old), ...samples(4, old), ...samples(2)],
};

const pathsWith = (temp: TempWorkspace) =>
  Object.entries(temp.snapshot()).filter(([, text]) => text.includes(WORD)).map((
    [path],
  ) => path);

for (const [place, observations] of Object.entries(PLACES)) {
  Deno.test(`memory forget, killed at any write, is ended by the next command: ${place}`, async () => {
    using _ = replace("now", () => () => SAMPLE_TIME_MS);
    using full = new TempWorkspace();
    const stdin = observations.map((each) => JSON.stringify(each)).join("\n");
    await full.run(["memory", "import", "-"], { stdin });
    if (place.includes("archive")) await full.run(["memory", "compact"]);
    assert(pathsWith(full).length >= 3, pathsWith(full).join());
    let ended = 0;
    for (let writes = 0, isThrough = false; !isThrough; writes++) {
      for (const argv of IS_FULL ? NEXT : [NEXT[writes % NEXT.length]]) {
        using temp = new TempWorkspace();
        for (const [path, content] of Object.entries(full.snapshot())) {
          if (content !== "/" && path !== "") temp.write(path, content);
        }
        {
          using killer = dieAfter(writes);
          await temp.run(["memory", "forget", observations[0].id, "--yes"]).catch(() => {});
          isThrough = !killer.isDead;
        }
        const { out } = await temp.run(argv);
        const { observations: left } = await temp.json(["memory", "export"]);
        const { observations: found } = await temp.json(["memory", "search", WORD]);
        if (JSON.stringify([left, found]).includes(WORD)) continue; // it had not begun
        ended++;
        assert(argv[1] === "search" || !out.includes(WORD), `${argv.join(" ")} after ${writes}`);
        assertEquals(pathsWith(temp), [], `${argv.join(" ")} after write ${writes}`);
        assertEquals(left.length > 1, true);
      }
    }
    assert(ended > NEXT.length, `only ${ended} were ended`);
  });
}
