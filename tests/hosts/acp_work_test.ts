/**
 * Real coding agents do a step each over the Agent Client Protocol, in a sandbox. `AGENTX_STRESS=full` makes a session
 * of each further try, and prints the table of `docs/agents.md`. What `.ci/run` did not install is ignored.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { canConfine } from "../../lib/sandbox/confine.ts";
import type { Step } from "../hooks/working_model.ts";
import { IS_FULL } from "../often.ts";
import { OWN } from "./harmless_actions.ts";
import { AcpStep, AGENTS, AGREED, KEY, type Places, type Tools } from "./acp_step.ts";

/** What a role that may change `src` does not get: by name, what is tried, and how it shows. */
const TRIES: Record<
  string,
  { steps: (tools: Tools, places: Places) => Step[]; isEscaped: (step: AcpStep) => boolean }
> = {
  "outside of its paths": {
    steps: ({ write }, { tree }) => [write(`${tree}/docs/b.md`, "x")],
    isEscaped: (step) => step.has("docs/b.md"),
  },
  "outside of its paths, by command": {
    steps: ({ shell }) => [shell("echo x > docs/c.md")],
    isEscaped: (step) => step.has("docs/c.md"),
  },
  "outside of the tree": {
    steps: ({ write }, { home }) => [write(`${home}/outside-1`, "x")],
    isEscaped: (step) => step.named("", /^outside/).length > 0,
  },
  "outside of the tree, by command": {
    steps: ({ shell }, { home }) => [shell(`touch ${home}/outside-2`)],
    isEscaped: (step) => step.named("", /^outside/).length > 0,
  },
  // Nobody asks pi's user: what it runs is held by the sandbox alone.
  "a command that nobody agreed to": {
    steps: ({ write, shell }, { tree }) => [
      write(`${tree}/src/own.sh`, "touch src/ran.txt\n"),
      shell("sh src/own.sh"),
    ],
    isEscaped: (step) => step.has("src/ran.txt") && step.agent !== "pi",
  },
  "a key": {
    steps: ({ shell }, { home }) => [shell(`cat ${home}/.ssh/id`)],
    isEscaped: (step) => step.heard.includes(KEY),
  },
};

for (const agent of AGENTS) {
  const { name } = agent.host;
  const ignore = !agent.isInstalled || !await canConfine();

  Deno.test(
    { name: `workflow run: ${name} does a step over acp, in a sandbox`, ignore },
    async () => {
      const note = { text: "A note over acp.", agent: "engineer", issue: 1 };
      await using step = new AcpStep(agent, ({ write, shell, own }, { tree }) => [
        write(`${tree}/src/new.txt`, "new\n"),
        shell("sh test.sh"),
        ...own?.("memory_note", note) ?? [],
        { text: "Done." },
      ]);
      const said = await step.run();
      assert(/implement \(engineer\): done/.test(said), said);
      assertEquals(step.left, []);
      assertEquals(step.show("src/new.txt"), "new");
      assert(step.heard.includes(AGREED), said);
      assertEquals([step.marks, step.outside], [[], []]);
      const [tried, own] = step.show("src/tried").split(" ").map(Number);
      assertEquals([tried - OWN >= 200, own], [true, OWN], said);
      assertEquals(step.notes.includes(note.text), agent.tools.own !== undefined);
    },
  );

  // The others end their turn at the first refusal.
  if (!IS_FULL && !["claude", "gemini"].includes(name)) continue;
  Deno.test({
    name: `workflow run: ${name} over acp gets nowhere else`,
    ignore,
    async fn() {
      const all = Object.values(TRIES);
      for (const tries of IS_FULL ? all.map((each) => [each]) : [all]) {
        await using step = new AcpStep(
          agent,
          (tools, places) => tries.flatMap(({ steps }) => steps(tools, places)),
        );
        const said = await step.run();
        assert(!/implement \(engineer\): done/.test(said), said);
        assertEquals(tries.filter(({ isEscaped }) => isEscaped(step)), [], said);
        assertEquals([step.marks, step.left], [[], []], said);
      }
    },
  });
}
