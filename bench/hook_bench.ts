/**
 * What does a hook cost the session that waits for it? Peer: an empty program under the same runtime. Deno
 * runs the source, Node the npm package. The session works on an issue of a memory of 10,000.
 *
 * @module
 */

import { fixtureOf, removeRecalls } from "./memory_fixture.ts";
import { run, runAgentx, runDeno, type RunOptions } from "./process.ts";
import { freshFolder, ratio, target } from "./target.ts";

const ROOT = new URL("../", import.meta.url).pathname;

/** A runtime with our program and with an empty one. */
interface Runtime {
  name: string;
  agentx: (words: readonly string[], options: RunOptions) => Promise<string>;
  empty: () => Promise<string>;
}

let built: Promise<string> | undefined;

/** The npm package, built once. */
async function packageFolder(): Promise<string> {
  const folder = `${freshFolder("disk")}/npm`;
  await runDeno([`${ROOT}.ci/npm.ts`, folder], { cwd: ROOT });
  return folder;
}

let emptyScript: string | undefined;

function emptyProgram(): string {
  if (emptyScript === undefined) {
    emptyScript = `${freshFolder("disk")}/empty.ts`;
    Deno.writeTextFileSync(emptyScript, "");
  }
  return emptyScript;
}

const RUNTIMES: Runtime[] = [
  {
    name: "Deno",
    agentx: (words, { cwd, input }) => runAgentx(cwd!, words, input),
    empty: () => runDeno([emptyProgram()]),
  },
  {
    name: "Node",
    agentx: async (words, options) =>
      await run("node", [`${await (built ??= packageFolder())}/agentx.js`, ...words], options),
    empty: () => run("node", ["-e", "0"]),
  },
];

/** What happens in the session, at most so many times an empty run, and what it must print. */
const CASES: {
  what: string;
  event: string;
  atMost: number;
  says: string;
  before?: (folder: string) => unknown;
}[] = [
  { what: "nothing to say", event: "PostToolUse", atMost: 2, says: "" },
  { what: "a recall", event: "SessionStart", atMost: 3, says: "Recall" },
  {
    what: "a recall after something was stored",
    event: "SessionStart",
    atMost: 3,
    says: "Recall",
    before: storeOne,
  },
  {
    what: "a recall that nobody prepared",
    event: "SessionStart",
    atMost: 3,
    says: "Recall",
    before: removeRecalls,
  },
];

async function storeOne(folder: string): Promise<void> {
  const said = `The limit is ${crypto.randomUUID()}.`;
  await runAgentx(folder, ["memory", "note", "--agent", "engineer", "--issue", "1", said]);
}

for (const { name, agentx, empty } of RUNTIMES) {
  for (const { what, event, atMost, says, before = () => {} } of CASES) {
    target({
      name: `hook at 10K with ${what} / an empty program, ${name}, wall time`,
      limit: { atMost },
      async measure() {
        const { folder, open } = await fixtureOf(10_000);
        await open().close();
        await runAgentx(folder, ["here", "--as", "engineer", "--issue", "1"]);
        const hook = async () => {
          const input = JSON.stringify({
            session_id: crypto.randomUUID(), // the same event of a session is answered once
            transcript_path: `${folder}/none.jsonl`,
            cwd: folder,
            hook_event_name: event,
            source: "startup",
          });
          const said = await agentx(["hook", "host", "claude", event], { cwd: folder, input });
          if (!said.includes(says)) throw new Error(`The hook said "${said}"`);
        };
        await empty();
        await hook();
        const prepare = () => before(folder);
        return await ratio(hook, empty, { times: 1, rounds: 15, prepare });
      },
    });
  }
}
