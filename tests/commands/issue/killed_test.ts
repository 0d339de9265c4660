/**
 * Processes that are killed while they work on issues: what was acknowledged is there, and no issue has
 * two owners.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { FileLockManager } from "../../../lib/lock/mod.ts";
import { IssueStore } from "../../../lib/work/issue/issue_store.ts";
import { TempWorkspace } from "../../temp_workspace.ts";

const [PROCESSES, SECONDS] = Deno.env.get("AGENTX_STRESS") === "full" ? [8, 60] : [4, 6];
const SCRIPT = new URL("./work_all.ts", import.meta.url).pathname;
const MAX_LIFE_MS = 3_000;

/** What was acknowledged, and how often its process was killed. */
interface Worked {
  lines: string[];
  kills: number;
}

/** Starts a process again and again, and kills it at any moment after its first change. */
async function workAndDie(root: string, agent: string): Promise<Worked> {
  const endMs = Date.now() + SECONDS * 1_000;
  const worked: Worked = { lines: [], kills: 0 };
  do {
    const child = new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--quiet", "--no-check", SCRIPT, root, agent],
      stdin: "null",
      stdout: "piped",
      stderr: "inherit",
    }).spawn();
    let text = "";
    let timer: ReturnType<typeof setTimeout> | undefined;
    for await (const part of child.stdout.pipeThrough(new TextDecoderStream())) {
      text += part;
      timer ??= setTimeout(() => child.kill("SIGKILL"), Math.random() * MAX_LIFE_MS);
    }
    clearTimeout(timer);
    assertEquals((await child.status).signal, "SIGKILL");
    worked.lines.push(...text.split("\n").slice(0, -1));
    worked.kills++;
  } while (Date.now() < endMs);
  return worked;
}

Deno.test(`${PROCESSES} processes that are killed for ${SECONDS} s claim nothing twice and lose nothing`, async () => {
  using temp = new TempWorkspace();
  const agents = Array.from({ length: PROCESSES }, (_, index) => `engineer@${index + 1}`);
  const all = await Promise.all(agents.map((agent) => workAndDie(temp.root, agent)));
  const acknowledged = all.flatMap(({ lines }) => lines).map((line) => JSON.parse(line));
  const known = [...new IssueStore(temp.root, new FileLockManager()).view().byUid.values()];
  const titles = new Set(known.map(({ issue }) => issue.title));
  const edits = new Set(
    known.flatMap(({ issue, lines }) =>
      lines.map(({ op, value, body }) => `${issue.number} ${op} ${value ?? body}`)
    ),
  );
  const owners = new Map<number, string>();
  for (const { title, claimed, agent, issue, set, comment } of acknowledged) {
    if (title !== undefined) assert(titles.has(title), `${title} is lost`);
    if (claimed !== undefined) {
      assertEquals(owners.get(claimed) ?? agent, agent, `#${claimed} has two owners`);
      owners.set(claimed, agent);
    }
    for (const [op, word] of Object.entries({ set, comment })) {
      const isThere = word === undefined || edits.has(`${issue} ${op} ${word}`);
      assert(isThere, `a ${op} of #${issue} is lost: ${word}`);
    }
  }
  assert(owners.size > 0, "nothing was claimed");
  const kills = all.reduce((sum, { kills }) => sum + kills, 0);
  console.log(`${acknowledged.length} acknowledged, ${owners.size} claims, ${kills} kills`);
});
