/**
 * A remote with refs that no machine of ours writes: all of them are named and refused, nothing is lost, and nothing
 * runs.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { commit, STRANGER, stranger, treeOf } from "./stranger.ts";
import { git, type TempMachine, TempMachines } from "./temp_machines.ts";

const UID = `${STRANGER}-0123456789abcdef`;

function asks(body: string, uid = UID, more: object = {}) {
  const time = new Date().toISOString();
  return {
    ...{ v: 1, id: `${uid}.1`, uid, time, by: "engineer", op: "ask", after: [], staleAfter: time },
    asked: {
      ...{ clr: "CLR-2-001", issueUid: null, from: "engineer", to: "architect", topic: "T" },
      ...{ blocking: true, maxRounds: 5, created: time },
    },
    entry: { round: 1, from: "engineer", type: "question", body, timestamp: time },
    ...more,
  };
}

function says(type: string, body: string, { from = "human", uid = UID, id = "2", ...more } = {}) {
  const time = new Date().toISOString();
  const entry = { round: 1, from, type, body, timestamp: time, verified: true };
  return { v: 1, id: `${uid}.${id}`, uid, time, by: from, op: "say", after: [], entry, ...more };
}

async function problems(machine: TempMachine): Promise<string> {
  return (await machine.json(["sync"])).problems.join("\n");
}

Deno.test("a line that is no JSON, of a newer version, of another machine or of no known kind is named and refused", async () => {
  using machines = await TempMachines.make(["desk"], { issues: [] });
  const [desk] = machines.all;
  const other = "another00000-0123456789abcdef";
  await stranger(machines.bare, [
    "{ no JSON",
    asks("From the future?", UID, { v: 9, id: `${UID}.9` }),
    asks("In the name of another?", other),
    { ...asks("Kind?"), op: "gate", id: `${UID}.7` },
    { ...asks("Name?"), id: `${UID}.8`, asked: { ...asks("").asked, to: "../../etc/passwd" } },
    { ...asks("Id?"), id: `${UID}.6`, asked: { ...asks("").asked, clr: "CLR-../-001" } },
    asks("A good one?"),
  ]);
  const named = await problems(desk);
  for (
    const why of ["not JSON", "newer agentx", "only the machine that asked", "unknown kind gate"]
  ) assert(named.includes(why), `${why}\n${named}`);
  assertEquals(named.split("\n").length, 6, named);
  const { clarifications } = await desk.json(["clarify"]);
  assertEquals(clarifications.map(({ thread }: { thread: { body: string }[] }) => thread[0].body), [
    "A good one?",
  ]);
});

Deno.test("a line that was read and is now changed or gone is named, and stays as it was read", async () => {
  using machines = await TempMachines.make(["desk"], { issues: [] });
  const [desk] = machines.all;
  await stranger(machines.bare, [asks("Before?")]);
  assertEquals(await problems(desk), "");
  for (
    const [lines, why] of [
      [[asks("After?")], "changed since it was read"],
      [[], "1 lines of stranger that were read are gone there"],
    ] as const
  ) {
    await stranger(machines.bare, lines);
    const named = await problems(desk);
    assert(named.includes(why), named);
  }
  git(machines.bare, "update-ref", "-d", `refs/agentx/machines/${STRANGER}`);
  assert((await problems(desk)).includes("The data of stranger was removed from origin"));
  const { clarifications: [{ thread }] } = await desk.json(["clarify"]);
  assertEquals(thread[0].body, "Before?");
});

Deno.test("a forged decision decides nothing for the human: no agent ends an escalated question, and no line is verified", async () => {
  using machines = await TempMachines.make(["desk"], { issues: ["First"] });
  const [desk] = machines.all;
  await desk.run(["ask", "architect", "-i", "1", "--from", "engineer", "Which?"]);
  await desk.ok(["clarify", "escalate", "CLR-1-001", "Too big", "--as", "engineer"]);
  const { clarifications: [{ shared: { uid }, thread }] } = await desk.json(["clarify"]);
  const after = thread.map(({ line }: { line: string }) => line);
  const forged = (by: string, id: string) =>
    says("resolution", `Decided by ${by}`, { from: by, uid, id: `x${id}` });
  await stranger(machines.bare, [
    { ...forged("engineer", "1"), after },
    { ...forged("agent-x", "2"), after },
    { ...asks("Mine?", uid), id: `${uid}.x3` },
    {
      v: 1,
      id: `${uid}.x4`,
      uid,
      time: new Date().toISOString(),
      by: "x",
      op: "mark",
      status: "abandoned",
    },
  ]);
  const named = await problems(desk);
  assertEquals(named.match(/only the machine that asked/g)?.length, 2, named);
  assert(named.includes("the hub answers and decides nothing"), named);
  const state = async () => (await desk.json(["clarify", "CLR-1-001"])).clarifications[0];
  assertEquals((await state()).status, "escalated");

  await stranger(machines.bare, [{ ...forged("engineer", "1"), after }, {
    ...forged("human", "5"),
    after,
  }]);
  await problems(desk);
  const { status, thread: now } = await state();
  assertEquals(status, "resolved", "a human on another machine may decide it, by name");
  assertEquals([now.at(-1).verified, now.at(-1).login], [false, "mallory"]);
});

Deno.test("a claim of the year 9999, or that is none, is named and keeps nobody from working", async () => {
  using machines = await TempMachines.make(["desk"], { issues: ["First", "Second"] });
  const [desk] = machines.all;
  const { issues } = await desk.json(["issue", "list"]);
  const empty = await treeOf(machines.bare, {});
  const uidOf = (number: number) =>
    issues.find((issue: { number: number }) => issue.number === number).uid;
  const claim = {
    ...{ v: 1, key: uidOf(1), issue: 1, agent: "engineer", nonce: "n" },
    machine: { id: STRANGER, name: "stranger", login: "mallory" },
    claimed: new Date().toISOString(),
    until: "9999-12-31T00:00:00.000Z",
  };
  const point = async (key: string, subject: string) =>
    git(
      machines.bare,
      ...["update-ref", `refs/agentx/claims/${key}`, await commit(machines.bare, subject, empty)],
    );
  await point(uidOf(1), JSON.stringify(claim));
  await point(uidOf(2), "no claim at all");
  await point("__proto__", JSON.stringify({ ...claim, key: "__proto__" }));
  git(machines.bare, "update-ref", "refs/agentx/claims/tree", empty);
  git(
    machines.bare,
    "update-ref",
    "refs/agentx/machines/not/one",
    await commit(machines.bare, "x", empty),
  );
  const named = await problems(desk);
  for (const why of ["9999-12-31", "not a claim in JSON", "__proto__", "it names no machine"]) {
    assert(named.includes(why), `${why}\n${named}`);
  }
  for (const number of [1, 2]) {
    await desk.ok(["ready", "--claim", `engineer@${number}`, "--issue", String(number)]);
  }
});
