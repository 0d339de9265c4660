// `agentx mcp`: serves the tools of agents to any host that speaks the Model Context Protocol. The protocol uses
// standard input and output, so the command prints nothing itself.

import { VERSION } from "../base/version.ts";
import { type Command, type CommandEntry, defineCommand, type Result } from "../cli/command.ts";
import { durationMs } from "../cli/inputs.ts";
import { note } from "../cli/note.ts";
import { optional, type Spec } from "../cli/spec.ts";

const WAIT_MS = 60_000;

/** Maximum wait of a tool: hosts move a call that takes two minutes to the background. */
const MAX_WAIT_MS = 100_000;

const waitMs: Spec<number> = {
  ...durationMs,
  refuse: (text) =>
    durationMs.refuse(text) ??
      (durationMs.read(text) <= MAX_WAIT_MS
        ? undefined
        : `must be at most ${MAX_WAIT_MS / 1_000}s`),
};

/** Returns the command; its tools run commands of the table. */
export function command(commands: readonly CommandEntry[]): Command {
  return defineCommand({
    kind: "mcp",
    examples: ["agentx mcp", "agentx mcp --root /work/project --wait 100s"],
    input: {
      wait: optional(waitMs, "How long a tool waits for an answer (default: 60s, at most 100s)"),
    },
    async *run({ io, root, signal }, { wait = WAIT_MS }): AsyncGenerator<Result<object>> {
      const { serve } = await import("../mcp/server.ts");
      const notify = (message: string) => note(io, message);
      await serve({ version: VERSION, commands, root, waitMs: wait, signal, notify });
      yield* []; // it prints nothing
    },
    render: () => "",
  });
}
