// `agentx completions` prints a script. The script holds no command and no flag: on every TAB it asks the program that
// is being completed, so it stays right when the program changes. The script passes the words as one argument with
// U+001F between them, because a shell would drop an empty word at the end, or join some. A script does not see shell
// aliases: if the command word is an alias, it asks the program that printed it.

import { defineCommand } from "../cli/command.ts";
import { argument, oneOf } from "../cli/spec.ts";
import { program } from "../sys/program.ts";
import { shellLine } from "../base/quote.ts";

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

type Shell = "bash" | "zsh" | "fish";

const BASH = `# Completes agentx in bash. For an alias, add: complete -o default -F _agentx ALIAS
_agentx() {
  local IFS=$'\\x1f' line program=("$1")
  case $(type -t "$1") in file | function) ;; *) program=(@PROGRAM@) ;; esac
  COMPREPLY=()
  while read -r line; do
    COMPREPLY+=("\${line%%$'\\t'*}")
  done < <("\${program[@]}" __complete -- "\${COMP_WORDS[*]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _agentx agentx
`;

const ZSH = `#compdef agentx
# Completes agentx in zsh.
_agentx() {
  local line
  local -a names shown program
  program=("$words[1]")
  (( $+commands[$words[1]] || $+functions[$words[1]] )) || program=(@PROGRAM@)
  for line in "\${(@f)$("$program[@]" __complete -- "\${(@pj:\\x1f:)words[2,CURRENT]}" 2>/dev/null)}"; do
    [[ -n $line ]] || continue
    names+=("\${line%%$'\\t'*}")
    shown+=("\${line/$'\\t'/  }")
  done
  if (( $#names )); then compadd -l -d shown -a names; else _files; fi
}
if [[ $funcstack[1] == _agentx ]]; then
  _agentx "$@"
else
  (( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
  compdef _agentx agentx
fi
`;

const FISH = `# Completes agentx in fish.
function __agentx_complete
  set -l words (commandline -opc) (commandline -ct)
  $words[1] __complete -- (string join \\x1f -- $words[2..-1]) 2>/dev/null
end
complete -c agentx -f -a '(__agentx_complete)'
`;

const SCRIPTS: Readonly<Record<Shell, string>> = { bash: BASH, zsh: ZSH, fish: FISH };

/** Returns the script that the shell reads once. */
function completionScript(shell: Shell, program: readonly string[]): string {
  // Fish needs no quotes: its aliases are functions.
  return SCRIPTS[shell].replace("@PROGRAM@", () => shellLine(program));
}
