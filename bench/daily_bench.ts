// What does a person wait for at each of the daily commands, and a session at a hook? Whole processes of the
// npm package on the `node` of the PATH, in a repository with 1,000 issues in 200 committed files, beside an
// empty program.

import { workspaceWith } from "./issue_fixture.ts";
import { run, runDeno } from "./process.ts";
import { freshFolder, median, target } from "./target.ts";

const ROOT = new URL("../", import.meta.url).pathname;
const ROUNDS = 11;

/** By what is measured: the words, and how many milliseconds more than an empty program it may take. */
const COMMANDS: Record<string, { words: string[]; atMost: number }> = {
  status: { words: ["status"], atMost: 100 },
  ask: {
    words: [..."ask architect -i 3 --from engineer --non-blocking".split(" "), "Which?"],
    atMost: 100,
  },
  inbox: { words: ["inbox"], atMost: 100 },
  clarify: { words: ["clarify"], atMost: 100 },
  agents: { words: ["agents"], atMost: 100 },
  ready: { words: ["ready"], atMost: 250 },
  "issue list": { words: ["issue", "list"], atMost: 250 },
  "issue view": { words: ["issue", "view", "2"], atMost: 100 },
  "issue create": { words: ["issue", "create", "--title", "Import stops"], atMost: 100 },
  "memory search": { words: ["memory", "search", "cache"], atMost: 100 },
  "memory note": {
    words: ["memory", "note", "--agent", "engineer", "-i", "2", "We cache"],
    atMost: 100,
  },
  doctor: { words: ["doctor"], atMost: 300 },
  "hook start": { words: ["hook", "start", "engineer", "2"], atMost: 50 },
  "a hook with nothing to say": { words: ["hook", "host", "claude", "PostToolUse"], atMost: 50 },
};

interface Place {
  root: string;
  program: string;
  empty: string;
  env: Record<string, string>;
}

let place: Promise<Place> | undefined;

/** The package, built once, and a repository of a user who has nothing else. */
async function prepare(): Promise<Place> {
  const folder = freshFolder("disk");
  const [root, program, empty] = [workspaceWith(1_000), `${folder}/npm`, `${folder}/empty.js`];
  await runDeno([`${ROOT}.ci/npm.ts`, program], { cwd: ROOT });
  Deno.writeTextFileSync(empty, "");
  const env = { PATH: Deno.env.get("PATH")!, HOME: folder, NO_COLOR: "1" };
  const made = { root, program: `${program}/agentx.cjs`, empty, env };
  await git(made, "init", "-q");
  for (const words of [["init"], COMMANDS["memory note"].words]) await agentx(made, words);
  await git(made, "add", "-A");
  await git(made, "commit", "-q", "-m", "Issues");
  return made;
}

async function git({ root, env }: Place, ...words: string[]): Promise<void> {
  const author = ["-c", "user.name=bench", "-c", "user.email=bench@localhost"];
  await run("git", [...author, ...words], { cwd: root, env });
}

function agentx({ root, program, env }: Place, words: readonly string[]): Promise<string> {
  const input = JSON.stringify({
    session_id: "0b5e3a52-5a0c-4c19-9b0d-3f6f5d0a7c11",
    transcript_path: `${root}/none.jsonl`,
    cwd: root,
    hook_event_name: "PostToolUse",
  });
  return run("node", [program, ...words], { cwd: root, env, input });
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now();
  await work().catch(() => {}); // waiting for an answer is not success
  return performance.now() - startMs;
}

for (const [name, { words, atMost }] of Object.entries(COMMANDS)) {
  target({
    name: `${name} at 1,000 issues, npm package, wall over an empty program, ms`,
    limit: { atMost },
    async measure() {
      const made = await (place ??= prepare());
      const { empty, env } = made;
      const [ours, peer] = [() => agentx(made, words), () => run("node", [empty], { env })];
      await timeOf(ours);
      const over: number[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        over.push(await timeOf(ours) - await timeOf(peer));
      }
      return median(over);
    },
  });
}
