// The files of a run in progress, in a folder of its own. Its reply outlives the process that asked for it. The next
// process with the same question takes that reply, or waits for it, instead of running the agent again or beside it.
//
// A shell waits for a line before it starts the program. It gets that line once its process id is on disk, so other
// processes can find every running program. The exit code is written last; with it the reply is complete. A run without
// an exit code and without a process was interrupted, and is repeated once.

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
  /** Which question it answers. */
  question: string;
  /** The program, as its command names it. */
  program: string;
  /** The leader of its process group. */
  pid: number;
  process: ProcessSpace | null;
  /** ISO-8601, UTC. */
  since: string;
  /** ISO-8601, UTC: when its time is over. */
  until: string;
  /** Whether it repeats one that was interrupted. */
  isRepeated: boolean;
}

const SCRIPT = [
  'exec >/dev/null 2>&1; IFS= read -r agentx_go || { echo none >"$0/exit"; exit 1; }',
  '(exec "$@") <"$0/prompt" >"$0/out" 2>"$0/err"',
  'agentx_code=$?; echo $agentx_code >"$0/exit"; exit $agentx_code',
].join("\n");

/** How often to look for the end of a run that another process began. */
const LOOK_MS = 50;

/** A process that cannot be killed this long after its time belongs to another user. */
const UNKILLED_MS = 10_000;

/** The longest standard error that is written. */
const MAX_ERR_BYTES = 64_000_000;

const MAX_NOTE_BYTES = 4_096;

/** Owner of the files of one run. */
export class RunFiles {
  readonly #folder: string;
  readonly #question: string;
  #left: StartedRun | undefined;
  #reply: Reply | undefined;
  #isRepeated = false;

  /** Names the folder, which need not exist. A reply to another question is not taken. */
  constructor(folder: string, question: string) {
    this.#folder = folder;
    this.#question = question;
  }

  /** The files of a run that no other process will look for. */
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

  /** Whether the question was asked, whatever became of it. */
  get isKnown(): boolean {
    const kept = objectOf(tryParseJson(this.#read("reply.json") ?? ""));
    return kept.question === this.#question || this.#started()?.question === this.#question;
  }

  /** Whether its program has failed, or was interrupted twice: the question is not asked again. */
  get hasFailed(): boolean {
    const run = this.#started();
    if (run?.question !== this.#question || this.hasReply) return false;
    const exit = this.#exit();
    return exit === undefined ? run.isRepeated && !isAlive(run) : exit !== "none";
  }

  /** The run in progress, begun by any process; undefined if there is none. */
  get living(): Pick<StartedRun, "pid" | "since"> | undefined {
    const run = this.#started();
    return run !== undefined && this.#exit() === undefined && isAlive(run) ? run : undefined;
  }

  /**
   * Finds what another process left behind, and waits for a program that is still running; the
   * signal ends the wait, and the program with it. Throws `AGENT_ERROR` where the run was
   * interrupted for the second time, or can neither be waited for nor killed; `INTERRUPTED`.
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
      throw failedRun(agent, "its run was interrupted twice", { final: "it was interrupted" });
    }
    this.#isRepeated = true;
    notify(`the run of ${agent} was interrupted, and is repeated once`);
  }

  /** Takes the reply for another process, once; undefined if there is none. */
  takeReply(): Reply | undefined {
    const reply = this.#reply;
    this.#reply = undefined;
    return reply;
  }

  /**
   * Keeps a reply until it stands in the ledger. A failure is ignored: the caller reports that of
   * the ledger.
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

  /** How the program ended that is about to be run, if another process ran it; only once. */
  takeResult(program: string, maxBytes: number): RunResult | undefined {
    if (this.#left?.program !== program) return undefined;
    this.#left = undefined;
    const ended = { exitCode: Number(this.#exit()), unkilled: null };
    return this.withOutput({ outcome: "exited", ...ended }, maxBytes);
  }

  /** Makes room for a run. */
  begin(command: readonly string[], prompt: string): string[] {
    this.#clear();
    const { file: mode, folder } = privateModes();
    sys.makeDir(this.#folder, folder);
    for (const [name, text] of [["prompt", prompt], ["out", ""], ["err", ""], ["exit", ""]]) {
      sys.writeNewFile(`${this.#folder}/${name}`, text, { fsync: false, mode });
    }
    return ["/bin/sh", "-c", SCRIPT, this.#folder, ...command];
  }

  /** Writes down the process of the run, which does not begin before that. */
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

  /** Whether it has printed more than it may. */
  isTooLong(maxBytes: number): boolean {
    return this.#size("out") > maxBytes || this.#size("err") > MAX_ERR_BYTES;
  }

  /** The same with the output: of standard error the end. */
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

  /** Whether the exit code was written, before which there may have been no room for the reply either. */
  get isComplete(): boolean {
    return this.#exit() !== undefined;
  }

  /** Removes all of it; what cannot be removed means nothing once its question is answered. */
  remove(): void {
    try {
      this.#clear();
      if (sys.lstat(this.#folder) !== undefined) sys.removeEmptyFolder(this.#folder);
    } catch (error) {
      if (!hasCode(error, "IO_ERROR")) throw error;
    }
  }

  /** The file that says there is a run goes first. */
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
    // What cannot be read was not written by us, and says nothing.
    return orElse(undefined, () => sys.readTextFile(`${this.#folder}/${name}`, maxBytes));
  }
}

/** Where nothing can be seen of its process, it is taken to run until its time is over. */
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
