/**
 * Sessions of coding agents with what a colleague would want to know of them, to judge extraction by.
 *
 * Each session is a file as its tool writes it, and a sidecar `NAME.labels.json` beside it. The engineering
 * in them is made from changelogs and readmes of MIT and ISC packages and from this project's own history;
 * the labels were decided by reading, before any rule existed. Rules may be written while looking at
 * `dev/`; `held_out/` is for the figure at the end.
 *
 * @module
 */

/** What a label says of a fact. */
export type FactCategory = "decision" | "code-change" | "error" | "key-fact";

/** Something that a colleague who takes over next week would want to know. */
export interface Fact {
  /** What it tells. */
  category: FactCategory;
  /** The words of the session that say it, 25 to 200 characters. */
  text: string;
  /** Other places of the session that say the same. */
  any?: string[];
}

/** A session and its labels. */
export interface LabelledSession {
  /** File name with its extension. */
  name: string;
  /** The tool that would have written it. */
  tool: string;
  /** The file as it is. */
  text: string;
  /** What should be found. */
  facts: Fact[];
  /** Words that must never be stored. */
  junk: string[];
}

/** The half that rules are written with, and the half that judges them. */
export type Half = "dev" | "held_out";

const SIDECAR = ".labels.json";

/**
 * @param half which half
 * @returns its sessions, by name
 */
export function readSessions(half: Half): LabelledSession[] {
  const folder = new URL(`./${half}/`, import.meta.url);
  const sidecars = Array.from(Deno.readDirSync(folder), (entry) => entry.name)
    .filter((name) => name.endsWith(SIDECAR)).sort();
  return sidecars.map((sidecar) => {
    const labels = JSON.parse(Deno.readTextFileSync(new URL(sidecar, folder)));
    return {
      name: labels.session,
      tool: labels.tool,
      text: Deno.readTextFileSync(new URL(labels.session, folder)),
      facts: labels.facts,
      junk: labels.junk,
    };
  });
}
