// Judges which files an agent reads and changes with the tools of its host. Pure.

import { known } from "./command_line.ts";
import type { Judgement } from "./judge.ts";
import type { Verdict } from "./rules/rule.ts";
import { type Place, Tree } from "./tree.ts";

/** Files that say what agents may do: an agent that changes one changes its own limits. */
const OF_THE_GUARD =
  /(^|\/)(\.(claude|codex|gemini|cursor|vscode)\/|\.github\/(hooks|agents)\/|\.agentx\/(config\.json|policy\.toml|accepted-findings|state\/)|\.git\/|\.husky\/)/;

/** A role, and what its definition lets it change. */
export interface RolePaths {
  role: string;
  /** Patterns: `*` is any part of a name, `**` any folders. */
  mayChange: readonly string[];
  /** Where they begin in the tree: empty, or the folder of the workspace, such as `packages/shop/`. */
  below: string;
}

/**
 * Judges that a file is read or changed; without `paths` of a role, the whole tree may be changed.
 */
export function judgePath(
  path: string,
  isRead: boolean,
  place: Place,
  paths?: RolePaths,
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
  // The tree of a step is itself below `.agentx/state/`.
  const inTree = tree.relative(path);
  const isTheirs = ({ mayChange, below }: RolePaths) =>
    inTree.startsWith(below) &&
    mayChange.some((pattern) => patternOf(pattern).test(inTree.slice(below.length)));
  if (!isRead && paths !== undefined && !isTheirs(paths)) {
    const may = paths.mayChange.join(", ") || "nothing";
    return say("block", "may-change", `the role ${paths.role} may change ${may}`);
  }
  if (tree.isSecret(word)) return say("ask", "secret-file", "it may hold secrets");
  if (isRead) return say("allow", "look", "it only reads");
  if (OF_THE_GUARD.test(inTree)) {
    return say("ask", "guard-settings", "it says what agents and git may run here");
  }
  return say("allow", "edit", "it is in the working tree");
}

function patternOf(pattern: string): RegExp {
  const source = pattern.replace(/[.+^${}()|[\]\\]/g, "\\$&")
    .replace(/\*\*\/?|\*|\?/g, (wild) => wild === "?" ? "[^/]" : wild === "*" ? "[^/]*" : ".*");
  return new RegExp(`^${source.endsWith("/") ? `${source}.*` : source}$`);
}
