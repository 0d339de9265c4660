/**
 * `agentx clarify run`: who is woken and who is not, with agents that are scripts. `woken_hosts_test.ts`
 * has the real ones.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import type { SessionFile } from "../../lib/hooks/session_files.ts";
import { sys } from "../../lib/sys/mod.ts";
import { ASK, TempWorkspace } from "../temp_workspace.ts";
import { until } from "../mcp/mcp_client.ts";
import { HookSession } from "./hook_session.ts";

const DELIVER = ["clarify", "deliver"];

const NONCE = "PostgreSQL, says the architect 7f3a9c.";

/** Keeps what it is told, and says that it has read it. */
const READER = 'cat >"told-$$"; echo Read.';

/** A session that has asked, and has an answer; it has ended unless `ends` is false. */
async function asked(
  temp: TempWorkspace,
  { ends = true, ...fields }: { ends?: boolean; transcript_path?: string } = {},
): Promise<HookSession> {
  const session = new HookSession(temp);
  await session.run(["here", "--as", "engineer", "--issue", "42"]);
  await session.run(ASK);
  if (ends) await session.fire("SessionEnd", { reason: "other", ...fields });
  await temp.run(["clarify", "answer", "CLR-42-001", NONCE]);
  return session;
}

/** What the woken agents were told. */
function told(temp: TempWorkspace): string[] {
  return Array.from(Deno.readDirSync(temp.root), ({ name }) => name)
    .filter((name) => name.startsWith("told-")).map((name) => temp.read(name));
}

/** Of each delivery: its state, what was done, and why not. */
async function delivered(temp: TempWorkspace, ...words: string[]) {
  const { deliveries } = await temp.json([...DELIVER, ...words]);
  return deliveries.map((each: Record<string, unknown>) => [each.id, each.state, each.action]);
}

function change(temp: TempWorkspace, session: HookSession, edit: (file: SessionFile) => void) {
  const { file } = session;
  edit(file);
  temp.write(`.agentx/state/sessions/${session.id}.json`, JSON.stringify(file));
}

Deno.test("clarify deliver wakes a session that has ended, with the answer, once", async () => {
  using temp = new TempWorkspace({ agents: { engineer: READER } });
  const session = await asked(temp);
  assertEquals(await delivered(temp, "--dry-run"), [["CLR-42-001.2", "queued", "due"]]);
  assertEquals([told(temp), session.deliveries], [[], []]);

  const { code, out } = await temp.run(DELIVER);
  assertEquals(code, 0);
  assert(out.includes("read by engineer@claude-3f2a"), out);
  assert(out.includes("its session was woken and has read it"), out);
  const [prompt, ...more] = told(temp);
  assertEquals(more, []);
  assert(prompt.includes(NONCE) && prompt.includes("PostgreSQL or SQLite?"), prompt);
  const [{ id, mark, offers, proof, wokenAt }] = session.deliveries;
  assert(prompt.includes(`delivery ${id} ${mark})`), prompt);
  assertEquals([offers.length, offers[0].putOut, proof], [1, true, "later event"]);
  assert(wokenAt !== undefined && session.file.wake === null);

  assertEquals(await delivered(temp), []);
  assertEquals(told(temp).length, 1);
});

Deno.test("clarify deliver leaves a session alone that has not ended, or goes on again", async () => {
  using temp = new TempWorkspace({ agents: { engineer: READER } });
  const session = await asked(temp, { ends: false });
  await session.fire("PostToolUse"); // it is being told by its own hooks
  assertEquals(await delivered(temp), [["CLR-42-001.2", "offered", "none"]]);
  await session.fire("SessionEnd", { reason: "other" });
  await session.fire("SessionStart", { source: "resume" });
  const followUp = ["clarify", "ask", "CLR-42-001", "And pooling?"];
  await session.run(followUp);
  await temp.run(["clarify", "answer", "CLR-42-001", "By configuration."]);
  const { out } = await temp.run(DELIVER);
  assert(out.includes("its session has not ended; its hooks will deliver it"), out);
  assertEquals(told(temp), []);
});

Deno.test("clarify deliver knows that a session goes on, though nothing waits for it", async () => {
  using temp = new TempWorkspace({ agents: { engineer: READER } });
  const session = new HookSession(temp);
  await session.run(["here", "--as", "engineer", "--issue", "42"]);
  await session.fire("SessionEnd", { reason: "other" });
  await session.fire("SessionStart", { source: "resume" });
  await session.run(ASK);
  await temp.run(["clarify", "answer", "CLR-42-001", NONCE]);
  assertEquals(await delivered(temp), [["CLR-42-001.2", "queued", "none"]]);
});

Deno.test("clarify deliver gives no turn to a session whose recording has grown since its end", async () => {
  using temp = new TempWorkspace({ agents: { engineer: READER } });
  const path = `${temp.root}/session.jsonl`;
  temp.write("session.jsonl", "{}\n");
  const session = await asked(temp, { transcript_path: path });
  change(
    temp,
    session,
    ({ heard }) => heard.at(-1)!.at = new Date(Date.now() - 60_000).toISOString(),
  );
  const { out } = await temp.run(DELIVER);
  assert(out.includes("its recording has grown since it ended"), out);
  assertEquals(told(temp), []);
});

Deno.test("clarify deliver tells again what an ended session was told too late, by the recording handed over", async () => {
  for (const isLate of [true, false]) {
    using temp = new TempWorkspace({ agents: { engineer: READER } });
    const session = new HookSession(temp, { host: "opencode" });
    await session.run(["here", "--as", "engineer", "--issue", "42"]);
    await session.run(ASK);
    await temp.run(["clarify", "answer", "CLR-42-001", NONCE]);
    const { text } = await session.fire("session.idle");
    assert(text.includes(NONCE), text);
    const parts = [{ type: "text", text: isLate ? "Done." : text }];
    const messages = [{ info: { role: "user" }, parts }];
    const recording = JSON.stringify({ info: { id: session.id }, messages });
    await session.fire("dispose", { recording });
    assertEquals(session.deliveries[0].proof, isLate ? null : "transcript");
    assertEquals(
      await delivered(temp),
      isLate ? [["CLR-42-001.2", "shown", "woken"]] : [],
    );
    assertEquals(told(temp).map((prompt) => prompt.includes(", repeated")), isLate ? [true] : []);
  }
});

Deno.test("clarify deliver wakes no session twice at a time, and goes on where one was killed", async () => {
  using temp = new TempWorkspace({ agents: { engineer: READER } });
  const session = await asked(temp);
  const now = Date.now();
  const until = new Date(now + 60_000).toISOString();
  const at = new Date(now).toISOString();
  const start = sys.processSpace()?.start ?? null;
  const wake = { event: "wake:other", at, until, pid: Deno.pid, start };
  change(temp, session, (file) => file.wake = wake);
  const { out } = await temp.run(DELIVER);
  assert(out.includes(`process ${Deno.pid} has been waking it since ${at}`), out);
  assertEquals(told(temp), []);

  change(temp, session, (file) => file.wake = { ...wake, until: at }); // its time is over
  assertEquals(await delivered(temp), [["CLR-42-001.2", "shown", "woken"]]);
});

Deno.test("clarify deliver begins no second run while that of a killed process goes on", async () => {
  const patient = `echo run >>runs; while [ -e runs -a ! -e go ]; do sleep 0.05; done; ${READER}`;
  using temp = new TempWorkspace({ agents: { engineer: patient } });
  const session = await asked(temp);
  const victim = temp.spawn(DELIVER);
  await until(() => temp.has("runs"));
  victim.kill("SIGKILL");
  await victim.output();
  assertEquals(await delivered(temp), [["CLR-42-001.2", "offered", "none"]]);
  temp.write("go", "1");
  await until(() => told(temp).length === 1);
  await until(async () => { // that run has ended
    await delivered(temp);
    return session.deliveries[0].shownAt !== null;
  });
  assertEquals(told(temp).map((text) => text.includes(", repeated")).sort(), [false, true]);
});

Deno.test("clarify deliver wakes once, however many processes do it at a time", async () => {
  using temp = new TempWorkspace({ agents: { engineer: `sleep 0.3; ${READER}` } });
  await asked(temp);
  const runs = Array.from({ length: 4 }, () => temp.spawn(DELIVER).output());
  for (const { code } of await Promise.all(runs)) assertEquals(code, 0);
  assertEquals(told(temp).length, 1);
});

Deno.test("clarify deliver looks once more whether the answer is unread, after it has taken its turn", async () => {
  using temp = new TempWorkspace({ agents: { engineer: READER } });
  const session = await asked(temp);
  const { rename } = sys;
  let isRead = false;
  sys.rename = (from, to) => { // as the wake is noted, another process resolves it
    rename(from, to);
    if (isRead || !to.endsWith(`${session.id}.json`)) return;
    isRead = true;
    const ledger = temp.ledger();
    ledger.clarifications[0].status = "abandoned";
    temp.write(temp.ledgerPath(42), JSON.stringify(ledger));
  };
  try {
    assertEquals(await delivered(temp), []);
  } finally {
    sys.rename = rename;
  }
  assertEquals([told(temp), session.file.wake, session.deliveries[0].offers], [[], null, []]);
});

Deno.test("clarify deliver runs nobody that the user has not configured, or not agreed to", async () => {
  using unknown = new TempWorkspace();
  await asked(unknown);
  const none = await unknown.run(DELIVER);
  assertEquals(none.code, 0);
  assert(none.out.includes("no agent is configured for engineer"), none.out);

  using foreign = new TempWorkspace({ agents: { engineer: READER }, isTrusted: false });
  const session = await asked(foreign);
  const { code, out } = await foreign.run(DELIVER);
  assertEquals([code, told(foreign), session.deliveries], [0, [], []]);
  assert(out.includes("what is run for engineer is not agreed to here"), out);
});

Deno.test("clarify deliver and clarify --issue break their lines at the width of a terminal", async () => {
  using temp = new TempWorkspace();
  await asked(temp);
  for (const words of [DELIVER, ["clarify", "--issue", "42"]]) {
    const { out } = await temp.run(words, { terminal: true, env: { NO_COLOR: "1" } });
    assert(/Delivery of .*\n {2}\S/.test(out), out);
    assertEquals(out.split("\n").filter((line) => line.length > 80), []);
  }
});

Deno.test("clarify deliver says that a session is told by its hooks, of which no hook has been called yet", async () => {
  using temp = new TempWorkspace({ agents: { engineer: READER } });
  await asked(temp, { ends: false });
  const { out } = await temp.run(DELIVER);
  assert(
    out.includes("nothing was run: its session has not ended; its hooks will deliver it"),
    out,
  );
});

Deno.test("clarify deliver says what to do about a session that never ended, and was not seen for half an hour", async () => {
  for (const isHeard of [true, false]) {
    using temp = new TempWorkspace({ agents: { engineer: READER } });
    temp.write("session.jsonl", "{}\n");
    const transcript_path = `${temp.root}/session.jsonl`;
    const session = await asked(temp, { ends: false });
    if (isHeard) await session.fire("PostToolUse", { transcript_path });
    const { now } = sys;
    sys.now = () => now() + 2 * 60 * 60_000;
    try {
      const { code, out } = await temp.run(DELIVER);
      const text = out.replaceAll(/\s+/g, " ");
      assertEquals([code, told(temp)], [0, []], out);
      assert(text.includes("its session has had no event for half an hour"), out);
      assert(text.includes("agentx here --as engineer --issue 42"), out);
      if (!isHeard) continue;
      Deno.utimeSync(transcript_path, sys.now() / 1_000, sys.now() / 1_000); // it goes on
      assert((await temp.run(DELIVER)).out.includes("its session has not ended"));
    } finally {
      sys.now = now;
    }
  }
});

Deno.test("clarify run says where the answer is that its run brought to a person at a shell", async () => {
  using temp = new TempWorkspace({ agents: { architect: "echo PostgreSQL." } });
  await temp.run([...ASK, "--non-blocking"]);
  const { code, out } = await temp.run(["clarify", "run"]);
  assertEquals(code, 0);
  assert(out.includes("the target has answered; read it with: agentx clarify CLR-42-001\n"), out);
  assert(!out.includes("wake"), out); // there is no session that could be woken
});

Deno.test("clarify deliver runs no target that the user has not agreed to, nor says that it would", async () => {
  using temp = new TempWorkspace({ agents: { architect: READER }, isTrusted: false });
  await temp.run(ASK);
  for (const words of [[...DELIVER, "--dry-run"], DELIVER]) {
    const { code, out, err } = await temp.run(words);
    assertEquals(code, 0, err);
    assert(out.includes("nothing was run: what is run for architect is not agreed to"), out);
    assert(!out.includes("would be run") && !out.includes("failed"), out);
  }
});

Deno.test("clarify deliver says which run failed, and tells it again with a mark", async () => {
  using temp = new TempWorkspace({ agents: { engineer: "cat >/dev/null; exit 3" } });
  const session = await asked(temp);
  const { code, out } = await temp.run(DELIVER);
  assertEquals(code, 1);
  assert(/failed: .*exit code 3/.test(out.replaceAll(/\s+/g, " ")), out);
  assertEquals([session.deliveries[0].shownAt, session.file.wake], [null, null]);
  temp.write("agents/engineer.sh", READER);
  await temp.trust();
  assertEquals(await delivered(temp), [["CLR-42-001.2", "shown", "woken"]]);
  const [prompt] = told(temp);
  assert(prompt.includes(`delivery CLR-42-001.2 ${session.deliveries[0].mark}, repeated`), prompt);
  assertEquals(session.deliveries[0].offers.length, 2);
});

Deno.test("clarify deliver wakes nobody for what another session of the role has read", async () => {
  using temp = new TempWorkspace({ agents: { engineer: READER } });
  await asked(temp);
  const heir = new HookSession(temp, { id: "99999999-2222-4333-8444-555566669c80" });
  await heir.run(["here", "--as", "engineer", "--issue", "42"]);
  assert((await heir.fire("UserPromptSubmit")).text.includes(NONCE));
  await heir.fire("PostToolUse");
  assertEquals(heir.deliveries[0].proof, "later event");
  await delivered(temp);
  assertEquals(told(temp), []);
});

Deno.test("clarify deliver runs the target of a question that nobody is on, then wakes who asked", async () => {
  using temp = new TempWorkspace({
    agents: { engineer: READER, architect: `cat >/dev/null; echo '${NONCE}'` },
  });
  const session = new HookSession(temp);
  await session.run(["here", "--as", "engineer", "--issue", "42"]);
  await session.run([...ASK, "--non-blocking"]);
  await session.fire("SessionEnd", { reason: "other" });
  assertEquals(await delivered(temp, "--dry-run"), [["CLR-42-001.1", "queued", "due"]]);
  assertEquals(await delivered(temp), [["CLR-42-001.2", "shown", "woken"]]);
  assert(told(temp)[0].includes(NONCE));
});

Deno.test("clarify deliver wakes who asked, and no other session of the role that has ended later", async () => {
  using temp = new TempWorkspace({ agents: { engineer: READER } });
  const session = await asked(temp);
  const other = new HookSession(temp, { id: "99999999-2222-4333-8444-555566669c80" });
  await other.run(["here", "--as", "engineer", "--issue", "42"]);
  await other.fire("SessionEnd", { reason: "other" });
  const { err } = await temp.run(DELIVER);
  assertEquals(err, "note: waking engineer@claude-3f2a, which may take up to 300 s\n");
  assertEquals([session.deliveries.length, other.deliveries.length], [1, 0]);
});

Deno.test("clarify --issue says that the target of a question is being run", async () => {
  const script = "echo run >>runs; while [ -e runs -a ! -e go ]; do sleep 0.05; done; echo Both.";
  using temp = new TempWorkspace({ agents: { architect: script } });
  await new HookSession(temp).run(["here", "--as", "engineer", "--issue", "42"]);
  const asking = temp.spawn(ASK).output();
  await until(() => temp.has("runs"));
  const { out } = await temp.run(["clarify", "--issue", "42"]);
  assert(
    /question CLR-42-001\.1: waiting for architect, whose run began at \S+Z$/m.test(out),
    out,
  );
  temp.write("go", "1");
  await asking;
});

Deno.test("clarify deliver wakes no session whose file came with the repository", async () => {
  using temp = new TempWorkspace({ agents: { engineer: READER } });
  await asked(temp);
  const git = async (...args: string[]) => {
    const { success } = await new Deno.Command("git", { args, cwd: temp.root }).output();
    assert(success, args.join(" "));
  };
  await git("init", "--quiet");
  await git("add", "--force", ".agentx/state/sessions");
  await delivered(temp);
  assertEquals(told(temp), []);
});
