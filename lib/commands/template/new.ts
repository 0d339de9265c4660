import { HUMAN } from "../../base/agent_names.ts";
import { actingAgent } from "../../cli/acting_agent.ts";
import { defineCommand } from "../../cli/command.ts";
import { asAgent, issueNumber } from "../../cli/inputs.ts";
import { optional, rule, type Spec } from "../../cli/spec.ts";
import { readTemplate } from "../../pipeline/templates.ts";
import { newDocument } from "../../pipeline/new_document.ts";
import { withoutSecrets } from "../../redact/border.ts";
import { sys } from "../../sys/mod.ts";
import { terminalLine } from "../../text/text.ts";
import { type } from "./input.ts";

/** The values of variables: `name=value`, any number of times. */
const settings: Spec<[name: string, value: string][]> = {
  ...rule(/^[A-Za-z_]\w*=/, "be NAME=VALUE"),
  kind: "list",
  placeholder: "NAME=VALUE",
  read: (text) => [[text.slice(0, text.indexOf("=")), text.slice(text.indexOf("=") + 1)]],
};

export const command = defineCommand({
  kind: "template.new",
  examples: [
    "agentx template new prd --issue 42",
    'agentx template new adr --issue 42 --set author="Ada Lovelace"',
  ],
  input: {
    type,
    issue: issueNumber,
    set: optional(settings, "Value of a variable; repeat it for others"),
    as: asAgent,
  },
  positional: ["type"],
  async run({ io, openWorkspace }, { type, issue: number, set = [], as }) {
    const by = actingAgent(io, as).name();
    const { tree, issues, workflowOf } = await openWorkspace();
    const template = await readTemplate(tree, type);
    const issue = issues.get(number);
    const path = newDocument(template, {
      tree,
      issue,
      workflow: workflowOf(issue.number),
      user: by === HUMAN ? io.env("USER") || HUMAN : by,
      today: new Date(sys.now()).toISOString().slice(0, 10),
      set: new Map(await withoutSecrets(set)),
    });
    return { output: { type, issueNumber: issue.number, path } };
  },
  render: ({ path }, { style }) => `  ${style.green("Created")} ${terminalLine(path)}`,
});
