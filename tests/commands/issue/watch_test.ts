/**
 * `agentx issue list --watch`: what others are built on that show issues as they change.
 *
 * @module
 */

import { assertEquals } from "@std/assert";
import { TempWorkspace } from "../../temp_workspace.ts";

type Json = Record<string, unknown> & { change: { by: string; edits: Array<{ what: string }> } };

/** The lines of a stream, one after the other. */
async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Json> {
  let rest = "";
  for await (const text of stream.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split("\n");
    rest = lines.pop()!;
    for (const line of lines) yield JSON.parse(line);
  }
}

/** What came to an issue in a file that git brought. */
function pulled(uid: string, ...changes: Array<Record<string, unknown>>): string {
  return changes.map((change, index) => {
    const time = `2026-11-01T10:00:0${index}.000Z`;
    return `${
      JSON.stringify({ v: 1, uid, id: `p${index}.0`, time, by: "architect", ...change })
    }\n`;
  }).join("");
}

Deno.test("issue list --watch --json prints the list, then a line for each change", async () => {
  using temp = new TempWorkspace();
  await temp.run(["issue", "create", "-t", "Pay", "-l", "ui"]);
  const { uid } = temp.issue(1);
  const watching = temp.spawn(["issue", "list", "--watch", "--json", "-l", "ui"]);
  const lines = linesOf(watching.stdout);
  const next = async () => (await lines.next()).value as Json;
  const told = ({ kind, ref, issue, change }: Json) => [
    kind,
    ref,
    change && [change.by, ...change.edits.map(({ what }) => what)],
    issue && (issue as { title: string }).title,
  ];
  const first = await next();
  assertEquals([first.kind, (first.issues as unknown[]).length], ["issue.list", 1]);
  await temp.run(["issue", "create", "-t", "Not in this list"]);
  await temp.run(["issue", "edit", "1", "-t", "Pay by card", "--as", "engineer"]);
  const edited = ["issue.change", "#1", ["engineer", "title"], "Pay by card"];
  assertEquals(told(await next()), edited);

  const comment = { op: "comment", body: "Hm" };
  const label = { op: "add", field: "labels", values: ["p1"] };
  temp.write(".agentx/issues/2026-11/theirs.jsonl", pulled(uid, comment, label));
  assertEquals(told(await next()), ["issue.change", "#1", ["architect", "comment"], "Pay by card"]);
  assertEquals(told(await next()), ["issue.change", "#1", ["architect", "labels"], "Pay by card"]);

  Deno.removeSync(`${temp.root}/.agentx/issues/2026-11/theirs.jsonl`);
  assertEquals(told(await next()), ["issue.change", "#1", null, "Pay by card"]);

  await temp.run(["issue", "close", "1"]);
  assertEquals(told(await next()), ["issue.change", "#1", ["human", "status"], null]);

  watching.kill("SIGINT");
  await lines.return(undefined);
  await watching.stderr.cancel();
  assertEquals((await watching.status).code, 130);
});

Deno.test("issue list --watch shows people who changed what", async () => {
  using temp = new TempWorkspace();
  const watching = temp.spawn(["issue", "list", "--watch"]);
  const reader = watching.stdout.pipeThrough(new TextDecoderStream()).getReader();
  await reader.read();
  await temp.run(["issue", "create", "-t", "Pay", "--as", "architect"]);
  const [head, who, what] = (await reader.read()).value!.trimEnd().split("\n");
  assertEquals([head, what], ["  #1 Pay", "    created: Pay"]);
  assertEquals(/^ {2}[-\d]+ [:\d]+ {2}architect {2}\w{12}$/.test(who), true, who);
  watching.kill("SIGINT");
  await reader.cancel();
  await watching.stderr.cancel();
  await watching.status;
});
