import { assert, assertEquals } from "@std/assert";
import type { Reach, RunState } from "../../../lib/clarify/reach.ts";
import { Runs } from "../../../lib/clarify/runs/runs.ts";
import { AgentxError } from "../../../lib/base/errors.ts";
import { formatRecord } from "../../../lib/lock/record.ts";
import { sys } from "../../../lib/sys/mod.ts";
import { replace } from "../../lock/faults.ts";
import { refusal } from "../../refusal.ts";
import { Hub, replies, request } from "../hub.ts";
import { sampleRecord } from "../samples.ts";
import { removeFolder } from "../../remove_folder.ts";

const ID = "CLR-42-001";
const NOBODY: RunState = {
  clarificationId: ID,
  state: "nobody",
  by: null,
  pid: null,
  since: null,
  lastSeen: null,
};

/** The last sign of life of the process that {@linkcode RunsFolder.plant} makes up. */
const PLANTED_MS = Date.parse("2026-02-26T10:01:00.000Z");

/** A folder for runs, removed at the end of the block that is `using` it. */
class RunsFolder implements Disposable {
  readonly outside: string = Deno.makeTempDirSync({ prefix: "agentx-test-" });
  readonly path = `${this.outside}/.agentx/state/runs`;
  readonly runs = new Runs(this.path);

  names(): string[] {
    return Array.from(Deno.readDirSync(this.path), ({ name }) => name).sort();
  }

  /** What a process of another host left behind, or has. */
  plant(): void {
    Deno.mkdirSync(this.path, { recursive: true });
    const timestamp = new Date(PLANTED_MS).toISOString();
    const record = { pid: 7, timestamp, agent: "engineer", host: "elsewhere", token: "t" };
    const text = formatRecord({ ...record, witness: "heartbeat", since: null, process: null });
    Deno.writeTextFileSync(`${this.path}/${ID}.json.lock`, text);
    const note = { by: "engineer", pid: 7, since: "2026-02-26T10:00:00.000Z" };
    Deno.writeTextFileSync(`${this.path}/${ID}.json`, JSON.stringify(note));
  }

  /** How the planted run is seen so many seconds after its last sign of life. */
  async statesAfter(seconds: number[]): Promise<string[]> {
    const states: string[] = [];
    for (const each of seconds) states.push((await this.lookAfter(each)).state);
    return states;
  }

  async lookAfter(seconds: number): Promise<RunState> {
    using _ = replace("now", () => () => PLANTED_MS + seconds * 1_000);
    return await this.runs.look(ID);
  }

  [Symbol.dispose](): void {
    removeFolder(this.outside);
  }
}

Deno.test("Runs.hold() shows who is on it, and leaves nothing behind", async () => {
  using folder = new RunsFolder();
  const { runs } = folder;
  assertEquals(await runs.look(ID), NOBODY);
  const held = await runs.hold(ID, "engineer", () => Promise.resolve(runs.look(ID)));
  const { state, by, pid, since } = held!.value;
  assertEquals([state, by, pid], ["running", "engineer", Deno.pid]);
  assert(Math.abs(Date.now() - Date.parse(since!)) < 60_000);
  assertEquals([await runs.look(ID), folder.names()], [NOBODY, []]);
});

Deno.test("Runs.look() sees that somebody is on it where the lock does not say who", async () => {
  using folder = new RunsFolder();
  folder.plant();
  Deno.writeTextFileSync(`${folder.path}/${ID}.json.lock`, "half a rec");
  assertEquals((await folder.runs.look(ID)).state, "running");
});

Deno.test("Runs.hold() lets one in at a time, and does not wait for it", async () => {
  using folder = new RunsFolder();
  const second = () => new Runs(folder.path).hold(ID, "reviewer", () => Promise.resolve(1));
  assertEquals(await folder.runs.hold(ID, "engineer", second), { value: undefined });
  assertEquals(await second(), { value: 1 });
});

Deno.test("Runs.hold() passes the failure of the work on, and frees the question", async () => {
  using folder = new RunsFolder();
  const reason = new AgentxError("LOCK_TIMEOUT", "Busy", {
    details: { path: "x", waitedMs: 1, holder: null },
  });
  await refusal(
    "LOCK_TIMEOUT",
    () => folder.runs.hold(ID, "engineer", () => Promise.reject(reason)),
  );
  assertEquals([await folder.runs.look(ID), folder.names()], [NOBODY, []]);
});

Deno.test("Runs.hold() keeps what was done where its lock was taken away", async () => {
  using folder = new RunsFolder();
  const lose = () => {
    Deno.removeSync(`${folder.path}/${ID}.json.lock`);
    return Promise.resolve("done");
  };
  assertEquals(await folder.runs.hold(ID, "engineer", lose), { value: "done" });
});

Deno.test("Runs.look() gives the last sign of life of what it cannot see, until that is too old", async () => {
  using folder = new RunsFolder();
  folder.plant();
  assertEquals(await folder.statesAfter([5, 20, 31]), ["running", "unseen", "nobody"]);
  const { by, pid, since, lastSeen } = await folder.lookAfter(20);
  assertEquals([by, pid, since, lastSeen], [
    "engineer",
    7,
    "2026-02-26T10:00:00.000Z",
    "2026-02-26T10:01:00.000Z",
  ]);
});

Deno.test("Runs.look() goes by the heartbeat where it may only read", async () => {
  using folder = new RunsFolder();
  folder.plant();
  const { openFile } = sys;
  sys.openFile = (path) => {
    throw new AgentxError("IO_ERROR", "Read-only", {
      details: { operation: "open", path, errno: "EROFS" },
    });
  };
  try {
    assertEquals(await folder.statesAfter([5, 20, 31]), ["running", "unseen", "nobody"]);
  } finally {
    sys.openFile = openFile;
  }
});

for (const text of ["", "{", "[]", '{"by":1,"pid":"x","since":"soon"}']) {
  Deno.test(`Runs.look() makes nothing of a note that says ${JSON.stringify(text)}`, async () => {
    using folder = new RunsFolder();
    folder.plant();
    Deno.writeTextFileSync(`${folder.path}/${ID}.json`, text);
    const { state, by, pid, since } = await folder.lookAfter(5);
    assertEquals([state, by, pid, since], ["running", null, null, null]);
  });
}

Deno.test("Runs.ofAll() looks at open questions only", async () => {
  using folder = new RunsFolder();
  const of = (changes: Parameters<typeof sampleRecord>[0]) => sampleRecord(changes);
  const records = [of({ id: ID, status: "pending" }), of({ id: "CLR-42-002", status: "answered" })];
  assertEquals(await folder.runs.ofAll(records), [{
    ...NOBODY,
    reach: { by: "run" },
    hasReply: false,
  }]);
  const reach: Reach = { by: "session", agent: "architect@2" };
  const runs = new Runs(folder.path, () => Promise.resolve(reach));
  assertEquals(await runs.ofAll(records), [{ ...NOBODY, reach, hasReply: false }]);
});

Deno.test("Runs.isServed() knows the runner of all and that of the target's role", async () => {
  using folder = new RunsFolder();
  const { runs } = folder;
  const seen = (role?: string) =>
    runs.serve(
      role,
      () => Promise.all(["architect@2", "tester"].map((agent) => runs.isServed(agent))),
    );
  assertEquals(await seen("architect"), { value: [true, false] });
  assertEquals(await seen(), { value: [true, true] });
  assertEquals(await runs.isServed("architect"), false);
});

Deno.test("ClarificationRouter shows who is on a question while its target runs", async () => {
  const states: RunState[] = [];
  using hub = new Hub({
    agents: {
      architect: async (_call, hub) => {
        states.push(await new Runs(`${hub.folder}/state/runs`).look(ID));
        return "Both.";
      },
    },
  });
  await hub.router.requestClarification(request());
  assertEquals(states.map(({ state, by }) => [state, by]), [["running", "engineer"]]);
});

Deno.test("ClarificationRouter.autoRetry() runs a retry again that was cut off", async () => {
  using hub = new Hub({ agents: { architect: replies("Both.") } });
  await hub.ledger.add(42, {
    ...sampleRecord({ status: "stale", retriedAt: "2026-02-26T10:00:00.000Z" }),
  });
  const { retried, newStatus } = await hub.router.autoRetry(ID);
  assertEquals([retried, newStatus], [true, "answered"]);
});

Deno.test("ClarificationRouter.autoRetry() refuses while another process is on it", async () => {
  using hub = new Hub({ agents: { architect: replies("Both.") } });
  await hub.ledger.add(42, { ...sampleRecord({ status: "pending" }) });
  const runs = new Runs(`${hub.folder}/state/runs`);
  await runs.hold(ID, "reviewer", async () => {
    const { message } = await refusal("INVALID_TRANSITION", () => hub.router.autoRetry(ID));
    assert(message.includes(`process ${Deno.pid} of reviewer is running it since`), message);
  });
  assertEquals(hub.ledger.getById(ID).retriedAt, undefined);
});

Deno.test("ClarificationRouter.runOpen() runs no agent where another process got the answer", async () => {
  const calls: string[] = [];
  using hub = new Hub({
    agents: { architect: ({ agent }) => Promise.resolve(`Answer ${calls.push(agent)}`) },
  });
  await hub.ledger.add(42, sampleRecord());
  const { getToRun } = hub.ledger;
  const open = hub.ledger.getToRun(ID);
  await hub.router.answerClarification({ clarificationId: ID, answer: "Both." });
  hub.ledger.getToRun = () => {
    hub.ledger.getToRun = getToRun;
    return open; // it looked before the answer came
  };
  const outcome = await hub.router.runOpen(ID, { by: "engineer" });
  assertEquals([calls.length, outcome?.status, outcome?.answer], [0, "answered", "Both."]);
  assertEquals(hub.ledger.getById(ID).thread.length, 2);
});
