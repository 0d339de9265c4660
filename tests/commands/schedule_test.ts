import { assert, assertEquals } from "@std/assert";
import { openWorkspace } from "../../mod.ts";
import { ownProgram } from "../own_program.ts";
import { sys } from "../../lib/sys/mod.ts";
import { JsonFileLock } from "../../lib/lock/mod.ts";
import { refusal } from "../refusal.ts";
import { TempUser } from "../temp_user.ts";
import { ended, TempWorkspace } from "../temp_workspace.ts";

/** At this time each test begins: a Saturday. */
const START = Date.parse("2026-11-28T10:30:00Z");
const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;

/** A task that leaves an issue behind each time it runs. */
const HOURLY = { cron: "0 * * * *", run: ["issue", "create", "-t", "Ran"], enabled: true };

function scheduled(tasks: Record<string, object>, isTrusted = true): TempWorkspace {
  const temp = new TempWorkspace({ isTrusted });
  temp.write(".agentx/schedules.json", JSON.stringify({ schedules: tasks }));
  return temp;
}

/** A clock that a test sets. */
function clock(): Disposable & { ms: number } {
  const now = sys.now;
  const program = ownProgram(); // the tasks of a test run agentx, not the test
  const own = {
    ms: START,
    [Symbol.dispose]() {
      sys.now = now;
      program[Symbol.dispose]();
    },
  };
  sys.now = () => own.ms;
  return own;
}

/** How often the task has run. */
async function runsOf(temp: TempWorkspace): Promise<number> {
  return (await temp.json(["issue", "list"])).issues.length;
}

async function idsOf(temp: TempWorkspace): Promise<string[]> {
  const { runs } = await temp.json(["schedule", "run"]);
  return runs.map(({ id, exitCode }: { id: string; exitCode: number }) => `${id} ${exitCode}`);
}

Deno.test("schedule run does what is due, once, and not what came before it was first seen", async () => {
  using time = clock();
  using temp = scheduled({ hourly: HOURLY });
  assertEquals(await idsOf(temp), []);
  time.ms += 29 * 60_000;
  assertEquals(await idsOf(temp), []);
  time.ms += 60_000;
  assertEquals(await idsOf(temp), ["hourly 0"]);
  assertEquals(await idsOf(temp), []);
  assertEquals(await runsOf(temp), 1);
});

Deno.test("schedule run after a year of missed runs does each task once", async () => {
  using time = clock();
  const cron = ["0 * * * *", "30 9 * * 1", "* * * * *", "0 0 1 1 *"];
  using temp = scheduled(
    Object.fromEntries(cron.map((cron, at) => [`t${at}`, { ...HOURLY, cron }])),
  );
  await idsOf(temp);
  time.ms += 365 * DAY_MS;
  assertEquals(await idsOf(temp), ["t0 0", "t1 0", "t2 0", "t3 0"]);
  assertEquals(await idsOf(temp), []);
  assertEquals(await runsOf(temp), 4);
});

Deno.test("schedule run with a clock that is set back an hour fires nothing again", async () => {
  using time = clock();
  using temp = scheduled({ hourly: HOURLY });
  await idsOf(temp);
  time.ms += HOUR_MS;
  assertEquals(await idsOf(temp), ["hourly 0"]);
  for (let minutes = 0; minutes < 90; minutes += 10) {
    time.ms = START + minutes * 60_000;
    assertEquals(await idsOf(temp), []);
  }
  time.ms = START + 2 * HOUR_MS;
  assertEquals(await idsOf(temp), ["hourly 0"]);
});

Deno.test("schedule run goes on after a clock that was a year ahead", async () => {
  using time = clock();
  using temp = scheduled({ hourly: HOURLY });
  await idsOf(temp);
  time.ms += 365 * DAY_MS;
  assertEquals(await idsOf(temp), ["hourly 0"]);
  time.ms = START + HOUR_MS;
  assertEquals(await idsOf(temp), []);
  time.ms += HOUR_MS;
  assertEquals(await idsOf(temp), ["hourly 0"]);
});

Deno.test("schedule run: of eight processes of two users in one minute one runs a task", async () => {
  using temp = scheduled({ "a": HOURLY, "b": HOURLY }, false);
  const last = new Date(Date.now() - 2 * HOUR_MS).toISOString();
  temp.write(".agentx/state/schedules.json", JSON.stringify({ a: last, b: last }));
  await temp.trust();
  using other = new TempUser();
  assertEquals((await temp.run(["adopt"], { terminal: true, stdin: "y\n" })).code, 0);
  await temp.trust();
  const homes = [temp.user, other].map(({ path }) => ({
    XDG_CONFIG_HOME: `${path}/config`,
    XDG_STATE_HOME: `${path}/state`,
  }));
  const all = await Promise.all(
    Array.from(
      { length: 8 },
      (_, at) => ended(temp.spawn(["schedule", "run", "--json"], { env: homes[at % 2] })),
    ),
  );
  assertEquals(all.map(({ code, err }) => [code, err]), Array(8).fill([0, ""]));
  const ran = all.flatMap(({ out }) => JSON.parse(out).runs).map(({ id }) => id).sort();
  assertEquals(ran, ["a", "b"]);
  assertEquals(await runsOf(temp), 2);
});

Deno.test("schedule run runs nothing before consent, nor after any change, and nothing that is off", async () => {
  using time = clock();
  using temp = scheduled({ hourly: HOURLY }, false);
  assertEquals((await temp.json(["schedule", "run"])).error.code, "UNTRUSTED");
  assertEquals(temp.has(".agentx/state/schedules.json"), false);
  const { err } = await temp.trust();
  assert(err.includes(".agentx/schedules.json"), err);
  assertEquals(await idsOf(temp), []);
  time.ms += HOUR_MS;
  const changed = { ...HOURLY, run: ["issue", "create", "-t", "Other"] };
  temp.write(".agentx/schedules.json", JSON.stringify({ schedules: { hourly: changed } }));
  assertEquals((await temp.json(["schedule", "run"])).error.code, "UNTRUSTED");
  const off = { ...HOURLY, enabled: undefined };
  temp.write(".agentx/schedules.json", JSON.stringify({ schedules: { hourly: off } }));
  assertEquals(await idsOf(temp), []);
  assertEquals(await runsOf(temp), 0);
});

Deno.test("schedule run refuses a state that came from elsewhere", async () => {
  using temp = scheduled({ hourly: HOURLY });
  temp.write(".agentx/state/birth", "another");
  const { code, err } = await temp.run(["schedule", "run"]);
  assertEquals([code, err.includes("agentx adopt")], [6, true], err);
});

Deno.test("schedule run reports a task that fails, and goes on", async () => {
  using time = clock();
  using temp = scheduled({ a: { ...HOURLY, run: ["issue", "view", "99"] }, b: HOURLY });
  await idsOf(temp);
  time.ms += HOUR_MS;
  const { code, out } = await temp.run(["schedule", "run", "--json"]);
  const [a, b] = JSON.parse(out).runs;
  assertEquals([code, a.exitCode, b.exitCode], [1, 4, 0]);
  assert(a.output.includes("#99"), a.output);
});

const WRONG: Record<string, object> = {
  "four parts": { ...HOURLY, cron: "0 * * *" },
  "seconds": { ...HOURLY, cron: "0 0 * * * *" },
  "an hour that is none": { ...HOURLY, cron: "0 25 * * *" },
  "a day that never comes": { ...HOURLY, cron: "0 0 31 2 *" },
  "an unknown zone": { ...HOURLY, timeZone: "Mars/Olympus" },
  "no command": { ...HOURLY, run: [] },
  "itself": { ...HOURLY, run: ["schedule", "run"] },
  "an unknown key": { ...HOURLY, shell: "ls" },
};

for (const [name, task] of Object.entries(WRONG)) {
  Deno.test(`schedule refuses a file with ${name}`, async () => {
    using temp = scheduled({ task });
    for (const words of [["schedule"], ["schedule", "run"]]) {
      const { error } = await temp.json(words);
      assertEquals(error.code, "INVALID_CONFIG");
      assert(error.message.includes("task"), error.message);
    }
  });
}

Deno.test("schedule names all that is wrong with its file at once, each name in quotes", async () => {
  const tasks = {
    late: { ...HOURLY, timeZone: "Mars/Olympus" },
    long: { cron: "0 9 * *", shell: "ls" },
    good: HOURLY,
    own: { ...HOURLY, run: ["schedule", "run"] },
  };
  using temp = scheduled(tasks);
  const { error } = await temp.json(["schedule"]);
  const said = error.message.split("\n")[0];
  assertEquals(said.slice(said.indexOf('json": ') + 'json": '.length).split("; "), [
    '"schedules.long.run" is missing',
    '"schedules.long.cron" must be the five parts of a cron expression, such as 0 9 * * 1, but is "0 9 * *"',
    '"schedules.long.shell" is not a known key',
    "\"schedules.late\": CronDate: Failed to convert date to timezone 'Mars/Olympus': This may happen with invalid " +
    "timezone names or dates",
    '"schedules.own": it would run schedules',
  ]);
});

const LONG = JSON.stringify({ schedules: { ["a".repeat(200)]: {} } });

for (
  const text of [
    "{",
    '{"schedules": null}',
    LONG,
    '{"schedules": {"a": 1}}',
    '{"schedules": {"a": {"cron": "x"}}}',
  ]
) {
  Deno.test(`schedule, trust and doctor name what is wrong with the file ${text}, and the fix`, async () => {
    using temp = new TempWorkspace();
    temp.write(".agentx/schedules.json", text);
    const { code, err: [summary, next] } = await temp.run(["schedule"])
      .then(({ code, err }) => ({ code, err: err.trim().split("\n") }));
    assert(code !== 0 && summary.includes("schedules.json"), summary);
    const { findings } = await temp.json(["doctor"]);
    const found = findings.find(({ check }: { check: string }) => check === "schedules");
    assertEquals([found.level, `error: ${found.message}`], ["fail", summary]);
    const { err } = await temp.run(["trust", "--print"]);
    assert(err.includes(`${found.message}. ${found.next}`), err);
    assert(next.includes(found.next), next);
  });
}

Deno.test("schedule lists each task with its last and its next run", async () => {
  using time = clock();
  using temp = scheduled({ hourly: HOURLY, off: { ...HOURLY, enabled: false } });
  await idsOf(temp);
  const { tasks: [hourly, off] } = await temp.json(["schedule"]);
  assertEquals(hourly.next, "2026-11-28T11:00:00.000Z");
  assertEquals([hourly.last, off.next, off.last], [null, null, null]); // seen, and not run yet
  const { out } = await temp.run(["schedule"]);
  assert(out.includes("  hourly  next 2026-11-28 11:00 UTC, last never\n"), out);
  assert(
    out.includes("    0 * * * * UTC, agentx issue create -t Ran\n  off  off, last never\n"),
    out,
  );
  time.ms += HOUR_MS;
  await idsOf(temp);
  const { tasks: [ran] } = await temp.json(["schedule"]);
  assertEquals([ran.last, ran.next], ["2026-11-28T11:30:00.000Z", "2026-11-28T12:00:00.000Z"]);
});

Deno.test("schedule run takes no lock for a task that is not due", async () => {
  using _ = clock();
  using temp = scheduled({ hourly: HOURLY });
  await idsOf(temp);
  const other = new JsonFileLock();
  const path = `${temp.root}/.agentx/state/schedules.json`;
  await other.acquire(path, "other");
  try {
    assertEquals(await idsOf(temp), []);
  } finally {
    await other.release(path);
  }
});

Deno.test("Agentx.schedules adds, switches and removes tasks, and emits task-fired", async () => {
  using time = clock();
  using temp = new TempWorkspace();
  const { schedules, events } = await openWorkspace({ root: temp.root });
  const fired: string[] = [];
  events.on("task-fired", ({ taskId, schedule }) => fired.push(`${taskId} ${schedule}`));
  await schedules.add("hourly", HOURLY);
  await schedules.runDue();
  await schedules.disable("hourly");
  time.ms += HOUR_MS;
  assertEquals(await schedules.runDue(), []);
  await schedules.enable("hourly");
  assertEquals(await schedules.runDue(), []); // what was missed while it was off does not happen
  time.ms += HOUR_MS;
  assertEquals((await schedules.runDue()).map(({ id }) => id), ["hourly"]);
  assertEquals(fired, ["hourly 0 * * * *"]);
  await schedules.remove("hourly");
  assertEquals(schedules.list(), []);
  await refusal("NOT_FOUND", () => schedules.remove("hourly"));
  await refusal("INVALID_CONFIG", () => schedules.add("x", { ...HOURLY, cron: "x" }));
  assertEquals(schedules.list(), []);
});

Deno.test("schedule install prints the line of cron, and installs it once after a yes", async () => {
  using _ = ownProgram();
  using temp = scheduled({ hourly: HOURLY });
  const path = Deno.env.get("PATH")!;
  const table = `${temp.root}/table`;
  temp.write(
    "bin/crontab",
    `#!/bin/sh\nif [ "$1" = -l ]; then cat ${table}; else cat >${table}; fi\n`,
  );
  Deno.chmodSync(`${temp.root}/bin/crontab`, 0o755);
  temp.write("table", "0 0 * * * mine\n");
  Deno.env.set("PATH", `${temp.root}/bin:${path}`);
  try {
    const { out } = await temp.run(["schedule", "install"]);
    assert(out.includes("* * * * * env") && out.includes("schedule run"), out);
    assertEquals(temp.read("table"), "0 0 * * * mine\n");
    for (const stdin of ["n\n", "y\n", "y\n"]) {
      await temp.run(["schedule", "install"], { terminal: true, stdin });
    }
    const lines = temp.read("table").split("\n");
    assertEquals([lines.length, lines[0]], [3, "0 0 * * * mine"]);
    const command = lines[1].slice("* * * * * ".length).replaceAll("\\%", "%");
    const ran = new Deno.Command("sh", {
      args: ["-c", command.replace(" >/dev/null", " --json #")],
    });
    assertEquals(JSON.parse(new TextDecoder().decode(ran.outputSync().stdout)).runs, []);
  } finally {
    Deno.env.set("PATH", path);
  }
});

const WRONG_LINES: [run: string[], why: string, next: string][] = [
  [["digset"], 'unknown command "digset"', 'Did you mean "agentx digest"?'],
  [["digest", "--wek", "3"], 'unknown option "--wek"', "Did you mean --week?"],
  [["issue", "comment", "x", "-c", "a"], "N must be a whole number", ""],
  [["issue"], "a subcommand is missing", "One of: "],
];

for (const [run, why, next] of WRONG_LINES) {
  Deno.test(`schedule, its run, trust and doctor name a task with the line ${run.join(" ")}`, async () => {
    using temp = scheduled({ weekly: { cron: "0 9 * * 1", run, enabled: true } });
    const begin = "note: the task weekly of .agentx/schedules.json fails: ";
    for (const words of [["trust", "--print"], ["schedule"], ["schedule", "run"]]) {
      const { code, err } = await temp.run(words);
      assertEquals([code, err.startsWith(begin)], [0, true], err);
      assert(err.includes(why) && err.includes(next), err);
    }
    const { findings } = await temp.json(["doctor"]);
    const { level, message } = findings.find(({ check }: { check: string }) =>
      check === "schedules"
    );
    assertEquals([level, message.includes(why)], ["fail", true], message);
  });
}

Deno.test("schedule install installs nothing where no task is scheduled", async () => {
  using empty = scheduled({});
  const { code, out, err } = await empty.run(["schedule", "install"]);
  assertEquals([code, out, err.includes("nothing to run")], [4, "", true], err);
});

Deno.test("schedule install writes units of systemd where there is no cron", async () => {
  using temp = scheduled({ hourly: HOURLY });
  const path = Deno.env.get("PATH")!;
  temp.write("bin/systemctl", `#!/bin/sh\necho "$@" >>${temp.root}/calls\n`);
  Deno.chmodSync(`${temp.root}/bin/systemctl`, 0o755);
  for (const name of ["sh", "env"]) {
    Deno.symlinkSync(`/usr/bin/${name}`, `${temp.root}/bin/${name}`);
  }
  Deno.env.set("PATH", `${temp.root}/bin`);
  try {
    const { code, err } = await temp.run(["schedule", "install"], { terminal: true, stdin: "y\n" });
    assertEquals(code, 0, err);
  } finally {
    Deno.env.set("PATH", path);
  }
  const units = `${temp.user.path}/config/systemd/user`;
  const names = Array.from(Deno.readDirSync(units), ({ name }) => name).sort();
  assertEquals(names.map((name) => name.split(".")[1]), ["service", "timer"]);
  const [, enabled] = temp.read("calls").trim().split("\n");
  assertEquals(enabled, `--user enable --now ${names[1]}`);
});
