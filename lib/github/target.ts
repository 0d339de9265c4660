// Finds the repository, its server and the token. A token goes only to a host that its owner named: github.com and
// *.ghe.com have variables of their own; any other host must be in GH_HOST or known to `gh`.

import { AgentxError } from "../base/errors.ts";
import { originRemote } from "../git/origin.ts";
import { repositoryFolders } from "../git/repository.ts";
import { findProgram } from "../sys/find_program.ts";
import { isInside } from "../sys/inside.ts";
import { sys } from "../sys/mod.ts";

/** A repository on a server. */
export interface Target {
  /** Such as `github.com`; includes a port if there is one. */
  host: string;
  /** Such as `acme/shop`. */
  repository: string;
}

const HOST = /^[A-Za-z0-9.-]+(?::\d{1,5})?$/;
const REPOSITORY = /^[A-Za-z0-9-]+\/[A-Za-z0-9._-]+$/;
const DOT_COM = /^(?:github\.com|[a-z0-9-]+\.ghe\.com)$/i;
const LOOPBACK = /^(?:localhost|127\.0\.0\.1)(?::\d+)?$/;
const TOKEN = /^[\x21-\x7e]+$/;
const GH_TIMEOUT_MS = 10_000;

/**
 * Returns the repository in the settings, or else that of the remote `origin`.
 *
 * @throws {AgentxError} `INVALID_INPUT` if neither names a repository, or `origin` is on a host that the user did not
 *   name
 */
export function targetFor(setting: string | null, tree: string): Target {
  const named = sys.env("GH_HOST")?.trim() || undefined;
  const origin = originRemote(tree);
  const host = named ?? (setting === null ? origin?.host : undefined) ?? "github.com";
  if (!HOST.test(host)) throw noTarget("GH_HOST is not a host", "Set it such as ghe.example.com");
  const isNamed = named !== undefined || host.toLowerCase() === "github.com";
  if (!isNamed) {
    throw noTarget(
      `origin lies on ${host}, and you did not name that host`,
      `If your token belongs there, set GH_HOST=${host}`,
    );
  }
  const isThere = host.replace(/:\d+$/, "") === origin?.host;
  const repository = setting ?? (isThere ? origin?.path : undefined);
  if (repository !== undefined && REPOSITORY.test(repository)) return { host, repository };
  throw noTarget(
    `the remote origin names no repository on ${host}`,
    "Name it with: agentx config set github.repository OWNER/NAME",
  );
}

function noTarget(why: string, next: string): AgentxError<"INVALID_INPUT"> {
  return new AgentxError("INVALID_INPUT", `Cannot find the repository on GitHub: ${why}`, {
    details: { field: "github.repository", value: null },
    next,
  });
}

/** Returns the name for messages and for the user's consent, such as `github.com/acme/shop`. */
export function targetName({ host, repository }: Target): string {
  return `${host}/${repository}`;
}

/** Parses a name that {@linkcode targetName} wrote; undefined for any other text. */
export function targetNamed(name: string | undefined): Target | undefined {
  const at = name?.indexOf("/") ?? -1;
  if (name === undefined || at < 0) return undefined;
  const [host, repository] = [name.slice(0, at), name.slice(at + 1)];
  return HOST.test(host) && REPOSITORY.test(repository) ? { host, repository } : undefined;
}

/** Returns the base address of the API on a host. */
export function apiOf(host: string): string {
  if (DOT_COM.test(host)) return `https://api.${host.toLowerCase()}`;
  return `${LOOPBACK.test(host) ? "http" : "https"}://${host}/api/v3`;
}

/**
 * Returns the token for a host: from its environment variables, or else from `gh`.
 *
 * @throws {AgentxError} `SYNC_ERROR` if there is no token
 */
export async function tokenFor(
  target: Target,
  tree: string,
  timeoutMs: number = GH_TIMEOUT_MS,
): Promise<string> {
  const { host } = target;
  const names = DOT_COM.test(host) ? DOT_COM_VARIABLES : OTHER_VARIABLES;
  const ofVariable = names.map((name) => sys.env(name)?.trim()).find((token) => token);
  const token = ofVariable ?? await tokenOfGh(host, tree, timeoutMs);
  if (token !== undefined && TOKEN.test(token)) return token;
  const reason = `there is no token for ${host}`;
  throw new AgentxError("SYNC_ERROR", `Cannot read ${targetName(target)}: ${reason}`, {
    details: { remote: targetName(target), reason, isRefused: true },
    next: `Set ${names[0]}, or run: gh auth login --hostname ${host}`,
  });
}

const DOT_COM_VARIABLES = ["GH_TOKEN", "GITHUB_TOKEN"];
const OTHER_VARIABLES = ["GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN"];

/** Asks `gh` for its token. A `gh` program inside the repository is ignored, because the user did not install it. */
async function tokenOfGh(
  host: string,
  tree: string,
  timeoutMs: number,
): Promise<string | undefined> {
  const program = findProgram("gh", { tree });
  const real = program === undefined ? undefined : sys.realPath(program);
  if (program === undefined || real === undefined) return undefined;
  const folders = repositoryFolders([tree]);
  if (isInside(program, folders) || isInside(real, folders)) return undefined;
  const variables = [...DOT_COM_VARIABLES, ...OTHER_VARIABLES];
  const env = Object.fromEntries(sys.envEntries().filter(([name]) => !variables.includes(name)));
  const { outcome, exitCode, stdout } = await sys.run([program, "auth", "token", "-h", host], {
    cwd: "/",
    env,
    stdin: "",
    timeoutMs,
    maxOutputBytes: 65_536,
  });
  return outcome === "exited" && exitCode === 0 && stdout.trim() !== "" ? stdout.trim() : undefined;
}
