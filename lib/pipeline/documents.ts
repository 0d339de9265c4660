// Reads the documents of a step, in a checkout or in the tree of a step.

import { type Cut, cutting } from "../redact/border.ts";
import { repositoryFile } from "../hosts/repository_files.ts";
import { sys } from "../sys/mod.ts";
import { escapeRegExp } from "../text/reg_exp.ts";
import { readArtifact } from "./artifact.ts";
import { writeInside } from "./paths_inside.ts";

/**
 * Returns a document, and the files beside it with names that begin like its own, such as `UX-42.html`. Files that
 * start a program or instruct an agent are left out.
 */
export function documentsOf(
  tree: string,
  output: string | null,
): Array<[path: string, text: string]> {
  if (output === null) return [];
  const [, folder = "", stem] = /^(.*\/)?([^/]*?)(?:\.[^./]*)?$/.exec(output)!;
  const isOurs = new RegExp(`^${escapeRegExp(stem)}(?![A-Za-z0-9])`);
  return sys.readDir(`${tree}/${folder}`).filter((name) => isOurs.test(name)).flatMap((name) => {
    const path = `${folder}${name}`;
    const text = repositoryFile(path) === undefined ? readArtifact(tree, path) : undefined;
    return text === undefined ? [] : [[path, text]];
  });
}

/**
 * Cuts secrets from the documents that an agent has just written, and reports each cut.
 *
 * @throws {AgentxError} `INVALID_INPUT` if nothing would be left of a document
 */
export async function cutDocuments(
  tree: string,
  output: string | null,
  notify: (message: string) => void,
): Promise<void> {
  for (const [path, text] of documentsOf(tree, output)) {
    const work = (cut: Cut) => {
      const left = cut(`document ${path}`, text);
      if (left !== text) writeInside(tree, path, left);
    };
    await cutting(work, { what: path, notify });
  }
}
