import { roleOf } from "../../base/agent_names.ts";
import type { AgentReply } from "../../agents/agent_call.ts";
import type { RunTrace } from "../../agents/trace.ts";
import { defineCommand } from "../../cli/command.ts";
import { agentName } from "../../cli/inputs.ts";
import { knownAgent } from "../../config/known_agent.ts";
import { showElapsed } from "../../cli/note.ts";
import { argument, optional, word } from "../../cli/spec.ts";
import { AgentxError, EXIT_CODES, hasCode } from "../../base/errors.ts";
import { shellLine } from "../../base/quote.ts";
import { terminalBlock, terminalLine } from "../../text/text.ts";
import type { RenderView } from "../../text/view.ts";
import { invokerOf, type Workspace } from "../../workspace/open.ts";

interface Tested {
  agent: string;
  prompt: string;
  /** The runs, in the order of their ends. */
  runs: RunTrace[];
  /** The reply of the last run; null if it is not an answer. */
  reply: AgentReply | { text: string; runner: null; session: null } | null;
  /** Why there is no answer; null if there is one. */
  reason: string | null;
  durationMs: number;
}

const PROMPT = 'Answer with the one word "ready".\n';

/** Maximum characters of a program's output to show. */
const MAX_PRINTED = 4_000;

/** Runs an agent once, apart from any clarification. */
export const command = defineCommand({
  kind: "agents.test",
  examples: [
    "agentx agents test architect",
    'agentx agents test architect "Which database do we use?"',
  ],
  input: {
    agent: agentName("Which agent"),
    prompt: optional(argument(word, "Question to the agent", { readsStdin: true })),
  },
  positional: ["agent", "prompt"],
  async run(context, { agent: given, prompt = PROMPT }) {
    const { io, signal } = context;
    const workspace = await context.openWorkspace();
    const agent = knownAgent(given, { field: "AGENT", known: workspace.knownAgents() });
    const runs: RunTrace[] = [];
    const invoke = invokerOf(agent, workspace, {
      onRun: (run) => runs.push(shortened(run)),
    });
    if (invoke === undefined) throw notRun(agent, workspace);
    const startMs = performance.now();
    const hide = showElapsed(io, agent);
    const tested = (came: Pick<Tested, "reply" | "reason">): Tested => ({
      agent,
      prompt,
      runs,
      ...came,
      durationMs: Math.round(performance.now() - startMs),
    });
    try {
      const reply = await invoke({ agent, prompt, signal });
      const whole = typeof reply === "object"
        ? reply
        : { text: reply, runner: null, session: null };
      return { output: tested({ reply: whole, reason: null }) };
    } catch (error) {
      if (!hasCode(error, "AGENT_ERROR")) throw error;
      const output = tested({ reply: null, reason: error.details.reason });
      return { output, exitCode: EXIT_CODES.AGENT_ERROR };
    } finally {
      hide();
    }
  },
  render: (tested, view) => renderTested(tested, view).join("\n"),
});

function shortened(run: RunTrace): RunTrace {
  const end = (text: string) =>
    text.length <= MAX_PRINTED ? text : `...${text.slice(-MAX_PRINTED).toWellFormed()}`;
  return { ...run, stdout: end(run.stdout), stderr: end(run.stderr) };
}

function notRun(agent: string, { root }: Workspace): AgentxError<"NOT_FOUND"> {
  const role = roleOf(agent);
  return new AgentxError(
    "NOT_FOUND",
    `Cannot test "${agent}": nothing in "${root}" says how it is run`,
    {
      details: { kind: "agent", id: agent },
      next: `Choose it with: agentx config set agents.${role}.preset claude`,
    },
  );
}

function renderTested(
  { agent, prompt, runs, reply, reason, durationMs }: Tested,
  { style, width }: RenderView,
): string[] {
  const block = (title: string, text: string) =>
    text.trim() === ""
      ? []
      : [`  ${style.bold(title)}`, ...terminalBlock(text.trim(), { indent: "    ", width })];
  const time = `${(durationMs / 1_000).toFixed(1)} s`;
  return [
    ...block("Prompt", prompt),
    ...runs.flatMap(({ sent, variables, outcome, stdout, stderr }) => [
      ...block("Run", shellLine(sent)),
      ...block("With the variables", variables.join(" ")),
      ...block(`Standard output (${outcome})`, stdout),
      ...block("Standard error", stderr),
    ]),
    ...block("Answer", reply?.text ?? ""),
    reply === null
      ? `  ${style.red(`${terminalLine(agent)} failed after ${time}:`)} ${
        terminalLine(reason ?? "")
      }`
      : `  ${style.green(`${terminalLine(agent)} answered in ${time}`)}${
        reply.session === null ? "" : `, session ${terminalLine(reply.session)}`
      }`,
  ];
}
