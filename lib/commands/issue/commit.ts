import { defineCommand } from "../../cli/command.ts";
import { note } from "../../cli/note.ts";
import { commitFiles } from "../../git/commit_files.ts";
import { RECORDS_MESSAGE } from "../../work/issue/issue.ts";
import { sys } from "../../sys/mod.ts";
import { terminalLine } from "../../text/text.ts";

const FOLDERS = [".agentx/issues", ".agentx/memory"];

export const command = defineCommand({
  kind: "issue.commit",
  examples: ["agentx issue commit"],
  async run({ io, openState, signal }) {
    const { root, trust } = await openState();
    await (await trust()).checkGit();
    const place = sys.realPath(root) ?? root;
    const output = await commitFiles(place, { folders: FOLDERS, message: RECORDS_MESSAGE, signal });
    if (output.commit !== null && output.branch === null) {
      note(
        io,
        "no branch is checked out: make one with git switch -c NAME, or the commit may be lost",
      );
    }
    return { output: { root, ...output } };
  },
  render({ files, branch, commit, root }, { width }) {
    const where = branch === null ? "no branch" : `branch ${branch}`;
    const count = files.length === 1 ? "1 file" : `${files.length} files`;
    const what = commit === null
      ? `Nothing to commit on ${where}`
      : `Committed ${count} on ${where} as ${commit.slice(0, 12)}`;
    return `  ${terminalLine(`${what}, in ${root}`, Math.max(40, width - 2))}`;
  },
});
