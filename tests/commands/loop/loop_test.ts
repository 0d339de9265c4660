import { FileLockManager } from "../../../lib/lock/mod.ts";
import type { Made, Origin } from "../../../lib/base/origin.ts";
import { LoopGate } from "../../../lib/work/iterations/loop_gate.ts";
import { assert, assertEquals } from "@std/assert";
import { openWorkspaceParts } from "../../../lib/workspace/open.ts";
import { ended, TempWorkspace } from "../../temp_workspace.ts";

const PATH = ".agentx/state/loop-state.json";

/** Runs `loop` with each of these, and gives the exit codes. */
async function loops(workspace: TempWorkspace, ...lines: string[]): Promise<number[]> {
  const codes: number[] = [];
  for (const line of lines) {
    codes.push((await workspace.run(["loop", ...line.split(" ")])).code);
  }
  return codes;
}

Deno.test("loop start begins with the first iteration of ten", async () => {
  using workspace = new TempWorkspace();
  const { code, out } = await workspace.run(["loop", "start", "42"]);
  assertEquals([code, out], [0, "  #42 active, iteration 1 of 10\n"]);
  const file = JSON.parse(workspace.read(PATH));
  assertEquals(Object.keys(file), ["42"]);
  assertEquals([file[42].issueNumber, file[42].status, file[42].history], [42, "active", []]);
});

Deno.test("loop start takes the issue as a flag too", async () => {
  using workspace = new TempWorkspace();
  assertEquals((await workspace.json(["loop", "start", "-i", "42"])).loop.issueNumber, 42);
  assertEquals((await workspace.run(["loop", "start", "-Issue", "43"])).code, 0);
  assertEquals((await workspace.run(["loop", "start"])).code, 2);
  assertEquals((await workspace.run(["loop", "start", "42", "--issue", "42"])).code, 2);
});

Deno.test("loop start --extended gives twenty iterations", async () => {
  using workspace = new TempWorkspace();
  const { loop } = await workspace.json(["loop", "start", "42", "--extended"]);
  assertEquals(loop.maxIterations, 20);
});

Deno.test("loop start gives twenty iterations to an issue labelled needs:iteration", async () => {
  using workspace = new TempWorkspace();
  await workspace.run(["issue", "create", "-t", "x", "-l", "type:story,needs:iteration"]);
  assertEquals((await workspace.json(["loop", "start", "1"])).loop.maxIterations, 20);
});

Deno.test("loop start takes the limit of the workflow's step", async () => {
  using workspace = new TempWorkspace();
  const step = '[[steps]]\nid = "a"\nagent = "engineer"\niterate = true\nmax_iterations = 3\n';
  workspace.write(".agentx/workflows/feature.toml", step);
  assertEquals((await workspace.json(["loop", "start", "42"])).loop.maxIterations, 3);
});

Deno.test("loop iterate counts, and keeps what was done", async () => {
  using workspace = new TempWorkspace();
  await workspace.run(["loop", "start", "42"]);
  await workspace.run(["loop", "iterate", "42", "-m", "Two tests fail\x1b[2J"]);
  const { out } = await workspace.run(["loop", "status", "42"]);
  assertEquals(out, "  #42 active, iteration 2 of 10\n    1: Two tests fail\\u{1b}[2J\n");
});

Deno.test("loop iterate refuses the iteration after the last one", async () => {
  using workspace = new TempWorkspace();
  await workspace.run(["loop", "start", "42"]);
  const more = Array(9).fill("iterate 42");
  assertEquals(await loops(workspace, ...more, "iterate 42"), [...more.map(() => 0), 6]);
  const { loops: [loop] } = await workspace.json(["loop", "status", "42"]);
  assertEquals([loop.status, loop.iteration], ["active", 10]);
});

Deno.test("loop iterate --extended goes on after the last one", async () => {
  using workspace = new TempWorkspace();
  await workspace.run(["loop", "start", "42"]);
  await loops(workspace, ...Array(9).fill("iterate 42"));
  const { loop } = await workspace.json(["loop", "iterate", "42", "--extended"]);
  assertEquals([loop.iteration, loop.maxIterations], [11, 20]);
});

Deno.test("loop refuses what its state does not allow, and changes nothing", async () => {
  for (
    const [before, action] of [
      ["start 42", "start 42"],
      ["complete 42", "complete 42"],
      ["complete 42", "cancel 42"],
      ["complete 42", "iterate 42"],
      ["cancel 42", "complete 42"],
      ["cancel 42", "cancel 42"],
      ["cancel 42", "iterate 42"],
    ]
  ) {
    using workspace = new TempWorkspace();
    await loops(workspace, "start 42", before);
    const text = workspace.read(PATH);
    const { code, err } = await workspace.run(["loop", ...action.split(" "), "--json"]);
    assertEquals([code, JSON.parse(err).error.code], [6, "GATE_REFUSED"], `${before}, ${action}`);
    assertEquals(workspace.read(PATH), text);
  }
});

Deno.test("loop start begins afresh after a loop that is over", async () => {
  using workspace = new TempWorkspace();
  const codes = await loops(workspace, "start 42", "iterate 42", "cancel 42", "start 42");
  assertEquals(codes, [0, 0, 0, 0]);
  const { loops: [loop] } = await workspace.json(["loop", "status", "42"]);
  assertEquals([loop.status, loop.iteration], ["active", 1]);
});

Deno.test("loop says that none was started", async () => {
  using workspace = new TempWorkspace();
  const actions = ["iterate 7", "complete 7", "cancel 7"];
  assertEquals(await loops(workspace, ...actions), [4, 4, 4]);
  assertEquals((await workspace.json(["loop", "status", "7"])).loops, []);
  assertEquals((await workspace.json(["loop", "status"])).loops, []);
});

Deno.test("loop status shows the loops of all issues by number", async () => {
  using workspace = new TempWorkspace();
  await loops(workspace, "start 42", "start 7", "complete 42");
  const { out } = await workspace.run(["loop", "status"]);
  assertEquals(out, "  #7 active, iteration 1 of 10\n  #42 complete, iteration 1 of 10\n");
});

Deno.test("loop keeps keys that it does not know", async () => {
  using workspace = new TempWorkspace();
  await workspace.run(["loop", "start", "42"]);
  const file = JSON.parse(workspace.read(PATH));
  file[42].session = "abc";
  workspace.write(PATH, JSON.stringify(file));
  await loops(workspace, "iterate 42", "complete 42", "start 42");
  assertEquals(JSON.parse(workspace.read(PATH))[42].session, "abc");
});

for (
  const text of [
    "",
    "[]",
    '{ "active": true }',
    '{ "42": {} }',
    '{ "42": { "issueNumber": 42, "status": "on", "iteration": 1, "maxIterations": 1 } }',
    '{ "42": { "issueNumber": 42, "status": "active", "iteration": 0, "maxIterations": 1 } }',
    '{ "42": { "issueNumber": 42, "status": "active", "iteration": 1, "maxIterations": 1 } }',
    '{ "42": { "issueNumber": 42, "status": "active", "iteration": 1, "maxIterations": 1, ' +
    '"history": [null] } }',
  ]
) {
  Deno.test(`loop refuses ${JSON.stringify(text)} as its file and leaves it`, async () => {
    using workspace = new TempWorkspace();
    workspace.write(PATH, text);
    assertEquals(await loops(workspace, "status", "start 42", "complete 42"), [8, 8, 8]);
    assertEquals(workspace.read(PATH), text);
  });
}

Deno.test("LoopGate.checkLoopGate() is shut until the loop of the issue is complete", async () => {
  using workspace = new TempWorkspace();
  const { loop } = await openWorkspaceParts({ root: workspace.root });
  assertEquals(loop.checkLoopGate(42), undefined);
  await loop.start(42);
  const refusal = loop.checkLoopGate(42);
  assertEquals([refusal?.code, refusal?.details.gate], ["GATE_REFUSED", "loop"]);
  assert(refusal?.message.includes("iteration 1 of 10"));
  assertEquals(loop.checkLoopGate(43), undefined);
  await loop.complete(42);
  assertEquals(loop.checkLoopGate(42), undefined);
});

Deno.test("LoopGate.checkLoopGate() is shut after a loop that was cancelled", async () => {
  using workspace = new TempWorkspace();
  const { loop } = await openWorkspaceParts({ root: workspace.root });
  await loop.start(42);
  await loop.cancel(42);
  assertEquals(loop.checkLoopGate(42)?.details.reasons, ["its iterative loop was cancelled"]);
});

Deno.test("LoopGate.checkLoopGate() asks for a loop where the configuration does", async () => {
  using workspace = new TempWorkspace({ config: { loop: { required: true } } });
  const { loop } = await openWorkspaceParts({ root: workspace.root });
  assertEquals(loop.checkLoopGate(42)?.details.reasons, ["no iterative loop was started"]);
  await loop.start(42);
  await loop.complete(42);
  assertEquals(loop.checkLoopGate(42), undefined);
});

Deno.test("loop complete by several processes at once succeeds for one", async () => {
  using workspace = new TempWorkspace();
  await workspace.run(["loop", "start", "42"]);
  const runs = await Promise.all(
    Array.from({ length: 4 }, () => ended(workspace.spawn(["loop", "complete", "42"]))),
  );
  assertEquals(runs.map(({ code }) => code).sort(), [0, 6, 6, 6]);
});

Deno.test("LoopGate.renumber() keeps a loop that was started here in a state that came from elsewhere", async () => {
  using temp = new TempWorkspace();
  const own = new Set<string>();
  const keyOf = ({ id, created }: Made) => `${id} ${created}`;
  const origin: Origin = {
    now: () => (_, record) => record === undefined || !own.has(keyOf(record)),
    isTracked: () => false,
    noteOwn: (made) => void own.add(keyOf(made)),
  };
  const uidOf = () => "aaaabbbbcccc";
  const path = `${temp.root}/.agentx/state/loop-state.json`;
  const gate = new LoopGate(path, new FileLockManager(), { origin, uidOf });
  await gate.start(42);
  assertEquals(await gate.renumber(new Map([[uidOf(), 43]]), "doctor"), [42]);
  assertEquals([gate.status(42)?.status, gate.status(43)?.status], [undefined, "active"]);
  own.clear();
  assertEquals(await gate.renumber(new Map([[uidOf(), 44]]), "doctor"), [43]);
  assertEquals([gate.status(44), own.size], [undefined, 0], "what is not ours is not made ours");
});

Deno.test("loop complete of an engineer's step runs what shows that it is done, and needs it", async () => {
  using workspace = new TempWorkspace();
  const step = '[[steps]]\nid = "a"\nagent = "engineer"\nevidence = [["sh", "test.sh"]]\n';
  workspace.write(".agentx/workflows/story.toml", step);
  await workspace.run(["issue", "create", "-t", "x", "-l", "type:story"]);
  await workspace.run(["ready", "--claim", "engineer"]);
  await workspace.run(["loop", "start", "1"]);
  workspace.write("test.sh", "exit 3\n");
  const { code, err } = await workspace.run(["loop", "complete", "1"]);
  assertEquals([code, err.includes("sh test.sh failed with exit code 3")], [6, true], err);
  assertEquals((await workspace.json(["loop", "status", "1"])).loops[0].status, "active");
  workspace.write("test.sh", "exit 0\n");
  assertEquals(await loops(workspace, "complete 1"), [0]);
  const { steps } = await workspace.json(["workflow", "1"]);
  assertEquals(steps.map(({ state }: { state: string }) => state), ["done"]);
});
