// Where a checkout was cloned from, read from the settings of its repository.

import { orElse } from "../base/errors.ts";
import { sys } from "../sys/mod.ts";
import { repositoryAbove } from "./repository.ts";

/** Whether the remote `origin` is on GitHub. */
export function isOnGitHub(folder: string): boolean {
  const repository = repositoryAbove(folder);
  if (repository === undefined) return false;
  const read = () => sys.readTextFile(`${repository.sharedFolder}/config`) ?? "";
  const [, section = ""] = /^\[remote "origin"\]([^[]*)/m.exec(orElse("", read, "IO_ERROR")) ?? [];
  return /^\s*url\s*=\s*"?(?:\w+:\/\/)?(?:[^@/\s]*@)?github\.com[:/]/m.test(section);
}
