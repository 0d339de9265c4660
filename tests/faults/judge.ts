/**
 * What a command that met a fault may leave behind, and say.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { inMemory, type Ran, TempWorkspace } from "../temp_workspace.ts";
import type { Scenario } from "./commands.ts";

/** The exit code of a process that was killed. */
export const KILLED = 137;

const LONG_AGO_MS = 60_000;

/** What an undisturbed run does. */
export interface Expected {
  before: string;
  after: string;
  code: number;
}

/** What is judged. */
export interface Judged {
  ran: Ran;
  /** Names the fault. */
  where: string;
  expected: Expected;
  /** Whether it is called again, too. */
  isRepeated: boolean;
}

export async function prepared(scenario: Scenario): Promise<TempWorkspace> {
  const temp = new TempWorkspace({
    agents: { architect: "cat >/dev/null; echo PostgreSQL." },
    parent: inMemory(),
  });
  await scenario.prepare(temp);
  return temp;
}

export async function undisturbed(scenario: Scenario): Promise<Expected> {
  using temp = await prepared(scenario);
  const before = await foundIn(scenario, temp);
  const { code, err } = await temp.run(scenario.words, { stdin: scenario.stdin });
  assertEquals(code, scenario.code ?? 0, err);
  const after = await foundIn(scenario, temp);
  assert(before !== after, `${scenario.words} left ${after}`);
  return { before, after, code };
}

/** @throws {Error} what is lost, half there, or not as it is said */
export async function judge(
  scenario: Scenario,
  temp: TempWorkspace,
  { ran, where, expected: { before, after, code }, isRepeated }: Judged,
): Promise<void> {
  age(temp);
  const found = await foundIn(scenario, temp);
  const isHalfway = scenario.halfway?.some((form) => form.test(found)) ?? false;
  assert(found === before || found === after || isHalfway, `${where} left ${found}`);
  if (ran.code === code) assertEquals(found, after, where);
  else if (ran.code !== KILLED) {
    const says = /Already written: |The command has run|The session was not captured/.test(ran.err);
    assert(says || /^error: Cannot /m.test(ran.err), where);
    if (found !== before) assert(says, `${where} changed ${found}`);
    if (found === before) assert(!says, `${where} changed nothing`);
  }
  if (!isRepeated) return;
  const again = await temp.run(scenario.words, { stdin: scenario.stdin });
  assert(scenario.again.includes(again.code), `${where}, then ${JSON.stringify(again)}`);
  const last = await foundIn(scenario, temp);
  assert(scenario.atLast?.test(last) ?? last === after, `${where}, at last ${last}`);
  if (found === after) return;
  // Lines that are there already are not written again: their book is, by the next change.
  const left = pathsIn(temp, ".tmp").filter((path) => !path.includes("/state/lines/"));
  assertEquals(left, [], where);
}

/** As the next commands read it, which also mend what is left to them. */
async function foundIn(scenario: Scenario, temp: TempWorkspace): Promise<string> {
  return JSON.stringify(await scenario.found(temp));
}

function pathsIn(temp: TempWorkspace, ending: string): string[] {
  return Object.keys(temp.snapshot()).filter((path) => path.endsWith(ending));
}

/** Lets time pass: nobody may take over a lock file that is not finished in its first seconds. */
function age(temp: TempWorkspace): void {
  const then = new Date(Date.now() - LONG_AGO_MS);
  for (const path of pathsIn(temp, ".lock")) Deno.utimeSync(temp.root + path, then, then);
}
