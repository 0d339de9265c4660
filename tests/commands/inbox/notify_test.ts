/**
 * `inbox.notify`: the human is told by a command of their own, once, while something waits anyway.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { askWords } from "../../gate/samples.ts";
import { until } from "../../mcp/mcp_client.ts";
import { TempWorkspace } from "../../temp_workspace.ts";

/** A command that keeps what it is told. */
function telling(temp: TempWorkspace, notifyAfterSeconds = 0) {
  return {
    inbox: {
      notify: ["sh", "-c", `cat >>${temp.root}/told; echo >>${temp.root}/told`],
      notifyAfterSeconds,
    },
    gate: { timeout: "1s" },
  };
}

function told(temp: TempWorkspace): { id: string }[] {
  try {
    return temp.read("told").trim().split("\n").map((line) => JSON.parse(line));
  } catch {
    return [];
  }
}

Deno.test("ask-user that waits tells the human once, and another wait does not repeat it", async () => {
  using temp = new TempWorkspace();
  temp.user.configure(telling(temp));
  const first = temp.run([...askWords(), "--timeout", "never"]);
  await until(() => told(temp).length > 0);
  const second = temp.run(["ask-user", "--id", "ASK-001"]);
  await temp.run(["answer", "ASK-001", "a"]);
  assertEquals([(await first).code, (await second).code], [0, 0]);
  assertEquals(told(temp).map(({ id }) => id), ["ASK-001"]);
});

Deno.test("ask-user tells nobody before its time, and not at all without a command", async () => {
  using temp = new TempWorkspace();
  temp.user.configure(telling(temp, 3_600));
  await temp.run([...askWords(), "--timeout", "1s"]);
  assertEquals(told(temp), []);
});

Deno.test("a command of the repository tells nobody, and it is said", async () => {
  using temp = new TempWorkspace();
  temp.write(".agentx/config.json", JSON.stringify(telling(temp)));
  temp.user.hasOneSecond();
  const { err } = await temp.run([...askWords(), "--timeout", "1s"]);
  assertEquals(told(temp), []);
  assert(err.includes("inbox is ignored in this repository's configuration"), err);
});

Deno.test("a command that fails is told of, and costs nobody the wait", async () => {
  using temp = new TempWorkspace();
  temp.user.configure({
    inbox: { notify: ["false"], notifyAfterSeconds: 0 },
    gate: { timeout: "1s" },
  });
  const { code, err } = await temp.run([...askWords(), "--timeout", "1s"]);
  assertEquals(code, 0, err);
  assert(err.includes("inbox.notify failed (exit code 1): false"), err);
});

Deno.test("a failing notifier is reported once, however long the wait", async () => {
  using temp = new TempWorkspace();
  temp.user.configure(telling(temp));
  temp.write(".agentx/state/inbox-notified.json", "{");
  const { err } = await temp.run([...askWords(), "--timeout", "3s"]);
  assertEquals(err.split("The human was not notified").length - 1, 1, err);
});

Deno.test("a command gets the id and the topic of a question in one variable, inert", async () => {
  using temp = new TempWorkspace();
  const notify = ["sh", "-c", `printf '%s\\n' "$AGENTX_NOTICE" >>${temp.root}/notice`];
  temp.user.configure({ inbox: { notify, notifyAfterSeconds: 0 }, gate: { timeout: "1s" } });
  await temp.run([
    ...askWords({ question: "Which \x1b[31mkey\x07; touch marker?" }),
    "--timeout",
    "2s",
  ]);
  const notice = temp.read("notice");
  assert(/^ASK-001: Which .*key.*; touch marker\?\n$/.test(notice), notice);
  // deno-lint-ignore no-control-regex -- none may arrive
  assert(!/[\x07\x1b]/.test(notice) && !temp.has("marker"), notice);
});
