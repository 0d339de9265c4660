/**
 * The real coding agents, as presets and as configured commands, in front of a model on loopback. What `.ci/run` did
 * not install is ignored.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { ALWAYS_LOADING } from "../../lib/hosts/repository_files.ts";
import type { Ran } from "../temp_workspace.ts";
import { type Host, HOSTS, NEWEST_CLAUDE, programOf, readmeCommand, titleOf } from "./host.ts";
import { hostileFiles } from "./hostile_files.ts";
import { ANSWER, CLOSED_URL, ScriptedModel } from "./scripted_model.ts";
import { wishes } from "./tool_calls.ts";
import { HostUser, type HostUserOptions } from "./user.ts";

const INSTALLED = HOSTS.filter((host) => programOf(host) !== undefined);
for (const { name } of HOSTS.filter((host) => !INSTALLED.includes(host))) {
  console.warn(`${name} was not tried: .ci/run installs the version that .ci/hosts.txt names`);
}

/** What no second run can help, and how that is said. */
const FINAL = {
  usage: "it does not accept these arguments",
  login: "it is not logged in",
  refused: "the request was refused",
};

/** @returns the reason that a person is given */
function assertEscalated(user: HostUser, { code, out, err }: Ran, says: RegExp): string {
  assertEquals([code, user.record.status], [7, "escalated"], out + err);
  const { body } = user.record.thread.at(-1)!;
  assert(says.test(body), body);
  assert(says.test(out.replace(/\s+/g, " ")), out); // it is wrapped
  // deno-lint-ignore no-control-regex -- none of these is to be in it
  assert(!/[\x00-\x09\x0b-\x1f]/.test(body), body);
  assertEquals(user.runs, 1, body);
  assert(!err.includes("has left"), err); // a process that goes on
  return body.split("\n", 1)[0];
}

/** As the README has it run. */
const WAYS = HOSTS.flatMap((host) => {
  const command = readmeCommand(host);
  const ways: [string, Host, HostUserOptions["architect"]][] = [
    [`the preset ${host.name}`, host, { preset: host.name }],
  ];
  if (command !== undefined) ways.push([`the command of ${host.name}`, host, { command }]);
  return ways;
});

for (const [name, host, architect] of WAYS) {
  const { says } = host;
  const ignore = !INSTALLED.includes(host);

  Deno.test({ name: `${name}: its answer is the text alone`, ignore }, async () => {
    await using model = new ScriptedModel("answers");
    using user = new HostUser(host, { architect, url: model.url });
    const { code, out, err } = await user.ask();
    assertEquals([code, user.runs], [0, 1], out + err);
    const [, answer, ...more] = user.record.thread;
    assertEquals([answer.body, more], [ANSWER, []]);
    assert(out.includes(`A: ${ANSWER.split("\n", 1)[0]}\n`), out);
    assert(!err.includes("has left"), err);
    assertEquals(user.files, [".agentx"]);
  });

  Deno.test({
    name: `${name}: a person gets to read its own words after one run that no second can help`,
    ignore,
    async fn() {
      await using model = new ScriptedModel("refuses");
      using users = new DisposableStack();
      const user = (options: { isLoggedIn?: boolean; words?: string[] }) => {
        const { words = [], ...more } = options;
        const way = "command" in architect
          ? { command: [...architect.command, ...words] }
          : architect;
        return users.use(new HostUser(host, { architect: way, url: model.url, ...more }));
      };
      const asked: [keyof typeof FINAL, HostUser][] = [["refused", user({})]];
      if ("command" in architect) asked.push(["usage", user({ words: ["--no-such-flag"] })]);
      if (says.login !== undefined) asked.push(["login", user({ isLoggedIn: false })]);
      const ran = await Promise.all(asked.map(([, user]) => user.ask()));
      for (const [index, [failing, user]] of asked.entries()) {
        const reason = assertEscalated(user, ran[index], says[failing]!);
        assert(reason.includes(`was not run again, since ${FINAL[failing]}: `), reason);
        assert("command" in architect || !reason.includes("{"), reason); // no JSON
      }
    },
  });
}

for (const host of HOSTS) {
  const architect = { preset: host.name };
  const ignore = !INSTALLED.includes(host);

  Deno.test({ name: `${host.name}: a follow-up goes on in its session`, ignore }, async () => {
    await using model = new ScriptedModel("answers");
    using user = new HostUser(host, { architect, url: model.url });
    await user.ask();
    const { code, err } = await user.askAgain();
    assertEquals([code, user.runs], [0, 2], err);
    const [, first, , second] = user.record.thread;
    assertEquals([second.body, second.runner], [ANSWER, host.name]);
    assert(first.session !== undefined && second.session === first.session, second.session);
  });

  Deno.test({ name: `${host.name}: it may read, and changes nothing`, ignore }, async () => {
    await using model = new ScriptedModel("answers");
    using user = new HostUser(host, { architect, url: model.url });
    const path = `${user.root}/a.txt`;
    Deno.writeTextFileSync(path, "a nonce: 4711\n");
    model.wishes = wishes(user.root, "a.txt");
    const { code, out, err } = await user.ask();
    assertEquals([code, user.record.thread[1]?.body], [0, ANSWER], out + err);
    assertEquals([user.files.sort(), Deno.readTextFileSync(path)], [
      [".agentx", "a.txt"],
      "a nonce: 4711\n",
    ]);
    assert(model.heard.includes("nonce: 4711"), model.heard.slice(-2_000));
  });
}

for (const host of [...HOSTS, NEWEST_CLAUDE]) {
  const ignore = programOf(host) === undefined;
  Deno.test({ name: `${titleOf(host)}: a clone has it run nothing`, ignore }, async () => {
    await using model = new ScriptedModel("answers");
    using user = new HostUser(host, { architect: { preset: host.name }, url: model.url });
    user.addFiles(hostileFiles);
    const { code, out, err } = await user.ask();
    if (!ALWAYS_LOADING.includes(host.name)) {
      assertEquals([user.marks, code, user.record.thread[1]?.body], [[], 0, ANSWER], out + err);
      return;
    }
    assertEquals([user.marks, code], [[], 7], out + err);
    assert(/what is run for architect is not agreed to here/.test(out), out);
  });
}

Deno.test({
  name: "the files of that clone work: a command without the arguments of a preset runs them",
  ignore: !INSTALLED.some(({ name }) => name === "claude"),
  async fn() {
    const [host] = HOSTS;
    await using model = new ScriptedModel("answers");
    using user = new HostUser(host, {
      architect: { command: readmeCommand(host)! },
      url: model.url,
    });
    user.addFiles(hostileFiles);
    await user.ask();
    assert(user.marks.includes("claude-start") && user.marks.includes("mcp"), user.marks.join());
  },
});

Deno.test({
  name: "each preset: half an answer is a failure, and never an answer",
  ignore: INSTALLED.length === 0,
  async fn() {
    await using model = new ScriptedModel("breaks");
    using users = new DisposableStack();
    const asked: [Host, HostUser][] = [];
    for (const host of INSTALLED) {
      const options = { architect: { preset: host.name }, url: model.url, timeoutSeconds: 20 };
      const user = users.use(new HostUser(host, options));
      await user.leaveStale();
      asked.push([host, user]);
    }
    const ran = await Promise.all(asked.map(([, user]) => user.retry()));
    for (const [index, [{ name }, user]] of asked.entries()) {
      const { code, out, err } = ran[index];
      assertEquals([name, code, user.record.status], [name, 7, "escalated"], out + err);
      assertEquals(user.record.thread.filter(({ type }) => type === "answer"), []);
    }
  },
});

Deno.test({
  name: "each way: a person gets to read its own words, and what serve can do, without a network",
  ignore: INSTALLED.length === 0,
  async fn() {
    using users = new DisposableStack();
    const asked: [Host, HostUser][] = [];
    const tried = WAYS.filter(([, host]) => INSTALLED.includes(host) && host.says.offline);
    for (const [, host, architect] of tried) {
      const { offlineSeconds: timeoutSeconds } = host;
      const options = { architect, url: CLOSED_URL, timeoutSeconds };
      const user = users.use(new HostUser(host, options));
      await user.leaveStale();
      asked.push([host, user]);
    }
    // At the same time, and by the one retry that is due: copilot alone tries for 25 seconds.
    const ran = await Promise.all(asked.map(([, user]) => user.retry()));
    for (const [index, [host, user]] of asked.entries()) {
      const reason = assertEscalated(user, ran[index], host.says.offline!);
      assert(reason.includes("start agentx serve in the main checkout"), reason);
    }
  },
});
