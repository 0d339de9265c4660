/**
 * What listings print under `--json` is what `docs/schemas/` says, no more and no less.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { Ajv } from "ajv";
import { askWords } from "../gate/samples.ts";
import { ASK, TempWorkspace } from "../temp_workspace.ts";

const FOLDER = new URL("../../docs/schemas/", import.meta.url);

/** Of each kind, the command lines that print it. */
const LISTINGS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  "agent.list": [["state"]],
  "agents.list": [["agents"]],
  "assumption.list": [["assumptions"]],
  "clarification.list": [["clarify"], ["clarify", "--issue", "3"], ["clarify", "stale"]],
  "dependencies": [["issue", "deps", "3"]],
  "inbox": [["inbox"]],
  "issue": [["issue", "view", "1"], ["issue", "view", "3"]],
  "issue.history": [["issue", "history", "1"], ["issue", "history", "3"]],
  "issue.list": [["issue", "list", "--all"]],
  "issue.search": [["issue", "search", "card"]],
  "issue.tree": [["issue", "tree"]],
  "loop.list": [["loop", "status"]],
  "observation.list": [["memory", "search", "card"]],
  "plugin.list": [["plugin"]],
  "ready": [["ready"]],
  "schedule.list": [["schedule"]],
  "status": [["status"]],
  "workflow.list": [["workflow"]],
};

/** Something of everything. */
async function busy(): Promise<TempWorkspace> {
  const agents = { architect: "echo PostgreSQL.", tester: "cat >/dev/null; exit 3" };
  const temp = new TempWorkspace({ agents });
  const create = ["issue", "create", "-t"];
  await temp.run([...create, "Pay", "-l", "type:epic", "--due", "2026-12-24", "--milestone", "1"]);
  const criteria = "## Acceptance criteria\n- [x] by card\n- [ ] by bank";
  await temp.run([...create, "Pay by card", "--parent", "1", "-b", criteria, "-l", "p1"]);
  await temp.run([
    ...create,
    "Refund",
    "-l",
    "blocked_by:#2,blocked_by:#99,blocked_by:api#7",
    "-l",
    "type:bug",
  ]);
  await temp.run([...create, "Gone", "--as", "architect@2"]);
  await temp.run(["issue", "comment", "3", "-c", "to the card"]);
  await temp.run(["issue", "close", "4"]);
  await temp.run(["issue", "edit", "4", "-s", "Ready"]);
  temp.write(".agentx/issues/2026-11/theirs.jsonl", theirs(temp.issue(1).uid));
  await temp.run(["issue", "edit", "2", "--title", "Pay by card, or not"]);
  await temp.run(["issue", "undo", "2"]);
  await temp.run(["ready", "--claim", "engineer", "--issue", "2", "--force"]);
  await temp.run(["hook", "start", "reviewer", "1"]);
  const asked = ["clarify", "ask", "--issue", "3", "--from", "engineer", "--topic", "Store"];
  for (const to of ["architect", "tester", "product-manager"]) {
    await temp.run([...asked, "--to", to, "--non-blocking", "PostgreSQL or SQLite?"]);
  }
  await temp.run([...ASK, "--non-blocking"]);
  await temp.run([...askWords({ issue: "3" }), "--no-wait"]);
  await temp.run([
    "assumptions",
    "add",
    "-i",
    "3",
    "--from",
    "pm",
    "--because",
    "x",
    "--risk",
    "high",
    "x",
  ]);
  await temp.run(["loop", "start", "2"]);
  const digest = { cron: "0 9 * * 1", run: ["digest"] };
  temp.write(".agentx/schedules.json", JSON.stringify({ schedules: { digest } }));
  for (const words of [["greeter"], ["threats", "--skill"]]) {
    await temp.run(["plugin", "new", ...words]);
  }
  await temp.run(["memory", "note", "--agent", "engineer", "--issue", "2", "The card is stored"]);
  return temp;
}

/** What another branch made of an issue, and an issue of its own under the same number as one here. */
function theirs(uid: string): string {
  const line = { v: 1, time: "2026-11-01T10:00:00.000Z", by: "architect" };
  const fields = { number: 4, title: "Ship by card", status: "Backlog", labels: [] };
  return [
    { ...line, uid, id: "t1.0", op: "set", field: "title", value: "Pay up", after: [] },
    { ...line, uid, id: "t2.0", op: "set", field: "title", value: "Paid", after: [] },
    { ...line, uid: "theirs", id: "t3.0", op: "create", fields },
  ].map((each) => `${JSON.stringify(each)}\n`).join("");
}

/** The schemas, in which every key that they do not name is refused. */
function strictSchemas(): Ajv {
  const ajv = new Ajv({ allErrors: true, allowUnionTypes: true, strictRequired: true });
  for (const { name } of Deno.readDirSync(FOLDER)) {
    const schema = JSON.parse(Deno.readTextFileSync(new URL(name, FOLDER)), (_, value) => {
      const isObject = value?.type === "object" && value.properties !== undefined;
      return isObject ? { additionalProperties: false, ...value } : value;
    });
    ajv.addSchema(schema);
  }
  return ajv;
}

/** Whether a list in it has something. */
function isFull(output: object): boolean {
  return Object.values(output).some((value) => Array.isArray(value) && value.length > 0);
}

Deno.test("docs/schemas/ has a schema of each listing, of a change and of a transcript", () => {
  const names = Array.from(Deno.readDirSync(FOLDER), ({ name }) => name).sort();
  const kinds = [...Object.keys(LISTINGS), "definitions", "issue.change", "transcript"];
  assertEquals(names, kinds.map((kind) => `${kind}.json`).sort());
});

for (const [kind, commands] of Object.entries(LISTINGS)) {
  for (const argv of commands) {
    Deno.test(`agentx ${argv.join(" ")} --json prints what its schema says`, async () => {
      const ajv = strictSchemas();
      for (const open of [busy, () => new TempWorkspace()]) {
        using temp = await open();
        const { code, out } = await temp.run([...argv, "--json"]);
        const needsIssue = "issue,dependencies,issue.history".split(",").includes(kind);
        if (open !== busy && needsIssue) continue;
        assertEquals(code, 0);
        const output = JSON.parse(out);
        assertEquals([output.schemaVersion, output.kind], [1, kind]);
        assert(ajv.validate(`${kind}.json`, output), ajv.errorsText(ajv.errors));
        if (open === busy && kind !== "issue" && argv.at(-1) !== "stale") {
          assert(isFull(output), out);
        }
      }
    });
  }
}

Deno.test("a change that issue list --watch --json prints is what its schema says", async () => {
  const ajv = strictSchemas();
  using temp = await busy();
  const watching = temp.spawn(["issue", "list", "--watch", "--json"]);
  const reader = watching.stdout.pipeThrough(new TextDecoderStream()).getReader();
  await reader.read();
  await temp.run(["issue", "edit", "3", "-t", "Refund all"]);
  const output = JSON.parse((await reader.read()).value!);
  watching.kill("SIGINT");
  await reader.cancel();
  await watching.stderr.cancel();
  await watching.status;
  assert(ajv.validate("issue.change.json", output), ajv.errorsText(ajv.errors));
});
