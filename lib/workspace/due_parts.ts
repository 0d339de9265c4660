// The parts of a hook that are loaded only when something is due. Most hooks have nothing to say, and load none of
// them.

import { Spool } from "./spool.ts";
import { RUN_VARIABLE } from "../agents/leftovers.ts";
import { SOME_AGENT } from "../base/agent_names.ts";
import { AgentxError } from "../base/errors.ts";
import { TREES } from "../git/step_names.ts";
import { PROJECT } from "../memory/schema.ts";
import { SessionManager } from "../clarify/status/session_manager.ts";
import { humanAnswersFor } from "../hooks/human_answers.ts";
import { type Identity, sessionNameOf } from "../hooks/identity.ts";
import { startLine } from "./notes_line.ts";
import { type DueParts, type HookEvent, noteEnd } from "../hooks/run_hook.ts";
import { hasEnded, type SessionFiles } from "../hooks/session_files.ts";
import { HOSTS } from "../hosts/hosts.ts";
import type { Environment } from "../who/host_session.ts";
import { captureSpooled } from "./capture_spooled.ts";
import { hasMemory } from "./find.ts";
import { START_SYNC_MS, syncBehind } from "./machines.ts";
import { openState } from "./open_state.ts";
import { pruneSessions } from "./session_upkeep.ts";
import type { OpenWorkspaceOptions, WorkspaceState } from "./state.ts";
import { spoolFolder } from "./state_origin.ts";
import { stopNotesFor } from "./stop_notes.ts";

/** Maximum time that the start of a session spends on capturing recordings of earlier sessions. */
const CAPTURE_MS = 2_000;

/**
 * Minimum time between syncs that hooks start, except the first hook of a session. Hooks do not wait for these
 * syncs.
 */
const SYNC_EVERY_MS = 20_000;

/** Number of session files above which old ones are pruned. */
const MANY_SESSIONS = 50;

/** Number of characters of a prompt to use for recall. A prompt says at its beginning what the user wants. */
const MAX_ASKED = 2_000;

interface DueOptions extends Pick<OpenWorkspaceOptions, "signal" | "notify"> {
  tree: string;
  gitFolder: string | undefined;
  files: SessionFiles;
  env: Environment;
  /** Starts agentx with these arguments, in a process that outlives this one. */
  startAgain?: (words: string[]) => void;
}

/** Opens the parts for a session. Throws the errors of `openState`. */
export function openDueParts(
  who: Identity,
  { tree, gitFolder, files, env, startAgain, ...options }: DueOptions,
): DueParts {
  const state = openState({ root: tree, ...options });
  const { root, config, records, notify } = state;
  const sync: DueParts["sync"] = async ({ occasion, call: { session } }) => {
    const remote = await state.remote();
    if (remote === undefined) return;
    const isStart = occasion === "start";
    const [waitMs, everyMs] = isStart ? [START_SYNC_MS, 0] : [0, SYNC_EVERY_MS];
    if (isStart) await files.update({ session }, (file) => void (file.isShared = true));
    await syncBehind(remote, startAgain, { tree, waitMs, everyMs });
  };
  return {
    sync,
    isGone: (session) => records().status.isGone(session),
    isRunning: (id) => records().runs.look(id).state === "running",
    async reachOf(record) {
      const [run] = await records().runs.ofAll([record]);
      return run?.state !== "nobody" || run.reach.by === "run" ? undefined : run.reach;
    },
    async recall(maxCharacters, prompt) {
      // The prompt of a workflow step already contains the recall.
      const isStep = tree.includes(`/${TREES}/`) && env(RUN_VARIABLE) !== undefined;
      if (isStep || !hasMemory(`${root}/.agentx`)) return "";
      const options = { maxCharacters, context: prompt?.slice(0, MAX_ASKED) };
      const { agent, issue } = who;
      return (await (await state.memory()).recall(agent ?? SOME_AGENT, issue ?? PROJECT, options))
        .section;
    },
    startLine: () => startLine(who, config.memory.enabled),
    stopNotes: (before) => stopNotesFor(who, { before, gitFolder, state }),
    async humanAnswers(known) {
      try {
        return await humanAnswersFor(who, await state.gate(), { ...known, files });
      } catch (error) {
        if (!(error instanceof AgentxError)) throw error; // a known error does not stop the hook
        notify(error.oneLine);
        return undefined;
      }
    },
    async begin(event) {
      const { session } = event.call;
      if (files.count() > MANY_SESSIONS) await pruneSessions(files);
      await sync(event);
      await captureSpooled(state, { budgetMs: CAPTURE_MS });
      if (hasEnded(files.read({ session }))) await noteBase(state, who, "working");
    },
    keep: (event) => keepRecording(state, event, env),
    async end(event) {
      keepRecording(state, event, env);
      const { host, called, call } = event;
      const name = host === HOSTS[called].hooks ? called : null;
      await noteEnd(call, name, files); // if killed before this line, the recording is kept twice but captured once
      await noteBase(state, who, "done");
    },
  };
}

/**
 * Keeps the recording of a session until a later command captures it. Recordings of unfinished sessions are kept,
 * too.
 */
function keepRecording(
  { root, config, notify }: WorkspaceState,
  { host, called, occasion, call, who: { agent, issue } }: HookEvent,
  env: Environment,
): void {
  const { session } = call;
  const isName = /^[A-Za-z0-9][A-Za-z0-9_-]*$/.test(session); // the session id becomes part of a file name
  const known = isName && occasion === "end" ? host.recordingOf?.(session, env) : undefined;
  const transcript = call.transcript ?? known;
  if ((transcript ?? call.recording) === undefined || !config.memory.enabled) return;
  const folder = spoolFolder(root);
  if (folder === undefined) {
    return notify("The session is not remembered: the state came from elsewhere; see agentx adopt");
  }
  const head = {
    host: called,
    session,
    agent: agent ?? SOME_AGENT,
    issue: issue ?? PROJECT,
    transcript: transcript ?? null,
    isUnfinished: occasion === "stop" || host.recordingOf !== undefined,
  };
  new Spool(folder).add(head, call.recording);
}

/**
 * Sets the status of the session's agents. After `done`, other sessions of the role inherit its deliveries until it
 * is resumed.
 */
async function noteBase(
  { records, notify }: WorkspaceState,
  who: Identity,
  base: "working" | "done",
): Promise<void> {
  const name = sessionNameOf(who);
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
