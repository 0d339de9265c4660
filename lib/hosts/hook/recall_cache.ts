/**
 * What a session of a role recalls on an issue, as it was recalled last: `.agentx/state/recalls/`.
 *
 * A recall searches all of memory, which takes ten times as long as everything else at the start of a
 * session, and brings the same until something is remembered or forgotten. So it is kept with a number
 * that stands for the files it came from, and with the versions of the sources that it was compared
 * with; where one of them has changed, for a day at most, or where the file is damaged, it is recalled
 * again. Its form: `{ "version": 1, "key", "section", "ids", "files": [[path, version]] }`.
 *
 * @module
 */

import { isObject } from "../../checks.ts";
import { userConfigPath } from "../../config/user_folders.ts";
import { AgentxError } from "../../errors.ts";
import { fileVersion } from "../../memory/files.ts";
import { sys } from "../../sys/mod.ts";
import { privateModes } from "../../sys/modes.ts";
import { DAY_MS } from "../../time.ts";

/** What was recalled. */
export interface KeptRecall {
  /** Without secrets. */
  section: string;
  /** The observations that it has whole. */
  ids: string[];
  /** Files of the working tree that it was compared with. */
  files: string[];
}

/** Whose recall, and how long it may be. */
export interface RecallFor {
  agent: string;
  issue: number;
  maxCharacters: number;
  /** The working tree. */
  tree: string;
}

/** What observations are read from; all else in the folder follows from it. */
const SOURCES = /^(?:issue-.+\.json|journal\.jsonl|archive)$/;

/** One recall that is kept. */
export class RecallCache {
  readonly #path: string;
  readonly #look: () => string;
  /** What it comes from, as it was: comparing it takes less than a hash of it. */
  readonly #key: string;
  readonly #tree: string;

  /**
   * Looks at the files that the recall comes from: a change after that is noticed by the next one.
   *
   * @param home `.agentx`
   * @param recall whose
   */
  constructor(home: string, recall: RecallFor) {
    const { agent, issue, tree } = recall;
    this.#tree = tree;
    this.#path = `${home}/state/recalls/issue-${issue}-${agent}.json`;
    this.#look = () => lookAtSources(home, recall);
    this.#key = this.#look();
  }

  /** @returns what was recalled; undefined where it is not known, or may be different now */
  find(): KeptRecall | undefined {
    let value: unknown;
    try {
      value = JSON.parse(sys.readTextFile(this.#path) ?? "null");
    } catch (error) {
      if (!(error instanceof AgentxError || error instanceof SyntaxError)) throw error;
      return undefined; // it is derived
    }
    if (!isObject(value) || value.version !== 1 || value.key !== this.#key) return undefined;
    const { section, ids, files } = value;
    const fits = typeof section === "string" && Array.isArray(ids) &&
      ids.every((id) => typeof id === "string") && Array.isArray(files) &&
      files.every((file) => Array.isArray(file) && this.#versionOf(`${file[0]}`) === file[1]);
    return fits ? { section, ids, files: files.map(([path]) => path) } : undefined;
  }

  /**
   * Keeps it in one step, so that no lock is needed.
   *
   * @param recall what was recalled just now
   * @throws {AgentxError} `IO_ERROR`
   */
  keep({ section, ids, files: paths }: KeptRecall): void {
    const modes = privateModes();
    sys.makeDir(this.#path.slice(0, this.#path.lastIndexOf("/")), modes.folder);
    const part = `${this.#path}.${Math.random().toString(36).slice(2, 10)}.tmp`;
    const files = paths.map((path) => [path, this.#versionOf(path)]);
    const content = JSON.stringify({ version: 1, key: this.#key, section, ids, files });
    sys.writeNewFile(part, content, { fsync: false, mode: modes.file });
    sys.rename(part, this.#path);
    // What was forgotten meanwhile is not kept: whoever forgets removes what is kept by then.
    if (this.#look() !== this.#key) sys.removeFile(this.#path);
  }

  #versionOf(path: string): string {
    return fileVersion(`${this.#tree}/${path}`);
  }
}

/** @returns a number that stands for the files that a recall comes from */
function lookAtSources(home: string, recall: RecallFor): string {
  const memory = sys.readDir(`${home}/memory`).filter((name) => SOURCES.test(name))
    .map((name) => `${name} ${fileVersion(`${home}/memory/${name}`)}`);
  const day = Math.floor(sys.now() / DAY_MS);
  const others = [`${home}/config.json`, userConfigPath(), `${home}/issues/${recall.issue}.json`];
  const versions = others.map((path) => path === undefined ? "" : fileVersion(path));
  return JSON.stringify([day, recall, versions, memory]);
}

/**
 * Removes all recalls that are kept: what is forgotten is in none of them.
 *
 * @param home `.agentx`
 * @throws {AgentxError} `IO_ERROR`
 */
export function removeKeptRecalls(home: string): void {
  const folder = `${home}/state/recalls`;
  for (const name of sys.readDir(folder)) sys.removeFile(`${folder}/${name}`);
}
