// `agentx template list`, `show` and `new`: the documents that steps write, and how they begin.

import { HUMAN } from "../../base/agent_names.ts";
import { hasCode } from "../../base/errors.ts";
import { actingAgent } from "../../cli/acting_agent.ts";
import { defineCommand } from "../../cli/command.ts";
import { asAgent, issueNumber } from "../../cli/inputs.ts";
import { argument, optional, rule, type Spec, word } from "../../cli/spec.ts";
import { listTemplates, parseTemplate, readTemplate } from "../../pipeline/templates.ts";
import { newDocument } from "../../pipeline/new_document.ts";
import { withoutSecrets } from "../../redact/border.ts";
import { sys } from "../../sys/mod.ts";
import { inertLines } from "../../text/inert.ts";
import { formatTable } from "../../text/table.ts";
import { terminalLine } from "../../text/text.ts";

const type = argument(word, "Type of the template, such as prd", { placeholder: "TYPE" });

export const list = defineCommand({
  kind: "template.list",
  examples: ["agentx template list"],
  async run({ openState }) {
    const { tree } = await openState();
    const templates = await Promise.all(
      listTemplates(tree).map(async (found) => {
        const { type, path } = found;
        try {
          const { description, variables, output } = await parseTemplate(found);
          return { type, path, description, output, variables, problem: null };
        } catch (error) {
          if (!hasCode(error, "INVALID_CONFIG")) throw error;
          const problem = error.oneLine;
          return { type, path, description: "", output: null, variables: [], problem };
        }
      }),
    );
    return { output: { templates } };
  },
  render({ templates }, view) {
    const rows = templates.map(({ type, path, description, problem }) => [
      type,
      path ?? "shipped",
      problem ?? description,
    ]);
    return formatTable(["TYPE", { whole: "FROM" }, "WHAT IT IS FOR"], rows, view);
  },
});

export const show = defineCommand({
  kind: "template",
  examples: [
    "agentx template show prd",
    "agentx template show prd >.agentx/templates/prd.md",
  ],
  input: { type },
  positional: ["type"],
  async run({ openState }, { type }) {
    const { tree } = await openState();
    const { body: _, ...template } = await readTemplate(tree, type);
    return { output: { template } };
  },
  render: ({ template: { text } }) => inertLines(text.replace(/\n$/, "")).join("\n"),
});

/** `name=value`, any number of times. */
const settings: Spec<[name: string, value: string][]> = {
  ...rule(/^[A-Za-z_]\w*=/, "be NAME=VALUE"),
  kind: "list",
  placeholder: "NAME=VALUE",
  read: (text) => [[text.slice(0, text.indexOf("=")), text.slice(text.indexOf("=") + 1)]],
};

export const create = defineCommand({
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
