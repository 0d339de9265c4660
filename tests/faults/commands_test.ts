/**
 * Commands on a disk that is full or broken at one of their writes, and killed there: whatever was
 * acknowledged is there, nothing is half there, no message says what is not so, and the command can be
 * called again.
 *
 * @module
 */

import { main } from "../../cli.ts";
import { FakeIo } from "../cli/fake_io.ts";
import { IS_FULL } from "../often.ts";
import type { Ran, TempWorkspace } from "../temp_workspace.ts";
import { type Scenario, SCENARIOS } from "./commands.ts";
import { Fault, type FaultKind, FAULTS } from "./fault.ts";
import { type Expected, judge, KILLED, prepared, undisturbed } from "./judge.ts";

/** Of the writes of a day, every third, from another one for each kind of fault. */
const STRIDE = 3;

/** Runs a command whose output can fail, too. */
async function runWith(
  { words, stdin }: Scenario,
  temp: TempWorkspace,
  fault: Fault,
): Promise<Ran> {
  const io = new FakeIo({ stdin });
  const print = io.stdout.bind(io);
  io.stdout = (text) => {
    fault.print();
    return print(text);
  };
  const code = await main(["--root", temp.root, ...words], io);
  return { code: fault.isDead ? KILLED : code, out: io.out, err: io.err };
}

/** Gives false where the command has fewer writes. */
async function tryWith(
  scenario: Scenario,
  expected: Expected,
  { at, kind }: { at: number; kind: FaultKind },
): Promise<boolean> {
  using temp = await prepared(scenario);
  let ran: Ran;
  let where: string;
  {
    using fault = new Fault(at, kind);
    ran = await runWith(scenario, temp, fault);
    if (fault.calls <= at) return false;
    if (fault.failed === undefined) return true;
    where = `${kind} at ${fault.failed.replace(temp.root, "")}: ${JSON.stringify(ran)}`;
  }
  await judge(scenario, temp, { ran, where, expected, isRepeated: kind !== "EIO" });
  return true;
}

for (const [name, scenario] of Object.entries(SCENARIOS)) {
  Deno.test(`agentx ${name} keeps what it acknowledges, whatever fails`, async () => {
    const expected = await undisturbed(scenario);
    for (const [row, kind] of FAULTS.entries()) {
      for (let at = IS_FULL ? 0 : row % STRIDE; await tryWith(scenario, expected, { at, kind });) {
        at += IS_FULL ? 1 : STRIDE;
      }
    }
  });
}
