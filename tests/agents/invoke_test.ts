import { assert, assertEquals } from "@std/assert";
import { commandInvoker } from "../../lib/agents/invoke.ts";
import { AgentxError } from "../../lib/base/errors.ts";
import { sys } from "../../lib/sys/mod.ts";
import { refusal } from "../refusal.ts";

/** A folder for scripts, removed at the end of the block that is `using` it. */
class TempFolder implements Disposable {
  readonly path: string = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "agentx-test-" }));

  has(name: string): boolean {
    return Array.from(Deno.readDirSync(this.path), (entry) => entry.name).includes(name);
  }

  [Symbol.dispose](): void {
    Deno.removeSync(this.path, { recursive: true });
  }
}

interface Call {
  prompt?: string;
  timeoutMs?: number;
  signal?: AbortSignal;
  folder?: TempFolder;
}

/** Runs a command once as the architect. */
async function run(
  command: string[],
  { prompt = "", timeoutMs = 20_000, signal, folder }: Call = {},
): Promise<string> {
  using own = new TempFolder();
  const { path } = folder ?? own;
  const invoke = commandInvoker({ command, cwd: path, timeoutMs });
  return await invoke({ agent: "architect", prompt, signal });
}

/** The keys of whoever runs the tests would be named by each failure. */
const PATH = Deno.env.get("PATH")!;
sys.envEntries = () => [["PATH", PATH]];

function sh(script: string, call?: Call): Promise<string> {
  return run(["sh", "-c", script], call);
}

/** The reason of a call that must fail. */
async function failure(call: () => Promise<unknown>): Promise<string> {
  const { details } = await refusal("AGENT_ERROR", call);
  assertEquals(details.agent, "architect");
  return details.reason;
}

/** Gives the program another environment while a test runs. */
async function withEnvironment<T>(
  variables: Record<string, string>,
  test: () => Promise<T>,
): Promise<T> {
  const { env, envEntries } = sys;
  sys.env = (name) => variables[name];
  sys.envEntries = () => Object.entries(variables);
  try {
    return await test();
  } finally {
    Object.assign(sys, { env, envEntries });
  }
}

Deno.test("commandInvoker() gives the prompt on standard input and takes standard output", async () => {
  const prompt = "Which one?\n\u00e9\u6f22\n";
  assertEquals(await sh("cat", { prompt }), prompt.trim());
});

Deno.test("commandInvoker() hands its arguments over without a shell", async () => {
  using folder = new TempFolder();
  const words = [";touch X", "$(touch X)", "`touch X`", "a b", "*", ""];
  const reply = await run(["printf", "[%s]", ...words], { folder });
  assertEquals(reply, words.map((word) => `[${word}]`).join(""));
  assertEquals(folder.has("X"), false);
});

Deno.test("commandInvoker() runs in the folder it is told", async () => {
  using folder = new TempFolder();
  assertEquals(await sh("pwd -P", { folder }), folder.path);
});

Deno.test("commandInvoker() finds a program relative to that folder", async () => {
  using folder = new TempFolder();
  Deno.writeTextFileSync(`${folder.path}/agent.sh`, "#!/bin/sh\necho here\n", { mode: 0o755 });
  assertEquals(await run(["./agent.sh"], { folder }), "here");
});

Deno.test("commandInvoker() does without an agent that reads its prompt", async () => {
  assertEquals(await sh("echo ready", { prompt: "x".repeat(1_000_000) }), "ready");
});

Deno.test("commandInvoker() kills a program that is too slow", async () => {
  const reason = await failure(() => sh("exec sleep 60", { timeoutMs: 200 }));
  assertEquals(reason, "no reply within 0.2 s (agents.architect.timeoutSeconds)");
});

Deno.test("commandInvoker() kills what a slow program has started, too", async () => {
  using folder = new TempFolder();
  const script = "(sleep 0.6; echo alive >late) & sleep 60";
  await failure(() => sh(script, { folder, timeoutMs: 150 }));
  await new Promise((resolve) => setTimeout(resolve, 700));
  assertEquals(folder.has("late"), false);
});

Deno.test("commandInvoker() does not wait for what a program has left behind", async () => {
  const startMs = performance.now();
  assertEquals(await sh("sleep 60 & echo done"), "done");
  assert(performance.now() - startMs < 20_000);
});

Deno.test("commandInvoker() kills a program that prints without end", async () => {
  assertEquals(await failure(() => sh("yes")), "it printed more than a megabyte");
});

Deno.test("commandInvoker() takes the answer of a program that complains at length", async () => {
  const script = "head -c 3000000 /dev/zero | tr '\\0' x >&2; echo good";
  assertEquals(await sh(script), "good");
});

Deno.test("commandInvoker() fails with the exit code and the last line of standard error", async () => {
  const reason = await failure(() => sh("echo reply; printf 'a\\nno quota\\n\\n' >&2; exit 3"));
  assertEquals(reason, "exit code 3: no quota");
});

Deno.test("commandInvoker() keeps both tails of what a failing program printed", async () => {
  const script = "echo half an answer; printf '\\033[31mno quota\\033[0m\\n' >&2; exit 3";
  const { details } = await refusal("AGENT_ERROR", () => sh(script));
  assertEquals([details.stdout, details.stderr, details.final], [
    "half an answer",
    "no quota",
    undefined,
  ]);
});

Deno.test("commandInvoker() says what to do where there is no network", async () => {
  const reasons = await Promise.all([
    failure(() => sh("echo 'Could not connect to x' >&2; exit 1")),
    failure(() => sh("echo 'ERROR: failed to connect' >&2; exec sleep 60", { timeoutMs: 300 })),
  ]);
  for (const reason of reasons) {
    assert(reason.includes("if this session has no network, start agentx serve"), reason);
  }
});

/** Scripts whose failure a second run does not change. */
const FINAL = ["echo 'Not logged in' >&2; exit 1", "echo 'error: unknown option --x' >&2; exit 2"]
  .concat("echo 'HTTP 403 Forbidden' >&2; exit 1")
  .concat(`echo '{"is_error":true,"result":"API Error: 404 Not Found"}'`);

for (const script of FINAL) {
  Deno.test(`commandInvoker() says that no second run helps after "${script}"`, async () => {
    const { details } = await refusal("AGENT_ERROR", () => sh(script));
    assert(details.final);
  });
}

Deno.test("commandInvoker() fails with the exit code alone where nothing was said", async () => {
  assertEquals(await failure(() => sh("exit 3")), "exit code 3");
});

Deno.test("commandInvoker() fails where a signal ended the program", async () => {
  assertEquals(await failure(() => sh("kill -9 $$")), "exit code 137");
});

Deno.test("commandInvoker() keeps the reason short and on one line", async () => {
  const reasons = await Promise.all([
    failure(() => sh("printf '%05000d' 1 >&2; exit 3")),
    failure(() => sh(`printf '{"is_error":true,"result":"%05000d"}' 1`)),
    failure(() => sh(`printf '%s' '{"is_error":true,"result":"one\\ntwo"}'`)),
  ]);
  for (const reason of reasons) {
    assert(reason.length < 300, `${reason.length} characters`);
    assert(!reason.includes("\n"));
  }
});

for (const script of ["true", "printf ' \\n\\t\\n'", `printf '{"result":"  "}'`]) {
  Deno.test(`commandInvoker() takes the reply of "${script}" for none`, async () => {
    assertEquals(await failure(() => sh(script)), "it printed nothing");
  });
}

/** What is printed, and the reply that is in it. */
const REPLIES: Record<string, string> = {
  '{"type":"result","is_error":false,"result":"Both."}': "Both.",
  ' {"result":" Both.\\n"}\n': "Both.",
  '{"answer":"Both."}': '{"answer":"Both."}',
  '{"result":null}': '{"result":null}',
  "{braces} are allowed": "{braces} are allowed",
  '[{"result":"Both."}]': '[{"result":"Both."}]',
};

for (const [printed, reply] of Object.entries(REPLIES)) {
  Deno.test(`commandInvoker() finds its reply in ${JSON.stringify(printed)}`, async () => {
    assertEquals(await sh("cat", { prompt: printed }), reply);
  });
}

Deno.test("commandInvoker() fails where the envelope reports an error", async () => {
  const prompt = '{"type":"result","is_error":true,"result":"Credit balance is too low"}';
  const reason = await failure(() => sh("cat", { prompt }));
  assertEquals(reason, "it reported an error: Credit balance is too low");
});

Deno.test("commandInvoker() fails where the envelope reports an error that is no text", async () => {
  const prompt = '{"is_error":true,"result":{"toString":1,"valueOf":2}}';
  assert((await failure(() => sh("cat", { prompt }))).startsWith("it reported an error"));
});

Deno.test("commandInvoker() fails where there is no such program", async () => {
  const reason = await failure(() => run(["no-such-program-here", "-p"]));
  assertEquals(reason, 'there is no program "no-such-program-here" that can be run');
  const { details } = await refusal("AGENT_ERROR", () => run(["no-such-program-here"]));
  assertEquals(details.final, "there is no such program");
});

Deno.test("commandInvoker() fails where the program may not be run", async () => {
  using folder = new TempFolder();
  Deno.writeTextFileSync(`${folder.path}/agent.sh`, "#!/bin/sh\necho x\n", { mode: 0o644 });
  const reason = await failure(() => run(["./agent.sh"], { folder }));
  assertEquals(reason, 'there is no program "./agent.sh" that can be run');
});

Deno.test("commandInvoker() passes of the environment only what agents need", async () => {
  const passed = {
    PATH,
    HOME: "/home/x",
    LANG: "C",
    LC_ALL: "C",
    https_proxy: "http://proxy",
    DBUS_SESSION_BUS_ADDRESS: "unix:path=/run/bus",
  };
  const withheld = {
    ANTHROPIC_API_KEY: "secret",
    OPENAI_API_KEY: "secret",
    AWS_SECRET_ACCESS_KEY: "secret",
    AGENTX_TRUST: "1",
    FOO_TOKEN: "secret",
    DATABASE_URL: "secret",
    AGENTX_ANYTHING: "secret",
    XANTHROPIC_API_KEY: "secret",
    LD_PRELOAD: "secret",
    NODE_OPTIONS: "secret",
  };
  const reply = await withEnvironment({ ...passed, ...withheld }, () => run(["env"]));
  const { AGENTX_RUN, PWD: _ofItsShell, ...variables } = Object.fromEntries(
    reply.split("\n").map((line) => [line.split("=")[0], line.slice(line.indexOf("=") + 1)]),
  );
  assert(/^\/[0-9a-f-]{36}$/.test(AGENTX_RUN), AGENTX_RUN);
  assertEquals(variables, { ...passed, AGENTX_AGENT: "architect", AGENTX_DEPTH: "1" });
});

/** A script under the name of a program, which prints its environment. */
function fakeProgram(folder: TempFolder, name: string): string {
  const path = `${folder.path}/${name}`;
  Deno.writeTextFileSync(path, "#!/bin/sh\nexec env\n", { mode: 0o755 });
  return path;
}

Deno.test("commandInvoker() passes the keys of the program's own vendor", async () => {
  using folder = new TempFolder();
  const variables = { PATH, ANTHROPIC_API_KEY: "k1", OPENAI_API_KEY: "k2" };
  const reply = await withEnvironment(variables, () => run([fakeProgram(folder, "claude")]));
  assertEquals(reply.split("\n").filter((line) => line.includes("API_KEY")), [
    "ANTHROPIC_API_KEY=k1",
  ]);
});

Deno.test("commandInvoker() passes what passEnv names and sets what env says", async () => {
  const command = ["env"];
  const settings = { passEnv: ["FOO_TOKEN"], env: { MODEL: "small", AGENTX_AGENT: "human" } };
  const invoke = commandInvoker({ command, cwd: "/", ...settings });
  const reply = await withEnvironment(
    { PATH, FOO_TOKEN: "t", BAR_TOKEN: "u", MODEL: "big" },
    () => invoke({ agent: "architect", prompt: "" }),
  );
  assertEquals(reply.split("\n").filter((line) => !/^(PATH|PWD|AGENTX_RUN)=/.test(line)).sort(), [
    "AGENTX_AGENT=architect",
    "AGENTX_DEPTH=1",
    "FOO_TOKEN=t",
    "MODEL=small",
  ]);
});

const KEYS = { PATH, OPENAI_API_KEY: "hush", AWS_SESSION_TOKEN: "hush", EDITOR: "vi" };

Deno.test("commandInvoker() names what a failing program did not get, and how to pass it", async () => {
  for (
    const script of ["echo no key >&2; exit 1", "true", `echo '{"is_error":true,"result":"x"}'`]
  ) {
    const reason = await withEnvironment(KEYS, () => failure(() => sh(script)));
    const next =
      `agentx config set agents.architect.passEnv '["AWS_SESSION_TOKEN","OPENAI_API_KEY"]'`;
    assert(reason.includes("it was not given AWS_SESSION_TOKEN, OPENAI_API_KEY"), reason);
    assert(reason.endsWith(next), reason);
    assert(!reason.includes("hush"), reason);
  }
});

Deno.test("commandInvoker() keeps what passEnv names in the command it suggests", async () => {
  const command = ["sh", "-c", "exit 1"];
  const invoke = commandInvoker({
    command,
    cwd: "/",
    passEnv: ["EDITOR"],
    setBy: "config set --global agents.default",
  });
  const reason = await withEnvironment(
    { PATH, EDITOR: "vi", OPENAI_API_KEY: "hush" },
    () => failure(() => invoke({ agent: "architect", prompt: "" })),
  );
  const next = `agentx config set --global agents.default.passEnv '["EDITOR","OPENAI_API_KEY"]'`;
  assert(reason.endsWith(next), reason);
});

Deno.test("commandInvoker() names no keys to a program that got one", async () => {
  const command = ["sh", "-c", "exit 1"];
  const invoke = commandInvoker({ command, cwd: "/", passEnv: ["OPENAI_API_KEY"] });
  const reason = await withEnvironment(
    KEYS,
    () => failure(() => invoke({ agent: "architect", prompt: "" })),
  );
  assertEquals(reason, "exit code 1");
});

Deno.test("commandInvoker() counts how deep agents invoke each other", async () => {
  const depth = await withEnvironment(
    { PATH, AGENTX_DEPTH: "2" },
    () => sh("echo $AGENTX_DEPTH"),
  );
  assertEquals(depth, "3");
});

Deno.test("commandInvoker() refuses to run an agent in a loop", async () => {
  const reason = await withEnvironment(
    { PATH, AGENTX_DEPTH: "4" },
    () => failure(() => sh("echo never")),
  );
  assertEquals(reason, "agents have invoked each other 4 deep");
});

function interrupted() {
  return new AgentxError("INTERRUPTED", "Stopped", { details: { signal: "SIGINT" } });
}

Deno.test("commandInvoker() stops when the signal fires, with its reason", async () => {
  const interrupt = new AbortController();
  const reason = interrupted();
  const timer = setTimeout(() => interrupt.abort(reason), 100);
  const error = await refusal("INTERRUPTED", () => {
    return sh("exec sleep 60", { signal: interrupt.signal });
  });
  clearTimeout(timer);
  assertEquals(error === reason, true);
});

Deno.test("commandInvoker() stops at once when the signal has fired before", async () => {
  using folder = new TempFolder();
  const signal = AbortSignal.abort(interrupted());
  await refusal("INTERRUPTED", () => sh("sleep 0.5; echo >ran", { signal, folder }));
  assertEquals(folder.has("ran"), false);
});

Deno.test("commandInvoker() says where the command of the agent is set", async () => {
  const { message } = await refusal("AGENT_ERROR", () => sh("exit 1"));
  assert(message.endsWith("agentx agents"));
});

/** What is left of a run whose kill was refused, as the kernel does for another user's program. */
function timedOutAlive(pid: number): typeof sys.run {
  return () =>
    Promise.resolve({
      outcome: "timeout" as const,
      exitCode: null,
      stdout: "",
      stderr: "",
      unkilled: pid,
    });
}

Deno.test("commandInvoker() says that a program could not be killed", async () => {
  const { run } = sys;
  sys.run = timedOutAlive(4242);
  try {
    const reason = await failure(() => sh("true", { timeoutMs: 200 }));
    const limit = "no reply within 0.2 s (agents.architect.timeoutSeconds)";
    assertEquals(reason, `${limit}, and process 4242 could not be killed`);
  } finally {
    sys.run = run;
  }
});
