// Judges the files that an agent reads and changes with the tools of its host. Pure.

import { isGitName } from "../git/git_name.ts";
import { isProtected, repositoryFile } from "../hosts/repository_files.ts";
import { pathPattern } from "../text/reg_exp.ts";
import { known } from "./command_line.ts";
import type { Judgement, Verdict } from "./rules/rule.ts";
import { Tree, type TreePlace } from "./tree.ts";

/** Matches the state folder of agentx. */
const STATE = /(^|\/)\.agentx\/state\//;

/** A role, and the paths that its definition allows it to change. */
export interface RolePaths {
  role: string;
  /** Patterns: `*` matches any part of a name, `**` any folders. */
  mayChange: readonly string[];
  /** The folder where the patterns begin in the tree: empty, or that of the workspace, such as `packages/shop/`. */
  below: string;
}

/** The limits for a change of a file. */
export interface PathLimits {
  /** The paths that a role may change; undefined for the whole tree. */
  paths?: RolePaths | undefined;
  /** Whether a person sees the change before it takes effect. Then files that instruct agents may be changed. */
  isMerged?: boolean;
}

/** Judges the reading or the change of a file. */
export function judgePath(
  path: string,
  isRead: boolean,
  place: TreePlace,
  { paths, isMerged = false }: PathLimits = {},
): Judgement {
  const say = (verdict: Verdict, rule: string, reason: string): Judgement => ({
    verdict,
    rule,
    reason,
    command: `${isRead ? "read" : "change"} ${path}`,
  });
  const word = known(path);
  const tree = new Tree(place);
  if (!isRead && tree.isOutside(word)) {
    return say("block", "outside", "it is outside of the working tree");
  }
  if (!isRead && path.split("/").some(isGitName)) {
    return say("block", "git-folder", "git runs what it finds there, and only git writes it");
  }
  // The tree of a step is itself below `.agentx/state/`, so only the path inside the tree is matched.
  const inTree = tree.relative(path);
  const isTheirs = ({ mayChange, below }: RolePaths) =>
    inTree.startsWith(below) &&
    mayChange.some((pattern) => pathPattern(pattern).test(inTree.slice(below.length)));
  if (!isRead && paths !== undefined && !isTheirs(paths)) {
    const may = paths.mayChange.join(", ") || "nothing";
    return say("block", "may-change", `the role ${paths.role} may change ${may}`);
  }
  if (tree.isSecret(word)) return say("ask", "secret-file", "it may hold secrets");
  if (isRead) return say("allow", "look", "it only reads");
  const fromWorkspace = inTree.slice(paths?.below.length);
  if (STATE.test(inTree) || isProtected(fromWorkspace, paths?.mayChange)) {
    return say("ask", "guard-settings", "it says what agents and git may run here");
  }
  if (!isMerged && repositoryFile(inTree)?.effect === "instructs") {
    return say("ask", "instructions", "it instructs agents");
  }
  return say("allow", "edit", "it is in the working tree");
}
