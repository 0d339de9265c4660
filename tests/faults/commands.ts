/**
 * The commands that are tried with faults, and what each leaves behind.
 *
 * @module
 */

import { askWords } from "../gate/samples.ts";
import { ASK, type TempWorkspace } from "../temp_workspace.ts";

/** A command. */
export interface Scenario {
  words: readonly string[];
  stdin?: string;
  /**
   * Variables of its process.
   *
   * @default {those of the tests}
   */
  env?: Record<string, string>;
  /**
   * How it ends undisturbed.
   *
   * @default {0}
   */
  code?: number;
  /** How it may end when it is called again: it may have been done already. */
  again: readonly number[];
  /** Makes what the command needs. */
  prepare(temp: TempWorkspace): Promise<unknown>;
  /** What is on the disk, as other commands read it. */
  found(temp: TempWorkspace): Promise<unknown[]>;
  /** What is there beside the old state and the new one, once the command was stopped halfway. */
  halfway?: readonly RegExp[];
  /**
   * What is there once it was called again.
   *
   * @default {what it leaves undisturbed}
   */
  atLast?: RegExp;
}

const SESSION = "## User\n\nAlways keep timestamps in UTC.\n\n## Assistant\n\n" +
  "Done. The integration tests need TZ=UTC to pass.\n";

const NOTE = ["memory", "note", "--agent", "engineer", "-i", "42"];

async function remembered(temp: TempWorkspace): Promise<string[]> {
  const { observations } = await temp.json(["memory", "export"]);
  return observations.map(({ content }: { content: string }) => content).sort();
}

export const SCENARIOS: Readonly<Record<string, Scenario>> = {
  "clarify ask": {
    words: ASK,
    again: [0, 7],
    prepare: async () => {},
    async found(temp) {
      const { clarifications } = await temp.json(["clarify", "-i", "42"]);
      return clarifications.map(({ id, status, thread }: Record<string, unknown[]>) =>
        `${id} ${status} ${thread.length}`
      );
    },
    halfway: [/^\["CLR-42-001 pending 1"\]$/],
    atLast: /^\["CLR-42-001 answered 2"(,"CLR-42-002 answered 2")?\]$/, // none is left open
  },
  answer: {
    words: ["answer", "ASK-001", "b"],
    env: { CI: "", AGENTX_TRUST: "" }, // there, nobody is a human
    again: [0, 6],
    prepare: (temp) => temp.run([...askWords(), "--no-wait"]),
    async found(temp) {
      const { entries } = await temp.json(["inbox"]);
      const { assumptions } = await temp.json(["assumptions"]);
      const statuses = assumptions.map(({ status }: { status: string }) => status);
      return [entries.length, statuses, await remembered(temp)];
    },
  },
  "memory note": {
    words: [...NOTE, "The tests need TZ=UTC"],
    again: [0],
    prepare: (temp) => temp.run([...NOTE, "The lock waits for five seconds"]),
    found: remembered,
  },
  "issue update": {
    words: ["issue", "update", "1", "-s", "Ready", "-l", "type:bug"],
    again: [0],
    prepare: (temp) => temp.run(["issue", "create", "-t", "Crash"]),
    async found(temp) {
      const { issue } = await temp.json(["issue", "get", "1"]);
      return [issue.status, issue.labels];
    },
  },
  "hook finish": {
    words: ["hook", "finish", "engineer", "42", "--transcript", "-"],
    stdin: SESSION,
    again: [0],
    prepare: (temp) => temp.run(["hook", "start", "engineer", "42"]),
    async found(temp) {
      const { agents } = await temp.json(["state"]);
      return [
        agents.map(({ base }: { base: { status: string } }) => base.status),
        await remembered(temp),
      ];
    },
    halfway: [/^\[\["(working|done)"\],/],
  },
  init: {
    words: ["init"],
    again: [0],
    prepare: async (temp) => {
      for (const path of ["config.json", "workflows/bug.toml"]) {
        Deno.removeSync(`${temp.root}/.agentx/${path}`);
      }
      temp.write(".git/HEAD", "ref: refs/heads/main\n");
      temp.write(".gitignore", "node_modules/\n");
      await Promise.resolve();
    },
    found: (temp) => {
      const files = Object.entries(temp.snapshot()).filter(([, text]) => text !== "/");
      return Promise.resolve(files.filter(([path]) => !/\.(lock|tmp)$|\/state\//.test(path)));
    },
    halfway: [/./],
  },
};

const ASK_LATER = [...ASK, "--non-blocking"];

/** What a list says, without times. */
function listed(...words: string[]) {
  return async (temp: TempWorkspace) => {
    const text = JSON.stringify(await temp.json(words));
    return [
      text.replace(/"[0-9]{4}-[0-9]{2}-[0-9]{2}T[^"]*"|"[a-z]+":[0-9]{4,}|"uid":"\w+"/g, "-"),
    ];
  };
}

const clarifications = SCENARIOS["clarify ask"].found;
const createIssue = (temp: TempWorkspace) => temp.run(["issue", "create", "-t", "Crash"]);

/** Other commands that write. */
export const MORE: Readonly<Record<string, Scenario>> = {
  "clarify answer": {
    words: ["clarify", "answer", "CLR-42-001", "PostgreSQL.", "--as", "architect"],
    again: [0, 6],
    prepare: (temp) => temp.run(ASK_LATER),
    found: clarifications,
  },
  "clarify resolve": {
    words: ["clarify", "resolve", "CLR-42-001", "Done", "--as", "engineer"],
    again: [0, 6],
    prepare: (temp) => temp.run(ASK),
    found: clarifications,
  },
  "clarify escalate": {
    words: ["clarify", "escalate", "CLR-42-001", "Who decides?", "--as", "engineer"],
    again: [0, 6],
    prepare: (temp) => temp.run(ASK),
    found: clarifications,
  },
  "ask-user": {
    words: [...askWords(), "--no-wait"],
    code: 7,
    again: [6, 7],
    prepare: async () => {},
    async found(temp) {
      const { entries } = await temp.json(["inbox"]);
      return entries.map(({ id }: { id: string }) => id);
    },
  },
  "assumptions add": {
    words: [
      ...["assumptions", "add", "UTC everywhere", "--from", "engineer", "--issue", "42"],
      ...["--because", "the logs are", "--confidence", "high", "--risk", "low"],
    ],
    again: [0],
    prepare: async () => {},
    found: async (temp) => {
      const { assumptions } = await temp.json(["assumptions"]);
      return assumptions.map(({ id }: { id: string }) => id);
    },
    atLast: /ASM-00[12]"\]$/,
  },
  "issue create": {
    words: ["issue", "create", "-t", "Another"],
    again: [0],
    prepare: createIssue,
    async found(temp) {
      const { issues } = await temp.json(["issue", "list"]);
      return issues.map(({ number, title }: { number: number; title: string }) => [number, title]);
    },
    atLast: /"Another"\]/,
  },
  "issue comment": {
    words: ["issue", "comment", "1", "--comment", "Seen again"],
    again: [0],
    prepare: createIssue,
    async found(temp) {
      const { issue } = await temp.json(["issue", "get", "1"]);
      return issue.comments.map(({ body }: { body: string }) => body);
    },
    atLast: /Seen again/,
  },
  "ready --claim": {
    words: ["ready", "--claim", "engineer"],
    again: [0, 4], // nothing is ready once it is claimed
    prepare: (temp) =>
      temp.run(["issue", "create", "-t", "Crash", "-l", "type:bug", "-s", "Ready"]),
    async found(temp) {
      const { issue } = await temp.json(["issue", "get", "1"]);
      return [issue.assignee];
    },
  },
  "loop start": {
    words: ["loop", "start", "42"],
    again: [0, 2, 6],
    prepare: async () => {},
    found: listed("loop", "status"),
    atLast: /./,
  },
  "config set": {
    words: ["config", "set", "gate.timeout", "10m"],
    again: [0],
    prepare: async () => {},
    found: listed("config", "get", "gate.timeout"),
  },
};
