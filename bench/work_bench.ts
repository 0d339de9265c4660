/**
 * How fast does the ready queue come up, and how does it grow? Peers: itself on a tenth of the issues,
 * a Deno process that does nothing, and the task list of `backlog.md` (npm), a program for the same
 * purpose that is compiled to machine code and keeps a markdown file per task.
 *
 * The peer is installed into the folder of temporary files, as `.ci/run` does with its tools; it runs
 * without git and without remotes, which is its fastest way.
 *
 * @module
 */

import { openWorkspace } from "../lib/workspace/open.ts";
import { freshFolder, median, ratio, target } from "./target.ts";

const CLI = new URL("../cli.ts", import.meta.url).pathname;
const PEER = "backlog.md@1.52.0";

const TITLES = [
  "Payment form rejects cards of foreign banks",
  "Choose the database for the audit log",
  "Import of 10,000 rows takes a minute",
  "Document the release process",
];

const BODY = `The customer sees an empty page after the second step.

## Acceptance criteria
- [ ] The form says which field is wrong
- [ ] The log names the cause

`;

/** A tenth of the issues waits for another one, by a label or by its body; a fifth is closed. */
function issueFile(number: number): string {
  const waits = number % 10 === 0;
  const isInBody = waits && number % 20 === 0;
  const isClosed = number % 5 === 1;
  const dependency = `blocked_by:#${number - 3}`;
  const created = new Date(Date.UTC(2026, 0, 1) + number * 3_600_000).toISOString();
  const issue = {
    number,
    title: `${TITLES[number % TITLES.length]} (${number})`,
    body: BODY + (isInBody ? `## Dependencies\nBlocked by #${number - 3}\n` : ""),
    labels: ["type:story", `priority:p${number % 4}`, ...(waits && !isInBody ? [dependency] : [])],
    status: isClosed ? "Done" : "Backlog",
    state: isClosed ? "closed" : "open",
    created,
    updated: created,
    comments: [{ author: "engineer", body: "Reproduced on Linux.", created }],
    assignee: null,
    claimed: null,
    leaseUntil: null,
  };
  return JSON.stringify(issue, null, 2) + "\n";
}

function workspaceWith(issues: number): string {
  const root = freshFolder("disk");
  Deno.mkdirSync(`${root}/.agentx/issues`, { recursive: true });
  for (let number = 1; number <= issues; number++) {
    Deno.writeTextFileSync(`${root}/.agentx/issues/${number}.json`, issueFile(number));
  }
  return root;
}

/** The same issues as tasks, in the form in which the program writes them itself. */
function writeTasks(folder: string, tasks: number): void {
  for (let number = 1; number <= tasks; number++) {
    const title = `${TITLES[number % TITLES.length]} (${number})`;
    const priority = ["high", "high", "medium", "low"][number % 4];
    const dependencies = number % 10 === 0 ? `\n  - TASK-${number - 3}` : " []";
    const status = number % 5 === 1 ? "Done" : "To Do";
    const text = `---
id: TASK-${number}
title: ${title}
status: ${status}
assignee: []
created_date: '2026-01-01 10:00'
labels:
  - story
dependencies:${dependencies}
priority: ${priority}
ordinal: ${number * 1_000}
---

## Description

<!-- SECTION:DESCRIPTION:BEGIN -->
${BODY}<!-- SECTION:DESCRIPTION:END -->
`;
    const name = `task-${number} - ${title.replaceAll(/[^A-Za-z0-9]+/g, "-")}.md`;
    Deno.writeTextFileSync(`${folder}/backlog/tasks/${name}`, text);
  }
}

async function run(program: string, args: string[], cwd?: string): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(program, {
    args,
    cwd,
    stdout: "piped",
    stderr: "piped",
  }).output();
  if (success) return new TextDecoder().decode(stdout);
  throw new Error(`${program} ${args.join(" ")} failed: ${new TextDecoder().decode(stderr)}`);
}

/** The program of the peer; undefined where npm cannot install it. */
async function installPeer(): Promise<string | undefined> {
  const prefix = `${Deno.env.get("TMPDIR") ?? "/tmp"}/agentx-bench-peers-${Deno.uid()}`;
  const [os, arch] = [Deno.build.os, Deno.build.arch === "aarch64" ? "arm64" : "x64"];
  const binary = `${prefix}/node_modules/backlog.md-${os}-${arch}/backlog`;
  try {
    await run("npm", ["install", "--prefix", prefix, "--no-audit", "--no-fund", PEER]);
    await run(binary, ["--version"]);
    return binary;
  } catch (error) {
    console.error(`${PEER} is left out: ${error instanceof Error ? error.message : error}`);
    return undefined;
  }
}

function agentx(root: string, ...argv: string[]) {
  return async () => {
    const args = ["run", "-A", "--no-check", CLI, ...argv, "--root", root];
    if (await run(Deno.execPath(), args) === "") throw new Error("no output");
  };
}

target({
  name: "ready queue of 1,000 issues / of 100 issues, in process (linear is 10)",
  limit: { atMost: 14 },
  async measure() {
    const [large, small] = await Promise.all(
      [1_000, 100].map((issues) => openWorkspace({ root: workspaceWith(issues) })),
    );
    const list = ({ ready }: typeof large) => async (times: number) => {
      for (let i = 0; i < times; i++) await ready.list();
    };
    return await ratio(list(large), list(small), { times: 5, rounds: 21 });
  },
});

target({
  name: "`ready` on 1,000 issues / deno run of an empty file, wall time",
  limit: { atMost: 10 },
  async measure() {
    const empty = `${freshFolder("disk")}/empty.ts`;
    Deno.writeTextFileSync(empty, "");
    const nothing = async () => void await run(Deno.execPath(), ["run", "-A", "--no-check", empty]);
    const ready = agentx(workspaceWith(1_000), "ready");
    return await ratio(ready, nothing, { times: 1, rounds: 21 });
  },
});

target({
  name: "`ready` on 1,000 issues, wall time in milliseconds",
  limit: { atMost: 300 },
  async measure() {
    const ready = agentx(workspaceWith(1_000), "ready");
    const times: number[] = [];
    for (let i = 0; i < 11; i++) {
      const startMs = performance.now();
      await ready();
      times.push(performance.now() - startMs);
    }
    return median(times);
  },
});

const peer = await installPeer();

if (peer !== undefined) {
  target({
    name: "`ready --json` / backlog.md `task list --plain`, 500 issues each, wall time",
    limit: { atMost: 1 },
    async measure() {
      const project = freshFolder("disk");
      const options = ["--defaults", "--no-git", "--agent-instructions", "none"];
      await run(peer, ["init", "Bench", ...options], project);
      writeTasks(project, 500);
      const list = async () => {
        const lines = (await run(peer, ["task", "list", "--plain"], project)).split("\n");
        const tasks = lines.filter((line) => line.includes("TASK-"));
        if (tasks.length !== 500) throw new Error(`${tasks.length} tasks instead of 500`);
      };
      const ready = agentx(workspaceWith(500), "ready", "--json");
      return await ratio(ready, list, { times: 1, rounds: 15 });
    },
  });
}
