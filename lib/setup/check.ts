// Finds problems that keep agentx from working in a host. Most of them cause no error in the host: it skips an
// untrusted hook, kills a hook that takes too long, and abandons a tool that waits too long.

import { orElse } from "../base/errors.ts";
import { UNNOTED_VERSION, VERSION } from "../base/version.ts";
import { resolvedPath } from "../sys/inside.ts";
import { fail, failure, type Finding, ok, warn } from "../doctor/finding.ts";
import { readRecordsOnly } from "./backup.ts";
import { checkCodexHooks } from "./check_codex.ts";
import { checkReach } from "./check_reach.ts";
import { checkCopies, checkTwice } from "./check_twice.ts";
import { checkLimits } from "./check_limits.ts";
import { hostFileText, readHostFile } from "./host_file.ts";
import { findProgram } from "../sys/find_program.ts";
import { HOST_NAMES, type HostName, HOSTS } from "../hosts/hosts.ts";
import { commandFor, type Installation, readInstallation } from "./installation.ts";
import type { HostFinding } from "./render.ts";
import { isSetUp, partsOf, repositoryOf, setupScope } from "./setup.ts";

/**
 * Returns at least one finding for each named host; without names, for each host that is set up for this user or in
 * this repository.
 */
export async function checkHosts(
  names: readonly HostName[] | undefined,
  from: string,
): Promise<HostFinding[]> {
  const all = installations(from);
  const findings: HostFinding[] = [];
  for (const host of names ?? HOST_NAMES.filter((name) => all.some(({ host }) => host === name))) {
    const own = all.filter((each) => each.host === host);
    const problems = [
      ...own.length > 0 ? await checkProgram(host) : [],
      ...own.flatMap(checkVersion),
      ...own.flatMap(checkFiles),
      ...own.flatMap(checkLimits),
      ...own.flatMap(checkReach),
      ...checkTwice(host, all),
      ...checkCopies(host, own),
      ...host === "codex" && own.length > 0 ? await checkCodexHooks(own, from) : [],
    ];
    if (own.length === 0) problems.push(notSetUp(host));
    if (problems.length === 0) problems.push(allIsWell(own));
    for (const { check: problem, level, message, next } of problems) {
      findings.push({ host, level, problem, message, next });
    }
  }
  return findings;
}

/** Returns a warning for each host with entries of an older version; none if there is no folder with records. */
export function outdatedSetups(from: string): Finding[] {
  return orElse([], () => installations(from).flatMap(checkVersion))
    .map((finding) => ({ ...finding, check: "setup" }));
}

function installations(from: string): Installation[] {
  const scopes = [setupScope(from, { isProject: false })];
  if (repositoryOf(from) !== undefined) scopes.push(setupScope(from, { isProject: true }));
  return HOST_NAMES.flatMap((host) =>
    scopes.filter((scope) => isSetUp(host, scope)).map((scope) => readInstallation(host, scope))
  );
}

function checkVersion(installation: Installation): Finding[] {
  const { host, scope } = installation;
  const records = orElse(undefined, () => readRecordsOnly(scope.from));
  for (const { path } of partsOf(host, scope)) {
    const record = records?.get(resolvedPath(path));
    const { by = UNNOTED_VERSION } = record ?? { by: VERSION };
    if (by === VERSION) continue;
    const next = `Run setup again: ${commandFor(installation)}`;
    return [warn("outdated", `"${path}" was written by agentx ${by}`, next)];
  }
  return [];
}

function checkFiles(installation: Installation): Finding[] {
  const { host, scope } = installation;
  return partsOf(host, scope).flatMap((part): Finding[] => {
    try {
      const presence = part.presence(hostFileText(readHostFile(part.path, scope.folders)));
      if (presence === "same") return [];
      const next = `Write it again with: ${commandFor(installation)}`;
      return presence === "absent"
        ? [fail("missing", `"${part.path}" lacks the entries of agentx`, next)]
        : [warn("changed", `"${part.path}" differs from what this version of agentx writes`, next)];
    } catch (error) {
      return [failure("unreadable", error)];
    }
  });
}

/**
 * Warns if the program of a host is missing or newer than the tried one. These are only warnings, because another shell
 * may find the program, and a newer version may work.
 */
async function checkProgram(host: HostName): Promise<Finding[]> {
  const { title, programs, tried } = HOSTS[host];
  const path = programs.map((name) => findProgram(name)).find((path) => path !== undefined);
  if (path === undefined) {
    const message = `Cannot find ${title}: ${programs.join(" or ")} is not on your PATH`;
    const next = `Install it, or remove the set-up with: agentx setup ${host} --remove`;
    return [warn("not-found", message, next)];
  }
  const [{ installedVersion }, { missingLogin }] = await Promise.all([
    import("../agents/installed.ts"),
    import("../agents/login.ts"),
  ]);
  const login = await missingLogin(host);
  const loggedOut = login === undefined
    ? []
    : [warn("logged-out", `${title} is installed, not logged in`, `Log in with: ${login}`)];
  const version = installedVersion(path);
  if (version === null || tried === undefined || !isNewer(version, tried.version)) return loggedOut;
  return [
    ...loggedOut,
    warn(
      "newer",
      `${title} ${version} is newer than ${tried.version}, with which agentx was tried: it may skip hooks, drop ` +
        "their answers, or record sessions in a form that is read in part",
      "Look whether its sessions recall and are remembered; if not, install a newer agentx",
    ),
  ];
}

/** Whether a version of numbers and points is newer than another one; text after a number is ignored. */
function isNewer(version: string, than: string): boolean {
  const [parts, others] = [version, than].map((text) => text.split(".").map(parseFloat));
  const at = parts.findIndex((part, index) => part !== others[index]);
  return at >= 0 && parts[at] > (others[at] ?? 0);
}

function notSetUp(host: HostName): Finding {
  const message = "not set up, neither for you nor in this repository";
  return fail("missing", message, `Set it up with: agentx setup ${host}`);
}

function allIsWell(own: readonly Installation[]): Finding {
  const places = own.map(({ scope: { place } }) =>
    place.repository === undefined ? "for you" : "in this repository"
  );
  return ok("none", `set up ${places.join(" and ")}`);
}
