// Answers one event of a host, from its payload to its output. Most hooks have nothing to say, so the parts that due
// work needs are loaded only when something is due.

import { DEPTH_VARIABLE } from "../../who/host_session.ts";
import { readWanted } from "../../clarify/ledger/ledger_reading.ts";
import { issueNumberOf } from "../../clarify/schema.ts";
import type { Context } from "../../cli/command.ts";
import { reportError } from "../../cli/errors.ts";
import { note } from "../../cli/note.ts";
import { AgentxError, hasCode } from "../../base/errors.ts";
import { invalidInput } from "../../base/input_checks.ts";
import { AuditLog } from "../../guard/audit.ts";
import type { GuardHook } from "../../hooks/guard_call.ts";
import { mayWait } from "../../hooks/delivery.ts";
import { callingHost, type HookCall } from "../../hooks/hook_call.ts";
import { mayBeUndelivered } from "../../hooks/human_answers.ts";
import { identify } from "../../hooks/identity.ts";
import {
  type DueParts,
  type HookEvent,
  type HookParts,
  isEndKnown,
  noteProof,
  prepareAnswer,
  type Prepared,
} from "../../hooks/run_hook.ts";
import { SessionFiles } from "../../hooks/session_files.ts";
import { noteEdits, pathsBelow } from "../../hooks/shared_files.ts";
import type { Occasion } from "../../hosts/host.ts";
import { type HostName, HOSTS } from "../../hosts/hosts.ts";
import { notePermission } from "../../inbox/permission.ts";
import { FileLockManager } from "../../lock/lock_manager.ts";
import { withoutSecrets } from "../../redact/border.ts";
import { sys } from "../../sys/mod.ts";
import { encodeJson } from "../../text/text.ts";
import { repositoryAbove } from "../../git/repository.ts";
import type { openDueParts } from "../../workspace/due_parts.ts";
import { findWorkspace, type WorkspacePlace } from "../../workspace/find.ts";
import { originOf } from "../../workspace/state_origin.ts";
import { readCall, readPayload } from "./call.ts";

/** Maximum wait for a file that another process is changing. */
const MAX_WAIT_MS = 1_000;

/** The outcome of a hook, and its answer to the host. */
export interface HookResult {
  occasion: Occasion;
  answered: "nothing" | "context" | "block";
  exitCode: number;
}

/** The parts that a hook runs with. */
export interface Hooked extends Pick<Context, "io" | "root" | "signal"> {
  /** Prints to the host; false if it has closed the pipe. */
  print: (text: string) => boolean;
  /** Loads the parts that a hook opens once something is due. */
  openDue: () => Promise<typeof openDueParts>;
}

/** Answers an event of a host. Throws `INVALID_INPUT` for one that agentx does not answer. */
export async function answerEvent(
  context: Hooked,
  { host: name, event }: GuardHook,
): Promise<HookResult> {
  const { hooks: { events } } = HOSTS[name];
  if (!Object.hasOwn(events, event)) {
    const known = Object.keys(events).join(", ");
    throw invalidInput(
      "event",
      event,
      `${name} has no such event that agentx answers; known: ${known}`,
    );
  }
  const occasion = events[event];
  return { occasion, ...await answerHook(context, { called: name, event, occasion }) };
}

/** Answers a hook, and reports a failure at once, because the host continues. */
async function answerHook(
  context: Hooked,
  { called, event, occasion }: { called: HostName; event: string; occasion: Occasion },
): Promise<Omit<HookResult, "occasion">> {
  const { io, print } = context;
  const notes: Promise<void>[] = [];
  const notify = (text: string) =>
    void notes.push(withoutSecrets(text).then((safe) => note(io, safe)));
  let { hooks: host } = HOSTS[called];
  let home: string | undefined;
  let prepared: Prepared | undefined;
  let exitCode = 0;
  const attempt = async (work: () => Promise<void>) => {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof AgentxError)) throw error;
      await reportError(error, { io, json: false });
      exitCode = host.failureCode;
    }
  };
  const locks = () => new FileLockManager({ maxWaitMs: MAX_WAIT_MS, signal: context.signal });
  let call: HookCall | undefined;
  await attempt(async () => {
    call = readCall(readPayload(await io.readStdin()), event);
    host = callingHost(called, call);
    const place = placeOf(context.root ?? call.cwd ?? sys.cwd());
    if (place === undefined) return;
    home = `${place.root}/.agentx`;
    prepared = await prepare({ called, host, event, occasion, call }, {
      ...context,
      ...place,
      notify,
      locks,
    });
  });
  const ended = occasion === "tool" && home !== undefined ? call?.ended : undefined;
  if (ended !== undefined && sys.lstat(`${home}/state/audit`) !== undefined) {
    const session = `${called}-${call!.session}`;
    await attempt(() => new AuditLog(home!, locks()).end(session, ended.command, ended));
  }
  await Promise.all(notes);
  if (prepared === undefined) {
    if (host.silence !== "") print(`${host.silence}\n`);
    return { answered: "nothing", exitCode };
  }
  const { answer, noteWritten } = prepared;
  const text = encodeJson(
    "block" in answer ? host.block(event, answer.block) : host.context(event, answer.context),
  );
  if (print(`${text}\n`)) await noteWritten();
  return { answered: "block" in answer ? "block" : "context", exitCode };
}

/** Finds the workspace around a folder; undefined if there is none. */
function placeOf(start: string): WorkspacePlace | undefined {
  try {
    return findWorkspace(start);
  } catch (error) {
    if (hasCode(error, "NOT_INITIALISED")) return undefined;
    throw error;
  }
}

interface PrepareOptions extends Pick<Hooked, "io" | "signal" | "openDue">, WorkspacePlace {
  notify: (text: string) => void;
  locks: () => FileLockManager;
}

/** Prepares the answer; undefined if nothing is due, or for an agent that agentx itself runs. */
async function prepare(
  event: Omit<HookEvent, "who">,
  { io: { env, startAgain }, signal, openDue, root, tree, notify, locks }: PrepareOptions,
): Promise<Prepared | undefined> {
  const { call, occasion, called } = event;
  const depth = env(DEPTH_VARIABLE);
  if (depth !== undefined && Number(depth) !== 0) return undefined;
  const home = `${root}/.agentx`;
  const files = new SessionFiles(home, locks);
  const { gitFolder, checkout = tree } = repositoryAbove(tree) ?? {};
  const { session, agent } = call;
  const who = identify(files, { host: called, session, agent, tree, gitFolder, env });
  const known = files.read({ session });
  if (call.permission !== undefined || known?.permission) await notePermission(call, who, files);
  if (occasion === "permission") return undefined;
  const changed = occasion === "tool" && call.changed.length > 0
    ? pathsBelow(checkout, call.changed, call.cwd ?? tree)
    : [];
  if (changed.length > 0) {
    await files.update(
      { session },
      (file) => noteEdits(file, changed, { host: called, who, checkout }),
    );
  }
  let opened: Promise<DueParts> | undefined;
  const options = { tree, gitFolder, files, env, startAgain, signal, notify };
  const due = () => opened ??= openDue().then((open) => open(who, options));
  const whole = { ...event, who };
  if (known?.isShared && occasion !== "start") await (await due()).sync(whole);
  if (occasion === "end") {
    await noteProof(call, "end", files);
    if (!call.isSubagent && !isEndKnown(call, files)) await (await due()).end(whole);
    return undefined;
  }
  if (occasion === "stop" && event.host.endsInSilence && !call.isSubagent && !call.isWaiting) {
    (await due()).keep(whole);
  }
  if (occasion === "start") await (await due()).begin(whole);
  return await prepareAnswer(whole, partsOf(home, { files, env, due }));
}

/** Connects the parts of a hook. The origin of a file is checked only for records that would be delivered. */
function partsOf(home: string, parts: Pick<HookParts, "files" | "env" | "due">): HookParts {
  const folder = `${home}/state/clarifications`;
  return {
    ...parts,
    clarifications: () => readWanted(folder, (record) => mayWait(record, sys.now())),
    hasOutcome() {
      const asked = sys.readTextFile(`${home}/state/agent-interactions.json`);
      return asked !== undefined && mayBeUndelivered(asked);
    },
    isForeign: (record) => {
      const path = `${folder}/issue-${issueNumberOf(record.id)}.json`;
      return Promise.resolve(originOf(home.slice(0, -"/.agentx".length)).now()(path, record));
    },
    isGone: async (name) => (await parts.due()).isGone(name),
  };
}
