/**
 * The real coding agents as configured commands, in front of a model on loopback. What `.ci/run` did
 * not install is ignored.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import type { Ran } from "../temp_workspace.ts";
import { type Host, HOSTS, programOf, readmeCommand } from "./host.ts";
import { ANSWER, CLOSED_URL, ScriptedModel } from "./scripted_model.ts";
import { HostUser } from "./user.ts";

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

for (const host of HOSTS) {
  const { name, says } = host;
  const command = readmeCommand(host);
  const ignore = !INSTALLED.includes(host);

  Deno.test({ name: `${name}: its answer is the text alone`, ignore }, async () => {
    await using model = new ScriptedModel({ refuses: false });
    using user = new HostUser(host, { command, url: model.url });
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
      await using model = new ScriptedModel({ refuses: true });
      using users = new DisposableStack();
      const user = (options: { isLoggedIn?: boolean; words?: string[] }) => {
        const { words = [], ...more } = options;
        return users.use(
          new HostUser(host, { command: [...command, ...words], url: model.url, ...more }),
        );
      };
      const asked: [keyof typeof FINAL, HostUser][] = [
        ["usage", user({ words: ["--no-such-flag"] })],
        ["login", user({ isLoggedIn: false })],
        ["refused", user({})],
      ];
      const ran = await Promise.all(asked.map(([, user]) => user.ask()));
      for (const [index, [failing, user]] of asked.entries()) {
        const reason = assertEscalated(user, ran[index], says[failing]);
        assert(reason.includes(`was not run again, since ${FINAL[failing]}: `), reason);
      }
    },
  });
}

Deno.test({
  name: "each host: a person gets to read its own words, and what serve can do, without a network",
  ignore: INSTALLED.length === 0,
  async fn() {
    using users = new DisposableStack();
    const asked: [Host, HostUser][] = [];
    for (const host of INSTALLED) {
      const { offlineSeconds: timeoutSeconds } = host;
      const options = { command: readmeCommand(host), url: CLOSED_URL, timeoutSeconds };
      const user = users.use(new HostUser(host, options));
      await user.leaveStale();
      asked.push([host, user]);
    }
    // At the same time, and by the one retry that is due: copilot alone tries for 25 seconds.
    const ran = await Promise.all(asked.map(([, user]) => user.retry()));
    for (const [index, [host, user]] of asked.entries()) {
      const reason = assertEscalated(user, ran[index], host.says.offline);
      assert(reason.includes("start agentx serve in the main checkout"), reason);
    }
  },
});
