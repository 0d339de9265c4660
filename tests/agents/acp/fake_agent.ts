/**
 * An agent that speaks the Agent Client Protocol, as a program: `deno run -A fake_agent.ts SCRIPT`. The script is
 * JSON: what it does in its turn, one step after the other.
 *
 * @module
 */

/** What it does in a turn. */
export type FakeStep =
  | { say: string } // `$heard` stands for the last answer that it got
  | { tool: Record<string, unknown> }
  | { ask: Record<string, unknown>; options?: unknown }
  | { call: string }
  | { print: string }
  | { end: string }
  | { fail: string }
  | { exit: number };

/** The whole script. */
export interface FakeScript {
  modes?: string[];
  canLoad?: boolean;
  /** Further fields of a session. */
  session?: Record<string, unknown>;
  /** A file for each line that it hears. */
  record?: string;
  steps: FakeStep[];
}

if (import.meta.main) await serve(JSON.parse(Deno.args[0]!));

async function serve(script: FakeScript): Promise<void> {
  const replies = new Map<number, (value: unknown) => void>();
  let lastId = 1000;
  let heard = "";
  const send = (message: object) => console.log(JSON.stringify({ jsonrpc: "2.0", ...message }));
  const ask = (method: string, params: object) =>
    new Promise((resolve) => {
      const id = ++lastId;
      replies.set(id, resolve);
      send({ id, method, params });
    });
  const update = (fields: object) =>
    send({ method: "session/update", params: { sessionId: "s-1", update: fields } });
  const chunk = (text: string) =>
    update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text } });
  const options = [
    { optionId: "always", name: "Always", kind: "allow_always" },
    { optionId: "yes", name: "Yes", kind: "allow_once" },
    { optionId: "no", name: "No", kind: "reject_once" },
  ];
  const turn = async (id: unknown) => {
    for (const step of script.steps) {
      if ("say" in step) chunk(step.say.replace("$heard", heard));
      else if ("tool" in step) update({ sessionUpdate: "tool_call", ...step.tool });
      else if ("ask" in step) {
        const params = { sessionId: "s-1", toolCall: step.ask, options: step.options ?? options };
        heard = JSON.stringify(await ask("session/request_permission", params));
      } else if ("call" in step) {
        heard = JSON.stringify(await ask(step.call, { sessionId: "s-1" }));
      } else if ("print" in step) console.log(step.print);
      else if ("fail" in step) return send({ id, error: { code: -32603, message: step.fail } });
      else if ("exit" in step) Deno.exit(step.exit);
      else return send({ id, result: { stopReason: step.end } });
    }
    send({
      id,
      result: {
        stopReason: "end_turn",
        usage: { totalTokens: 12, inputTokens: 2, outputTokens: 10 },
      },
    });
  };
  const modes = script.modes && {
    currentModeId: script.modes[0],
    availableModes: script.modes.map((id) => ({ id, name: id })),
  };
  let buffer = "";
  for await (const text of Deno.stdin.readable.pipeThrough(new TextDecoderStream())) {
    const lines = (buffer + text).split("\n");
    buffer = lines.pop()!;
    if (script.record !== undefined) {
      Deno.writeTextFileSync(script.record, lines.map((line) => `${line}\n`).join(""), {
        append: true,
      });
    }
    for (const { id, method, params, result, error } of lines.map((line) => JSON.parse(line))) {
      if (method === undefined) replies.get(id)?.(result ?? error);
      else if (method === "initialize") {
        send({
          id,
          result: {
            protocolVersion: 1,
            agentCapabilities: { loadSession: script.canLoad ?? false },
          },
        });
      } else if (method === "session/new") {
        send({ id, result: { sessionId: "s-1", modes, ...script.session } });
      } else if (method === "session/load") {
        chunk("An old answer.");
        send({ id, result: { modes } });
      } else if (method.startsWith("session/set_")) {
        heard = params.modeId ?? params.modelId ?? `${params.configId} ${params.value}`;
        send({ id, result: {} });
      } else if (method === "session/prompt") void turn(id);
    }
  }
}
