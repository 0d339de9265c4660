/**
 * Where transcripts are kept: `.agentx/state/transcripts/ID.json`, one file per session, written whole
 * before each step goes on.
 *
 * @module
 */

import { AgentxError } from "../errors.ts";
import { checkVersion } from "../input_checks.ts";
import { type FileLockManager, JsonFile } from "../lock/mod.ts";
import { withoutSecrets } from "../redact/border.ts";
import { sys } from "../sys/mod.ts";
import { type LoopTranscript, transcriptProblem } from "./transcript.ts";

/** As sessions are named: nothing in it leads elsewhere. */
const ID = /^[a-z][a-z0-9@-]{0,79}-[0-9]{13,16}-[a-z0-9]{6}$/;

/** Owner of the files under `.agentx/state/transcripts/`. */
export class TranscriptFiles {
  readonly #folder: string;
  readonly #locks: FileLockManager;

  /**
   * Names the folder, which need not exist.
   *
   * @param home `.agentx`
   * @param locks the locks of this process
   */
  constructor(home: string, locks: FileLockManager) {
    this.#folder = `${home}/state/transcripts`;
    this.#locks = locks;
  }

  /**
   * @param id of a session
   * @returns its transcript
   * @throws {AgentxError} `NOT_FOUND`, `CORRUPT_STATE`, `NEWER_STATE`, `IO_ERROR`
   */
  read(id: string): LoopTranscript {
    const file = ID.test(id) ? this.#file(id) : undefined;
    const transcript = file?.read();
    if (file === undefined || transcript === undefined) throw this.#notFound(id);
    if (transcript.id === id) return transcript;
    throw new AgentxError(
      "CORRUPT_STATE",
      `Cannot go on with "${id}": its file belongs to another session`,
      {
        details: { path: file.path, line: null },
        next: `The file says "${transcript.id}"; move it back under that name`,
      },
    );
  }

  /**
   * Keeps a transcript, without secrets.
   *
   * @param transcript as it is to be
   * @returns it as it was kept, from which to go on
   * @throws {AgentxError} `LOCK_TIMEOUT`, `CORRUPT_STATE`, `NEWER_STATE`, `IO_ERROR`
   */
  async write(transcript: LoopTranscript): Promise<LoopTranscript> {
    const kept = await withoutSecrets(transcript);
    return await this.#file(transcript.id).update(transcript.agent, () => kept);
  }

  /** @returns the file of a session */
  pathOf(id: string): string {
    return `${this.#folder}/${id}.json`;
  }

  #file(id: string): JsonFile<LoopTranscript> {
    const path = this.pathOf(id);
    const problemWith = (value: unknown) => {
      checkVersion(value, path, 1);
      return transcriptProblem(value);
    };
    return new JsonFile(path, this.#locks, { problemWith, kind: "state" });
  }

  #notFound(id: string): AgentxError<"NOT_FOUND"> {
    const known = sys.readDir(this.#folder).filter((name) => ID.test(name.replace(/\.json$/, "")));
    const last = known.map((name) => name.slice(0, -".json".length)).slice(-3);
    return new AgentxError("NOT_FOUND", `Cannot find session "${id}": it has no transcript here`, {
      details: { kind: "session", id },
      next: last.length === 0
        ? "Start one with: agentx run AGENT --issue N PROMPT"
        : `Sessions here: ${last.join(", ")}`,
    });
  }
}
