// `agentx hook host HOST EVENT`: the command that the hooks of a coding agent run. The payload of
// the host is on standard input; standard output has the answer and nothing else.

import { DEPTH_VARIABLE } from "../../who/host_session.ts";
import { readLedgers } from "../../clarify/ledger/ledger_reading.ts";
import { issueNumberOf } from "../../clarify/schema.ts";
import { type Context, defineCommand } from "../../cli/command.ts";
import { reportError } from "../../cli/errors.ts";
import type { Io } from "../../cli/io.ts";
import { note } from "../../cli/note.ts";
import { oneOf, optional, rule, word } from "../../cli/spec.ts";
import { AgentxError, hasCode } from "../../base/errors.ts";
import { invalidInput } from "../../base/input_checks.ts";
import { readCall } from "./call.ts";
import {
  callerOf,
  type HookCall,
  type HookHost,
  HOST_NAMES,
  type HostName,
  HOSTS,
  type Occasion,
} from "../../hooks/hosts.ts";
import { GUARD_EVENTS, type GuardHook } from "../../hooks/guard_call.ts";
import { notesLine } from "./notes_line.ts";
import { Spool } from "../../workspace/spool.ts";
import { PROJECT } from "../../memory/schema.ts";
import { SessionManager } from "../../clarify/status/session_manager.ts";
import { identify, type Identity, nameOf } from "../../hooks/identity.ts";
import type { HumanAnswers, Known } from "../../hooks/human_answers.ts";
import {
  type HookParts,
  isEndKnown,
  noteEnd,
  noteProof,
  prepareAnswer,
  type Prepared,
} from "../../hooks/run_hook.ts";
import { hasEnded, SessionFiles } from "../../hooks/session_files.ts";
import { pruneSessions } from "../../workspace/session_upkeep.ts";
import { withoutSecrets } from "../../redact/border.ts";
import { sys } from "../../sys/mod.ts";
import { encodeJson } from "../../text/text.ts";
import { originOf, spoolFolder } from "../../workspace/state_origin.ts";
import { captureSpooled } from "../../workspace/capture_spooled.ts";
import { findWorkspace, hasMemory, type WorkspacePlace } from "../../workspace/find.ts";
import { repositoryAbove } from "../../git/repository.ts";
import type { WorkspaceState } from "../../workspace/state.ts";
import { stopNotesFor } from "./stop_notes.ts";

/** The longest wait for a file that another process is changing. */
const MAX_WAIT_MS = 1_000;

/** How long the start of a session may capture what earlier sessions left. */
const CAPTURE_MS = 2_000;

/** Files of sessions are pruned only if there are more. */
const MANY_SESSIONS = 50;

/** A prompt says at its beginning what it is about. */
const MAX_ASKED = 2_000;

/** The agent of a session without a role. */
const SOME_AGENT = "agent";

/** The result of a hook, under `--json` below the answer to the host. */
interface HostHookOutput {
  host: HostName;
  occasion: Occasion;
  answered: "nothing" | "context" | "block";
}

/** Answers a hook of a coding agent, in exactly its form. */
export const command = defineCommand({
  kind: "hook.host",
  examples: [
    "agentx hook host claude SessionStart <event.json",
    "agentx hook host codex Stop <event.json",
  ],
  input: {
    host: { ...oneOf(HOST_NAMES), description: "The program that calls" },
    event: {
      ...rule(/^[A-Za-z][A-Za-z.]{0,39}$/, "be the name of an event"),
      description: "Its event, as it names it",
      placeholder: "EVENT",
    },
    limits: optional(word, "What an agent that agentx has started may do", {
      placeholder: "JSON",
    }),
  },
  positional: ["host", "event"],
  endsSession: () => true,
  async run({ io, root, signal, isJson }, { host, event, limits }) {
    const print = (text: string) => isJson || io.stdout(text);
    const context = { io, root, signal, print, notes: [] };
    const { exitCode, ...answer } = await answerEvent(context, { host, event, limits });
    return { output: { host, ...answer }, exitCode };
  },
  render: () => "",
});

/** The parts of a command's context that a hook needs. */
interface Hooked extends Pick<Context, "io" | "root" | "signal"> {
  /** Prints to the host; false if it has closed the pipe. */
  print: (text: string) => boolean;
  /** Notes that are still being printed on standard error. */
  notes: Promise<void>[];
}

/** Answers an event of a host. Throws `INVALID_INPUT` for one that agentx does not answer. */
export async function answerEvent(
  context: Hooked,
  { host: name, event, limits }: GuardHook,
): Promise<Omit<HostHookOutput, "host"> & { exitCode: number }> {
  if (GUARD_EVENTS[name] === event) {
    const { answerGuard } = await import("./guard.ts");
    const isBlocked = await answerGuard(context.io, { host: name, event, limits });
    return { occasion: "tool", answered: isBlocked ? "block" : "nothing", exitCode: 0 };
  }
  const host = HOSTS[name];
  if (!Object.hasOwn(host.events, event)) {
    const known = Object.keys(host.events).join(", ");
    throw invalidInput(
      "event",
      event,
      `${name} has no such event that agentx answers; known: ${known}`,
    );
  }
  const occasion = host.events[event];
  return { occasion, ...await answerHook(context, { name, host, event, occasion }) };
}

/** Answers, and reports a failure at once: the host continues. */
async function answerHook(
  context: Hooked,
  called: Called,
): Promise<{ answered: HostHookOutput["answered"]; exitCode: number }> {
  const { io, print, notes } = context;
  const { name, event } = called;
  let { host } = called;
  let prepared: Prepared | undefined;
  let exitCode = 0;
  try {
    const call = readCall(await io.readStdin(), event);
    host = callerOf(name, call);
    prepared = await prepare(context, { ...called, host, call });
  } catch (error) {
    if (!(error instanceof AgentxError)) throw error;
    await reportError(error, { io, json: false });
    exitCode = host.failureCode;
  }
  await Promise.all(notes);
  if (prepared === undefined) {
    if (host.silence !== "") print(`${host.silence}\n`);
    return { answered: "nothing", exitCode };
  }
  const { answer, noteWritten } = prepared;
  const text = encodeJson(host.encode(event, answer));
  if (print(`${text}\n`)) await noteWritten();
  return { answered: "block" in answer ? "block" : "context", exitCode };
}

interface Called {
  name: HostName;
  host: HookHost;
  event: string;
  occasion: Occasion;
}

/** The same with its payload. */
interface ReadCall extends Called {
  call: HookCall;
}

/** Outside of a workspace, and for agents that agentx itself runs, there is no answer. */
async function prepare(context: Hooked, called: ReadCall): Promise<Prepared | undefined> {
  const { io, root } = context;
  const { call } = called;
  let place: WorkspacePlace;
  try {
    place = findWorkspace(root ?? call.cwd ?? sys.cwd());
  } catch (error) {
    if (hasCode(error, "NOT_INITIALISED")) return undefined;
    throw error;
  }
  const home = `${place.root}/.agentx`;
  const locks = async () => {
    const { FileLockManager } = await import("../../lock/lock_manager.ts");
    return new FileLockManager({ maxWaitMs: MAX_WAIT_MS, signal: context.signal });
  };
  const { ended } = call;
  if (called.occasion === "tool" && ended && sys.lstat(`${home}/state/audit`) !== undefined) {
    const { AuditLog } = await import("../../guard/audit.ts");
    await new AuditLog(home, await locks()).end(
      `${called.name}-${call.session}`,
      ended.command,
      ended,
    );
  }
  const depth = io.env(DEPTH_VARIABLE);
  if (depth !== undefined && Number(depth) !== 0) return undefined;
  const files = new SessionFiles(home, locks);
  const { tree } = place;
  const gitFolder = repositoryAbove(tree)?.gitFolder;
  const { session, agent } = call;
  const who = identify(files, { host: called.name, session, agent, tree, gitFolder, env: io.env });
  if (call.permission !== undefined || files.read({ session })?.permission) {
    const { notePermission } = await import("../../inbox/permission.ts");
    await notePermission(call, who, files);
  }
  if (called.occasion === "permission") return undefined;
  if (called.occasion === "end") {
    return await end(context, { called, call, who, files, tree });
  }
  let opened: Promise<WorkspaceState> | undefined;
  const state = () => opened ??= openStateAt(context, tree);
  const parts: HookParts = {
    files,
    ...ledgersOf(place.root),
    isGone: async (session) => (await state()).records().status.isGone(session),
    isRunning: async (id) => (await state()).records().runs.look(id).state === "running",
    reachOf: async (record) => {
      const [run] = await (await state()).records().runs.ofAll([record]);
      return run?.state !== "nobody" || run.reach.by === "run" ? undefined : run.reach;
    },
    recall: (maxCharacters, prompt) =>
      recallFor(who, { home, maxCharacters, context: prompt?.slice(0, MAX_ASKED), state }),
    notes: async () => {
      if (!(await state()).config.memory.enabled) return "";
      return notesLine(who);
    },
    stopNotes: (before) => stopNotesFor(who, { before, gitFolder, env: io.env, state }),
    humanAnswers: async (known) => await humanAnswersTo(who, { ...known, files }, { home, state }),
  };
  const { host, event: name, occasion } = called;
  if (occasion === "start") {
    if (files.count() > MANY_SESSIONS) await pruneSessions(files);
    await captureWaiting(place.root, state);
    if (hasEnded(files.read({ session }))) await noteBase(await state(), who, "working");
  }
  return await prepareAnswer({ host, name, occasion, call, who }, parts);
}

/** The origin of a file is checked only for what would be delivered. */
function ledgersOf(root: string): Pick<HookParts, "clarifications" | "isForeign"> {
  const folder = `${root}/.agentx/state/clarifications`;
  return {
    clarifications: () => readLedgers(folder),
    isForeign: (record) => {
      const path = `${folder}/issue-${issueNumberOf(record.id)}.json`;
      return Promise.resolve(originOf(root).now()(path, record));
    },
  };
}

async function openStateAt({ io, signal, notes }: Hooked, tree: string): Promise<WorkspaceState> {
  const { openState } = await import("../../workspace/open_state.ts");
  const tell = async (message: string) => note(io, await withoutSecrets(message));
  return openState({ root: tree, signal, notify: (message) => void notes.push(tell(message)) });
}

/** A gate that cannot be read is reported, and does not stop the hook. */
async function humanAnswersTo(
  who: Identity,
  known: Known,
  { home, state }: { home: string; state: () => Promise<WorkspaceState> },
): Promise<HumanAnswers | undefined> {
  const asked = sys.readTextFile(`${home}/state/agent-interactions.json`);
  if (asked === undefined) return undefined;
  const { humanAnswersFor, mayBeUndelivered } = await import("../../hooks/human_answers.ts");
  if (!mayBeUndelivered(asked)) return undefined;
  const { gate, notify } = await state();
  try {
    return await humanAnswersFor(who, gate(), known);
  } catch (error) {
    if (!(error instanceof AgentxError)) throw error;
    notify(error.oneLine);
    return undefined;
  }
}

/** Captures what earlier sessions left, so that this one can recall it. */
async function captureWaiting(root: string, state: () => Promise<WorkspaceState>): Promise<void> {
  const folder = spoolFolder(root);
  if (folder === undefined || new Spool(folder).isEmpty) return;
  await captureSpooled(await state(), { budgetMs: CAPTURE_MS });
}

async function recallFor(
  { agent, issue }: Identity,
  { home, state, ...options }: {
    home: string;
    maxCharacters: number;
    context: string | undefined;
    state: () => Promise<WorkspaceState>;
  },
): Promise<string> {
  if (!hasMemory(home)) return "";
  const memory = await (await state()).memory();
  return (await memory.recall(agent ?? SOME_AGENT, issue ?? PROJECT, options)).section;
}

/** Once a session has ended, others of its role inherit its deliveries, until it is resumed. */
async function noteBase(
  { records, notify }: WorkspaceState,
  who: Identity,
  base: "working" | "done",
): Promise<void> {
  const name = nameOf(who);
  const { issue, hostSession } = who;
  try {
    const { status, events } = records();
    const acted = hostSession === undefined ? [] : status.namesOf(hostSession);
    const names = new Set(name === undefined ? acted : [name, ...acted]);
    if (names.size === 0) return;
    const sessions = new SessionManager(status, events);
    for (const agent of names) {
      const issueNumber = agent === name ? issue : status.bases().get(agent)?.issue ?? null;
      const session = { agent, issueNumber, hostSession };
      if (base === "done") await sessions.end(session);
      else await sessions.start(session);
    }
  } catch (error) {
    if (!(error instanceof AgentxError)) throw error;
    notify(error.oneLine);
  }
}

/** Keeps the recording; the next command that reads memory captures it. */
async function end(
  context: Hooked,
  { called, call, who, files, tree }: {
    called: Called;
    call: HookCall;
    who: Identity;
    files: SessionFiles;
    tree: string;
  },
): Promise<undefined> {
  await noteProof(call, "end", files);
  const { session, isSubagent } = call;
  const transcript = call.transcript ?? knownRecording(called.host, session, context.io);
  if (isSubagent || isEndKnown(call, files)) return undefined;
  const state = await openStateAt(context, tree);
  const { config, notify } = state;
  if ((transcript ?? call.recording) !== undefined && config.memory.enabled) {
    const agent = who.agent ?? SOME_AGENT;
    const isUnfinished = called.host.recordingOf !== undefined;
    const head = {
      host: called.name,
      session,
      agent,
      issue: who.issue ?? PROJECT,
      transcript: transcript ?? null,
      isUnfinished,
    };
    const folder = spoolFolder(state.root);
    if (folder === undefined) {
      notify("The session is not remembered: the state came from elsewhere; see agentx adopt");
    } else new Spool(folder).add(head, call.recording);
  }
  const host = called.host === HOSTS[called.name] ? called.name : null;
  await noteEnd(call, host, files); // after a kill the recording is kept twice, and captured once
  await noteBase(state, who, "done");
  return undefined;
}

/** An id that is no folder name is refused. */
function knownRecording({ recordingOf }: HookHost, session: string, io: Io): string | undefined {
  const isName = /^[A-Za-z0-9][A-Za-z0-9_-]*$/.test(session);
  return isName ? recordingOf?.(session, (name) => io.env(name)) : undefined;
}
