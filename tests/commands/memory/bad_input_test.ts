/**
 * Memory from the command line, where disk and input are hostile.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { fault, replace, replaceFiles } from "../../lock/faults.ts";
import { TempWorkspace } from "../../temp_workspace.ts";

const WHO = ["--agent", "engineer", "--issue", "42"];
const CAPTURE = ["memory", "capture", ...WHO];
const FINISH = ["hook", "finish", "engineer", "42", "--transcript", "-"];

const SESSION = "## User\n\nAlways keep timestamps in UTC.\n\n## Assistant\n\n" +
  "Done. We decided to run the integration tests with TZ=UTC.\n";

/** A disk on which nothing of memory can be written. */
function withoutRoom(errno: string): Disposable {
  const stack = new DisposableStack();
  const isMemory = (path: string) =>
    /\.agentx\/(?:memory|state\/lines)\/.*\.(?:jsonl|txt)$/.test(path);
  stack.use(replace("writeNewFile", (real) => (path, text, options) => {
    if (isMemory(path)) throw fault(errno, path);
    real(path, text, options);
  }));
  stack.use(replace("appendTextFile", (real) => (path, text) => {
    if (isMemory(path)) throw fault(errno, path);
    real(path, text);
  }));
  stack.use(replaceFiles(/(?:memory|lines)\/.*\.(?:jsonl|txt)$/, (_file, path) => ({
    writeAt: () => {
      throw fault(errno, path);
    },
    fill: () => {
      throw fault(errno, path);
    },
  })));
  return stack;
}

for (const errno of ["ENOSPC", "EROFS", "EACCES"]) {
  Deno.test(`memory capture fails with 1 on ${errno}, and what was there is still there`, async () => {
    using temp = new TempWorkspace();
    const { observation } = await temp.json(["memory", "note", ...WHO, "Chose JSON files"]);
    {
      using _ = withoutRoom(errno);
      const { code, err } = await temp.run([...CAPTURE, "--json"], { stdin: SESSION });
      assertEquals([code, JSON.parse(err).error.code], [1, "IO_ERROR"]);
      assertEquals(JSON.parse(err).error.details.errno, errno);
    }
    const { observations } = await temp.json(["memory", "export"]);
    assertEquals(observations, [observation]);
  });

  Deno.test(`hook finish warns of ${errno}, and a later one captures the session`, async () => {
    using temp = new TempWorkspace();
    {
      using _ = withoutRoom(errno);
      const { code, err } = await temp.run(FINISH, { stdin: SESSION });
      assertEquals(code, 1);
      assert(err.startsWith("note: The session was not captured: "), err);
    }
    const { captured } = await temp.json(FINISH, { stdin: SESSION });
    assert(captured.length >= 1);
  });
}

Deno.test("hook finish takes a transcript of 10 MB", async () => {
  using temp = new TempWorkspace();
  const line = JSON.stringify({
    type: "user",
    sessionId: "s",
    message: {
      content: [{ type: "tool_result", tool_use_id: "t", content: "x = 1;\n".repeat(1_400) }],
    },
  });
  const said = JSON.stringify({
    type: "assistant",
    sessionId: "s",
    message: {
      content: [{ type: "text", text: "We decided to run the integration tests with TZ=UTC." }],
    },
  });
  temp.write("t.jsonl", `${`${line}\n`.repeat(900)}${said}\n`);
  assert(temp.read("t.jsonl").length > 10_000_000);
  const argv = ["hook", "finish", "engineer", "42", "--transcript", `${temp.root}/t.jsonl`];
  const { captured } = await temp.json(argv);
  assertEquals(captured.length, 1);
});

Deno.test("memory note and import keep half a character as U+FFFD", async () => {
  using temp = new TempWorkspace();
  const note = await temp.json(["memory", "note", ...WHO, "-"], { stdin: "a\ud800b" });
  assertEquals(note.observation.content, "a\ufffdb");
  const stdin = JSON.stringify({ ...note.observation, content: "c\udc00d", sessionId: "t" })
    .replace(/-[a-z0-9]{6}"/, '-zzzzzz"');
  assertEquals((await temp.json(["memory", "import", "-"], { stdin })).imported, 1);
  const { observations } = await temp.json(["memory", "export"]);
  const contents = observations.map(({ content }: { content: string }) => content);
  assertEquals(contents.sort(), ["a\ufffdb", "c\ufffdd"]);
});

Deno.test("hook finish reads a transcript with half a character", async () => {
  using temp = new TempWorkspace();
  const stdin = SESSION.replace("UTC.", "UTC \ud800 here.");
  assert((await temp.json(FINISH, { stdin })).captured.length >= 1);
  const { out } = await temp.run(["hook", "start", "engineer", "42"]);
  assert(out.isWellFormed() && out.includes("UTC \ufffd here."), out);
});

Deno.test("memory skips a damaged file of an issue with its name, and leaves it", async () => {
  using temp = new TempWorkspace();
  const { observation } = await temp.json(["memory", "note", ...WHO, "The lock waits"]);
  temp.write(".agentx/memory/issue-7.json", '{"version":1,"issueNumber":7,"observations":[{');
  for (const argv of [["search", "lock waits"], ["recall", ...WHO], ["export"]]) {
    const { code, out, err } = await temp.run(["memory", ...argv]);
    assertEquals(code, 0);
    assert(out.includes(observation.id.slice(-6)), out);
    if (argv[0] === "export") assert(err.includes("issue-7.json"), err);
  }
  assert(temp.read(".agentx/memory/issue-7.json").endsWith("[{"));
});

Deno.test("hook finish and memory note keep what they bring beside a damaged file of their issue", async () => {
  using temp = new TempWorkspace();
  const damaged = '{"version":1,"issueNumber":42,"observations":[{';
  temp.write(".agentx/memory/issue-42.json", damaged);
  const finish = await temp.run([...FINISH, "--json"], { stdin: SESSION });
  assertEquals(finish.code, 0);
  assert(JSON.parse(finish.out).captured.length >= 1, finish.out);
  assert(finish.err.includes("issue-42.json"), finish.err);
  const { observation } = await temp.json(["memory", "note", ...WHO, "The queue drains"]);
  const { code, out, err } = await temp.run(["memory", "search", "queue drains"]);
  assertEquals(code, 0);
  assert(out.includes(observation.id), out);
  assert(err.includes("issue-42.json"), err);
  assertEquals(temp.read(".agentx/memory/issue-42.json"), damaged);
});
