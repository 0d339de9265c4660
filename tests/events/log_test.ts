import { assertEquals, assertThrows } from "@std/assert";
import { AgentEventBus, type ClarificationEvent } from "../../lib/events/bus.ts";
import { runsToday } from "../../lib/events/runs_today.ts";
import { AgentxError } from "../../lib/base/errors.ts";
import { EventLog } from "../../lib/events/log.ts";
import { sys } from "../../lib/sys/mod.ts";
import { replace } from "../lock/faults.ts";

const NOON = Date.UTC(2026, 1, 26, 12, 0, 0, 5);

async function withFolder(use: (folder: string) => void): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    use(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Moved by the tests. */
let nowMs = NOON;
replace("now", () => () => nowMs);

function logIn(folder: string, beginMs = NOON) {
  nowMs = beginMs;
  const warnings: string[] = [];
  const warn = (message: string) => void warnings.push(message);
  return { log: new EventLog(`${folder}/log`, { warn }), warnings };
}

function linesOf(folder: string, day: string): unknown[] {
  const text = Deno.readTextFileSync(`${folder}/log/${day}.jsonl`);
  return text.trimEnd().split("\n").map((line) => JSON.parse(line));
}

Deno.test("EventLog.write() appends a line with time, operation and fields", () =>
  withFolder((folder) => {
    const { log } = logIn(folder);
    log.write("lock-waited", { filePath: "a.json", agent: "engineer", durationMs: 120 });
    log.write("monitor", { staleCount: 1, stuckCount: 0 });
    const time = "2026-02-26T12:00:00.005Z";
    assertEquals(linesOf(folder, "2026-02-26"), [
      { time, operation: "lock-waited", agent: "engineer", filePath: "a.json", durationMs: 120 },
      { time, operation: "monitor", staleCount: 1, stuckCount: 0 },
    ]);
  }));

Deno.test("EventLog.write() takes payloads of events and leaves out what agents wrote", () =>
  withFolder((folder) => {
    const { log } = logIn(folder);
    const bus = new AgentEventBus();
    bus.on("clarification-requested", (payload) => log.write("clarification-requested", payload));
    bus.on("agent-error", (payload) => log.write("agent-error", payload));
    const clarification: ClarificationEvent = {
      clarificationId: "CLR-42-001",
      issueNumber: 42,
      fromAgent: "engineer",
      toAgent: "architect",
      agent: "engineer",
      topic: "the password is hunter2",
      blocking: true,
      round: 2,
      status: "pending",
      timestamp: NOON,
    };
    bus.emit("clarification-requested", clarification);
    bus.emit("agent-error", { agent: "architect", error: "hunter2", timestamp: NOON });
    const { topic: _, timestamp: __, ...logged } = clarification;
    const time = "2026-02-26T12:00:00.005Z";
    assertEquals(linesOf(folder, "2026-02-26"), [
      { time, operation: "clarification-requested", ...logged },
      { time, operation: "agent-error", agent: "architect" },
    ]);
  }));

Deno.test("EventLog.write() keeps a value with line breaks on one line", () =>
  withFolder((folder) => {
    logIn(folder).log.write("x", { agent: "a\n{}\u2028" });
    assertEquals(linesOf(folder, "2026-02-26").length, 1);
  }));

Deno.test("EventLog.write() begins a new file at midnight UTC", () =>
  withFolder((folder) => {
    const { log } = logIn(folder, Date.UTC(2026, 1, 26, 23, 59, 59, 999));
    log.write("before", {});
    nowMs++;
    log.write("after", {});
    assertEquals(linesOf(folder, "2026-02-26").length, 1);
    assertEquals(linesOf(folder, "2026-02-27").length, 1);
  }));

Deno.test("EventLog makes its folder with the first line, not before", () =>
  withFolder((folder) => {
    const { log } = logIn(folder);
    assertEquals(sys.lstat(`${folder}/log`), undefined);
    log.write("x", {});
    assertEquals(sys.lstat(`${folder}/log`)?.kind, "directory");
  }));

Deno.test("EventLog.write() warns once where the log cannot be written, and goes on", () =>
  withFolder((folder) => {
    Deno.writeTextFileSync(`${folder}/log`, "a file in the way");
    const { log, warnings } = logIn(folder);
    log.write("x", {});
    log.write("y", {});
    assertEquals([warnings.length, warnings[0].split("\n").length], [1, 1]);
  }));

Deno.test("EventLog.write() makes the folder again after somebody removed it", () =>
  withFolder((folder) => {
    const { log } = logIn(folder);
    log.write("a", {});
    Deno.removeSync(`${folder}/log`, { recursive: true });
    log.write("b", {});
    log.write("c", {});
    assertEquals(linesOf(folder, "2026-02-26").length, 2);
  }));

Deno.test("EventLog.write() begins a line behind one that a full disk cut off", () =>
  withFolder((folder) => {
    const { log, warnings } = logIn(folder);
    log.write("a", {});
    {
      using _ = replace("appendTextFile", (real) => (path, text, mode) => {
        real(path, text.slice(0, 20), mode);
        throw new AgentxError("IO_ERROR", "Cannot write: the disk is full", {
          details: { operation: "write", path, errno: "ENOSPC" },
        });
      });
      log.write("lost", {});
    }
    for (const _ of ["two", "processes"]) logIn(folder).log.write("agent-started", {});
    const lines = Deno.readTextFileSync(`${folder}/log/2026-02-26.jsonl`).trimEnd().split("\n");
    assertEquals([lines.length, lines[1].length, warnings.length], [4, 20, 1]);
    assertEquals(runsToday(`${folder}/log`), 2);
  }));

Deno.test("EventLog.write() lets a bug look like a bug", () =>
  withFolder((folder) => {
    const { log, warnings } = logIn(folder, NaN);
    assertThrows(() => log.write("x", {}), RangeError);
    assertEquals(warnings, []);
  }));
