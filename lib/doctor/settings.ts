// Checks the settings and the workflows, and whether the agents that they name can be run.

import type { AgentConfig, Config } from "../config/config.ts";
import { HOST_NAMES, HOSTS } from "../hosts/hosts.ts";
import { findProgram } from "../sys/find_program.ts";
import { idleSetting, likelySlips, noEffect } from "../config/no_effect.ts";
import { commandsOf, isRunnable, presetsOf } from "../config/runnable.ts";
import { hidesCommand, readSettings, type Settings } from "../config/settings.ts";
import { RepositoryTrust } from "../config/trust.ts";
import { listWorkflows, readWorkflow, type Workflow } from "../config/workflow.ts";
import { runsToday } from "../events/runs_today.ts";
import type { WorkspacePlace } from "../workspace/find.ts";
import { formatDuration } from "../base/time.ts";
import { sys } from "../sys/mod.ts";
import { fail, failure, type Finding, ok, warn } from "./finding.ts";
import { shippedWorkflows } from "../workspace/init.ts";
import { likelyRoleSlips } from "../workspace/roles_here.ts";

/** Returns findings on config.json, the workflows, the programs of the agents, and the user's consent to them. */
export async function examineSettings({ root, tree }: WorkspacePlace): Promise<Finding[]> {
  const folder = `${root}/.agentx/workflows`;
  const findings: Finding[] = [];
  let settings: Settings | undefined;
  try {
    const next = "Change it in its file; your own is outside of the repository (XDG_CONFIG_HOME)";
    settings = readSettings({ root, tree }, (message) => {
      findings.push(warn("config", message, next));
    });
    findings.push(ok("config", `mode ${settings.config.mode}`));
    if (settings.config.mode === "github") {
      findings.push(...await examineGitHub({ root, tree }, settings));
    }
    const idle = idleSetting(settings.content);
    if (idle !== undefined) findings.push(warn("config", noEffect(idle), "No action is needed"));
    for (const { key, meant } of likelySlips(settings.content)) {
      findings.push(warn("config", `"${key}" is not a setting`, `Did you mean "${meant}"?`));
    }
    const { config: { agents } } = settings;
    const roles = { tree, workflows: folder, notify: () => {} }; // a broken workflow is a finding of its own
    for (const { role, meant } of likelyRoleSlips(agents, roles)) {
      const message = `agents.${role} is for an agent that nothing else here names`;
      findings.push(warn("config", message, `Did you mean "agents.${meant}"?`));
    }
    for (const { key, why } of settings.ignored) {
      const next = "Read the file .agentx/config.json; to agree to what it weakens: agentx trust";
      findings.push(warn("config", `This repository's ${key} is ignored: ${why}`, next));
    }
    for (const role of settings.hiddenAgents) {
      const next =
        `Set it in your own, with agentx config set --global agents.${role}..., and here: ` +
        `agentx config unset agents.${role}`;
      findings.push(warn("config", hidesCommand(role), next));
    }
  } catch (error) {
    findings.push(failure("config", error));
  }
  findings.push(...examineWorkflows(folder, settings?.config.defaultWorkflow));
  if (settings === undefined) return findings;
  const { maxRunsPerDay } = settings.config.clarify;
  const begun = runsToday(`${root}/.agentx/log`);
  findings.push(
    ok(
      "runs",
      `questions started ${begun} of ${maxRunsPerDay} runs today`,
    ),
  );
  const { config: { agents }, repositoryAgents } = settings;
  const trust = new RepositoryTrust({ root, tree, repositoryAgents, agents });
  return [
    ...findings,
    ...examineAgents(agents, tree),
    ...await examineLogins(agents),
    ...await examineTrust(trust),
  ];
}

async function examineGitHub(where: WorkspacePlace, { config }: Settings): Promise<Finding[]> {
  const [{ githubState }, { gitHubPlace, parkedPosts }] = await Promise.all([
    import("../github/read.ts"),
    import("../workspace/github.ts"),
  ]);
  const { target, read, failed } = githubState(where.root) ?? {};
  const place = gitHubPlace({ ...where, config });
  const stopped = failed ?? place?.outbox.state()?.failed?.why;
  const refused = place === undefined ? [] : parkedPosts(place);
  const again = "It is tried again after: agentx config set mode github";
  return [
    ...stopped ? [warn("github", stopped, "Try again with: agentx sync")] : [],
    ...refused.map((why) => warn("github", why, again)),
    read
      ? ok("github", `${target} was read ${formatDuration(sys.now() - Date.parse(read))} ago`)
      : warn("github", "no issue of GitHub was read yet", "Read them with: agentx sync"),
  ];
}

async function examineTrust(trust: RepositoryTrust): Promise<Finding[]> {
  try {
    const parts = Object.entries(trust.agreement(await trust.plan()));
    const missing = parts.flatMap(([part, isAgreed]) => isAgreed ? [] : part);
    if (missing.length === 0) return [];
    const what = `You have not agreed to these, so they are not run or used: ${missing.join("; ")}`;
    return [warn("trust", what, "Review them and agree to them with: agentx trust")];
  } catch (error) {
    return [failure("trust", error)];
  }
}

function examineWorkflows(folder: string, defaultType: string | undefined): Finding[] {
  const check = "workflows";
  const types = listWorkflows(folder);
  const findings: Finding[] = [];
  const scopes: Finding[] = [];
  for (const type of types) {
    try {
      scopes.push(...examineScopes(readWorkflow(folder, type)));
    } catch (error) {
      findings.push(failure(check, error));
    }
  }
  if (types.length === 0) {
    const next = "Create the shipped ones with: agentx init";
    findings.push(fail(check, "There are no workflows, so no agent may ask another", next));
  } else if (findings.length === 0) {
    findings.push(ok(check, `${types.length} can be read: ${types.join(", ")}`));
  }
  if (types.length > 0 && defaultType !== undefined && !types.includes(defaultType)) {
    const next = `Choose one with: agentx config set defaultWorkflow ${types[0]}`;
    findings.push(fail(check, `The default workflow "${defaultType}" does not exist`, next));
  }
  return [...findings, ...scopes];
}

/**
 * Reports steps that may ask nobody although the shipped workflow allows it. Nothing is repaired, because workflows
 * belong to people.
 */
function examineScopes({ type, steps }: Workflow): Finding[] {
  const shipped = shippedWorkflows().find((one) => one.type === type);
  const asking = shipped?.steps.filter(({ canClarify }) => canClarify.length > 0) ?? [];
  return asking.flatMap(({ id, agent, canClarify }) => {
    const own = steps.filter((step) => step.agent === agent);
    if (own.some((step) => step.canClarify.length > 0)) return [];
    const line = `can_clarify = ${JSON.stringify(canClarify).replaceAll(",", ", ")}`;
    const next = own.length === 0
      ? `Add the step "${id}" of the shipped workflow: agent = "${agent}", ${line}`
      : `Add to its step "${own[0].id}": ${line}`;
    const message = `Workflow "${type}" does not let ${agent} ask any agent`;
    return [warn("workflows", message, next)];
  });
}

function examineAgents(agents: Config["agents"], tree: string): Finding[] {
  const findings = Object.entries(agents).flatMap(([agent, settings]) =>
    isRunnable(settings)
      ? commandsOf(settings).map(([program]) => examineProgram(agent, program, settings, tree))
      : [ok("agents", `${agent} has neither a command nor a preset: humans answer for it`)]
  );
  if (findings.length > 0) return findings;
  return [ok("agents", "no agent configured: humans answer")];
}

/** Checks the logins of presets with a program. It leaves out agents with variables of their own: these may be keys. */
async function examineLogins(agents: Config["agents"]): Promise<Finding[]> {
  const users = Object.entries(agents).filter(([, { env }]) => Object.keys(env).length === 0);
  const findings = HOST_NAMES.map(async (host) => {
    const named = users.filter(([, settings]) => presetsOf(settings).includes(host));
    if (named.length === 0) return [];
    const { missingLogin } = await import("../agents/login.ts");
    const login = await missingLogin(host);
    if (login === undefined) return [];
    const roles = named.map(([agent]) => agent).join(", ");
    const message = `${HOSTS[host].title} is installed, not logged in: it runs for ${roles}`;
    return [warn("agents", message, `Log in with: ${login}`)];
  });
  return (await Promise.all(findings)).flat();
}

function examineProgram(
  agent: string,
  program: string,
  { env }: AgentConfig,
  tree: string,
): Finding {
  const path = findProgram(program, { tree, path: env.PATH });
  if (path !== undefined) return ok("agents", `${agent} is run by ${path}`);
  const where = program.includes("/") ? "is not a program" : "is not on PATH";
  const next = `Install it, or check how it is run with: agentx config get agents.${agent}`;
  return fail("agents", `${agent} cannot be run: "${program}" ${where}`, next);
}
