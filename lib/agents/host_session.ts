/**
 * Whether this process runs inside an agent's session, as far as its environment shows it. The
 * variables are hints, not proof: a session can unset them. Pure.
 *
 * @module
 */

/**
 * What we, and the hosts, set for their children. A setting that a person exports in their own shell,
 * such as CODEX_HOME, does not belong here.
 */
const SESSION_VARIABLES: readonly string[] = [
  "AGENTX_AGENT",
  "AGENTX_DEPTH",
  "CLAUDECODE",
  "CODEX_SANDBOX",
  "CODEX_SANDBOX_NETWORK_DISABLED",
  "CODEX_THREAD_ID",
  "CURSOR_AGENT",
  "GEMINI_CLI",
  "OPENCODE",
];

/**
 * Looks for the session of an agent.
 *
 * @param env gives an environment variable
 * @returns the variable that shows it; undefined where none does
 */
export function sessionVariable(env: (name: string) => string | undefined): string | undefined {
  return SESSION_VARIABLES.find((name) => env(name) !== undefined);
}
