// `agentx setup`: adds agentx to coding agents, checks that it works there, and removes it again.

import { defineCommand } from "../cli/command.ts";
import { note } from "../cli/note.ts";
import { refuseAgents } from "../cli/person.ts";
import { argument, flag, oneOf, optional } from "../cli/spec.ts";
import { AgentxError, EXIT_CODES } from "../base/errors.ts";
import { sys } from "../sys/mod.ts";
import { checkHosts } from "../setup/check.ts";
import * as setup from "../setup/setup.ts";
import { HOST_NAMES, HOSTS } from "../hosts/hosts.ts";
import { renderSetup, type SetupOutput } from "../setup/render.ts";

const host = oneOf([...HOST_NAMES, "all"]);

export const command = defineCommand({
  kind: "setup",
  examples: [
    "agentx setup",
    "agentx setup claude",
    "agentx setup all --project --dry-run",
    "agentx setup --check",
    "agentx setup claude --guard",
    "agentx setup codex --remove",
  ],
  input: {
    check: flag("Find what makes agentx fail silently; write nothing"),
    remove: flag("Remove what setup wrote"),
    dryRun: flag("Only show what would be written"),
    guard: flag("Let agentx judge each tool call first, and refuse what agents may not do"),
    project: flag("Write the files of this repository, for everyone who works on it"),
    host: optional(
      argument(host, "The coding agent"),
      "The coding agent, or 'all' for every installed one",
    ),
  },
  positional: ["host"],
  needs: { guard: ["host"], dryRun: ["host", "remove"], project: ["host", "remove", "check"] },
  conflicts: { check: ["remove", "dryRun"] },
  async run(context, { host, check, remove, dryRun, guard, project }) {
    const from = context.root ?? sys.cwd();
    const scope = setup.setupScope(from, { isProject: project, hasGuard: guard });
    const found = setup.installedHosts();
    const configured = HOST_NAMES.filter((name) => setup.isSetUp(name, scope));
    const output: SetupOutput = {
      scope: project ? "project" : "user",
      isRemoving: remove,
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
    if (guard) {
      const free = HOST_NAMES.filter((name) =>
        HOSTS[name].hooks.guard === undefined && (found.includes(name) || configured.includes(name))
      );
      for (const host of free) {
        note(context.io, `${host} has no hook that can refuse a tool: --guard does nothing there`);
      }
    }
    if (check) {
      const findings = await checkHosts(named, from);
      const isFailed = findings.some(({ level }) => level === "fail");
      return { output: { ...output, findings }, exitCode: isFailed ? 1 : 0 };
    }
    if (host === undefined && !remove) return { output };

    const hosts = named ?? (remove ? configured : found);
    if (!remove) refuseMissing(hosts, { found, isProject: project });
    // An agent may not decide which programs run in all later sessions.
    if (!project && !dryRun) {
      refuseAgents(context.io, "change your own configuration", { path: sys.env("HOME") ?? "" });
    }
    const outcomes = await setup.changeHosts(hosts, scope, {
      isRemoving: remove,
      isDry: dryRun,
      // `agents.default` is removed with all hosts; a value that a person has set stays.
      own: remove && !project && named === undefined ? {} : undefined,
    });
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

/** Refuses a host that is not installed. With --project it may be missing: a repository is set up for others, too. */
function refuseMissing(
  hosts: readonly string[],
  { found, isProject }: { found: readonly string[]; isProject: boolean },
): void {
  const missing = hosts.find((name) => !isProject && !found.includes(name));
  if (missing === undefined && hosts.length > 0) return;
  const id = missing ?? "all";
  const why = missing === undefined
    ? "no coding agent was found on this machine"
    : "its program is not on your PATH, and your home has no folder of it";
  throw new AgentxError("NOT_FOUND", `Cannot set up "${id}": ${why}`, {
    details: { kind: "host", id },
    next: isProject
      ? "Name the coding agents of those who work here, such as: agentx setup claude --project"
      : "Install it first, or use --project to set up this repository for those who have it",
  });
}
