// Finds what keeps agentx from working in a host. Most of it fails there without an error: a hook that is
// not trusted is skipped, one that takes too long is killed, and a tool that waits too long is abandoned.

import { AgentxError } from "../base/errors.ts";
import { checkCodexHooks } from "./check_codex.ts";
import { checkReach } from "./check_reach.ts";
import { checkTwice } from "./check_twice.ts";
import { checkLimits } from "./check_limits.ts";
import { readHostFile, textOf } from "./host_file.ts";
import { findProgram } from "./how_called.ts";
import { HOST_NAMES, type HostName } from "../hooks/hosts.ts";
import { HOSTS } from "./hosts.ts";
import { commandFor, type Installation, type Problem, readInstallation } from "./installation.ts";
import type { HostFinding } from "./render.ts";
import { isSetUp, partsOf, repositoryOf, scopeOf } from "./setup.ts";

/**
 * At least one finding for each host that is named, or else is set up for this user or in this
 * repository.
 */
export async function checkHosts(
  names: readonly HostName[] | undefined,
  from: string,
): Promise<HostFinding[]> {
  const scopes = [scopeOf(from, { isProject: false })];
  if (repositoryOf(from) !== undefined) scopes.push(scopeOf(from, { isProject: true }));
  const all = HOST_NAMES.flatMap((host) =>
    scopes.filter((scope) => isSetUp(host, scope)).map((scope) => readInstallation(host, scope))
  );
  const findings: HostFinding[] = [];
  for (const host of names ?? HOST_NAMES.filter((name) => all.some(({ host }) => host === name))) {
    const own = all.filter((each) => each.host === host);
    const problems = [
      ...own.length > 0 ? notFound(host) : [],
      ...own.flatMap(checkFiles),
      ...own.flatMap(checkLimits),
      ...own.flatMap(checkReach),
      ...checkTwice(host, all),
      ...host === "codex" && own.length > 0 ? await checkCodexHooks(own, from) : [],
    ];
    if (own.length === 0) problems.push(notSetUp(host));
    if (problems.length === 0) problems.push(allIsWell(own));
    findings.push(...problems.map((problem) => ({ host, ...problem })));
  }
  return findings;
}

function checkFiles(installation: Installation): Problem[] {
  const { host, scope } = installation;
  return partsOf(host, scope).flatMap((part): Problem[] => {
    try {
      const presence = part.presence(textOf(readHostFile(part.path, scope.folders)));
      if (presence === "same") return [];
      const isAbsent = presence === "absent";
      const message = isAbsent
        ? `"${part.path}" lacks the entries of agentx`
        : `"${part.path}" differs from what this version of agentx writes`;
      return [{
        level: isAbsent ? "fail" : "warn",
        problem: isAbsent ? "missing" : "changed",
        message,
        next: `Write it again with: ${commandFor(installation)}`,
      }];
    } catch (error) {
      if (!(error instanceof AgentxError)) throw error;
      const { summary: message, next = null } = error;
      return [{ level: "fail", problem: "unreadable", message, next }];
    }
  });
}

/** A warning only: another shell may find it. */
function notFound(host: HostName): Problem[] {
  const { title, programs } = HOSTS[host];
  if (programs.some((name) => findProgram(name) !== undefined)) return [];
  return [{
    level: "warn",
    problem: "not-found",
    message: `Cannot find ${title}: ${programs.join(" or ")} is not on your PATH`,
    next: `Install it, or remove the set-up with: agentx setup ${host} --remove`,
  }];
}

function notSetUp(host: HostName): Problem {
  return {
    level: "fail",
    problem: "missing",
    message: "not set up, neither for you nor in this repository",
    next: `Set it up with: agentx setup ${host}`,
  };
}

function allIsWell(own: readonly Installation[]): Problem {
  const places = own.map(({ scope: { place } }) =>
    place.repository === undefined ? "for you" : "in this repository"
  );
  const message = `set up ${places.join(" and ")}`;
  return { level: "ok", problem: "none", message, next: null };
}
