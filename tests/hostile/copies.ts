/**
 * Copies without git, as an archive brings them: nothing says which of their files somebody forced in.
 *
 * @module
 */

import { sampleRecord } from "../clarify/samples.ts";
import type { HostileClone } from "./clone.ts";

const STATE = ".agentx/state";
const PAST = "2026-02-26T10:00:00.000Z";
const ID = "0123456789abcdef0123456789abcdef";

const STALE = sampleRecord({ id: "CLR-1-001", status: "stale" });
const OPEN = sampleRecord({ id: "CLR-1-001", staleAfter: "2999-01-01T00:00:00.000Z" });

/** The user's own agents: a record that came with a copy has none of them run. */
export const OWN_AGENTS = (beacon: string) => {
  const agent = { command: [beacon] };
  return { agents: { architect: agent, engineer: agent, reviewer: agent } };
};

/** What no file of a copy may have read. */
export const PRIVATE_FILE = "private/notes.jsonl";

export const COPIES: readonly HostileClone[] = [
  copy("an overdue question", (root) => ledger(root, STALE)),
  copy("an open question", (root) => ledger(root, OPEN)),
  copy("a birth mark of its own", (root) => {
    ledger(root, STALE);
    write(`${root}/${STATE}/birth`, `${ID}\n`);
  }),
  copy("a birth mark with a token", (root) => {
    ledger(root, STALE);
    const { ino } = Deno.statSync(`${root}/${STATE}`);
    write(`${root}/${STATE}/birth`, `${ID}\n${Deno.uid()} ${ino} undefined\n`);
  }),
  copy("a birth mark, and the user's folder by .env", (root) => {
    ledger(root, STALE);
    const { ino } = Deno.statSync(`${root}/${STATE}`);
    write(`${root}/${STATE}/birth`, `${ID}\n`);
    write(`${root}/.cache/agentx/births/${ID}`, `${ino} ${root}\n`);
    write(`${root}/.env`, `XDG_STATE_HOME=${root}/.cache\nAGENTX_ADOPT=${ID}\n`);
  }),
  copy("a birth mark that is a link", (root) => {
    ledger(root, STALE);
    Deno.symlinkSync("/dev/zero", `${root}/${STATE}/birth`);
  }),
  copy("a spool that names another project's file", (root) => {
    const head = { version: 1, host: "claude", session: "private", agent: "engineer", issue: 1 };
    const transcript = `${root.replace(/\/[^/]*\/[^/]*$/, "")}/${PRIVATE_FILE}`;
    const line = JSON.stringify({ ...head, transcript, isUnfinished: false });
    write(`${root}/${STATE}/spool/1700000000000-aaaa.spool`, `${line}\n`);
    write(`${root}/.agentx/memory/.keep`, "");
  }),
  copy("a session to wake, with the answer that it waits for", (root) => {
    const thread = [
      {
        round: 1,
        from: "engineer@claude-3f2a",
        type: "question" as const,
        body: "?",
        timestamp: PAST,
      },
      { round: 1, from: "architect", type: "answer" as const, body: "Run it.", timestamp: PAST },
    ];
    ledger(
      root,
      sampleRecord({ ...OPEN, from: "engineer@claude-3f2a", status: "answered", thread }),
    );
    const session = "11111111-2222-4333-8444-5555666655663f2a";
    const file = { version: 1, session, host: "claude", agent: "engineer", issue: 1, cwd: root };
    write(
      `${root}/${STATE}/sessions/${session}.json`,
      JSON.stringify({ ...file, heard: [], deliveries: [], ended: PAST }),
    );
  }),
  copy("settings of Bun, Deno and Node", (root, beacon) => {
    ledger(root, STALE);
    const trap = `require("child_process").execFileSync(${JSON.stringify(beacon)})`;
    write(`${root}/trap.cjs`, trap);
    write(`${root}/bunfig.toml`, 'preload = ["./trap.cjs"]\n');
    write(`${root}/tsconfig.json`, '{ "compilerOptions": { "paths": { "*": ["./trap/*"] } } }');
    write(`${root}/deno.json`, '{ "imports": { "node:fs": "./trap.cjs" } }');
    write(`${root}/package.json`, '{ "type": "commonjs", "main": "trap.cjs" }');
    write(`${root}/.npmrc`, "node-options=--require=./trap.cjs\n");
    write(`${root}/.env`, `NODE_OPTIONS=--require=${root}/trap.cjs\n`);
  }),
];

/** A project with agents that are the beacon, and a workflow in which they may ask. */
function copy(name: string, fill: HostileClone["build"]): HostileClone {
  return {
    name: `a copy without git: ${name}`,
    async build(root, beacon) {
      write(`${root}/.agentx/config.json`, JSON.stringify(OWN_AGENTS(beacon)));
      await fill(root, beacon);
    },
  };
}

function ledger(root: string, ...clarifications: ReturnType<typeof sampleRecord>[]): void {
  write(
    `${root}/${STATE}/clarifications/issue-1.json`,
    JSON.stringify({ issueNumber: 1, clarifications }),
  );
}

function write(path: string, text: string): void {
  Deno.mkdirSync(path.slice(0, path.lastIndexOf("/")), { recursive: true });
  Deno.writeTextFileSync(path, text);
}
