/**
 * Real coding agents answer in a clone that would run code in each of them, by preset and over the Agent Client
 * Protocol, and what the kernel saw: nothing of the clone is started. A fifth of them, unless `AGENTX_STRESS=full`.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { HOSTS as KNOWN, isHost } from "../../lib/hosts/hosts.ts";
import { canConfine } from "../../lib/sandbox/confine.ts";
import { WorkingModel } from "../hooks/working_model.ts";
import { isInstalled } from "../installed_package.ts";
import { someOf } from "../often.ts";
import { AGENTS } from "./acp_step.ts";
import { hostileFiles } from "./hostile_files.ts";
import { TwoHosts } from "./two_hosts.ts";

const canTrace = await isInstalled("strace") && await canConfine();

const PRESETS = AGENTS.filter(({ host }) => isHost(host.name) && KNOWN[host.name].preset)
  .map((agent) => ({ ...agent, preset: agent.host.name }));
const WAYS = [...PRESETS, ...AGENTS.map((agent) => ({ ...agent, preset: "acp" }))];

for (const { host, command, isInstalled, preset } of someOf(WAYS)) {
  Deno.test({
    name:
      `ask: ${host.name} by the preset ${preset} starts nothing of a hostile clone, as the kernel sees it`,
    ignore: !canTrace || !isInstalled,
    async fn() {
      await using model = new WorkingModel(() => ({ text: "Cents." }));
      using user = new TwoHosts([host], model.url, "/var/tmp");
      const { home, root } = user;
      const files: Record<string, string> = {
        ...hostileFiles((name) => `touch '${home}/marks/${name}'`),
        "../marks/.keep": "",
        "../.config/opencode/.gitignore": "", // opencode makes one at first
      };
      for (const [path, text] of Object.entries(files)) {
        Deno.mkdirSync(`${root}/${path}`.replace(/\/[^/]*$/, ""), { recursive: true });
        Deno.writeTextFileSync(`${root}/${path}`, text);
      }
      const log = `${home}/trace`;
      const tracer = `strace -f -qq -s 4000 -e trace=execve,execveat -o '${log}'`;
      user.install("traced", `exec ${tracer} '${home}/bin/agentx'`);
      const setting = (key: string, value: string) =>
        user.run("agentx", ["config", "set", "--global", `agents.architect.${key}`, value]);
      await user.run("agentx", ["init"]);
      await setting("preset", preset);
      if (preset === "acp") await setting("acp", JSON.stringify(command));
      if (["acp", "opencode"].includes(preset)) await setting("sandbox", "read-only");
      const question = ["ask", "architect", "--issue", "1", "--as", "engineer", "Euros or cents?"];
      const { out, err } = await user.run("traced", question);
      assert(out.includes("A: Cents."), out + err);
      const marks = Array.from(Deno.readDirSync(`${home}/marks`), ({ name }) => name);
      assertEquals(marks, [".keep"]);
      const started = Deno.readTextFileSync(log).split("\n").filter((line) =>
        line.includes("exec")
      );
      assert(started.some((line) => line.includes(`/${command[0].split("-")[0]}`)), out);
      const ofClone = started.filter((line) =>
        line.includes(`${home}/marks`) ||
        /execve(?:at)?\("[^"]*/.exec(line)?.[0].includes(`${root}/`)
      );
      assertEquals(ofClone, []);
    },
  });
}
