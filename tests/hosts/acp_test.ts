/**
 * Real coding agents answer over the Agent Client Protocol, in front of a model on loopback. What `.ci/run` did not
 * install is ignored.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { HOSTS as KNOWN, isHost } from "../../lib/hosts/hosts.ts";
import { AGENTS } from "./acp_step.ts";
import { HOSTS, programOf } from "./host.ts";
import { hostileFiles } from "./hostile_files.ts";
import { ANSWER, ScriptedModel } from "./scripted_model.ts";
import { wishes } from "./tool_calls.ts";
import { TwoHosts } from "./two_hosts.ts";
import { HostUser } from "./user.ts";

/** Those that speak the protocol without an adapter. */
const SPEAKING = HOSTS.flatMap((host) => {
  const acp = isHost(host.name) ? KNOWN[host.name].acp : undefined;
  return acp?.command[0] === host.name ? [{ host, command: acp.command }] : [];
});

for (const { host, command } of SPEAKING) {
  const ignore = programOf(host) === undefined;
  const architect = { preset: "acp", acp: command };

  Deno.test({ name: `acp: ${host.name} answers, reads and changes nothing`, ignore }, async () => {
    await using model = new ScriptedModel("answers");
    using user = new HostUser(host, { architect, url: model.url });
    const path = `${user.root}/a.txt`;
    Deno.writeTextFileSync(path, "a nonce: 4711\n");
    model.wishes = wishes(user.root, "a.txt");
    const { code, out, err } = await user.ask();
    // A refusal ends the turn of some, without a word.
    const isRefused = /stopped after a\s+refusal/.test(out);
    assertEquals(code, isRefused ? 7 : 0, out + err);
    assertEquals(Deno.readTextFileSync(path), "a nonce: 4711\n");
    assert(!err.includes("has left"), err);
  });

  Deno.test({ name: `acp: ${host.name} continues its session where it can`, ignore }, async () => {
    await using model = new ScriptedModel("answers");
    using user = new HostUser(host, { architect, url: model.url });
    await user.ask();
    const { code, err } = await user.askAgain();
    assertEquals(code, 0, err);
    const [, first, , second] = user.record.thread;
    assertEquals(second.body, ANSWER);
    const cannotLoad = isHost(host.name) && KNOWN[host.name].acp?.cannotLoad;
    assertEquals(second.session === first.session, !cannotLoad);
  });

  Deno.test({ name: `acp: the failure of ${host.name}'s model is no answer`, ignore }, async () => {
    await using model = new ScriptedModel("refuses");
    using user = new HostUser(host, { architect, url: model.url });
    const { code, out, err } = await user.ask();
    assertEquals([code, user.record.status], [7, "escalated"], out + err);
  });

  Deno.test({ name: `acp: ${host.name} runs nothing of a clone`, ignore }, async () => {
    await using model = new ScriptedModel("answers");
    using user = new HostUser(host, { architect, url: model.url });
    user.addFiles(hostileFiles);
    const { code, out } = await user.ask();
    assertEquals([user.marks, code], [[], 7], out);
    assert(/what is run for architect is not agreed to here/.test(out), out);
  });
}

/** The models of a role, by host, and how a request names the first. */
const MODELS: Record<string, [first: string, second: string, named: RegExp]> = {
  claude: ["opus", "sonnet", /"model":"claude-opus/],
  gemini: ["gemini-2.5-pro", "gemini-3.5-flash-lite", /gemini-2\.5-pro:/],
};

for (const { host, command, isInstalled } of AGENTS.filter(({ host }) => MODELS[host.name])) {
  Deno.test({
    name: `acp: the second model of a role answers in ${host.name} where the first is at its limit`,
    ignore: !isInstalled,
    async fn() {
      await using model = new ScriptedModel("answers");
      const [first, second, named] = MODELS[host.name];
      model.limited = named;
      using user = new TwoHosts([host], model.url);
      const agentx = (line: string, env?: Record<string, string>) =>
        user.run("agentx", line.split(" "), { env });
      await agentx("init");
      const agents = `${user.root}/.github/agents`;
      Deno.mkdirSync(agents, { recursive: true });
      const front = `---\nmodel: [${first}, ${second}]\n---\n`;
      Deno.writeTextFileSync(`${agents}/architect.agent.md`, front);
      await agentx("config set --global agents.architect.preset acp");
      await user.run("agentx", [
        ...["config", "set", "--global", "agents.architect.acp"],
        JSON.stringify(command),
      ]);
      const { hash } = JSON.parse((await agentx("trust --print --json")).out);
      const consent = { AGENTX_TRUST: hash, CI: "true" };
      const { code, out, err } = await agentx(
        "ask architect --issue 1 --as engineer Euros?",
        consent,
      );
      assertEquals(code, 0, out + err);
      assert(err.includes(`the model ${first} is at its limit; trying ${second}`), err);
      const { clarifications } = JSON.parse((await agentx("clarify --issue 1 --json")).out);
      assertEquals(clarifications[0].thread[1].model, second);
    },
  });
}
