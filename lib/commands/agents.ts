import { COMMAND } from "../agents/configured.ts";
import { installedVersion } from "../agents/installed.ts";
import type { AgentResult } from "../agents/results.ts";
import { defineCommand } from "../cli/command.ts";
import type { AgentConfig } from "../config/config.ts";
import { HOST_NAMES } from "../hosts/hosts.ts";
import { findProgram } from "../sys/find_program.ts";
import { commandsOf, DEFAULT_AGENT, HTTP, isRunnable, presetsOf } from "../config/runnable.ts";
import type { RepositoryTrust } from "../config/trust.ts";
import { hasCode } from "../base/errors.ts";
import { sys } from "../sys/mod.ts";
import { type Cell, formatTable } from "../text/table.ts";
import { terminalBlock } from "../text/text.ts";
import type { RenderView } from "../text/view.ts";
import { formatDuration } from "../base/time.ts";
import { likelyRoleSlips } from "../workspace/roles_here.ts";

/** One way to run an agent. */
interface AgentRow {
  agent: string;
  /** The preset, or `command`; null if a human answers. */
  way: string | null;
  /** The program, or the address of a model; null if there is neither. */
  program: string | null;
  /** The path of the program; null if it was not found, or there is no program. */
  path: string | null;
  /** Whether the agent can be run: its program, or the key of its model, is there. */
  isFound: boolean;
  version: string | null;
  /** Whether the user agreed to the agent, or configured it. */
  isTrusted: boolean;
  last: AgentResult | null;
}

interface Installed {
  name: string;
  path: string;
  version: string | null;
}

/** Lists the agents. It runs none of them. */
export const command = defineCommand({
  kind: "agents.list",
  examples: ["agentx agents", "agentx agents test architect"],
  async run(context) {
    const { root, tree, config, trust, results, notify } = await context.openState();
    const workflows = `${root}/.agentx/workflows`;
    for (const { role, meant } of likelyRoleSlips(config.agents, { tree, workflows, notify })) {
      notify(`nothing else here names an agent ${role}. Did you mean ${meant}?`);
    }
    const [consent, kept] = [await trust(), await results()];
    const agents: AgentRow[] = [];
    const roles = Object.keys(config.agents);
    for (const [role, settings] of Object.entries(config.agents)) {
      const isTrusted = await trusts(consent, role);
      const lastBy = (way: string) =>
        role === DEFAULT_AGENT ? kept.lastOfOthers(roles, way) : kept.last(role, way);
      agents.push(...rowsOf(role, settings, { tree, isTrusted, lastBy }));
    }
    const installed = HOST_NAMES.flatMap((name): Installed[] => {
      const path = findProgram(name, { tree });
      return path === undefined ? [] : [{ name, path, version: installedVersion(path) }];
    });
    return { output: { agents, installed, nowMs: sys.now() } };
  },
  render: ({ agents, installed, nowMs }, view) =>
    [
      agents.length > 0
        ? renderAgents(agents, nowMs, view)
        : "  No agent is configured: humans answer.",
      "",
      ...renderInstalled(installed, { view, isChosen: agents.some(({ way }) => way !== null) }),
    ].join("\n"),
});

/** Whether an agent may be run; false if nobody agreed to it, or a file cannot be read. */
async function trusts(consent: RepositoryTrust, role: string): Promise<boolean> {
  try {
    await consent.check(role);
    return true;
  } catch (error) {
    if (hasCode(error, "UNTRUSTED") || hasCode(error, "IO_ERROR")) return false;
    throw error;
  }
}

function rowsOf(
  agent: string,
  settings: AgentConfig,
  { tree, isTrusted, lastBy }: {
    tree: string;
    isTrusted: boolean;
    lastBy: (way: string) => AgentResult | undefined;
  },
): AgentRow[] {
  const row = { agent, isTrusted, program: null, path: null, version: null, last: null };
  if (!isRunnable(settings)) return [{ ...row, way: null, isFound: false }];
  const { command, http, env } = settings;
  return (command === null ? presetsOf(settings) : [COMMAND]).map((way) => {
    const last = lastBy(way) ?? null;
    if (way === HTTP) {
      const isFound = http?.url != null && http.model !== null &&
        (http.keyEnv === null || Boolean(sys.env(http.keyEnv)));
      return { ...row, way, program: http?.url ?? null, isFound, last };
    }
    const program = command === null ? way : commandsOf(settings)[0][0];
    const path = findProgram(program, { tree, path: env.PATH }) ?? null;
    const version = path === null ? null : installedVersion(path);
    return { ...row, way, program, path, isFound: path !== null, version, last };
  });
}

function renderAgents(agents: readonly AgentRow[], nowMs: number, view: RenderView): string {
  const rows = agents.map(({ agent, way, program, isFound, version, isTrusted, last }) => {
    if (way === null) return [agent, "a human", "-", "-", "-", "-"];
    return [
      agent,
      way === COMMAND ? program ?? "" : way,
      yes(isFound),
      version ?? "-",
      yes(isTrusted),
      lastCell(last, nowMs),
    ];
  });
  const headings = ["FOUND", "VERSION", "TRUSTED", "LAST RESULT"];
  return formatTable([{ whole: "AGENT" }, { whole: "RUN BY" }, ...headings], rows, view);
}

function yes(is: boolean): string | Cell {
  return is ? "yes" : { text: "no", mark: "red" };
}

function lastCell(last: AgentResult | null, nowMs: number): string | Cell {
  if (last === null) return "-";
  const ago = `${formatDuration(nowMs - Date.parse(last.at))} ago`;
  if (last.outcome === "answered") return `answered ${ago}`;
  return { text: `failed ${ago}: ${last.reason}`, mark: "red" };
}

function renderInstalled(
  installed: readonly Installed[],
  { view: { style, width }, isChosen }: { view: RenderView; isChosen: boolean },
): string[] {
  const names = installed.map(({ name, version }) =>
    version === null ? name : `${name} ${version}`
  );
  const example = `agentx config set agents.architect.preset ${installed[0]?.name ?? "claude"}`;
  return [
    `Installed here: ${names.join(", ") || "no coding agent that is known"}`,
    ...isChosen ? [] : [`Choose one with: ${example}`],
  ].flatMap((text) => terminalBlock(text, { indent: "  ", width })).map(style.dim);
}
