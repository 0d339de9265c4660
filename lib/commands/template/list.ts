import { hasCode } from "../../base/errors.ts";
import { defineCommand } from "../../cli/command.ts";
import { listTemplates, parseTemplate } from "../../pipeline/templates.ts";
import { formatTable } from "../../text/table.ts";

export const command = defineCommand({
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
