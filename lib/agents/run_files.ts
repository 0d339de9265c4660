// The files of a run in progress, in a separate folder. The reply of the run outlives the process that asked for it.
// The next process with the same question takes that reply, or waits for it, instead of running the agent again or in
// parallel.
//
// A shell waits for a line before it starts the program. It gets that line once its process id is on disk, so other
// processes can find every running program. The exit code is written last; once it exists, the reply is complete. A run
// without an exit code and without a process was interrupted, and is repeated once.

import { isObject, objectOf, tryParseJson } from "../base/checks.ts";
import { hasCode, orElse } from "../base/errors.ts";
import { processState } from "../lock/owner_state.ts";
import { type ProcessSpace, type RunResult, sys } from "../sys/mod.ts";
import { privateModes } from "../sys/modes.ts";
import { failedRun } from "./failed_run.ts";

/** The answer of any kind of agent. */
type Reply =
  | string
  | { text: string; tokens?: number; runner: string; session: string | null; model?: string };

/** A program that was started. */
interface StartedRun {
  /** The question that the run answers. */
  question: string;
  /** The program, as its command names it. */
  program: string;
  /** The leader of its process group. */
  pid: number;
  process: ProcessSpace | null;
  /** When the run began: ISO-8601, UTC. */
  since: string;
  /** ISO-8601, UTC: when the time of the run is over. */
  until: string;
  /** Whether the run repeats an interrupted one. */
  isRepeated: boolean;
}

const SCRIPT = [
  'exec >/dev/null 2>&1; IFS= read -r agentx_go || { echo none >"$0/exit"; exit 1; }',
  '(exec "$@") <"$0/prompt" >"$0/out" 2>"$0/err"',
  'agentx_code=$?; echo $agentx_code >"$0/exit"; exit $agentx_code',
].join("\n");

/** Interval to look for the end of a run that another process began. */
const LOOK_MS = 50;

/**
 * Time after the deadline of a run to keep trying to kill its process, which may belong to another user.
 */
const UNKILLED_MS = 10_000;

/** Limit of the standard error of a run. */
const MAX_ERR_BYTES = 64_000_000;

const MAX_NOTE_BYTES = 4_096;

/** Owner of the files of one run. */
export class RunFiles {
  readonly #folder: string;
  readonly #question: string;
  #left: StartedRun | undefined;
  #reply: Reply | undefined;
  #isRepeated = false;

  /** Takes the folder, which need not exist. A reply to another question is never taken. */
  constructor(folder: string, question: string) {
    this.#folder = folder;
    this.#question = question;
  }

  /** Makes files for a run that no other process will look for. */
  static temporary(): RunFiles {
    return new RunFiles(sys.makeTempDir("agentx-run-"), "");
  }

  /** The program with a reply that waits here; undefined if there is none. */
  get left(): string | undefined {
    return this.#left?.program;
  }

  /** Whether a whole reply to the question waits here. */
  get hasReply(): boolean {
    const kept = objectOf(tryParseJson(this.#read("reply.json") ?? ""));
    return kept.question === this.#question ||
      this.#started()?.question === this.#question && this.#exit() === "0";
  }

  /** Whether the question was asked, with any outcome. */
  get isKnown(): boolean {
    const kept = objectOf(tryParseJson(this.#read("reply.json") ?? ""));
    return kept.question === this.#question || this.#started()?.question === this.#question;
  }

  /** Whether the program of the run has failed, or was interrupted twice. The question is not asked again then. */
  get hasFailed(): boolean {
    const run = this.#started();
    if (run?.question !== this.#question || this.hasReply) return false;
    const exit = this.#exit();
    return exit === undefined ? run.isRepeated && !isAlive(run) : exit !== "none";
  }

  /** The run in progress, which any process may have begun; undefined if there is none. */
  get living(): Pick<StartedRun, "pid" | "since"> | undefined {
    const run = this.#started();
    return run !== undefined && this.#exit() === undefined && isAlive(run) ? run : undefined;
  }

  /**
   * Finds the run that another process left behind, and waits for its program if that is still running. The signal ends
   * the wait, and the program. Throws `AGENT_ERROR` if the run was interrupted for the second time, or its process
   * cannot be killed when its time is over; `INTERRUPTED`.
   */
  async settle(
    agent: string,
    { notify, signal }: { notify: (message: string) => void; signal?: AbortSignal },
  ): Promise<void> {
    const kept = objectOf(tryParseJson(this.#read("reply.json") ?? ""));
    const run = this.#started();
    if (run !== undefined) await this.#untilEnded(run, agent, { notify, signal });
    if (kept.question === this.#question) {
      this.#reply = kept.reply as Reply;
      return;
    }
    if (run?.question !== this.#question) return;
    const exit = this.#exit();
    if (exit === "none") return;
    if (exit !== undefined) {
      this.#left = run;
      return;
    }
    if (run.isRepeated) {
      const reason = "its run was interrupted twice; you decide in the inbox: agentx inbox";
      throw failedRun(agent, reason, { final: "it was interrupted" });
    }
    this.#isRepeated = true;
    notify(`the run of ${agent} was interrupted, and is repeated once`);
  }

  /** Takes the reply that another process left behind, only once; undefined if there is none. */
  takeReply(): Reply | undefined {
    const reply = this.#reply;
    this.#reply = undefined;
    return reply;
  }

  /**
   * Keeps a reply until it is in the ledger. A failure is ignored, because the caller reports a failure to write the
   * ledger.
   */
  keep(reply: Reply): void {
    const { file: mode, folder } = privateModes();
    const path = `${this.#folder}/reply.json`;
    try {
      sys.makeDir(this.#folder, folder);
      sys.removeFile(path);
      const text = JSON.stringify({ question: this.#question, reply });
      sys.writeNewFile(path, text, { fsync: false, mode });
    } catch (error) {
      if (!hasCode(error, "IO_ERROR")) throw error;
    }
  }

  /**
   * Returns, only once, the result of a program that another process ran, instead of running it again; undefined if
   * there is none.
   */
  takeResult(program: string, maxBytes: number): RunResult | undefined {
    if (this.#left?.program !== program) return undefined;
    this.#left = undefined;
    const ended = { exitCode: Number(this.#exit()), unkilled: null };
    return this.withOutput({ outcome: "exited", ...ended }, maxBytes);
  }

  /** Creates the files of a run, and returns the command that starts it. */
  begin(command: readonly string[], prompt: string): string[] {
    this.#clear();
    const { file: mode, folder } = privateModes();
    sys.makeDir(this.#folder, folder);
    for (const [name, text] of [["prompt", prompt], ["out", ""], ["err", ""], ["exit", ""]]) {
      sys.writeNewFile(`${this.#folder}/${name}`, text, { fsync: false, mode });
    }
    return ["/bin/sh", "-c", SCRIPT, this.#folder, ...command];
  }

  /** Writes down the process of the run; the program starts only after that. */
  noteStart(pid: number, { program, timeoutMs }: { program: string; timeoutMs: number }): void {
    const space = sys.processSpace();
    const start = sys.processStart(pid);
    const run: StartedRun = {
      question: this.#question,
      program,
      pid,
      process: space && start ? { ...space, start } : null,
      since: new Date(sys.now()).toISOString(),
      until: new Date(sys.now() + timeoutMs).toISOString(),
      isRepeated: this.#isRepeated,
    };
    const how = { fsync: false, mode: privateModes().file };
    sys.writeNewFile(`${this.#folder}/run.json`, JSON.stringify(run), how);
  }

  /** Whether the program has printed more than it may. */
  isTooLong(maxBytes: number): boolean {
    return this.#size("out") > maxBytes || this.#size("err") > MAX_ERR_BYTES;
  }

  /** Adds the output to a result; of standard error only the end. */
  withOutput(
    { outcome, ...ended }: Pick<RunResult, "outcome" | "exitCode" | "unkilled">,
    maxBytes: number,
  ): RunResult {
    const path = `${this.#folder}/out`;
    const out = sys.readPart(path, 0, maxBytes)?.bytes;
    const errFrom = Math.max(0, this.#size("err") - maxBytes);
    const err = sys.readPart(`${this.#folder}/err`, errFrom, maxBytes)?.bytes;
    const decode = (bytes?: Uint8Array) => new TextDecoder().decode(bytes);
    return {
      outcome: outcome === "exited" && this.isTooLong(maxBytes) ? "output-limit" : outcome,
      ...ended,
      stdout: decode(out),
      stderr: decode(err),
    };
  }

  /** Whether the exit code was written. If not, for example on a full disk, the reply may be incomplete too. */
  get isComplete(): boolean {
    return this.#exit() !== undefined;
  }

  /** Removes all files of the run. A file that cannot be removed does no harm once the question is answered. */
  remove(): void {
    try {
      this.#clear();
      if (sys.lstat(this.#folder) !== undefined) sys.removeEmptyFolder(this.#folder);
    } catch (error) {
      if (!hasCode(error, "IO_ERROR")) throw error;
    }
  }

  /** Removes the files, first `run.json`, which shows other processes that a run exists. */
  #clear(): void {
    const kind = sys.lstat(this.#folder)?.kind;
    if (kind === undefined) return;
    if (kind !== "directory") {
      sys.removeFile(this.#folder);
      return;
    }
    sys.removeFile(`${this.#folder}/run.json`);
    for (const name of sys.readDir(this.#folder)) sys.removeFile(`${this.#folder}/${name}`);
  }

  async #untilEnded(
    run: StartedRun,
    agent: string,
    { notify, signal }: { notify: (message: string) => void; signal?: AbortSignal },
  ): Promise<void> {
    const untilMs = Date.parse(run.until);
    const isWanted = run.question === this.#question;
    for (let look = 0; this.#exit() === undefined && isAlive(run); look++) {
      if (look === 0 && isWanted) {
        notify(`${agent} is running already, as process ${run.pid}: waiting for its reply`);
      }
      const isOver = sys.now() > untilMs || this.isTooLong(MAX_ERR_BYTES);
      if ((isOver || !isWanted) && run.process !== null) sys.killGroup(run.pid);
      if (sys.now() > untilMs + UNKILLED_MS) {
        throw failedRun(agent, `process ${run.pid} of its last run could not be killed`, {
          final: "it is still running",
        });
      }
      try {
        await sys.wait(LOOK_MS, signal);
      } catch (error) {
        if (run.process !== null && isAlive(run)) sys.killGroup(run.pid);
        throw error;
      }
    }
  }

  #started(): StartedRun | undefined {
    const note = tryParseJson(this.#read("run.json") ?? "");
    return isStartedRun(note) ? note : undefined;
  }

  #exit(): string | undefined {
    return /^(\d+|none)\n$/.exec(this.#read("exit") ?? "")?.[1];
  }

  #size(name: string): number {
    return sys.lstat(`${this.#folder}/${name}`)?.size ?? 0;
  }

  #read(name: string): string | undefined {
    const maxBytes = name === "reply.json" ? undefined : MAX_NOTE_BYTES;
    // Ignore a file that cannot be read: agentx did not write it.
    return orElse(undefined, () => sys.readTextFile(`${this.#folder}/${name}`, maxBytes));
  }
}

/** Whether the process of a run is alive. If that cannot be seen, the run counts as alive until its time is over. */
function isAlive({ pid, process, until }: StartedRun): boolean {
  const state = processState({ pid, process });
  return state === undefined ? sys.now() <= Date.parse(until) : state === "alive";
}

function isStartedRun(value: unknown): value is StartedRun {
  return isObject(value) && typeof value.question === "string" &&
    typeof value.program === "string" && Number.isSafeInteger(value.pid) &&
    (value.pid as number) > 1 && (value.process === null || isObject(value.process)) &&
    typeof value.isRepeated === "boolean" &&
    [value.since, value.until].every((time) => !Number.isNaN(Date.parse(String(time))));
}
