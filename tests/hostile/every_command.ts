/**
 * Each command of the table as its own examples call it, each hook, the MCP server and the runner, one after the
 * other in one process of the installed package.
 *
 * @module
 */

import { COMMANDS } from "../../lib/commands/mod.ts";

/** One command line, and what it reads. */
export interface Call {
  words: string[];
  stdin: string;
}

const EVENTS = [
  ...["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop", "SessionEnd"],
];

/** These wait until they are ended. */
const WAITING = /^(?:serve|board(?! --out)|mcp|clarify watch|demo)|--watch|--follow/;

/** @returns the calls in the order of the table; `cwd` is where the hooks say that they are */
export async function everyCall(cwd: string): Promise<Call[]> {
  const work = [
    ...[
      "review 42",
      "review 42 --diff",
      "review 42 --fix",
      "issue validate 42 engineer",
      "workflow run 42",
    ],
    ...[
      "workflow merge 42",
      "clarify run",
      "serve",
      "doctor --fix",
      "issue commit",
      "scan --staged",
    ],
  ];
  const calls: Call[] = work.map((line) => ({ words: line.split(" "), stdin: "" }));
  for (const { name, load, isHidden } of COMMANDS) {
    const examples = (await load?.())?.command.examples ?? [];
    if (isHidden) calls.push({ words: name.split(" "), stdin: "" });
    for (const example of examples.slice(0, 2)) {
      const [line] = example.split(/ [<|] ?/);
      const words = Array.from(
        line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g),
        ([, single, double, bare]) => single ?? double ?? bare,
      );
      calls.push({ words: words.slice(1), stdin: "Because it is so.\n" });
    }
  }
  for (const host of ["claude", "codex"]) {
    for (const hook_event_name of EVENTS) {
      const call = { session_id: "s-1", cwd, hook_event_name, source: "startup", prompt: "Go on" };
      const tool = { tool_name: "Bash", tool_input: { command: "git status" } };
      const stdin = JSON.stringify({ ...call, ...tool });
      calls.push({ words: ["hook", "host", host, hook_event_name], stdin });
    }
  }
  return calls;
}

/** A program of the package that makes calls, and prints how each ended. */
export const DRIVER: string = `
import { main } from "@agentx/toolkit/cli";
import { readFileSync } from "node:fs";

for (const { words, stdin } of JSON.parse(readFileSync(process.argv[2], "utf8"))) {
  let out = "";
  const io = {
    stdout: (text) => (out += text, true),
    stderr: (text) => void (out += text),
    readStdin: () => Promise.resolve(stdin),
    readLine: () => Promise.resolve(""),
    readKey: () => ({ key: Promise.resolve(null), stop() {} }),
    isTerminal: { stdin: false, stdout: false, stderr: false },
    columns: 80,
    env: (name) => process.env[name],
    exit() {},
  };
  const waitMs = ${WAITING}.test(words.join(" ")) ? 500 : 10_000;
  const late = new Promise((resolve) => setTimeout(resolve, waitMs, "still waits"));
  const code = await Promise.race([main(words, io).catch(String), late]);
  console.log(JSON.stringify([words.join(" "), code, out.slice(0, 300)]));
}
process.exit();
`;
