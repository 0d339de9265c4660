/**
 * Real Claude Code and Codex sessions that have ended, woken by `agentx clarify deliver` in front of a model on
 * loopback. What `.ci/run` did not install is ignored.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { AGENTX, ended } from "../../temp_workspace.ts";
import { HOSTS, NEWEST_CLAUDE, programOf, titleOf } from "../host.ts";
import { entries, HookUser } from "./hook_user.ts";
import { type Step, WorkingModel } from "./working_model.ts";

const NONCE = "PostgreSQL, says the architect 7f3a9c.";

const PROMPT = "Go on with the issue.";

/** How each is run by hand, and where its hooks are named. */
const WAYS: Record<string, { args: string[]; hooks: string }> = {
  claude: {
    args: [
      "-p",
      "--output-format",
      "json",
      "--permission-mode",
      "dontAsk",
      "--allowedTools",
      "Bash",
    ],
    hooks: ".claude/settings.json",
  },
  codex: {
    args: [
      "exec",
      "--skip-git-repo-check",
      "--dangerously-bypass-approvals-and-sandbox",
      "--dangerously-bypass-hook-trust",
      "-",
    ],
    hooks: ".codex/hooks.json",
  },
};

for (const host of [...HOSTS, NEWEST_CLAUDE].filter(({ name }) => Object.hasOwn(WAYS, name))) {
  const { name } = host;
  const { args, hooks } = WAYS[name];
  Deno.test({
    name: `${
      titleOf(host)
    }: a session that has ended is woken with the answer to its question, once`,
    ignore: programOf(host) === undefined,
    async fn() {
      const ask = `${AGENTX} clarify ask --issue 42 --from engineer --to architect ` +
        `--topic Database --non-blocking 'PostgreSQL or SQLite?'`;
      const steps: Step[] = [{ shell: ask }, { text: "I have asked the architect." }];
      await using model = new WorkingModel((_, number) => steps[number - 1] ?? { text: "Read." });
      using user = new HookUser(host, model.url);
      const { temp } = user;
      user.write(hooks, JSON.stringify({ hooks: entries(name, "command") }));
      temp.user.configure({ agents: { engineer: { preset: name, timeoutSeconds: 60 } } });
      await temp.run(["here", "--as", "engineer", "--issue", "42"]);
      const first = await user.run(args, PROMPT);
      const told = () =>
        `${first.out}\n${first.err}\n${model.requests.join("\n\n")}`.slice(-20_000);
      assertEquals([first.code, model.requests.length], [0, 2], told());
      await temp.run(["clarify", "answer", "CLR-42-001", NONCE]);

      const deliver = ["clarify", "deliver", "--json"];
      const { code, out, err } = await ended(temp.spawn(deliver, { env: user.env }));
      assertEquals(code, 0, `${out}\n${err}\n${told()}`);
      const [{ id, state, action, receiver }] = JSON.parse(out).deliveries;
      assertEquals([id, state, action], ["CLR-42-001.2", "shown", "woken"], out);
      assert(receiver.startsWith(`engineer@${name}-`), receiver);
      const [, , third] = model.requests;
      assert(third.includes("7f3a9c") && third.includes(PROMPT), `not gone on with: ${told()}`);

      const again = await ended(temp.spawn(deliver, { env: user.env }));
      assertEquals(JSON.parse(again.out).deliveries, []);
      assertEquals(model.requests.length, 3);
    },
  });
}
