/**
 * What a session of a role recalls on an issue, as it was recalled last: `.agentx/state/recalls/`.
 *
 * A recall searches all of memory, which takes longer than everything else at the start of a session, and
 * brings the same until something is remembered or forgotten. So it is kept, with what the files that it
 * came from looked like, and with the versions of the sources that it was compared with; where one of
 * them has changed, after a week at the latest, or where the file is damaged, it is recalled again. Its
 * form: `{ "version": 3, "key", "wanted": { "agent", "issue", "maxCharacters", "tree" }, "wantedMs",
 * "section", "ids", "tokens", "queries", "files": [[path, version]] }`.
 *
 * @module
 */

import { isRoleName } from "../../agent_names.ts";
import { isListOfTexts, isObject } from "../../checks.ts";
import { userConfigPath } from "../../config/user_folders.ts";
import { AgentxError } from "../../errors.ts";
import { fileVersion } from "../../memory/files.ts";
import { hash53 } from "../../memory/hash.ts";
import { issueOfFile } from "../../memory/store/file_versions.ts";
import { noteClean, RULES_VERSION } from "../../redact/known_clean.ts";
import { sys } from "../../sys/mod.ts";
import { privateModes } from "../../sys/modes.ts";
import { DAY_MS } from "../../time.ts";

/** What was recalled. */
export interface KeptRecall {
  /** What was searched for. */
  queries: string[];
  /** Without secrets. */
  section: string;
  /** The observations that it has whole. */
  ids: string[];
  /** Its length. */
  tokens: number;
  /** Files of the working tree that it was compared with. */
  files: string[];
}

/** Whose recall, and how long it may be. */
export interface RecallFor {
  /** A role. */
  agent: string;
  issue: number;
  /** Null where only the settings limit it. */
  maxCharacters: number | null;
  /** The working tree. */
  tree: string;
}

/** What observations are read from; all else in the folder follows from it. */
const SOURCES = /^(?:issue-.+\.json|journal\.jsonl|archive)$/;

/** What is old ranks otherwise as time goes on; slowly, for all of it grows older. */
const MAX_AGE_MS = 7 * DAY_MS;

/** A recall that no session wanted for so long is not renewed any more. */
const WANTED_MS = 14 * DAY_MS;

/** One recall that is kept. */
export class RecallCache {
  readonly #path: string;
  readonly #look: () => string;
  /** What it comes from, as it was: comparing it takes less than a hash of it. */
  readonly #key: string;
  readonly #wanted: RecallFor;

  /**
   * Looks at the files that the recall comes from: a change after that is noticed by the next one.
   *
   * @param home `.agentx`
   * @param recall whose
   */
  constructor(home: string, recall: RecallFor) {
    const { agent, issue, maxCharacters, tree } = recall;
    this.#wanted = { agent, issue, maxCharacters, tree };
    const place = hash53(`${maxCharacters} ${tree}`).toString(36);
    this.#path = `${folderOf(home)}/issue-${issue}-${agent}-${place}.json`;
    this.#look = () => lookAtSources(home, issue);
    this.#key = this.#look();
  }

  /** @returns what was recalled; undefined where it is not known, or may be different now */
  find(): KeptRecall | undefined {
    return this.#read((key) => key === this.#key);
  }

  /**
   * @returns what was recalled, and from which issue files, where only some of these changed since then; that
   *   one did not shows that it was recalled here, and did not come with the repository
   */
  findBefore(): KeptRecall & { issueFiles: Record<string, string> } | undefined {
    let issueFiles: Record<string, string> = {};
    const recall = this.#read((key) => {
      const [before, now] = [key, this.#key].map(withoutIssueFiles);
      issueFiles = before.issueFiles;
      return before.rest === now.rest &&
        Object.keys(issueFiles).some((name) => issueFiles[name] === now.issueFiles[name]);
    });
    return recall && { ...recall, issueFiles };
  }

  #read(isGood: (key: string) => boolean): KeptRecall | undefined {
    const { key, section, ids, tokens, queries, files } = readKept(this.#path) ?? {};
    if (typeof key !== "string" || key === "" || this.#key === "" || !isGood(key)) return undefined;
    const fits = typeof section === "string" && typeof tokens === "number" && isListOfTexts(ids) &&
      isListOfTexts(queries) && Array.isArray(files) &&
      files.every((file) => Array.isArray(file) && this.#versionOf(`${file[0]}`) === file[1]);
    if (!fits) return undefined;
    noteClean(section);
    return { section, ids, tokens, queries, files: files.map(([path]) => path) };
  }

  /**
   * Keeps it in one step, so that no lock is needed.
   *
   * @param recall what was recalled just now
   * @param wantedMs when a session wanted it last, in milliseconds since the epoch
   * @throws {AgentxError} `IO_ERROR`
   */
  keep({ files: paths, ...recall }: KeptRecall, wantedMs = sys.now()): void {
    if (this.#key === "") return;
    const modes = privateModes();
    sys.makeDir(this.#path.slice(0, this.#path.lastIndexOf("/")), modes.folder);
    const part = `${this.#path}.${Math.random().toString(36).slice(2, 10)}.tmp`;
    const files = paths.map((path) => [path, this.#versionOf(path)]);
    const [key, wanted] = [this.#key, this.#wanted];
    const kept = { version: 3, key, wanted, wantedMs, ...recall, files };
    const content = JSON.stringify(kept);
    sys.writeNewFile(part, content, { fsync: false, mode: modes.file });
    sys.rename(part, this.#path);
    // What was forgotten meanwhile is not kept: whoever forgets removes what is kept by then.
    if (this.#look() !== this.#key) sys.removeFile(this.#path);
  }

  #versionOf(path: string): string {
    return fileVersion(`${this.#wanted.tree}/${path}`);
  }
}

/**
 * @returns what the files that a recall comes from look like; empty where there are none, which whoever made
 *   the repository could have known, or where they cannot be listed
 */
function lookAtSources(home: string, issue: number): string {
  const memory = namesIn(`${home}/memory`).filter((name) => SOURCES.test(name))
    .map((name) => `${name} ${fileVersion(`${home}/memory/${name}`)}`);
  if (memory.length === 0) return "";
  const period = Math.floor(sys.now() / MAX_AGE_MS);
  const others = [`${home}/config.json`, userConfigPath(), `${home}/issues/${issue}.json`];
  const versions = others.map((path) => path === undefined ? "" : fileVersion(path));
  return JSON.stringify([RULES_VERSION, period, versions, memory]);
}

/** A key of {@linkcode lookAtSources} without what it says of issue files, and that. */
function withoutIssueFiles(key: string): { rest: string; issueFiles: Record<string, string> } {
  const [rules, period, versions, memory]: [number, number, string[], string[]] = JSON.parse(key);
  const issueFiles: Record<string, string> = {};
  const others = memory.filter((each) => {
    const [name, version] = each.split(" ");
    const isIssueFile = issueOfFile(name) !== undefined;
    if (isIssueFile) issueFiles[name] = version;
    return !isIssueFile;
  });
  return { rest: JSON.stringify([rules, period, versions, others]), issueFiles };
}

function namesIn(folder: string): string[] {
  try {
    return sys.readDir(folder);
  } catch (error) {
    if (!(error instanceof AgentxError)) throw error;
    return []; // a recall says why
  }
}

/**
 * Lists the recalls that sessions in a tree wanted lately, and removes what nobody wants any more.
 *
 * @param home `.agentx`
 * @param tree the working tree
 * @returns whose, and when it was wanted in milliseconds since the epoch, the latest first
 * @throws {AgentxError} `IO_ERROR`
 */
export function wantedRecalls(
  home: string,
  tree: string,
): { wanted: RecallFor; wantedMs: number }[] {
  const folder = folderOf(home);
  return sys.readDir(folder).filter((name) => name.endsWith(".json")).flatMap((name) => {
    const path = `${folder}/${name}`;
    const { wanted, wantedMs } = readKept(path) ?? {};
    if (typeof wantedMs !== "number" || sys.now() - wantedMs > WANTED_MS) {
      sys.removeFile(path);
      return [];
    }
    return isRecallFor(wanted) && wanted.tree === tree ? [{ wanted, wantedMs }] : [];
  }).sort((a, b) => b.wantedMs - a.wantedMs);
}

/**
 * Removes all recalls that are kept: what is forgotten is in none of them.
 *
 * @param home `.agentx`
 * @throws {AgentxError} `IO_ERROR`
 */
export function removeKeptRecalls(home: string): void {
  const folder = folderOf(home);
  for (const name of sys.readDir(folder)) sys.removeFile(`${folder}/${name}`);
}

function folderOf(home: string): string {
  return `${home}/state/recalls`;
}

/** What is damaged is not there: it is derived. */
function readKept(path: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(sys.readTextFile(path) ?? "null");
    return isObject(value) && value.version === 3 ? value : undefined;
  } catch (error) {
    if (!(error instanceof AgentxError || error instanceof SyntaxError)) throw error;
    return undefined;
  }
}

function isRecallFor(value: unknown): value is RecallFor {
  if (!isObject(value)) return false;
  const { agent, issue, maxCharacters, tree } = value;
  return isRoleName(agent) && Number.isSafeInteger(issue) &&
    (maxCharacters === null || Number.isSafeInteger(maxCharacters)) && typeof tree === "string";
}
