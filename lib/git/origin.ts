// Where a checkout was cloned from, read from the settings of its repository.

import { orElse } from "../base/errors.ts";
import { sys } from "../sys/mod.ts";
import { repositoryAbove } from "./repository.ts";

/** Where a repository lies on a server. */
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

/** The remote `origin`; undefined if there is none, or it is no address of a server. */
export function originRemote(folder: string): OriginRemote | undefined {
  const repository = repositoryAbove(folder);
  if (repository === undefined) return undefined;
  const read = () => sys.readTextFile(`${repository.sharedFolder}/config`) ?? "";
  const [, section = ""] = /^\[remote "origin"\]([^[]*)/m.exec(orElse("", read, "IO_ERROR")) ?? [];
  const [, address = ""] = /^\s*url\s*=\s*"?([^\s"]*)/m.exec(section) ?? [];
  return remoteAt(address);
}

/** Where an address leads; undefined where it is no address of a server. */
export function remoteAt(address: string): OriginRemote | undefined {
  const [, host, path] =
    /^(?:\w+:\/\/)?(?:[^@/\s]*@)?([^:/\s"]+)(?::\d+(?=\/))?[:/]([^\s"]*)/.exec(address) ?? [];
  return host === undefined ? undefined : { host, path: path.replace(/(?:\.git)?\/?$/, "") };
}
