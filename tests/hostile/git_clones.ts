/**
 * Copies that bring a prepared `.git`, as an archive does: wherever git itself would start a program.
 *
 * @module
 */

import type { HostileClone } from "./clone.ts";
import { OWN_AGENTS } from "./copies.ts";

const HOOKS = [
  ...["applypatch-msg", "commit-msg", "fsmonitor-watchman", "post-checkout", "post-commit"],
  ...["post-index-change", "post-merge", "post-rewrite", "pre-applypatch", "pre-commit"],
  ...["pre-merge-commit", "pre-push", "pre-rebase", "prepare-commit-msg", "reference-transaction"],
];

/** What is added to `.git/config`, by what it is about. */
const SETTINGS: Record<string, (beacon: string) => string> = {
  "a monitor of the file system": (beacon) => `[core]\n\tfsmonitor = ${beacon}\n`,
  "a filter": (beacon) =>
    `[filter "evil"]\n\tclean = ${beacon}\n\tsmudge = ${beacon}\n\tprocess = ${beacon}\n\trequired = true\n`,
  "a pager and editors": (beacon) =>
    `[core]\n\tpager = ${beacon}\n\teditor = ${beacon}\n\taskPass = ${beacon}\n` +
    `[sequence]\n\teditor = ${beacon}\n[pager]\n\tstatus = ${beacon}\n\tlog = ${beacon}\n\tdiff = ${beacon}\n`,
  "a program that diffs": (beacon) =>
    `[diff]\n\texternal = ${beacon}\n[diff "evil"]\n\ttextconv = ${beacon}\n\tcommand = ${beacon}\n`,
  "a program that merges": (beacon) => `[merge "evil"]\n\tdriver = ${beacon} %A %O %B\n`,
  "a program that signs": (beacon) =>
    `[commit]\n\tgpgSign = true\n[gpg]\n\tprogram = ${beacon}\n[user]\n\tsigningKey = A\n`,
  "a remote that is a program": (beacon) =>
    `[protocol "ext"]\n\tallow = always\n[remote "origin"]\n\turl = ext::${beacon}\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n`,
  "a partial clone whose remote is a program": (beacon) =>
    `[core]\n\trepositoryFormatVersion = 1\n[extensions]\n\tpartialClone = origin\n` +
    `[protocol "ext"]\n\tallow = always\n[remote "origin"]\n\turl = ext::${beacon}\n\tpromisor = true\n\tpartialCloneFilter = blob:none\n`,
  "a program in the place of ssh": (beacon) =>
    `[core]\n\tsshCommand = ${beacon}\n[remote "origin"]\n\turl = git@127.0.0.1:a/b.git\n`,
  "a helper with credentials": (beacon) =>
    `[credential]\n\thelper = !${beacon}\n[remote "origin"]\n\turl = https://127.0.0.1:9/a.git\n`,
  "aliases": (beacon) => `[alias]\n\tst = !${beacon}\n\tcommon = !${beacon}\n`,
  "a program for trailers": (beacon) =>
    `[trailer "sign"]\n\tcommand = ${beacon}\n\tcmd = ${beacon}\n\tifmissing = add\n`,
};

/** Those that git meets most come first. */
export const GIT_CLONES: readonly HostileClone[] = [
  copy("hooks", (root, beacon) => {
    for (const hook of HOOKS) write(`${root}/.git/hooks/${hook}`, script(beacon), 0o755);
  }),
  ...Object.entries(SETTINGS).map(([name, settingOf]) =>
    copy(name, (root, beacon) => append(`${root}/.git/config`, settingOf(beacon)))
  ),
  copy("hooks in the working tree", (root, beacon) => {
    for (const hook of HOOKS) write(`${root}/.githooks/${hook}`, script(beacon), 0o755);
    append(`${root}/.git/config`, "[core]\n\thooksPath = .githooks\n");
  }),
  copy("a configuration in the working tree", (root, beacon) => {
    write(`${root}/shared.config`, `[core]\n\tfsmonitor = ${beacon}\n`);
    append(`${root}/.git/config`, "[include]\n\tpath = ../shared.config\n");
  }),
  copy("a configuration of its working tree", (root, beacon) => {
    append(`${root}/.git/config`, "[extensions]\n\tworktreeConfig = true\n");
    write(`${root}/.git/config.worktree`, `[core]\n\tfsmonitor = ${beacon}\n`);
  }),
  copy("a repository that is elsewhere in the tree", (root, beacon) => {
    Deno.renameSync(`${root}/.git`, `${root}/store`);
    write(`${root}/.git`, "gitdir: store\n");
    append(`${root}/store/config`, `[core]\n\tfsmonitor = ${beacon}\n`);
  }),
  copy("a common folder that is elsewhere in the tree", (root, beacon) => {
    git(root, "clone", "-q", "--bare", ".", "common");
    append(`${root}/common/config`, `[core]\n\tbare = false\n\tfsmonitor = ${beacon}\n`);
    write(`${root}/.git/commondir`, "../common\n");
  }),
  copy("a repository in a folder", (root, beacon) => {
    for (const folder of ["vendor", "src/deep/vendor"]) {
      Deno.mkdirSync(`${root}/${folder}`, { recursive: true });
      git(`${root}/${folder}`, "init", "-q");
      write(`${root}/${folder}/a.txt`, "a\n");
      append(`${root}/${folder}/.git/config`, `[core]\n\tfsmonitor = ${beacon}\n`);
    }
  }),
  copy("a submodule", (root, beacon) => {
    Deno.mkdirSync(`${root}/module`);
    git(`${root}/module`, "init", "-q");
    git(
      `${root}/module`,
      "-c",
      "user.name=t",
      "-c",
      "user.email=t@e",
      "commit",
      "-q",
      "--allow-empty",
      "-m",
      "a",
    );
    write(
      `${root}/.gitmodules`,
      `[submodule "module"]\n\tpath = module\n\turl = ext::${beacon}\n\tupdate = !${beacon}\n`,
    );
    git(root, "add", ".gitmodules", "module");
    commit(root);
    append(`${root}/module/.git/config`, `[core]\n\tfsmonitor = ${beacon}\n`);
    append(
      `${root}/.git/config`,
      `[submodule "module"]\n\tactive = true\n\turl = ext::${beacon}\n\tupdate = !${beacon}\n`,
    );
  }),
];

function copy(name: string, fill: HostileClone["build"]): HostileClone {
  return archive(`an archive whose git has ${name}`, fill);
}

/** A repository with an issue, a commit and a change that git has not seen. */
export function archive(name: string, fill: HostileClone["build"]): HostileClone {
  return {
    name,
    async build(root, beacon) {
      await Deno.remove(`${root}/.git`, { recursive: true }).catch(() => {}); // not all have one
      git(root, "init", "-q", "-b", "main");
      const issue = {
        number: 42,
        title: "Pay",
        status: "Ready",
        labels: ["type:feature"],
        comments: [],
      };
      write(`${root}/.agentx/issues/42.json`, JSON.stringify(issue));
      write(`${root}/.agentx/workflows/feature.toml`, workflow(beacon));
      write(`${root}/.agentx/config.json`, JSON.stringify(OWN_AGENTS(beacon)));
      write(`${root}/docs/prd/PRD-42.md`, "# PRD\n");
      write(`${root}/.gitattributes`, "* diff=evil filter=evil merge=evil\n");
      write(`${root}/app.txt`, "one\n");
      git(root, "add", "--all");
      commit(root);
      await fill(root, beacon);
      write(`${root}/app.txt`, "two\n");
      write(`${root}/docs/prd/PRD-42.md`, "# PRD\n\n## Goals\n");
    },
  };
}

/** Two steps whose checks and fixers would run the beacon. */
function workflow(beacon: string): string {
  return `[[steps]]\nid = "prd"\nagent = "product-manager"\noutput = "docs/prd/PRD-{{issue_number}}.md"\n` +
    `[[steps]]\nid = "implement"\nagent = "engineer"\nneeds = ["prd"]\nevidence = [["${beacon}"]]\n` +
    `[steps.fixers]\n"*" = ["${beacon}"]\n`;
}

function commit(root: string): void {
  git(root, "-c", "user.name=t", "-c", "user.email=t@example.org", "commit", "-q", "-m", "begin");
}

function git(cwd: string, ...args: string[]): void {
  const { success, stderr } = new Deno.Command("git", { args, cwd }).outputSync();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
}

function script(beacon: string): string {
  return `#!/bin/sh\nexec ${beacon}\n`;
}

function append(path: string, text: string): void {
  Deno.writeTextFileSync(path, text, { append: true });
}

function write(path: string, text: string, mode = 0o644): void {
  Deno.mkdirSync(path.slice(0, path.lastIndexOf("/")), { recursive: true });
  Deno.writeTextFileSync(path, text, { mode });
}
