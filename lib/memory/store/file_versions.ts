/**
 * What the files of memory look like, by which it shows whether something was changed.
 *
 * @module
 */

import { sys } from "../../sys/mod.ts";
import { fileVersion } from "../files.ts";
import type { SourceVersion } from "../search/index_head.ts";

/** The version of each issue file, by its name. */
export type FileVersions = ReadonlyMap<string, string>;

const OPEN_NAME = /^issue-([1-9][0-9]{0,8})\.json$/;

/** The name of a sealed part: the issue, and which part it is. */
export const PART_NAME = /^issue-([1-9][0-9]{0,8})\.([1-9][0-9]{0,5})\.json$/;

/** The issue that a file of the folder is about; undefined if it is not an issue file. */
export function issueOfFile(name: string): number | undefined {
  const match = OPEN_NAME.exec(name) ?? PART_NAME.exec(name);
  return match === null ? undefined : Number(match[1]);
}

/**
 * What the issue files in a folder look like now. With `touched`, only the files of those issues are
 * examined, and the others are as they were before: what somebody else did to them meanwhile still shows.
 */
export function fileVersions(
  folder: string,
  before: FileVersions = new Map(),
  touched?: ReadonlySet<number>,
): FileVersions {
  const versions = new Map<string, string>();
  for (const name of sys.readDir(folder)) {
    const issueNumber = issueOfFile(name);
    if (issueNumber === undefined) continue;
    const known = touched?.has(issueNumber) === false ? before.get(name) : undefined;
    versions.set(name, known ?? fileVersion(`${folder}/${name}`));
  }
  return versions;
}

/** What everything that is derived in a folder is derived from. */
export function sourceVersion(folder: string, versions = fileVersions(folder)): SourceVersion {
  return {
    manifest: fileVersion(`${folder}/manifest.json`),
    files: Object.fromEntries(versions),
  };
}
