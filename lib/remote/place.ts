// The files of a shared workspace: in the user's own state folder, under the id of the workspace's state. An agent in a
// sandbox cannot write to that folder, so it cannot point this git repository at another remote.

import { isObject, tryParseJson } from "../base/checks.ts";
import { AgentxError } from "../base/errors.ts";
import { sha256 } from "../base/sha256.ts";
import { agreedRemote, agreeToRemote } from "../config/remote_consent.ts";
import { userStateFolder } from "../config/user_folders.ts";
import { LOOKS_ONLY, runGit } from "../git/run_git.ts";
import { randomId } from "../lines/line.ts";
import { sys } from "../sys/mod.ts";
import { replaceFile } from "../sys/replace_file.ts";
import { isMachine, type Machine } from "./claims.ts";
import { GitRemote } from "./git_remote.ts";

/** A workspace with a state of this user. */
export interface RemotePlace {
  root: string;
  tree: string;
  /** The id of the state. */
  birth: string;
}

/** A remote that the user may agree to use. */
export interface Address {
  name: string;
  address: string;
  format: "sha1" | "sha256";
  /** Whether the remote holds branches instead of refs below `refs/agentx/`. */
  usesBranches: boolean;
}

const BRANCHES = "refs/heads/agentx/";

/** Returns the address that git would push to for a remote. Throws `NOT_FOUND`, `INVALID_INPUT`. */
export async function addressOf(
  { root, tree }: RemotePlace,
  name: string,
  usesBranches: boolean = false,
): Promise<Address> {
  const ask = async (...args: string[]) => {
    const options = { action: "read a remote", confinement: LOOKS_ONLY };
    return (await runGit(tree, args, options)).trim();
  };
  let address: string;
  try {
    address = await ask("remote", "get-url", "--push", "--", name);
  } catch (cause) {
    if (!(cause instanceof AgentxError)) throw cause;
    throw new AgentxError("NOT_FOUND", `Cannot find the git remote "${name}": ${cause.summary}`, {
      details: { kind: "remote", id: name },
      next: "List them with: git remote -v",
      cause,
    });
  }
  const isPath = /^\.{0,2}\//.test(address);
  const format = await ask("rev-parse", "--show-object-format");
  const isKnown = isPath || /^(?:file|git|https?|ssh):\/\//.test(address) ||
    /^[\w.-]+(?:@[\w.-]+)?:(?!:)/.test(address);
  if (!isKnown || address.includes("\n")) {
    const why = "git would run a program of its own choice to reach it";
    throw new AgentxError("INVALID_INPUT", `Cannot use the remote "${name}": ${why}`, {
      details: { field: "NAME", value: name },
      next: "Use a remote with an address of https, ssh, git or a folder",
    });
  }
  return {
    name,
    usesBranches,
    address: isPath && !address.startsWith("/") ? `${root}/${address}` : address,
    format: format === "sha256" ? "sha256" : "sha1",
  };
}

/** Returns the address without the part that may hold a password. */
export function shownAddress(address: string): string {
  return address.replace(/^(\w+:\/\/)[^@/]*@/, "$1");
}

/** Stores the user's consent, and makes this machine take part. Throws `UNTRUSTED`, `IO_ERROR`. */
export async function joinRemote(
  place: RemotePlace,
  { name, address, format, usesBranches }: Address,
  known: Omit<Machine, "id">,
): Promise<void> {
  await agreeToRemote(place, { name, hash: await hashOf(address), usesBranches });
  const folder = joinMachines(place, known)!;
  const prefix = usesBranches ? BRANCHES : undefined;
  GitRemote.create(`${folder}/git`, { address, format, prefix });
}

/**
 * Makes this machine take part; returns its folder, or undefined if the user has no state folder. Throws `IO_ERROR`.
 */
export function joinMachines(
  place: Pick<RemotePlace, "birth">,
  known: Omit<Machine, "id"> = { name: sys.hostname, login: sys.env("USER") ?? "" },
): string | undefined {
  const folder = folderOf(place);
  if (folder === undefined) return undefined;
  sys.makeDir(folder, 0o700);
  if (machineIn(folder) === undefined) newMachine(folder, known);
  return folder;
}

/** Returns this machine and its folder in the user's own state; undefined if the machine does not take part. */
export function machinePlace(
  place: Pick<RemotePlace, "birth">,
): { folder: string; machine: Machine } | undefined {
  const folder = folderOf(place);
  const machine = folder === undefined ? undefined : machineIn(folder);
  return folder === undefined || machine === undefined ? undefined : { folder, machine };
}

/** Whether the user agreed to this address. */
export async function isAgreed(place: RemotePlace, { address }: Address): Promise<boolean> {
  return agreedRemote(place)?.hash === await hashOf(address);
}

async function hashOf(address: string): Promise<string> {
  return await sha256(new TextEncoder().encode(address));
}

/** Withdraws the user's consent, so this machine no longer takes part; the refs at the remote stay. */
export async function leaveRemote(place: RemotePlace): Promise<void> {
  await agreeToRemote(place, undefined);
}

/**
 * Returns the data of this machine for sharing, and the name of the remote; undefined if the user did not agree to
 * share.
 */
export function sharedPlace(
  place: RemotePlace,
): { folder: string; name: string; machine: Machine; prefix?: string } | undefined {
  const agreed = agreedRemote(place);
  const own = machinePlace(place);
  if (agreed === undefined || own === undefined) return undefined;
  const prefix = agreed.usesBranches ? BRANCHES : undefined;
  return { ...own, name: agreed.name, prefix };
}

/** Gives this machine a new id. */
function newMachine(folder: string, { name, login }: Omit<Machine, "id">): Machine {
  const machine = { id: randomId(), name: name.slice(0, 100), login: login.slice(0, 100) };
  replaceFile(`${folder}/machine.json`, `${JSON.stringify(machine)}\n`, { mode: 0o600 });
  return machine;
}

function machineIn(folder: string): Machine | undefined {
  const value = tryParseJson(sys.readTextFile(`${folder}/machine.json`) ?? "");
  return isObject(value) && isMachine(value) ? value : undefined;
}

function folderOf({ birth }: Pick<RemotePlace, "birth">): string | undefined {
  const state = userStateFolder();
  return state && `${state}/remotes/${birth}`;
}
