/**
 * `agentx hook host HOST EVENT`: what the hooks of a coding agent run. What the host sends is on
 * standard input, what it takes on standard output, and nothing else.
 *
 * @module
 */

import { DEPTH_VARIABLE } from "../../agents/host_session.ts";
import { ClarificationLedger } from "../../clarify/ledger.ts";
import { type Context, defineCommand } from "../../cli/command.ts";
import { oneOf, rule } from "../../cli/spec.ts";
import { usageError } from "../../cli/usage_error.ts";
import { AgentxError, hasCode } from "../../errors.ts";
import { readCall } from "../../hosts/hook/call.ts";
import {
  type HookCall,
  type HookHost,
  HOST_NAMES,
  type HostName,
  HOSTS,
  type Occasion,
} from "../../hosts/hook/hosts.ts";
import { identify, type Identity } from "../../hosts/hook/identity.ts";
import {
  type HookParts,
  isFirst,
  noteProof,
  prepareAnswer,
  type Prepared,
} from "../../hosts/hook/run_hook.ts";
import { SessionFiles } from "../../hosts/hook/session_files.ts";
import { Spool } from "../../hosts/hook/spool.ts";
import { FileLockManager } from "../../lock/lock_manager.ts";
import { withoutSecrets } from "../../redact/border.ts";
import { sys } from "../../sys/mod.ts";
import { encodeJson } from "../../text/text.ts";
import { findWorkspace, type WorkspacePlace } from "../../workspace/find.ts";
import { repositoryAbove } from "../../workspace/git/repository.ts";
import { trackedFiles } from "../../workspace/git/tracked.ts";
import type { WorkspaceState } from "../../workspace/state.ts";

/** A hook waits no longer for a file that another process is changing. */
const MAX_WAIT_MS = 1_000;

/** What earlier sessions left is captured for so long at the start of one. */
const CAPTURE_MS = 2_000;

/** Whoever works in a session that does not say in which role. */
const SOME_AGENT = "agent";

/** What a hook has to say, for `--json` and for tests: its host gets it as the host writes it. */
interface HostHookOutput {
  host: HostName;
  event: string;
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
  async run(context, { host: name, event }) {
    const host = HOSTS[name];
    const occasion = Object.hasOwn(host.events, event) ? host.events[event] : undefined;
    if (occasion === undefined) {
      const known = Object.keys(host.events).join(", ");
      const why = `${name} has no such event that agentx answers; known: ${known}`;
      throw usageError(context.name, { field: "EVENT", value: event, why });
    }
    const output = (answered: HostHookOutput["answered"]) => ({ host: name, event, answered });
    let prepared: Prepared | undefined;
    try {
      prepared = await prepare(context, { name, host, event, occasion });
    } catch (error) {
      if (!(error instanceof AgentxError)) throw error;
      const { reportError } = await import("../../cli/errors.ts");
      await reportError(error, { io: context.io, json: false });
      print(context, host.silence);
      return { output: output("nothing"), exitCode: host.failureCode };
    }
    if (prepared === undefined) {
      print(context, host.silence);
      return { output: output("nothing") };
    }
    const { answer, putOut } = prepared;
    const isRead = print(context, encodeJson(host.encode(event, await withoutSecrets(answer))));
    if (isRead) await putOut();
    return { output: output("block" in answer ? "block" : "context") };
  },
  render: () => "",
});

function print({ io, isJson }: Context, text: string): boolean {
  return isJson || text === "" || io.stdout(`${text}\n`);
}

/** Who calls a hook. */
interface Called {
  name: HostName;
  host: HookHost;
  event: string;
  occasion: Occasion;
}

/** Outside of a workspace, and where agentx itself has run the agent, there is nothing to say. */
async function prepare(context: Context, called: Called): Promise<Prepared | undefined> {
  const { io, root } = context;
  const call = readCall(await io.readStdin(), called.event);
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
  const locks = new FileLockManager({ maxWaitMs: MAX_WAIT_MS, signal: context.signal });
  const files = new SessionFiles(home, locks);
  const { tree } = place;
  const gitFolder = repositoryAbove(tree)?.gitFolder;
  const { session, agent } = call;
  const who = identify(files, { host: called.name, session, agent, tree, gitFolder, env: io.env });
  if (called.occasion === "end") {
    return await end(context, { called, call, who, home, files, tree });
  }
  const ledger = new ClarificationLedger(`${home}/state/clarifications`, locks, {
    trackedFiles: trackedFiles(place.root),
  });
  let opened: Promise<WorkspaceState> | undefined;
  const state = () => opened ??= openStateAt(context, tree);
  const parts: HookParts = {
    files,
    clarifications: () => ledger.scan().clarifications,
    isGone: async (session) => (await (await state()).agentStatus()).isGone(session),
    isRunning: async (id) => (await (await state()).runs.look(id)).state === "running",
    recall: async (maxCharacters) => await recallFor(await state(), { who, maxCharacters }),
  };
  const { host, event: name, occasion } = called;
  if (occasion === "start") await captureWaiting(home, state);
  return await prepareAnswer({ host, name, occasion, call, who }, parts);
}

async function openStateAt({ io, signal }: Context, tree: string): Promise<WorkspaceState> {
  const [{ openState }, { note }] = await Promise.all([
    import("../../workspace/state.ts"),
    import("../../cli/note.ts"),
  ]);
  return openState({ root: tree, signal, notify: (message) => note(io, message) });
}

/** What earlier sessions left is captured first: this one may recall it. */
async function captureWaiting(home: string, state: () => Promise<WorkspaceState>): Promise<void> {
  if (new Spool(home).isEmpty) return;
  const { captureSpooled } = await import("../../workspace/capture_spooled.ts");
  await captureSpooled(await state(), { budgetMs: CAPTURE_MS });
}

/** Nothing is loaded for nothing. */
async function recallFor(
  { memory, config, root }: WorkspaceState,
  { who: { agent, issue }, maxCharacters }: { who: Identity; maxCharacters: number },
): Promise<string> {
  const hasMemory = sys.lstat(`${root}/.agentx/memory`) !== undefined;
  if (issue === null || !config.memory.enabled || !hasMemory) return "";
  const { section } = await (await memory()).recall(agent ?? SOME_AGENT, issue, { maxCharacters });
  return section;
}

/** The recording is kept, and captured by whatever reads memory next. */
async function end(
  context: Context,
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
  const { session, transcript, isSubagent } = call;
  if (isSubagent || transcript === undefined) return undefined;
  const { config, notify } = await openStateAt(context, tree);
  if (!config.memory.enabled) return undefined;
  if (who.issue === null) {
    notify("The session is not remembered: nobody said which issue it was about");
    notify("Say it of the next one with: agentx here --as ROLE --issue N");
    return undefined;
  }
  const head = { host: called.name, session, agent: who.agent ?? SOME_AGENT, issue: who.issue };
  if (await isFirst(call, files)) new Spool(home).add(head, transcript);
  return undefined;
}
