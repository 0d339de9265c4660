// Runs the commands that show that a step is done. The user has agreed to them, and the guard allows them. They run
// code that an agent has just written, so they have limits on time and output, and a sandbox.

import { environmentOf } from "../agents/environment.ts";
import { tailOf } from "../agents/failure.ts";
import { hasCode } from "../base/errors.ts";
import { shellLine } from "../base/quote.ts";
import type { Config } from "../config/config.ts";
import { settingsOf } from "../config/runnable.ts";
import type { RepositoryTrust } from "../config/trust.ts";
import { repositoryAbove } from "../git/repository.ts";
import { judge } from "../guard/judge.ts";
import { policyOf } from "../guard/policy.ts";
import { withoutSecrets } from "../redact/border.ts";
import { type Confined, confined, unconfined } from "../sandbox/confine.ts";
import { findProgram } from "../sys/find_program.ts";
import { sys } from "../sys/mod.ts";
import type { StepEvidence } from "../work/issue/change.ts";

export type { StepEvidence as Evidence };

/** The place where commands run, with the user's consent to them. */
export interface EvidencePlace {
  /** The folder that holds `.agentx/`. */
  root: string;
  /** The caller's checkout. */
  tree: string;
  trust: () => Promise<RepositoryTrust>;
  config: Pick<Config, "agents" | "evidence">;
  /** The role that did the work. The commands have access to the network if the role has. */
  agent?: string;
  /** Stops the command. */
  signal?: AbortSignal;
  /**
   * The time limit in milliseconds; a command that runs longer is killed.
   *
   * @default {900_000}
   */
  timeoutMs?: number;
}

/** The limit of output; a command that prints more is killed. */
const MAX_OUTPUT_BYTES = 10_000_000;

/**
 * Runs one command as evidence.
 *
 * @param agreed the command of the workflow that the user agreed to
 * @param more arguments to append
 * @returns the command's output, and the reason if the command shows no success
 */
export async function runEvidence(
  agreed: readonly string[],
  place: EvidencePlace,
  more: readonly string[] = [],
): Promise<{ evidence: StepEvidence; reason?: string }> {
  const argv = [...agreed, ...more];
  const line = shellLine(argv);
  const { tree: cwd, signal, timeoutMs = 900_000 } = place;
  const allowed = blockedNote(line, place) ?? await agreedForm(argv, agreed, place);
  if (typeof allowed === "string") {
    const evidence = { command: argv, exitCode: null, output: "" };
    return { evidence, reason: `${line} was not run: ${allowed}` };
  }
  const env = environmentOf(sys.envEntries(), {
    command: argv,
    passEnv: [],
    // Without these variables, npm prints news at the end, where the agent looks for the failure.
    env: { NO_COLOR: "1", npm_config_update_notifier: "false" },
  });
  const maxOutputBytes = MAX_OUTPUT_BYTES;
  const options = { cwd, env, stdin: "", timeoutMs, maxOutputBytes, signal };
  const { outcome, exitCode, stdout, stderr } = await sys.run(allowed.command, options);
  if (outcome === "aborted") throw signal?.reason;
  const output = tailOf(await withoutSecrets([stdout, stderr].map(tailOf).join("\n")));
  const evidence = { command: argv, exitCode, output };
  const reasons = {
    exited: exitCode === 0 ? undefined : `failed with exit code ${exitCode}`,
    timeout: `did not end within ${timeoutMs / 1000} s, and was killed`,
    "output-limit": `printed more than ${MAX_OUTPUT_BYTES / 1_000_000} MB, and was killed`,
    "not-found": "was not run: there is no such program",
  };
  const why = reasons[outcome];
  return { evidence, reason: why && `${line} ${why}` };
}

function blockedNote(line: string, { root, tree }: EvidencePlace): string | undefined {
  const checkout = repositoryAbove(tree)?.checkout ?? tree;
  const place = { root: checkout, cwd: tree, home: sys.env("HOME") ?? "/" };
  const { verdict, rule, reason } = judge(line, { place, policy: policyOf(root) });
  return verdict === "block" ? `${reason} (${rule})` : undefined;
}

/** Returns the form to run an agreed command; a string gives the reason not to run it. */
async function agreedForm(
  argv: readonly string[],
  agreed: readonly string[],
  { tree: cwd, trust, config, agent }: EvidencePlace,
): Promise<Confined | string> {
  try {
    const { isConfined } = await (await trust()).checkCommand(agreed);
    if (!isConfined) return unconfined(argv);
  } catch (error) {
    if (!hasCode(error, "UNTRUSTED")) throw error;
    return "you have not agreed to it: agentx trust";
  }
  const home = sys.env("HOME") ?? "/";
  const caches = config.evidence.caches.map((path) => path.replace(/^~/, home));
  const settings = agent === undefined ? undefined : settingsOf(config.agents, agent);
  const { network: hasNetwork = true } = settings ?? {};
  const path = sys.env("PATH") ?? "";
  if (findProgram(argv[0], { tree: cwd, path }) === undefined) return "there is no such program";
  return confined(argv, { sandbox: "workspace", cwd, caches, hasNetwork, path });
}
