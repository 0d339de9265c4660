/**
 * Real Claude Code, Codex and opencode sessions that have ended, woken by `agentx clarify run` in front of a model on
 * loopback. What `.ci/run` did not install is ignored.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { ended } from "../temp_workspace.ts";
import { HOSTS, programOf, titleOf } from "../hosts/host.ts";
import { TwoHosts } from "../hosts/two_hosts.ts";
import { ASK_AND_GO_ON, HookUser, PRESET_HOSTS } from "./hook_user.ts";
import { type Step, WorkingModel } from "./working_model.ts";

const NONCE = "PostgreSQL, says the architect 7f3a9c.";

const PROMPT = "Go on with the issue.";

for (const host of PRESET_HOSTS) {
  Deno.test({
    name: `${
      titleOf(host)
    }: a session that has ended is woken with the answer to its question, once`,
    ignore: programOf(host) === undefined,
    async fn() {
      const steps: Step[] = [{ shell: ASK_AND_GO_ON }, { text: "I have asked the architect." }];
      await using model = new WorkingModel((_, number) => steps[number - 1] ?? { text: "Read." });
      using user = new HookUser(host, model.url);
      const { temp } = user;
      user.installHooks();
      temp.user.configure({ agents: { engineer: { preset: host.name, timeoutSeconds: 60 } } });
      await temp.run(["here", "--as", "engineer", "--issue", "42"]);
      const first = await user.work(PROMPT);
      const told = () =>
        `${first.out}\n${first.err}\n${model.requests.join("\n\n")}`.slice(-20_000);
      assertEquals([first.code, model.requests.length], [0, 2], told());
      await temp.run(["clarify", "answer", "CLR-42-001", NONCE]);

      const deliver = ["clarify", "deliver", "--json"];
      const { code, out, err } = await ended(temp.spawn(deliver, { env: user.env }));
      assertEquals(code, 0, `${out}\n${err}\n${told()}`);
      const [{ id, state, action, receiver }] = JSON.parse(out).deliveries;
      assertEquals([id, state, action], ["CLR-42-001.2", "shown", "woken"], out);
      assert(receiver.startsWith(`engineer@${host.name}-`), receiver);
      const [, , third] = model.requests;
      assert(third.includes("7f3a9c") && third.includes(PROMPT), `not gone on with: ${told()}`);

      const again = await ended(temp.spawn(deliver, { env: user.env }));
      assertEquals(JSON.parse(again.out).deliveries, []);
      assertEquals(model.requests.length, 3);
    },
  });
}

const OPENCODE = HOSTS.find(({ name }) => name === "opencode")!;

Deno.test({
  name:
    "opencode: a session that ended with its program is woken with the answer to its question, once",
  ignore: programOf(OPENCODE) === undefined,
  async fn() {
    const first = { issue: 42, from: "engineer", to: "architect", topic: "Database" };
    const input = { ...first, question: "PostgreSQL or SQLite?", nonBlocking: true };
    const steps: Step[] = [{ tool: "agentx_clarify_ask", input }, { text: "I have asked." }];
    await using model = new WorkingModel((_, number) => steps[number - 1] ?? { text: "Read." });
    using user = new TwoHosts([OPENCODE], model.url);
    const setUp = [
      "init",
      "setup opencode",
      "here --as engineer --issue 42",
      "config --global set agents.engineer.preset opencode",
    ];
    for (const line of setUp) await user.run("agentx", line.split(" "));
    const { code, out, err } = await user.run("opencode", ["run", PROMPT]);
    assertEquals([code, model.requests.length], [0, 2], out + err);
    await user.run("agentx", ["clarify", "answer", "CLR-42-001", NONCE]);
    const deliver = async () => {
      const { out, err } = await user.run("agentx", ["clarify", "deliver", "--json"]);
      assert(out !== "", err);
      return JSON.parse(out).deliveries.map(({ action }: { action: string }) => action);
    };
    assertEquals(await deliver(), ["woken"]);
    const [, , third] = model.requests;
    assert(third.includes("7f3a9c") && third.includes(PROMPT), `not gone on with: ${third}`);
    assertEquals([await deliver(), model.requests.length], [[], 3]);
  },
});
