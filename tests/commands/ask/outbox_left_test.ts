/**
 * Questions that a session in a sandbox has left: it did not wait, or was killed while it did.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { sys } from "../../../lib/sys/mod.ts";
import { ASK } from "../../temp_workspace.ts";
import { testWithGit } from "../../workspace/temp_repository.ts";
import { REQUEST, TempSandbox, until } from "./temp_sandbox.ts";

/** As {@linkcode REQUEST}, in words. */
const SAME: readonly string[] = ASK.with(-1, REQUEST.question);

const LEFT = [...SAME, "--non-blocking"];

testWithGit(
  "clarify ask --non-blocking from a sandbox leaves its question and returns",
  async () => {
    await using sandbox = new TempSandbox();
    const { code, out } = await sandbox.run(LEFT);
    assertEquals([code, out.split("\n")], [0, [
      `  The question is left in "${sandbox.outbox}".`,
      `  It is asked by agentx serve in "${sandbox.root}", outside of this sandbox.`,
      "  To get the answer, ask the same again.",
      "",
    ]]);
    const again = await sandbox.run([...LEFT, "--json"]);
    const { clarificationId, status, clarification } = JSON.parse(again.out);
    assertEquals([clarificationId, status, clarification], [null, "pending", null]);
    assertEquals(sandbox.requests.length, 1);
  },
);

testWithGit("clarify ask from a sandbox gets the answer to what it had left", async () => {
  await using sandbox = new TempSandbox();
  await sandbox.run(LEFT);
  await sandbox.serve();
  await until(() => sandbox.clarifications()[0]?.status === "answered");
  const { code, out, err } = await sandbox.run(SAME);
  assertEquals([code, out.includes("Both.")], [0, true], err);
  assertEquals(sandbox.clarifications().length, 1); // the ledger can be read there
});

testWithGit(
  "clarify ask from a sandbox goes on waiting for what it asked when it was killed",
  async () => {
    await using sandbox = new TempSandbox();
    sandbox.plant({ ask: REQUEST });
    const asked = sandbox.run(SAME);
    await sandbox.serve();
    const { code, out, err } = await asked;
    assertEquals([code, out.includes("Both."), sandbox.names().length], [0, true, 0], err);
    assertEquals(sandbox.clarifications().length, 1);
  },
);

for (
  const [what, words] of Object.entries({
    "of another session": SAME.with(5, "engineer@2"),
    "about another issue": SAME.with(3, "7"),
    "in other words": SAME.with(-1, "Which one?"),
  })
) {
  testWithGit(`clarify ask from a sandbox leaves a question ${what} beside the first`, async () => {
    await using sandbox = new TempSandbox();
    await sandbox.run(LEFT);
    await sandbox.run([...words, "--non-blocking"]);
    assertEquals(sandbox.requests.length, 2);
  });
}

testWithGit("clarify and state show what is left in the outbox of the worktree", async () => {
  await using sandbox = new TempSandbox();
  await sandbox.run(LEFT);
  const shown = "    engineer to architect on #42: Which?\n";
  for (const words of [["clarify"], ["clarify", "--issue", "42"], ["state"]]) {
    const { code, out } = await sandbox.run(words);
    assertEquals(code, 0);
    assert(out.includes(shown) && out.includes("agentx serve in the main checkout"), out);
  }
  assertEquals((await sandbox.run(["clarify", "--issue", "7"])).out.includes("Which?"), false);
  const { left } = JSON.parse((await sandbox.run(["clarify", "--json"])).out);
  assertEquals([left.length, left[0].question, left[0].refusal], [1, "Which?", null]);
  await sandbox.serve();
  await sandbox.reply(sandbox.requests[0]);
  assertEquals((await sandbox.run(["clarify"])).out.includes("In the outbox"), false);
});

testWithGit(
  "clarify shows why a question that was left was not asked, and ask asks anew",
  async () => {
    await using sandbox = new TempSandbox();
    const nonce = sandbox.plant({ ask: REQUEST });
    const error = { code: "GATE_REFUSED", message: "Cannot run architect: busy\nx", details: {} };
    const reply = { clarificationId: null, outcome: null, error };
    Deno.writeTextFileSync(`${sandbox.outbox}/${nonce}.reply.json`, JSON.stringify(reply));
    const { out } = await sandbox.run(["clarify"]);
    assert(
      out.includes("engineer to architect on #42: not asked: Cannot run architect: busy\n"),
      out,
    );
    const { err } = await sandbox.run(LEFT);
    assertEquals([err.includes("is not asked twice"), sandbox.requests.length], [false, 1], err);
    assertEquals(sandbox.has(`${sandbox.outbox}/${nonce}.reply.json`), false);
  },
);

testWithGit("clarify ask from a sandbox leaves its question when it is interrupted", async () => {
  await using sandbox = new TempSandbox();
  const { onInterrupt } = sys;
  let interrupt: (name: string) => void = () => {};
  sys.onInterrupt = (handler) => {
    interrupt = handler;
    return () => {};
  };
  try {
    const asked = sandbox.run(SAME);
    await until(() => sandbox.requests.length === 1);
    interrupt("SIGINT");
    const { code, err } = await asked;
    assertEquals([code, err.includes("To get the answer, ask the same again")], [130, true], err);
    assertEquals(sandbox.requests.length, 1);
  } finally {
    sys.onInterrupt = onInterrupt;
  }
});

testWithGit(
  "clarify ask from a sandbox does not wait for a reply that another process took",
  async () => {
    await using sandbox = new TempSandbox();
    const asked = sandbox.run(SAME);
    await until(() => sandbox.requests.length === 1);
    Deno.removeSync(`${sandbox.outbox}/${sandbox.requests[0]}.request.json`);
    const { code, err } = await asked;
    assertEquals([code, err.includes("another process that asked the same")], [4, true], err);
  },
);

testWithGit("serve removes the replies that nobody comes back for", async () => {
  await using sandbox = new TempSandbox();
  const [old, fresh, taken] = ["Old?", "Fresh?", "Taken?"].map((question) => {
    const nonce = sandbox.plant({ ask: { ...REQUEST, question } });
    const reply = { clarificationId: "CLR-42-001", outcome: {}, error: null };
    Deno.writeTextFileSync(`${sandbox.outbox}/${nonce}.reply.json`, JSON.stringify(reply));
    return nonce;
  });
  Deno.removeSync(`${sandbox.outbox}/${taken}.request.json`);
  const halfWritten = `${old}.reply.json.${crypto.randomUUID()}.tmp`;
  Deno.writeTextFileSync(`${sandbox.outbox}/${halfWritten}`, "{");
  const daysAgo = new Date(Date.now() - 2 * 86_400_000);
  for (const name of [`${old}.reply.json`, `${fresh}.request.json`, halfWritten]) {
    Deno.utimeSync(`${sandbox.outbox}/${name}`, daysAgo, daysAgo);
  }
  await sandbox.serve();
  await sandbox.reply(sandbox.plant({ ask: REQUEST }));
  assertEquals(sandbox.requests.includes(old), false);
  assertEquals(sandbox.names().filter((name) => name.startsWith(fresh)).length, 2);
  assertEquals(sandbox.names().filter((name) => /\.tmp$|^$/.test(name)), []);
  assertEquals(sandbox.has(`${sandbox.outbox}/${taken}.reply.json`), false);
});

testWithGit("nobody takes a request, or a reply, that git tracks", async () => {
  await using sandbox = new TempSandbox();
  const nonce = sandbox.plant({ ask: REQUEST });
  const outcome = { clarificationId: "CLR-42-001", status: "answered", round: 1, answer: "Mine." };
  const reply = `${sandbox.outbox}/${nonce}.reply.json`;
  Deno.writeTextFileSync(reply, JSON.stringify({ ...outcome, outcome, error: null }));
  sandbox.git("add", "--force", ".agentx/outbox");
  const { err } = await sandbox.run(LEFT);
  assertEquals([err.includes("is not asked twice"), sandbox.requests.length], [false, 2], err);
  Deno.removeSync(reply);
  await sandbox.serve();
  await until(() => sandbox.clarifications().length > 0);
  assert(
    (await sandbox.stop()).includes(`${nonce}.request.json" was skipped: it came from elsewhere`),
  );
  assertEquals(sandbox.clarifications().length, 1);
});
