import { assert, assertEquals } from "@std/assert";
import { leaks, LEAKY } from "../../secrets.ts";
import { ASK, ended, spawnAgentx } from "../../temp_workspace.ts";
import { testWithGit } from "../../workspace/temp_repository.ts";
import { REQUEST, TempSandbox, until } from "./temp_sandbox.ts";

testWithGit("clarify ask from a sandbox is answered by serve in the main checkout", async () => {
  await using sandbox = new TempSandbox();
  await sandbox.serve();
  const { code, out, err } = await sandbox.run(ASK);
  assertEquals(code, 0, err);
  assert(out.includes(`A: ${sandbox.root}`) && out.includes("CLR-42-001 is answered"), out);
  assert(err.includes("CLR-42-001 is asked for this session"), err);
  assertEquals(err.includes("agentx serve"), false);
  assertEquals(sandbox.names(), [".gitignore"]);

  const again = await sandbox.run(["clarify", "ask", "CLR-42-001", "And pooling?"], {
    AGENTX_AGENT: "engineer",
  });
  assertEquals([again.code, sandbox.clarifications()[0].round], [0, 2], again.err);
});

testWithGit(
  "clarify ask from a sandbox says that nobody takes it, and waits for serve",
  async () => {
    await using sandbox = new TempSandbox();
    const asked = sandbox.run([...ASK.slice(0, -1), LEAKY]);
    await until(() => sandbox.has(sandbox.outbox) && sandbox.names().length === 2);
    const [request] = sandbox.names().filter((name) => name.endsWith(".request.json"));
    const text = Deno.readTextFileSync(`${sandbox.outbox}/${request}`);
    assertEquals([text.includes("CLR-"), leaks(text)], [false, false]);
    await sandbox.serve();
    const { code, err } = await asked;
    assertEquals([code, err.includes(`start agentx serve in "${sandbox.root}"`)], [0, true], err);
  },
);

testWithGit(
  "clarify ask names the variable where no folder can be written, and exits 1",
  async () => {
    await using sandbox = new TempSandbox();
    const { code, err } = await sandbox.run(ASK, {}, [sandbox.root, sandbox.tree]);
    assertEquals([code, err.includes("Set AGENTX_OUTBOX to a folder")], [1, true], err);
  },
);

testWithGit("clarify ask and serve use the folder that AGENTX_OUTBOX names", async () => {
  await using sandbox = new TempSandbox();
  const folder = Deno.makeTempDirSync({ prefix: "agentx-test-" });
  const env = { AGENTX_OUTBOX: folder };
  await sandbox.serve(env);
  const { code, err } = await sandbox.run(ASK, env, [sandbox.root, sandbox.tree]);
  assertEquals(code, 0, err);
  assertEquals(sandbox.names(folder), [".gitignore"]);
  Deno.removeSync(folder, { recursive: true });
});

testWithGit("clarify ask and serve refuse an AGENTX_OUTBOX that is not absolute", async () => {
  await using sandbox = new TempSandbox();
  const env = { AGENTX_OUTBOX: "outbox" };
  const served = await ended(spawnAgentx(["serve"], { cwd: sandbox.root, env }));
  for (const { code, err } of [await sandbox.run(ASK, env), served]) {
    assertEquals([code, err.includes("Cannot use AGENTX_OUTBOX")], [2, true], err);
  }
  for (const words of [["clarify"], ["status"]]) {
    const { code, err } = await sandbox.run(words, env);
    assertEquals(code, 0, err);
  }
});

testWithGit("serve takes requests from a worktree that was made after it started", async () => {
  await using sandbox = new TempSandbox();
  await sandbox.serve();
  await sandbox.reply(sandbox.plant({ ask: REQUEST }));
  sandbox.moveToNewTree();
  const anew = { ...REQUEST, again: true };
  const { clarificationId } = await sandbox.reply(sandbox.plant({ ask: anew }));
  assertEquals(clarificationId, "CLR-42-002");
});

testWithGit("clarify ask from a sandbox fails as it would outside of it", async () => {
  await using sandbox = new TempSandbox();
  await sandbox.serve();
  const { code, err } = await sandbox.run([...ASK.with(7, "tester"), "--json"]);
  const { error } = JSON.parse(err.slice(err.indexOf("{")));
  assertEquals([code, error.code, error.details.allowed], [6, "SCOPE_VIOLATION", ["architect"]]);
  assertEquals(sandbox.clarifications(), []);
});

testWithGit("clarify ask from a sandbox needs to know which agent asks again", async () => {
  await using sandbox = new TempSandbox();
  await sandbox.serve();
  const nonce = sandbox.plant({ ask: REQUEST });
  assertEquals((await sandbox.reply(nonce)).clarificationId, "CLR-42-001");
  const { code, err } = await sandbox.run(["clarify", "ask", "CLR-42-001", "And pooling?"]);
  assertEquals(code, 2);
  assert(err.includes("the asking agent is unknown") && err.includes("--as"), err);
  assertEquals(sandbox.requests, [nonce]);
});

testWithGit("serve asks a request once, whoever writes its nonce again", async () => {
  await using sandbox = new TempSandbox();
  await sandbox.serve();
  const nonce = sandbox.plant({ ask: REQUEST });
  assertEquals((await sandbox.reply(nonce)).clarificationId, "CLR-42-001");
  for (const kind of ["request", "reply"]) {
    Deno.removeSync(`${sandbox.outbox}/${nonce}.${kind}.json`);
  }
  sandbox.plant({ ask: REQUEST }, nonce);
  const other = sandbox.plant({ ask: { ...REQUEST, again: true } });
  assertEquals((await sandbox.reply(other)).clarificationId, "CLR-42-002");
  assertEquals((await sandbox.reply(nonce)).clarificationId, "CLR-42-001");
  assertEquals(sandbox.clarifications().length, 2);
});

testWithGit("serve takes a request that was half written when it looked", async () => {
  await using sandbox = new TempSandbox();
  const nonce = sandbox.plant({ ask: { ...REQUEST, again: true } });
  const path = `${sandbox.outbox}/${nonce}.request.json`;
  const text = Deno.readTextFileSync(path);
  Deno.writeTextFileSync(path, text.slice(0, 20));
  await sandbox.serve();
  await sandbox.reply(sandbox.plant({ ask: REQUEST }));
  Deno.writeTextFileSync(path, text);
  assertEquals((await sandbox.reply(nonce)).clarificationId, "CLR-42-002");
});

const NO_REQUESTS: unknown[] = [
  null,
  { ask: { ...REQUEST, fromAgent: "human" } },
  { ask: { ...REQUEST, blocking: "yes" } },
  { followUp: { clarificationId: "CLR-42-001", by: "agent-x", question: "Why?" } },
];

testWithGit(
  "serve leaves alone what is no request, a link, and a folder that is not registered",
  async () => {
    await using sandbox = new TempSandbox();
    const before = NO_REQUESTS.map((request) => sandbox.plant(request));
    const nonce = crypto.randomUUID();
    const elsewhere = `${sandbox.tree}/elsewhere.json`;
    Deno.writeTextFileSync(elsewhere, JSON.stringify({ ask: REQUEST }));
    Deno.symlinkSync(elsewhere, `${sandbox.outbox}/${nonce}.request.json`);
    const copy = `${sandbox.tree}/../copy`;
    Deno.mkdirSync(`${copy}/.agentx/outbox`, { recursive: true });
    Deno.copyFileSync(`${sandbox.tree}/.git`, `${copy}/.git`);
    Deno.copyFileSync(elsewhere, `${copy}/.agentx/outbox/${crypto.randomUUID()}.request.json`);
    await sandbox.serve();
    const good = sandbox.plant({ ask: REQUEST });
    await sandbox.reply(good);
    assertEquals(sandbox.clarifications().length, 1);
    for (const each of [...before, nonce]) {
      assertEquals(sandbox.has(`${sandbox.outbox}/${each}.reply.json`), false);
    }
  },
);
