/**
 * `agentx hook host HOST EVENT`: what the hooks of a coding agent run. What the host sends is on
 * standard input, what it takes on standard output, and nothing else.
 *
 * @module
 */

import { DEPTH_VARIABLE } from "../../agents/host_session.ts";
import { readLedgerFiles } from "../../clarify/ledger_reading.ts";
import type { ClarificationRecord } from "../../clarify/schema.ts";
import { type Context, defineCommand } from "../../cli/command.ts";
import type { Io } from "../../cli/io.ts";
import { oneOf, rule } from "../../cli/spec.ts";
import { usageError } from "../../cli/usage_error.ts";
import { AgentxError, hasCode } from "../../errors.ts";
import { readCall } from "../../hosts/hook/call.ts";
import {
  callerOf,
  type HookCall,
  type HookHost,
  HOST_NAMES,
  type HostName,
  HOSTS,
  type Occasion,
} from "../../hosts/hook/hosts.ts";
import { identify, type Identity, nameOf } from "../../hosts/hook/identity.ts";
import type { HumanAnswers, Known } from "../../hosts/hook/human_answers.ts";
import {
  type HookParts,
  isEndKnown,
  noteEnd,
  noteProof,
  prepareAnswer,
  type Prepared,
} from "../../hosts/hook/run_hook.ts";
import { hasEnded, SessionFiles } from "../../hosts/hook/session_files.ts";
import { sys } from "../../sys/mod.ts";
import { findWorkspace, hasMemory, type WorkspacePlace } from "../../workspace/find.ts";
import { repositoryAbove } from "../../workspace/git/repository.ts";
import type { SessionPlace } from "../../workspace/session_recall.ts";
import type { WorkspaceState } from "../../workspace/state.ts";

/** A hook waits no longer for a file that another process is changing. */
const MAX_WAIT_MS = 1_000;

/** What earlier sessions left is captured for so long at the start of one. */
const CAPTURE_MS = 2_000;

/** Fewer files of sessions are not looked at. */
const MANY_SESSIONS = 50;

/** Whoever works in a session that does not say in which role. */
const SOME_AGENT = "agent";

/** What a hook did, under `--json` below what its host gets. */
interface HostHookOutput {
  host: HostName;
  occasion: Occasion;
  /** What was printed. */
  answered: "nothing" | "context" | "block";
}

/** Answers a hook of a coding agent, in exactly its form. */
export const host = defineCommand({
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
  },
  positional: ["host", "event"],
  endsSession: () => true,
  async runDirectly(words, io) {
    const [name, event, ...more] = words;
    const isPlain = isHost(name) && more.length === 0 && Object.hasOwn(HOSTS[name].events, event);
    if (!isPlain) return undefined;
    const signal = new AbortController().signal;
    const print = (text: string) => io.stdout(text);
    const context = { io, root: undefined, signal, print, notes: [] };
    return (await answerHook(context, calledBy(name, event))).exitCode;
  },
  async run({ name: command, io, root, signal, isJson }, { host: name, event }) {
    if (!Object.hasOwn(HOSTS[name].events, event)) {
      const known = Object.keys(HOSTS[name].events).join(", ");
      const why = `${name} has no such event that agentx answers; known: ${known}`;
      throw usageError(command, { field: "EVENT", value: event, why });
    }
    const called = calledBy(name, event);
    const print = (text: string) => isJson || io.stdout(text);
    const context = { io, root, signal, print, notes: [] };
    const { answered, exitCode } = await answerHook(context, called);
    return { output: { host: name, occasion: called.occasion, answered }, exitCode };
  },
  render: () => "",
});

function isHost(name: string): name is HostName {
  return (HOST_NAMES as readonly string[]).includes(name);
}

function calledBy(name: HostName, event: string): Called {
  const host = HOSTS[name];
  return { name, host, event, occasion: host.events[event] };
}

/** What a hook may use: little of what other commands do. */
interface Hooked extends Pick<Context, "io" | "root" | "signal"> {
  /** Gives the host what it takes; false if it has gone. */
  print: (text: string) => boolean;
  /** What is being said on standard error. */
  notes: Promise<void>[];
}

/** Answers, and says at once what could not be done: the host goes on. */
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
    const { reportError } = await import("../../cli/errors.ts");
    await reportError(error, { io, json: false });
    exitCode = host.failureCode;
  }
  await Promise.all(notes);
  if (prepared === undefined) {
    if (host.silence !== "") print(`${host.silence}\n`);
    return { answered: "nothing", exitCode };
  }
  const { answer, putOut } = prepared;
  const { encodeJson } = await import("../../text/text.ts");
  const text = encodeJson(host.encode(event, answer));
  if (print(`${text}\n`)) await putOut();
  return { answered: "block" in answer ? "block" : "context", exitCode };
}

/** Who calls a hook. */
interface Called {
  name: HostName;
  host: HookHost;
  event: string;
  occasion: Occasion;
}

/** What was sent, too. */
interface ReadCall extends Called {
  call: HookCall;
}

/** Outside of a workspace, and where agentx itself has run the agent, there is nothing to say. */
async function prepare(context: Hooked, called: ReadCall): Promise<Prepared | undefined> {
  const { io, root } = context;
  const { call } = called;
  const depth = io.env(DEPTH_VARIABLE);
  if (depth !== undefined && Number(depth) !== 0) return undefined;
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
  const files = new SessionFiles(home, locks);
  const { tree } = place;
  const gitFolder = repositoryAbove(tree)?.gitFolder;
  const { session, agent } = call;
  const who = identify(files, { host: called.name, session, agent, tree, gitFolder, env: io.env });
  if (called.occasion === "end") {
    return await end(context, { called, call, who, home, files, tree });
  }
  let opened: Promise<WorkspaceState> | undefined;
  const state = () => opened ??= openStateAt(context, tree);
  const parts: HookParts = {
    files,
    ...ledgersOf(place.root),
    isGone: async (session) => (await (await state()).agentStatus()).isGone(session),
    isRunning: async (id) =>
      (await (await (await state()).records()).runs.look(id)).state === "running",
    recall: (maxCharacters) => recallFor(who, { home, tree, maxCharacters, state, locks }),
    unbound: async () => {
      if (who.issue !== null || !(await state()).config.memory.enabled) return "";
      return (await import("../../hosts/hook/unbound.ts")).unboundLine(who);
    },
    humanAnswers: async (known) => await humanAnswersTo(who, { ...known, files }, { home, state }),
  };
  const { host, event: name, occasion } = called;
  if (occasion === "start") {
    if (files.count() > MANY_SESSIONS) {
      await (await import("../../hosts/hook/session_upkeep.ts")).pruneSessions(files);
    }
    await captureWaiting(home, state);
    if (hasEnded(files.read({ session }))) await noteBase(await state(), who, "working");
  }
  return await prepareAnswer({ host, name, occasion, call, who }, parts);
}

/** Whether a file came with the repository is asked only of what would be told. */
function ledgersOf(root: string): Pick<HookParts, "clarifications" | "isForeign"> {
  const paths = new Map<ClarificationRecord, string>();
  return {
    clarifications: () =>
      readLedgerFiles(`${root}/.agentx/state/clarifications`).flatMap((ledger) => {
        for (const record of ledger.clarifications) paths.set(record, ledger.path);
        return ledger.clarifications;
      }),
    async isForeign(record) {
      const { trackedFiles } = await import("../../workspace/git/tracked.ts");
      return trackedFiles(root)()(paths.get(record) ?? "");
    },
  };
}

async function openStateAt({ io, signal, notes }: Hooked, tree: string): Promise<WorkspaceState> {
  const [{ openState }, { note }, { withoutSecrets }] = await Promise.all([
    import("../../workspace/open_state.ts"),
    import("../../cli/note.ts"),
    import("../../redact/border.ts"),
  ]);
  const tell = async (message: string) => note(io, await withoutSecrets(message));
  return openState({ root: tree, signal, notify: (message) => void notes.push(tell(message)) });
}

/** What cannot be read is said, and holds nothing else up. */
async function humanAnswersTo(
  who: Identity,
  known: Known,
  { home, state }: { home: string; state: () => Promise<WorkspaceState> },
): Promise<HumanAnswers | undefined> {
  const asked = sys.readTextFile(`${home}/state/agent-interactions.json`);
  if (asked === undefined || !asked.includes('"toldAt": null')) return undefined;
  const { gate, notify } = await state();
  const { humanAnswersFor } = await import("../../hosts/hook/human_answers.ts");
  try {
    return await humanAnswersFor(who, await gate(), known);
  } catch (error) {
    if (!(error instanceof AgentxError)) throw error;
    notify(error.oneLine);
    return undefined;
  }
}

/** What earlier sessions left is captured first: this one may recall it. */
async function captureWaiting(home: string, state: () => Promise<WorkspaceState>): Promise<void> {
  if (sys.readDir(`${home}/state/spool`).length === 0) return;
  const { captureSpooled } = await import("../../workspace/capture_spooled.ts");
  await captureSpooled(await state(), { budgetMs: CAPTURE_MS });
}

async function recallFor(
  { agent, issue }: Identity,
  { home, tree, maxCharacters, state, locks }: SessionPlace & {
    tree: string;
    maxCharacters: number;
  },
): Promise<string> {
  if (issue === null || !hasMemory(home)) return "";
  const { recallForSession } = await import("../../workspace/session_recall.ts");
  const wanted = { agent: agent ?? SOME_AGENT, issue, maxCharacters, tree };
  return await recallForSession(wanted, { home, state, locks });
}

/** Once a session has ended, others of its role are told what was meant for it; until it is resumed. */
async function noteBase(
  { agentStatus, shared, notify }: WorkspaceState,
  who: Identity,
  base: "working" | "done",
): Promise<void> {
  const name = nameOf(who);
  if (name === undefined) return;
  const { issue: issueNumber, hostSession } = who;
  try {
    const { SessionManager } = await import("../../memory/session_manager.ts");
    const { events } = await shared();
    const sessions = new SessionManager(await agentStatus(), events);
    const session = { agent: name, issueNumber, hostSession };
    if (base === "done") await sessions.end(session);
    else await sessions.start(session);
  } catch (error) {
    if (!(error instanceof AgentxError)) throw error;
    notify(error.oneLine);
  }
}

/** The recording is kept, and captured by whatever reads memory next. */
async function end(
  context: Hooked,
  { called, call, who, home, files, tree }: {
    called: Called;
    call: HookCall;
    who: Identity;
    home: string;
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
    if (who.issue === null) {
      notify("The session is not remembered: no issue was set for it");
      notify("Set one for the next session with: agentx here --as ROLE --issue N");
    } else {
      const { Spool } = await import("../../hosts/hook/spool.ts");
      const agent = who.agent ?? SOME_AGENT;
      const isUnfinished = called.host.recordingOf !== undefined;
      const head = {
        host: called.name,
        session,
        agent,
        issue: who.issue,
        transcript: transcript ?? null,
        isUnfinished,
      };
      new Spool(home).add(head, call.recording);
    }
  }
  const host = called.host === HOSTS[called.name] ? called.name : null;
  await noteEnd(call, host, files); // a kill before it keeps the recording twice, and it is captured once
  await noteBase(state, who, "done");
  return undefined;
}

/** An id that is no name of a folder leads nowhere. */
function knownRecording({ recordingOf }: HookHost, session: string, io: Io): string | undefined {
  const home = io.env("HOME");
  const isName = /^[A-Za-z0-9][A-Za-z0-9_-]*$/.test(session);
  return recordingOf && home && isName ? `${home}/${recordingOf(session)}` : undefined;
}
