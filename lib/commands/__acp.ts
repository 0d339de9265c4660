// `agentx __acp` talks to an agent over the Agent Client Protocol for the run that started it. The prompt comes from
// standard input; the task says what the agent may do.

import { type AcpTask, readAcpTask } from "../agents/acp/acp_runner.ts";
import { type AcpReply, type AcpTurn, runTurn } from "../agents/acp/turn.ts";
import { PASSED_VARIABLES } from "../agents/environment.ts";
import type { Io } from "../cli/io.ts";
import { defineCommand } from "../cli/command.ts";
import { argument, word } from "../cli/spec.ts";
import { HOSTS, isHost } from "../hosts/hosts.ts";
import type { ServerUse, ToolUse } from "../hooks/guard_call.ts";
import { sys } from "../sys/mod.ts";
import { program } from "../sys/program.ts";
import { encodeJson } from "../text/text.ts";
import { answerTo } from "./hook/guard.ts";
import { VERSION } from "../base/version.ts";

export const command = defineCommand({
  kind: "acp.reply",
  examples: [`agentx __acp '{"agent":"engineer","host":null,"command":["qwen","--acp"]}'`],
  input: { task: argument(word, "The task, as JSON") },
  positional: ["task"],
  async run({ io }, { task: text }) {
    const task = readAcpTask(text);
    const known = task.host !== null && isHost(task.host) ? HOSTS[task.host].acp : undefined;
    const output = await runTurn({
      ...known,
      command: task.command,
      cwd: sys.cwd(),
      prompt: await io.readStdin(),
      version: VERSION,
      session: task.session,
      model: task.model,
      mcpServers: task.work === undefined ? [] : [ownTools(io)],
      judge: (wish) => judged(wish, task, io),
    });
    return { output };
  },
  render: (reply: AcpReply) => encodeJson(reply),
});

type Wish = Parameters<AcpTurn["judge"]>[0];

async function judged(
  wish: Wish,
  { agent, host, work }: AcpTask,
  io: Io,
): Promise<string | undefined> {
  if (work === undefined) {
    const isRead = wish.kind === "files" && wish.isRead;
    if (!isRead) return "it answers a question, and changes and runs nothing";
  }
  if (wish.kind === "tool" && wish.server === OWN_TOOLS) return undefined;
  const use = useOf(wish);
  const call = { session: `acp-${agent}`, agent, cwd: sys.cwd() };
  const { reason } = await answerTo(use, { host: host ?? "acp", call, io, work });
  return reason;
}

function useOf(wish: Wish): ToolUse | ServerUse {
  if (wish.kind === "tool") return { server: wish.server };
  return wish.kind === "command"
    ? { command: wish.command, shell: "bash", cwd: wish.cwd }
    : { paths: [...wish.paths], isRead: wish.isRead };
}

/** The name of our server of tools. */
const OWN_TOOLS = "agentx";

/** Describes our server of tools. Agents pass few variables to it, so all variables that it needs are listed. */
function ownTools({ env }: Io) {
  const [command, ...args] = program.commandLine;
  const variables = ["PATH", "HOME", ...PASSED_VARIABLES].flatMap((name) => {
    const value = env(name);
    return value === undefined ? [] : [{ name, value }];
  });
  return { name: OWN_TOOLS, command, args: [...args, "mcp"], env: variables };
}
