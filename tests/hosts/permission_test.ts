/**
 * A real coding agent asks its human, at a terminal, whether it may run a command, and waits in the inbox until they
 * have decided. What `.ci/run` did not install is ignored.
 *
 * @module
 */

import { assertEquals } from "@std/assert";
import { type Host, HOSTS, programOf } from "./host.ts";
import { ScriptedModel } from "./scripted_model.ts";
import type { ToolCall } from "./tool_calls.ts";
import { TwoHosts } from "./two_hosts.ts";

/** An entry of the inbox that it is to become. */
interface Entry {
  kind: string;
  topic: string;
}

/** How one is started at a terminal, and what its human has told it before. */
interface Way {
  host: Host;
  line: string;
  wish: ToolCall;
  /** What it has written in the home of a human who has used it before. */
  known: (root: string) => [path: string, text: string];
}

const hostOf = (name: string) => HOSTS.find((host) => host.name === name)!;
const COMMAND = "touch made-by-an-agent";

const WAYS: readonly Way[] = [
  {
    host: hostOf("claude"),
    line: "claude make",
    wish: ["Bash", { command: COMMAND, description: "x" }],
    known: (root) => [
      ".claude.json",
      JSON.stringify({
        hasCompletedOnboarding: true,
        customApiKeyResponses: { approved: ["key"], rejected: [] },
        projects: { [root]: { hasTrustDialogAccepted: true } },
      }),
    ],
  },
  {
    host: hostOf("codex"),
    line: "codex --no-alt-screen --dangerously-bypass-hook-trust -a on-request make",
    wish: ["exec_command", {
      cmd: COMMAND,
      sandbox_permissions: "require_escalated",
      justification: "x",
    }],
    known: (root) => [
      ".codex/config.toml",
      `[projects."${root}"]\ntrust_level = "trusted"\n`,
    ],
  },
];

for (const { host, line, wish, known } of WAYS) {
  Deno.test({
    name: `${host.name}: it waits in the inbox for a permission, until its human refuses it`,
    ignore: programOf(host) === undefined || !hasScript(),
    async fn() {
      await using model = new ScriptedModel("answers");
      model.wishes = [wish];
      using user = new TwoHosts([host], model.url);
      const [path, text] = known(user.root);
      Deno.writeTextFileSync(`${user.home}/${path}`, text, { append: true });
      for (const words of ["init", `setup ${host.name}`]) {
        const { code, err } = await user.run("agentx", words.split(" "));
        assertEquals(code, 0, err);
      }
      const entries = async (): Promise<Entry[]> => {
        const { out } = await user.run("agentx", ["inbox", "--json"]);
        return JSON.parse(out).entries.map(({ kind, topic }: Entry) => ({ kind, topic }));
      };
      await using terminal = user.terminal(line);
      const until = async (count: number) => {
        for (let turn = 0; turn < 60; turn++) {
          const found = await entries();
          if (found.length === count) return found;
        }
        throw new Error(`It did not come to ${count}: ${terminal.shown}`);
      };
      assertEquals(await until(1), [{ kind: "permission", topic: COMMAND }]);
      await new Promise((resolve) => setTimeout(resolve, 2_000)); // as long as a human reads
      await terminal.type("\x1b");
      await until(0);
      assertEquals(
        Array.from(Deno.readDirSync(user.root), ({ name }) => name).includes("made-by-an-agent"),
        false,
      );
    },
  });
}

/** `script` of util-linux gives a program a terminal. */
function hasScript(): boolean {
  try {
    return Deno.statSync("/usr/bin/script").isFile && Deno.build.os === "linux";
  } catch {
    return false;
  }
}
