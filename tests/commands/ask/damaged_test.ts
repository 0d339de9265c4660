/**
 * The files of the gate with one value in the wrong place: an error that names the file, and never one that
 * says that agentx is broken.
 *
 * @module
 */

import { assert } from "@std/assert";
import { EXIT_CODES } from "../../../lib/base/errors.ts";
import { askWords } from "../../gate/samples.ts";
import { TempWorkspace } from "../../temp_workspace.ts";

/** What the program exits with where it is broken. */
const BUG = 70;

const INTERACTIONS = ".agentx/state/agent-interactions.json";
const ASSUMPTIONS = ".agentx/state/assumptions.json";

const COMMANDS = [
  ["assumptions"],
  ["answer", "ASK-001", "b"],
  [...askWords({ session: "s2" }), "--no-wait"],
];

// deno-lint-ignore no-explicit-any -- any of it is replaced
type Json = any;

/** The same with one of its values replaced, for each of its values. */
function* damaged(whole: Json, part: Json = whole): Generator<string> {
  for (const [key, value] of Object.entries(part)) {
    for (const wrong of [null, 5, {}]) {
      part[key] = wrong;
      yield JSON.stringify(whole);
    }
    part[key] = value;
    if (typeof value === "object" && value !== null) yield* damaged(whole, value);
  }
}

for (const isAnswered of [false, true]) {
  for (const path of isAnswered ? [INTERACTIONS, ASSUMPTIONS] : [INTERACTIONS]) {
    Deno.test(`${path} with a wrong value is named, or read${isAnswered ? ", once answered" : ""}`, async () => {
      using temp = new TempWorkspace();
      await temp.run([...askWords(), "--no-wait"]);
      if (isAnswered) await temp.run(["answer", "ASK-001", "a", "--always"]);
      const texts = new Map(
        [INTERACTIONS, ASSUMPTIONS].flatMap((path) =>
          isAnswered || path === INTERACTIONS ? [[path, temp.read(path)]] : []
        ),
      );
      for (const text of damaged(JSON.parse(texts.get(path)!))) {
        for (const words of COMMANDS) {
          for (const [path, whole] of texts) temp.write(path, whole);
          temp.write(path, text);
          const { code, err } = await temp.run([...words]);
          assert(code !== BUG, `${words[0]}: ${err}\n${text}`);
          if (code === EXIT_CODES.CORRUPT_STATE) assert(err.includes(path), err);
        }
      }
    });
  }
}
