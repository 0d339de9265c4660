import { defineCommand } from "../../cli/command.ts";
import { issueNumber } from "../../cli/inputs.ts";
import { renderRoute, type TitledRoute } from "../../work/render/route.ts";
import { routeOf } from "../../work/route/route.ts";

export const command = defineCommand({
  kind: "route",
  examples: ["agentx route 42"],
  input: { issue: issueNumber },
  positional: ["issue"],
  async run(context, { issue }) {
    const { issues, workflow, config } = await context.openWorkspace();
    const found = issues.get(issue);
    const { defaultWorkflow } = config;
    const route = routeOf(found, { readWorkflow: workflow, defaultWorkflow });
    const output: TitledRoute = { ...route, title: found.title };
    return { output };
  },
  render: renderRoute,
});
