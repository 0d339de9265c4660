/**
 * A loop that dies at any of its writes, one after the other, and is gone on with: each call of a tool of
 * the workspace was made once, and none of a foreign one twice.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import type { LoopTool } from "../../lib/run/tool.ts";
import { dieAfter, LoopPlace, QUESTION, TASK } from "./loop_place.ts";
import type { ScriptedTurn } from "./scripted_turns.ts";
import { IS_FULL } from "../often.ts";

const AGAIN = { ...QUESTION, question: "And pooling?", clarification_id: "CLR-42-001" };

const SCRIPT: ScriptedTurn[] = [
  { calls: [["issue_comment", { text: "Begun." }], ["deploy", {}]] },
  { calls: [["request_clarification", QUESTION]] },
  { calls: [["request_clarification", AGAIN]] },
  {
    text: "Pooling by configuration it is.",
    calls: [
      ["issue_create", { title: "Pool sizes", labels: "type:story" }],
      ["memory_note", { text: "Pools come from the configuration.", category: "decision" }],
      ["ping", {}],
      ["issue_update", { status: "In Review" }],
    ],
  },
  { text: "Done: the endpoint reports the state of the pool." },
];

/** What happened, whoever was killed when. */
class World {
  deployed = 0;
  pinged = 0;
  readonly place = new LoopPlace();

  readonly tools: LoopTool[] = [
    this.#tool("deploy", false, () => void this.deployed++),
    this.#tool("ping", true, () => void this.pinged++),
  ];

  #tool(name: string, isIdempotent: boolean, act: () => void): LoopTool {
    return {
      name,
      description: name,
      input: { type: "object", properties: {}, required: [] },
      isIdempotent,
      run() {
        act();
        return Promise.resolve("done");
      },
    };
  }

  /** A process: it starts the session, or goes on with it. */
  async process(): Promise<"complete" | "killed"> {
    const agents = { architect: () => Promise.resolve("As ADR-1 says.") };
    const loop = await this.place.loop({ script: SCRIPT, agents, tools: this.tools });
    const [id] = this.place.sessions();
    const isOver = id !== undefined && this.place.transcript(id).end?.exit === "complete";
    if (isOver) return "complete";
    const { exit } = await (id === undefined ? loop.start(TASK) : loop.resume(id));
    assert(exit === "complete", exit);
    return "complete";
  }

  async check(what: string): Promise<void> {
    const { issues, ledger, memory } = await this.place.open();
    const { comments, status } = issues.get(42);
    assertEquals([what, comments.map(({ body }) => body), status], [what, ["Begun."], "In Review"]);
    const created = issues.scan().issues.filter(({ title }) => title === "Pool sizes");
    assertEquals([what, created.length], [what, 1]);
    const records = ledger.getByIssue(42);
    const types = records.map(({ thread }) => thread.map(({ type }) => type).join(" "));
    assertEquals([what, types], [what, ["question answer question answer resolution"]]);
    const notes = (await (await memory()).store.getByIssue(42))
      .filter(({ content }) => content === "Pools come from the configuration.");
    assertEquals([what, notes.length], [what, 1]);
    assert(this.deployed <= 1, `${what}: deployed ${this.deployed} times`);
    const [id, ...others] = this.place.sessions();
    assertEquals([what, others], [what, []]);
    const calls = this.place.transcript(id).turns.flatMap((turn) =>
      turn.role === "assistant" ? turn.calls : []
    );
    assertEquals([what, calls.map(({ state }) => state)], [what, calls.map(() => "done")]);
    const deploy = calls.find(({ tool }) => tool === "deploy")!;
    if (deploy.isError) assert(deploy.result!.includes("unknown"), deploy.result!);
    else assertEquals([what, this.deployed, deploy.result], [what, 1, "done"]);
  }

  [Symbol.dispose](): void {
    this.place[Symbol.dispose]();
  }
}

Deno.test("AgenticLoop, killed at every write and resumed, makes each call of the workspace once", async () => {
  let isOver = false;
  let kills = 0;
  for (let writes = 0; !isOver; writes += IS_FULL ? 1 : 6) {
    using world = new World();
    {
      using death = dieAfter(writes);
      await world.process().catch((error) => assert(death.isDead, error));
      isOver = !death.isDead;
      if (death.isDead) kills++;
    }
    await world.process();
    await world.check(`killed after ${writes} writes`);
  }
  assert(kills > (IS_FULL ? 30 : 15), `${kills} kills`);
});
