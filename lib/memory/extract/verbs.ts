/**
 * Verbs that tell what was done to code, or shall be, each as the alternatives of a pattern. Pure.
 *
 * @module
 */

import { alternatives } from "./words.ts";

/** What was done to code. */
export const CHANGED = alternatives([
  "add(?:ed|s)? remov(?:ed|es) renam(?:ed|es) mov(?:ed|es) chang(?:ed|es) updat(?:ed|es)",
  "replac(?:ed|es) creat(?:ed|es) delet(?:ed|es) fix(?:ed|es) refactor(?:ed|s) extract(?:ed|s)",
  "introduc(?:ed|es) implement(?:ed|s) rewr(?:ote|itten) wrote bump(?:ed|s) upgrad(?:ed|es)",
  "downgrad(?:ed|es) switch(?:ed|es) migrat(?:ed|es) revert(?:ed|s) split merg(?:ed|es)",
  "convert(?:ed|s) patch(?:ed|es) wired registered configured dropp(?:ed|s) committed pushed inlined",
  "wrapp(?:ed|s) pinned enabled disabled simplified documented covered set made raised lowered reduced",
  "extended scaffolded finished delivered integrated exposed increased cached guarded written",
  "modified edited inserted adjusted corrected drafted deployed restored",
]);

/** What code does `now`, besides any verb in `s`. */
export const NOW = alternatives([
  "use return read write take throw run check keep live handle close wait validate log send skip",
  "properly correctly",
]);

/** What ends like a verb behind `now`, and is none. */
export const NO_VERB = "(?:this|always|thus|perhaps|its|was|lets|tests|\\w*ss)\\b";

/** What begins a sentence like a verb of the past, and is none. */
export const ADJECTIVE =
  "(?:\\w*eed|Embed|Based|Needed|Required|Expected|Compared|Related|Used|Supposed|Proposed|Suggested|Planned)\\b";

/** What may be done to code, as somebody says before it is done; what only looks is not in it. */
export const TO_CHANGE = alternatives([
  "add adjust adopt allow avoid build cache change convert create cut define delete disable drop emit",
  "enable ensure expose extract fix follow guard handle hide implement import inline insert introduce",
  "keep leave limit make merge migrate modify move omit pass pin prefer prefix put refactor reject",
  "remove rename replace require restore restrict return reuse rewrite round scope set show skip",
  "simplify split stay stick store strip support suppress switch treat update upgrade use wrap write",
]);

/** What was done to something on purpose. */
export const CHOSEN = String
  .raw`(?:\w+ed|kept|done|made|set|built|held|put|left|one|only|never|always|still|in|on|at|under|per|\d\S*)`;
