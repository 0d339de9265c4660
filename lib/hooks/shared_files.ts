// Finds files that two live sessions change, in one checkout or in several. The session file stores the latest
// changes of its session. Only this module reads and writes them. Nothing is stopped: each session gets one note per
// file.
//
// Only files that editing tools name are covered, not those that shell commands change.

import type { HostName } from "../hosts/hosts.ts";
import { isObject } from "../base/checks.ts";
import { formatDuration, isoTime } from "../base/time.ts";
import { sys } from "../sys/mod.ts";
import { RECALL_BEGIN, RECALL_END } from "../text/recall_markers.ts";
import { terminalLine } from "../text/text.ts";
import { type Identity, sessionNameOf } from "./identity.ts";
import {
  hasEnded,
  type SessionEdit,
  type SessionFile,
  type SessionFiles,
} from "./session_files.ts";

/** A file that several live sessions changed within half an hour. */
export interface SharedFile {
  path: string;
  /** The latest change of each session, the oldest first. */
  edits: SessionEdit[];
}

const LATELY_MS = 30 * 60_000;

/** The maximum number of edits to remember for each session. The oldest are dropped. */
const MAX_EDITS = 50;

/** Adds the files that a session has just changed to its file, in place. */
export function noteEdits(
  file: SessionFile,
  paths: readonly string[],
  { host, who, checkout }: { host: HostName; who: Identity; checkout: string },
): void {
  const at = isoTime(sys.now());
  const by = sessionNameOf(who) ?? who.worker ?? `${host}-${file.session?.slice(-4)}`;
  for (const path of new Set(paths)) {
    const before = editsOf(file).find((edit) => edit.path === path);
    const edit = { path, tree: checkout, at, by, issue: who.issue, isTold: before?.isTold };
    file.edits = [...editsOf(file).filter((each) => each !== before), edit].slice(-MAX_EDITS);
  }
}

/** Returns paths relative to the top of a checkout; paths outside of the checkout are left out. */
export function pathsBelow(checkout: string, paths: readonly string[], cwd: string): string[] {
  return paths.map((path) => path.startsWith("/") ? path : `${cwd}/${path}`)
    .map((path) => sys.realPath(path) ?? path)
    .filter((path) => path.startsWith(`${checkout}/`))
    .map((path) => path.slice(checkout.length + 1));
}

/** Returns all shared files, sorted by path. */
export function sharedFiles(files: Pick<SessionFiles, "readAll">, nowMs: number): SharedFile[] {
  const byPath = new Map<string, SessionEdit[]>();
  for (const file of files.readAll().filter((file) => !hasEnded(file))) {
    for (const { isTold: _, ...edit } of editsOf(file)) {
      if (Date.parse(edit.at) <= nowMs - LATELY_MS) continue;
      byPath.set(edit.path, [...byPath.get(edit.path) ?? [], edit]);
    }
  }
  return Array.from(byPath, ([path, edits]) => ({
    path,
    edits: edits.sort((one, other) => one.at < other.at ? -1 : 1),
  })).filter(({ edits }) => edits.length > 1).sort((a, b) => a.path < b.path ? -1 : 1);
}

/** Returns the note for a session, and the files that the note names; undefined if there is nothing new. */
export function sharedNote(
  own: SessionFile | undefined,
  files: Pick<SessionFiles, "readAll">,
  nowMs: number,
): { text: string; paths: string[] } | undefined {
  const untold = editsOf(own).filter(({ isTold }) => !isTold);
  if (untold.length === 0) return undefined;
  const shared = sharedFiles(files, nowMs)
    .filter(({ path }) => untold.some((edit) => edit.path === path));
  if (shared.length === 0) return undefined;
  const lines = shared.flatMap(({ path, edits }) => {
    const mine = untold.find((edit) => edit.path === path)!;
    return edits.filter((edit) => edit.by !== mine.by || edit.tree !== mine.tree)
      .map((edit) => lineOf(edit, mine, nowMs));
  });
  const text = [RECALL_BEGIN, ...lines.map((line) => `agentx: ${line}`), RECALL_END, ""].join("\n");
  return { text, paths: shared.map(({ path }) => path) };
}

/** Records, in place, that the session was told about these files. */
export function noteTold(file: SessionFile, paths: readonly string[]): void {
  for (const edit of editsOf(file)) if (paths.includes(edit.path)) edit.isTold = true;
}

function lineOf(
  { path, tree, at, by, issue }: SessionEdit,
  mine: SessionEdit,
  nowMs: number,
): string {
  const where = tree === mine.tree ? "" : `, in ${terminalLine(tree)}`;
  const about = issue === null ? "" : ` for #${issue}`;
  const [role, asker] = [by, mine.by].map((name) => /^(.+)@/.exec(name)?.[1]);
  const ask = role === undefined || role === asker
    ? issue === null ? "ask its human" : `agentx issue comment ${issue} TEXT, or ask its human`
    : `agentx ask ${by} --issue ${issue ?? mine.issue ?? "N"} QUESTION`;
  return `${by} changed ${terminalLine(path)} ${
    formatDuration(nowMs - Date.parse(at))
  } ago${about}` +
    `${where}, and you changed it, too. Settle who does what: ${ask}`;
}

function editsOf(file: SessionFile | undefined): SessionEdit[] {
  return Array.isArray(file?.edits) ? file.edits.filter(isEdit) : [];
}

function isEdit(value: unknown): value is SessionEdit {
  return isObject(value) &&
    ["path", "tree", "at", "by"].every((key) => typeof value[key] === "string");
}
