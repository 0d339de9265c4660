/**
 * `agentx setup`: installs the toolkit into coding agents, shows what keeps it from working there, and
 * takes it out again.
 *
 * @module
 */

import { type Context, defineCommand } from "../../cli/command.ts";
import { note } from "../../cli/note.ts";
import { refuseAgents } from "../../cli/person.ts";
import { argument, flag, oneOf, optional } from "../../cli/spec.ts";
import { AgentxError, EXIT_CODES } from "../../errors.ts";
import { sys } from "../../sys/mod.ts";
import { HOST_NAMES, type HostName } from "../../hosts/setup/host_names.ts";
import { type HostFinding, renderSetup, type SetupOutput } from "../../hosts/setup/render.ts";

const host = oneOf([...HOST_NAMES, "all"]);

/** Installs the toolkit into coding agents. */
export const command = defineCommand({
  kind: "setup",
  examples: [
    "agentx setup",
    "agentx setup claude",
    "agentx setup all --project --dry-run",
    "agentx setup --check",
    "agentx setup codex --remove",
  ],
  input: {
    check: flag("Find what would silently keep it from working; writes nothing"),
    remove: flag("Take out what setup wrote"),
    dryRun: flag("Only say what would be written"),
    project: flag("Write the files of this repository, which everyone in it shares"),
    host: optional(argument(host, "The coding agent"), "The coding agent, or all that are found"),
  },
  positional: ["host"],
  conflicts: { check: ["remove", "dryRun"] },
  async run(context, { host, check, remove, dryRun, project }) {
    const setup = await import("../../hosts/setup/setup.ts");
    const from = context.root ?? sys.cwd();
    const scope = setup.scopeOf(from, { isProject: project });
    const found = setup.installedHosts();
    const configured = HOST_NAMES.filter((name) => setup.isSetUp(name, scope));
    const output: SetupOutput = {
      scope: project ? "project" : "user",
      dryRun,
      found: HOST_NAMES.filter((name) => found.includes(name) || configured.includes(name))
        .map((name) => ({
          host: name,
          isInstalled: found.includes(name),
          isSetUp: configured.includes(name),
        })),
      hosts: [],
      findings: null,
    };
    const named = host === undefined || host === "all" ? undefined : [host];
    if (check) {
      const findings = await findProblems(context, named, from);
      const isFailed = findings.some(({ level }) => level === "fail");
      return { output: { ...output, findings }, exitCode: isFailed ? 1 : 0 };
    }
    if (host === undefined && !remove) return { output };

    const hosts = named ?? (remove ? configured : found);
    if (!remove) refuseMissing(hosts, { found, isProject: project });
    // What runs in all later sessions is not for an agent to decide.
    if (!project && !dryRun) {
      refuseAgents(context.io, "your own configuration", { path: sys.env("HOME") ?? "" });
    }
    const outcomes = await setup.changeHosts(hosts, scope, { isRemoving: remove, isDry: dryRun });
    const failed = outcomes.flatMap(({ error }) => error ?? []);
    if (failed.length > 0 && outcomes.length === 1) throw failed[0];
    if (!remove && !dryRun) {
      for (const text of setup.notesOn(outcomes, scope)) note(context.io, text);
    }
    return {
      output: {
        ...output,
        hosts: outcomes.map(({ error, ...outcome }) => ({
          ...outcome,
          error: error && { code: error.code, message: error.oneLine },
        })),
      },
      exitCode: failed.length === 0 ? 0 : EXIT_CODES[failed[0].code],
    };
  },
  render: renderSetup,
});

async function findProblems(
  { io }: Context,
  named: readonly HostName[] | undefined,
  from: string,
): Promise<HostFinding[]> {
  const { checkHosts } = await import("../../hosts/setup/check.ts");
  const { unboundHere } = await import("../../hosts/setup/check_bound.ts");
  const findings = await checkHosts(named, from);
  const unbound = findings.length === 0 ? undefined : unboundHere(from);
  if (unbound !== undefined) note(io, unbound);
  return findings;
}

/** A repository is set up for others, too. */
function refuseMissing(
  hosts: readonly string[],
  { found, isProject }: { found: readonly string[]; isProject: boolean },
): void {
  const missing = hosts.find((name) => !isProject && !found.includes(name));
  if (missing === undefined && hosts.length > 0) return;
  const id = missing ?? "all";
  const why = missing === undefined
    ? "no coding agent was found on this machine"
    : "its program is not on PATH, and it has no folder in your home";
  throw new AgentxError("NOT_FOUND", `Cannot set up "${id}": ${why}`, {
    details: { kind: "host", id },
    next: "Install it first; --project sets a repository up for those who have it",
  });
}
