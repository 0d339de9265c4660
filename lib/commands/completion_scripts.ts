/**
 * The scripts of `agentx completions`. They hold no command and no flag: on every TAB they ask the
 * program that is being completed, so they stay right when it changes. The words go there as one
 * argument with U+001F between them: a shell would drop an empty one at the end, or join some.
 *
 * @module
 */

const BASH = `# Completes agentx in bash.
_agentx() {
  local IFS=$'\\x1f' line
  COMPREPLY=()
  while read -r line; do
    COMPREPLY+=("\${line%%$'\\t'*}")
  done < <("$1" __complete -- "\${COMP_WORDS[*]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _agentx agentx
`;

const ZSH = `#compdef agentx
# Completes agentx in zsh.
_agentx() {
  local line
  local -a names shown
  for line in "\${(@f)$("$words[1]" __complete -- "\${(@pj:\\x1f:)words[2,CURRENT]}" 2>/dev/null)}"; do
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

/** A script for each shell. */
export const COMPLETION_SCRIPTS: Readonly<Record<"bash" | "zsh" | "fish", string>> = {
  bash: BASH,
  zsh: ZSH,
  fish: FISH,
};
