import { defineCommand } from "../cli/command.ts";
import { completionScript } from "../cli/completion_scripts.ts";
import { argument, oneOf } from "../cli/spec.ts";
import { program } from "../sys/program.ts";

export const command = defineCommand({
  kind: "completions",
  examples: [
    "agentx completions bash >> ~/.bashrc",
    "agentx completions zsh >> ~/.zshrc",
    "agentx completions fish > ~/.config/fish/completions/agentx.fish",
  ],
  input: {
    shell: argument(oneOf(["bash", "zsh", "fish"]), "bash, zsh or fish", { placeholder: "SHELL" }),
  },
  positional: ["shell"],
  run: (_context, { shell }) =>
    Promise.resolve({ output: { shell, script: completionScript(shell, program.commandLine) } }),
  render: ({ script }) => script,
});
