// Checks the links of a document to files of the repository; links to the network are ignored.

import { sys } from "../sys/mod.ts";
import { outlineOf } from "../text/outline.ts";

const INLINE_CODE = /(?<!`)(`+)(?!`)[^]*?(?<!`)\1(?!`)/g;

/** A link: `[text](target "title")`, `![picture](<a path>)`, or `[name]: target` at the start of a line. */
const LINK =
  /\]\(\s*(?:<([^<>]*)>[^()]*|([^\s()]+(?:\([^\s()]*\)[^\s()]*)*)(?:\s[^()]*)?)\)|^ {0,3}\[[^[\]]+\]:\s*<?([^\s<>]+)/g;

/**
 * Finds the links of a document that lead to no file of the checkout.
 *
 * @param text the text of the document
 * @param path the path of the document, relative to the tree
 * @param tree the caller's checkout
 * @returns one sentence for each broken link
 */
export function brokenLinks(text: string, path: string, tree: string): string[] {
  const root = sys.realPath(tree) ?? tree;
  const folder = path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : "";
  return Array.from(outlineOf(text)).flatMap(({ line, text }) =>
    Array.from(text.replace(INLINE_CODE, "").matchAll(LINK)).flatMap((match) => {
      const target = match[1] ?? match[2] ?? match[3];
      const file = target.split(/[?#]/, 1)[0];
      if (file === "" || /^[a-z][a-z0-9+.-]*:|^\/\//i.test(target)) return [];
      const from = file.startsWith("/") || folder === "" ? root : `${root}/${folder}`;
      const real = sys.realPath(`${from}/${decoded(file)}`);
      if (real === undefined) {
        return [`${path}, line ${line} links to ${target}, which does not exist`];
      }
      const isInside = real === root || real.startsWith(`${root}/`);
      return isInside
        ? []
        : [`${path}, line ${line} links to ${target}, outside of the repository`];
    })
  );
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path; // a lone percent sign stands for itself
  }
}
