/**
 * Runs the workflow of issue 1 with agents that are shell scripts: started, and killed, by a test. Each notes when
 * it begins and ends.
 *
 * @module
 */

import type { AgentInvoker } from "../../lib/agents/agent_call.ts";
import { commandInvoker } from "../../lib/agents/invoke.ts";
import { runWorkflow } from "../../lib/pipeline/run_workflow.ts";
import { openParts } from "../../lib/workspace/open.ts";
import { workflowParts } from "../../lib/workspace/workflow_parts.ts";

const [root, notes, ...roles] = Deno.args;

const agents = Object.fromEntries(roles.map((pair): [string, AgentInvoker] => {
  const [role, file] = pair.split("=");
  const script =
    `echo start ${role} >>"${notes}"; sleep 0.$((RANDOM % 5)); mkdir -p "$(dirname ${file})"; ` +
    `echo ${role} >${file}; echo end ${role} >>"${notes}"; echo Done.`;
  return [
    role,
    (call) => commandInvoker({ command: ["bash", "-c", script], cwd: call.cwd! })(call),
  ];
}));
const workspace = await openParts({ root, agents, notify: (text) => console.error(text) });
for await (const { step, outcome, reasons } of runWorkflow(1, {}, workflowParts(workspace))) {
  console.log([step, outcome, ...reasons].join(" "));
}
