import { assert, assertEquals } from "@std/assert";
import { commandInvoker } from "../../lib/agents/invoke.ts";
import { findLeftovers } from "../../lib/agents/leftovers.ts";
import { AgentxError } from "../../lib/base/errors.ts";
import { sys } from "../../lib/sys/mod.ts";

/** Runs a script as the architect; returns what was noted, and ends what it left running. */
async function notesOf(script: string): Promise<string[]> {
  const notes: string[] = [];
  const notify = (message: string) => void notes.push(message);
  const invoke = commandInvoker({ command: ["sh", "-c", script], cwd: "/", notify });
  await invoke({ agent: "architect", prompt: "" });
  for (const note of notes) Deno.kill(Number(/\d+$/.exec(note)), "SIGKILL");
  return notes;
}

Deno.test("commandInvoker() names what has left the process group and goes on", async () => {
  const notes = await notesOf("setsid sleep 60 >/dev/null 2>&1 & sleep 0.3; echo done");
  assertEquals(notes.map((note) => note.replace(/\d+$/, "N")), [
    "architect has left sleep running, as process N",
  ]);
});

Deno.test("commandInvoker() names what is left behind by a run within the run", async () => {
  const inner = "AGENTX_RUN=$AGENTX_RUN/inner setsid sleep 60";
  const notes = await notesOf(`${inner} >/dev/null 2>&1 & sleep 0.3; echo done`);
  assertEquals(notes.length, 1);
});

Deno.test("commandInvoker() names nothing that was killed with the process group", async () => {
  assertEquals(await notesOf("sleep 60 >/dev/null 2>&1 & echo done"), []);
});

Deno.test("findLeftovers() finds nothing where /proc may not be read", async () => {
  const { readDir, readTextFile } = sys;
  const refuse = (path: string): never => {
    throw new AgentxError("IO_ERROR", "Cannot read", {
      details: { operation: "read", path, errno: "EACCES" },
    });
  };
  try {
    sys.readTextFile = refuse;
    assertEquals(await findLeftovers(""), []);
    sys.readDir = refuse;
    assertEquals(await findLeftovers(""), []);
  } finally {
    Object.assign(sys, { readDir, readTextFile });
  }
});

Deno.test("findLeftovers() forgets what has ended", async () => {
  const run = crypto.randomUUID();
  const child = new Deno.Command("sleep", { args: ["60"], env: { AGENTX_RUN: run } }).spawn();
  assert((await findLeftovers(run)).some(({ pid }) => pid === child.pid));
  child.kill();
  await child.status;
  assertEquals(await findLeftovers(run), []);
});
