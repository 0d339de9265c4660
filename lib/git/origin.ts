// Reads the origin of a checkout from the settings of its repository.

import { orElse } from "../base/errors.ts";
import { sys } from "../sys/mod.ts";
import { repositoryAbove } from "./repository.ts";

/** The place of a repository on a server. */
interface OriginRemote {
  /** Without a port. */
  host: string;
  /** Such as `acme/shop`. */
  path: string;
}

/** Whether the remote `origin` is on GitHub. */
export function isOnGitHub(folder: string): boolean {
  return originRemote(folder)?.host === "github.com";
}

/** Returns the remote `origin`; undefined if there is none, or its address is not on a server. */
export function originRemote(folder: string): OriginRemote | undefined {
  const repository = repositoryAbove(folder);
  if (repository === undefined) return undefined;
  const read = () => sys.readTextFile(`${repository.sharedFolder}/config`) ?? "";
  const [, section = ""] = /^\[remote "origin"\]([^[]*)/m.exec(orElse("", read, "IO_ERROR")) ?? [];
  const [, address = ""] = /^\s*url\s*=\s*"?([^\s"]*)/m.exec(section) ?? [];
  return remoteAt(address);
}

/** Returns the host and the path of an address; undefined if the address is not on a server. */
export function remoteAt(address: string): OriginRemote | undefined {
  const [, host, path] =
    /^(?:\w+:\/\/)?(?:[^@/\s]*@)?([^:/\s"]+)(?::\d+(?=\/))?[:/]([^\s"]*)/.exec(address) ?? [];
  return host === undefined ? undefined : { host, path: path.replace(/(?:\.git)?\/?$/, "") };
}
