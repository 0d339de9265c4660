// The store of transcripts: `.agentx/state/transcripts/ID.jsonl`, one file per session. The first line is the session
// at its start. Each step adds a line before the next step begins. An incomplete line was never acknowledged, and is
// not read.

import { isObject, tryParseJson } from "../base/checks.ts";
import { AgentxError } from "../base/errors.ts";
import { checkVersion } from "../base/input_checks.ts";
import { withoutSecrets } from "../redact/border.ts";
import { type OpenFile, sys } from "../sys/mod.ts";
import { privateModes } from "../sys/modes.ts";
import { afterStep, type LoopTranscript, type TranscriptChange } from "./transcript.ts";
import { transcriptProblem } from "./transcript_schema.ts";

/** Matches the id of a session. Such an id cannot lead to another folder. */
const ID = /^[a-z][a-z0-9@-]{0,79}-[0-9]{13,16}-[a-z0-9]{6}$/;

/** Owner of the files under `.agentx/state/transcripts/`. */
export class TranscriptFiles {
  readonly #folder: string;

  /** Stores the folder, which need not exist. */
  constructor(home: string) {
    this.#folder = `${home}/state/transcripts`;
  }

  /**
   * Reads the transcript of a session. Throws `NOT_FOUND`, `CORRUPT_STATE`, `NEWER_STATE`,
   * `IO_ERROR`.
   */
  read(id: string): LoopTranscript {
    const text = ID.test(id) ? sys.readTextFile(this.pathOf(id)) : undefined;
    if (text === undefined) throw this.#notFound(id);
    const path = this.pathOf(id);
    const [first, ...changes] = text.split("\n").slice(0, -1)
      .map((line, index) => parseLine(line, path, index + 1));
    checkVersion(first, path, 1);
    const problem = transcriptProblem(first);
    if (problem !== undefined) throw corrupt(path, 1, problem);
    const transcript = changes.reduce<unknown>(
      (before, change) => afterStep(before as LoopTranscript, change),
      first,
    ) as LoopTranscript;
    const wrong = transcriptProblem(transcript);
    if (wrong !== undefined) throw corrupt(path, null, wrong);
    if (transcript.id === id) return transcript;
    throw new AgentxError(
      "CORRUPT_STATE",
      `Cannot resume "${id}": its file belongs to another session`,
      {
        details: { path, line: null },
        next: `The file says "${transcript.id}"; move it back under that name`,
      },
    );
  }

  /** Creates the transcript of a new session, without secrets. Throws `IO_ERROR`. */
  async create(transcript: LoopTranscript): Promise<LoopTranscript> {
    const kept = await withoutSecrets(transcript);
    const { file: mode, folder } = privateModes();
    sys.makeDir(this.#folder, folder);
    sys.writeNewFile(this.pathOf(kept.id), lineOf(kept), { fsync: true, mode });
    sys.syncFolder(this.#folder);
    return kept;
  }

  /**
   * Adds a step, without secrets, to the transcript as it was last stored. Only the process that holds the session
   * may call this. Throws `NOT_FOUND`, `IO_ERROR`.
   */
  async append(transcript: LoopTranscript, change: TranscriptChange): Promise<LoopTranscript> {
    const kept = await withoutSecrets(change);
    const file = sys.openFile(this.pathOf(transcript.id));
    if (file === undefined) throw this.#notFound(transcript.id);
    try {
      cutTornLine(file);
      file.writeAt(lineOf(kept), "end");
      file.sync();
    } finally {
      file.close();
    }
    return afterStep(transcript, kept);
  }

  /** Returns the ids of sessions with a transcript. */
  ids(): string[] {
    return sys.readDir(this.#folder).map((name) => name.replace(/\.jsonl$/, ""))
      .filter((name) => ID.test(name));
  }

  pathOf(id: string): string {
    return `${this.#folder}/${id}.jsonl`;
  }

  #notFound(id: string): AgentxError<"NOT_FOUND"> {
    const last = this.ids().slice(-3);
    return new AgentxError("NOT_FOUND", `Cannot find session "${id}": it has no transcript here`, {
      details: { kind: "session", id },
      next: last.length === 0
        ? "Start one with: agentx run AGENT --issue N PROMPT"
        : `Sessions here: ${last.join(", ")}`,
    });
  }
}

function lineOf(value: object): string {
  return `${JSON.stringify(value)}\n`;
}

function parseLine(line: string, path: string, number: number): TranscriptChange {
  const value = tryParseJson(line);
  if (isObject(value)) return value;
  throw corrupt(path, number, "it is not an object in JSON");
}

/** Removes the incomplete last line that a killed process or a full disk left. */
function cutTornLine(file: OpenFile): void {
  const { size } = file.info();
  const NEWLINE = 10;
  if (size === 0 || file.readAt(size - 1, 1)[0] === NEWLINE) return;
  file.truncate(file.readAt(0, size).lastIndexOf(NEWLINE) + 1);
}

function corrupt(path: string, line: number | null, why: string): AgentxError<"CORRUPT_STATE"> {
  const where = line === null ? "" : `, line ${line}`;
  return new AgentxError("CORRUPT_STATE", `Cannot read "${path}"${where}: ${why}`, {
    details: { path, line },
    next: "Repair it by hand, or move it aside; nothing was changed",
  });
}
