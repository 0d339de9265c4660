// The documents of a step, in a checkout or in the tree of a step.

import { repositoryFile } from "../hosts/repository_files.ts";
import { sys } from "../sys/mod.ts";
import { escapeRegExp } from "../text/reg_exp.ts";
import { readArtifact } from "./artifact.ts";

/** A document, and what stands beside it under a name that begins like its own: `UX-42.html`. */
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
