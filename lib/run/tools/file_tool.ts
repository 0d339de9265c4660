// The tool that reads files of the repository and lists its folders. It reads nothing outside of the repository,
// nothing hidden and nothing that git ignores.

import { objectOf } from "../../base/checks.ts";
import { invalidInput } from "../../base/input_checks.ts";
import { withoutSecrets } from "../../redact/border.ts";
import { sys } from "../../sys/mod.ts";
import { isQuotable, readQuotableArtifact } from "../../pipeline/artifact.ts";
import { type LoopTool, textIn } from "../tool.ts";

/** The maximum number of lines in the result of one call. */
const MAX_LINES = 500;

/** The maximum number of names in the list of a folder. */
const MAX_NAMES = 500;

export function fileTool(tree: string): LoopTool {
  return {
    name: "read_file",
    description: "Read a file of the repository, or list the names in a folder.",
    input: {
      type: "object",
      properties: {
        path: { type: "string", description: 'Relative to the repository; "." is its top' },
        from_line: { type: "integer", description: "The first line, from 1" },
        lines: { type: "integer", description: `How many lines, ${MAX_LINES} at most` },
      },
      required: ["path"],
    },
    isIdempotent: true,
    async run(input) {
      const path = textIn(input, "path") ?? "";
      const { from_line: from = 1, lines = MAX_LINES } = objectOf(input);
      const names = namesIn(tree, path);
      if (names !== undefined) return names;
      const text = readQuotableArtifact(tree, path);
      if (text === undefined) {
        const why = "there is no such file that may be read: it is missing, outside of the " +
          "repository, hidden, or ignored by git";
        throw invalidInput("path", path, why, "List a folder first");
      }
      // Redact the whole file, because a secret may continue on the next page.
      return pageOf(await withoutSecrets(text), Number(from), Number(lines));
    },
  };
}

/** Returns the names in a folder; undefined for other paths. */
function namesIn(tree: string, path: string): string | undefined {
  const folder = sys.realPath(`${tree}/${path}`);
  if (folder === undefined || sys.lstat(folder)?.kind !== "directory") return undefined;
  const root = sys.realPath(tree);
  if (folder !== root && !isQuotable(tree, path)) return undefined;
  const inside = folder === root ? "" : `${folder.slice(root!.length + 1)}/`;
  const names = sys.readDir(folder).filter((name) => isQuotable(tree, `${inside}${name}`));
  const shown = names.slice(0, MAX_NAMES).map((name) =>
    sys.lstat(`${folder}/${name}`)?.kind === "directory" ? `${name}/` : name
  );
  const left = names.length - shown.length;
  return [...shown, ...left > 0 ? [`[left out: ${left} names]`] : []].join("\n") || "[empty]";
}

function pageOf(text: string, from: number, count: number): string {
  const lines = text.split("\n");
  const start = Math.max(0, from - 1);
  const page = lines.slice(start, start + Math.min(Math.max(1, count), MAX_LINES));
  const left = lines.length - start - page.length;
  return left > 0
    ? `${page.join("\n")}\n[${left} more lines from line ${start + page.length + 1}]`
    : page.join("\n");
}
