/**
 * `agentx run`: an agent works on an issue with the tools of the workspace.
 *
 * @module
 */

import { NEEDS_HUMAN } from "../../clarify/render/outcome.ts";
import type { Result } from "../../cli/command.ts";
import { defineCommand } from "../../cli/command.ts";
import { agentName, issueNumber, text } from "../../cli/inputs.ts";
import { knownAgent } from "../../cli/known_agent.ts";
import { optional, word } from "../../cli/spec.ts";
import { stepsOf } from "../../cli/steps.ts";
import { usageError } from "../../cli/usage_error.ts";
import { EXIT_CODES } from "../../errors.ts";
import { MAX_PROMPT } from "../../loop/agentic_loop.ts";
import { renderStep } from "../../loop/render.ts";
import type { LoopReport, LoopStep } from "../../loop/steps.ts";
import type { LoopExit } from "../../loop/transcript.ts";
import { openLoop } from "../../workspace/agentic_loop.ts";

/** A step as it comes, and in the end the report. */
type RunOutput = { step: LoopStep } | { run: LoopReport };

const EXITS: Readonly<Record<LoopExit, number>> = {
  complete: 0,
  paused: NEEDS_HUMAN,
  escalated: NEEDS_HUMAN,
  max_iterations: EXIT_CODES.AGENT_ERROR,
  budget: EXIT_CODES.AGENT_ERROR,
  model_error: EXIT_CODES.AGENT_ERROR,
  abort: EXIT_CODES.INTERRUPTED,
};

export const command = defineCommand({
  kind: "run",
  runsMonitor: true,
  examples: [
    'agentx run engineer --issue 42 "Implement the health endpoint"',
    "agentx run --resume engineer-1709035100000-x7y8z9",
  ],
  input: {
    agent: optional(agentName("Agent that works; its model is agents.AGENT.http")),
    prompt: optional(text(MAX_PROMPT), "What it is to do", { placeholder: "PROMPT" }),
    issue: optional(issueNumber, "Issue that it works on"),
    resume: optional(word, "Go on with this session", { placeholder: "ID" }),
  },
  positional: ["agent", "prompt"],
  async *run(context, { agent, prompt, issue, resume }) {
    const workspace = await context.openWorkspace();
    yield* stepsOf<Result<RunOutput>>(async (show) => {
      const { signal } = context;
      const onStep = (step: LoopStep) => show({ output: { step } });
      let run: LoopReport;
      if (resume !== undefined) {
        const role = resume.replace(/-[0-9]+-[a-z0-9]+$/, "");
        const loop = await openLoop(role, workspace, { onStep, signal });
        run = await loop.resume(resume, { prompt, issueNumber: issue });
      } else {
        const missing = agent === undefined ? "AGENT" : issue === undefined ? "--issue" : "PROMPT";
        if (agent === undefined || issue === undefined || prompt === undefined) {
          const why = `${missing} is required to start a session`;
          throw usageError(context.name, { field: missing, value: null, why });
        }
        knownAgent(context.name, { field: "AGENT", agent }, workspace);
        const loop = await openLoop(agent, workspace, { onStep, signal });
        run = await loop.start({ agent, issueNumber: issue, prompt });
      }
      show({ output: { run }, exitCode: EXITS[run.exit] });
    });
  },
  render: (output, view) => "step" in output ? renderStep(output.step, view) : "",
});
