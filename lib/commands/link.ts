import { defineCommand } from "../cli/command.ts";
import { refuseAgents } from "../cli/person.ts";
import { optional, rule, word } from "../cli/spec.ts";
import { terminalLine } from "../text/text.ts";
import { linkedFolders, linkFolder } from "../workspace/linked_projects.ts";

const NAME = /^[a-z0-9][\w.-]*(?:\/[a-z0-9][\w.-]*)?$/i;

export const command = defineCommand({
  kind: "link.list",
  examples: ["agentx link shop/web ../web", "agentx link"],
  input: {
    name: optional(
      rule(NAME, "be a name such as shop or owner/repo"),
      "Name of the project in issues",
    ),
    dir: optional(word, "Folder of the project", { placeholder: "DIR" }),
  },
  positional: ["name", "dir"],
  needs: { name: ["dir"] },
  async run({ io }, { name, dir }) {
    if (name !== undefined && dir !== undefined) {
      refuseAgents(io, "change the links to other projects", { path: dir });
      await linkFolder(name, dir);
    }
    const links = Object.entries(linkedFolders()).map(([name, folder]) => ({ name, folder }));
    return { output: { links } };
  },
  render: ({ links }) =>
    links.length === 0
      ? "  No projects are linked."
      : links.map(({ name, folder }) => `  ${terminalLine(`${name} -> ${folder}`)}`).join("\n"),
});
