/**
 * Real processes that are killed while they wait for the model, or for another agent, and others that go
 * on with what they left.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { Endpoint, type Turn } from "../../agents/http/endpoint.ts";
import { type Api, APIS, httpAgent, type ScriptedTurn, turn } from "../../run/scripted_turns.ts";
import { ended, TempWorkspace } from "../../temp_workspace.ts";

const QUESTION = { to: "architect", topic: "Database layer", question: "PostgreSQL or SQLite?" };

/** Each has words: so it stays in the conversation, and tells which one is next. */
const SCRIPT: readonly ScriptedTurn[] = [
  { text: "Begun.", calls: [["issue_comment", { text: "Begun." }]] },
  { text: "Hm.", calls: [["request_clarification", QUESTION]] },
  {
    text: "PostgreSQL it is.",
    calls: [["issue_create", { title: "Pools" }], ["issue_comment", { text: "Uses PostgreSQL." }]],
  },
  { text: "Done." },
];

const TASK = ["run", "engineer", "--issue", "42", "Implement it", "--json"];

/** Answers what comes next in the conversation, except at the request at which the child is killed. */
function playing(api: Api, onRequest: (asked: number) => boolean): Turn {
  let asked = 0;
  return async (request) => {
    const { messages } = await request.clone().json();
    const said = messages.filter(({ role }: { role: string }) => role === "assistant").length;
    if (onRequest(asked++)) return new Response(null, { status: 500 }); // nobody hears it
    return await turn(api, SCRIPT[said])(request);
  };
}

/** Its parent is the shell that keeps its reply; that one's is the process that asked. */
const KILLING_ARCHITECT = `cat >/dev/null
echo run >>runs
kill -9 $(ps -o ppid= -p $PPID)
sleep 1
echo PostgreSQL.`;

function place(api: Api, model: Endpoint, architect: string): TempWorkspace {
  const temp = new TempWorkspace({ agents: { architect } });
  const config = JSON.parse(temp.read(".agentx/config.json"));
  config.agents.engineer = httpAgent(api, model);
  temp.write(".agentx/config.json", JSON.stringify(config));
  const issue = { number: 42, title: "Health endpoint", labels: ["type:story"] };
  temp.write(".agentx/issues/42.json", JSON.stringify(issue));
  return temp;
}

/** Goes on in another process, and looks at what there is then. */
async function finish(temp: TempWorkspace): Promise<void> {
  const [name] = Array.from(
    Deno.readDirSync(`${temp.root}/.agentx/state/transcripts`),
    ({ name }) => name,
  ).filter((name) => name.endsWith(".jsonl"));
  const resumed = temp.spawn(["run", "--resume", name.replace(".jsonl", ""), "--json"]);
  const { code, out, err } = await ended(resumed);
  assertEquals([code, JSON.parse(out || "{}").run?.exit], [0, "complete"], err);
  const { issue } = await temp.json(["issue", "get", "42"]);
  const comments = issue.comments.map(({ body }: { body: string }) => body);
  assertEquals(comments, ["Begun.", "Uses PostgreSQL."]);
  const { issues } = await temp.json(["issue", "list"]);
  assertEquals(issues.map(({ title }: { title: string }) => title), ["Health endpoint", "Pools"]);
  const [{ status, thread }, ...others] = temp.ledger().clarifications;
  const types = thread.map(({ type }) => type);
  assertEquals([others, status, types], [[], "resolved", ["question", "answer", "resolution"]]);
}

for (const api of APIS) {
  for (const killedAt of SCRIPT.keys()) {
    Deno.test(`agentx run, killed at its request ${killedAt + 1}, is gone on with (${api})`, async () => {
      const children: Deno.ChildProcess[] = [];
      await using model = new Endpoint(playing(api, (asked) => {
        if (asked !== killedAt) return false;
        children[0].kill("SIGKILL");
        return true;
      }));
      using temp = place(api, model, "cat >/dev/null; echo PostgreSQL.");
      children.push(temp.spawn(TASK));
      const { code, out } = await ended(children[0]);
      assert(code !== 0 && out === "", out);
      await finish(temp);
    });
  }
}

Deno.test("agentx run, killed while the agent that it asks is at work, is gone on with", async () => {
  await using model = new Endpoint(playing("openai", () => false));
  using temp = place("openai", model, KILLING_ARCHITECT);
  const { code } = await ended(temp.spawn(TASK));
  assert(code !== 0 && temp.has(temp.ledgerPath(42)));
  await finish(temp);
  assertEquals(temp.read("runs"), "run\n");
});
