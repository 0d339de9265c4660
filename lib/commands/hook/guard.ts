// Answers the hook before a tool: nothing if the tool may run, else a refusal with the reason, and how a person
// decides. The hook does not wait for this person: the agent reads the refusal, and may try again later.

import { readLimits, type WorkLimits } from "../../agents/working_form.ts";
import { roleOf } from "../../base/agent_names.ts";
import { AgentxError } from "../../base/errors.ts";
import type { Io } from "../../cli/io.ts";
import { AuditLog } from "../../guard/audit.ts";
import { judge, type Judgement, SEVERITY, type TreePlace } from "../../guard/judge.ts";
import { judgePath, type PathLimits } from "../../guard/paths.ts";
import { onlyAgreed, policyOf } from "../../guard/policy.ts";
import { GuardRequests } from "../../guard/requests.ts";
import { readCall, readPayload } from "./call.ts";
import type { HookCall } from "../../hooks/hook_call.ts";
import {
  type GuardHook,
  hasPrompt,
  type ServerUse,
  type ToolUse,
  toolUseOf,
} from "../../hooks/guard_call.ts";
import { HOSTS } from "../../hosts/hosts.ts";
import { identify } from "../../hooks/identity.ts";
import { SessionFiles } from "../../hooks/session_files.ts";
import { FileLockManager } from "../../lock/lock_manager.ts";
import { sys } from "../../sys/mod.ts";
import { encodeJson } from "../../text/text.ts";
import { prefixOf, repositoryAbove } from "../../git/repository.ts";
import { pause } from "../../sys/pause.ts";
import { hostProcess } from "../../who/host_process.ts";
import { isAttended } from "../../who/surface.ts";
import { type Guarded, placeHere } from "../../workspace/guard_place.ts";
import { markAudited, originOf } from "../../workspace/state_origin.ts";
import { mayChange } from "../../config/role_settings.ts";

const MAX_WAIT_MS = 2_000;

/** Maximum time of a check, below the limit that `setup` gives to each host. */
const DEADLINE_MS = 8_000;

/** Returns whether the tool was refused. It is also refused, with the reason, if the check fails or takes too long. */
export async function answerGuard(io: Io, hook: GuardHook): Promise<boolean> {
  const { pass, refuse } = HOSTS[hook.host].hooks.guard!;
  const done = new AbortController();
  const late = pause(DEADLINE_MS, done.signal)
    .then((): Answer => ({ reason: `agentx could not judge it in ${DEADLINE_MS / 1_000} s` }));
  const answer = await Promise.race([judged(io, hook).catch(failed), late]);
  done.abort();
  const { reason, isAllowed, isPrompt } = answer;
  const said = reason !== undefined
    ? refuse(isPrompt ? "ask" : "deny", reason)
    : isAllowed
    ? pass
    : undefined;
  if (said) io.stdout(`${encodeJson(said)}\n`);
  return reason !== undefined;
}

/** The result of a check; a reason refuses the tool. */
interface Answer {
  reason?: string;
  /** Whether the host itself asks its human. */
  isPrompt?: boolean;
  /** Whether the host does not need to ask anybody. */
  isAllowed?: boolean;
}

async function judged(io: Io, { host, event, limits }: GuardHook): Promise<Answer> {
  const payload = readPayload(await io.readStdin());
  const call = readCall(payload, event);
  const use = toolUseOf(payload);
  if (use === undefined) return {};
  const work = limits === undefined ? undefined : readLimits(limits);
  const canPrompt = work === undefined && hasPrompt(host, payload) && isAttended(io.env);
  const answer = await answerTo(use, { host, call, io, work, canPrompt });
  return { ...answer, isAllowed: work !== undefined && ("command" in use || !use.isRead) };
}

/** Makes the refusal after a failed check. A hook that fails in another way would let the tool run. */
function failed(error: unknown): Answer {
  const why = error instanceof AgentxError ? error.oneLine : `a bug: ${String(error)}`;
  return { reason: `agentx could not judge it: ${why}` };
}

/** Judges a call of a tool before it runs, and logs the judgement. It may ask a person. */
export async function answerTo(
  use: ToolUse | ServerUse,
  { host, call: { session, agent: named, cwd }, io, work, canPrompt = false }: {
    host: string;
    call: Pick<HookCall, "session" | "agent" | "cwd">;
    io: Io;
    work: WorkLimits | undefined;
    canPrompt?: boolean;
  },
): Promise<Answer> {
  const guarded = placeHere(cwd);
  const { workspace, place } = guarded;
  if (workspace === undefined) {
    const judgement = judgementOf(use, guarded, { work });
    if (judgement.verdict === "allow") return {};
    const isPrompt = canPrompt && judgement.verdict === "ask";
    return { reason: `${isPrompt ? "Asked" : "Refused"} by agentx: ${said(judgement)}`, isPrompt };
  }
  const home = `${workspace}/.agentx`;
  const locks = new FileLockManager({ maxWaitMs: MAX_WAIT_MS });
  const who = identify(new SessionFiles(home, () => Promise.resolve(locks)), {
    host,
    session,
    agent: named,
    env: io.env,
    tree: place.root,
    gitFolder: repositoryAbove(place.root)?.gitFolder,
  });
  const { agent, issue } = who;
  const judgement = judgementOf(use, guarded, { agent, work });
  const refusal = said(judgement);
  const command = "command" in use ? use.command : judgement.command;
  const { rule } = judgement;
  const line = "command" in use && /^[ -~]{1,190}$/.test(judgement.command)
    ? judgement.command
    : null;
  const isPrompt = canPrompt && judgement.verdict === "ask";
  const asked = judgement.verdict === "ask" && !isPrompt
    ? await new GuardRequests(home, locks, originOf(workspace)).ask({
      session,
      agent,
      issue,
      command,
      line,
      rule,
      reason: judgement.reason,
      process: hostProcess(),
    })
    : undefined;
  const verdict = asked?.isAllowed ? "allow" : judgement.verdict;
  const log = new AuditLog(home, locks);
  await log.add(`${host}-${session}`, {
    agent,
    issue,
    command,
    verdict,
    rule,
    by: asked?.isAllowed ? "human" : isPrompt ? "prompt" : "rules",
    exitCode: null,
    durationMs: null,
  });
  markAudited(workspace);
  if (verdict === "allow") return {};
  if (isPrompt) return { reason: `agentx asks: ${refusal}`, isPrompt };
  if (asked === undefined) return { reason: `Blocked by agentx: ${refusal}. Do it in another way` };
  return {
    reason: asked.request.decision === "refuse"
      ? `A person refused this: ${refusal}`
      : `A person decides this: ${refusal}. They allow it with: agentx answer ` +
        `${asked.request.id} once; then try again. Until then, do other work`,
  };
}

/** Returns the absolute path in the spelling of this process; the host may spell the root in another way. */
function absolute(path: string, { root, cwd, spelledRoot }: TreePlace): string {
  if (spelledRoot !== undefined && path.startsWith(`${spelledRoot}/`)) {
    return root + path.slice(spelledRoot.length);
  }
  return /^[/~]/.test(path) ? path : `${cwd}/${path}`;
}

function said({ reason, rule, command }: Judgement): string {
  return `${reason} (${rule}: ${command})`;
}

/** Returns the strictest judgement on a use of a tool. */
function judgementOf(
  use: ToolUse | ServerUse,
  { place, tree, workspace }: Guarded,
  { agent = null, work }: { agent?: string | null; work?: WorkLimits },
): Judgement {
  const role = agent === null ? undefined : roleOf(agent);
  const may = work?.mayChange ?? (role === undefined ? undefined : mayChange(role, tree));
  const below = prefixOf(tree, place.root);
  const limits: PathLimits = {
    paths: may && { role: role ?? "agent", mayChange: may, below },
    isMerged: work !== undefined,
  };
  if ("server" in use) {
    const reason = "a server of tools may do anything, and this one is not agentx's";
    return { verdict: "ask", rule: "foreign-tool", reason, command: `use ${use.server}` };
  }
  if ("command" in use) {
    const { command, shell, cwd = "." } = use;
    const folder = cwd.startsWith("/") ? cwd : `${place.cwd}/${cwd}`;
    const there = { ...place, cwd: sys.realPath(folder) ?? folder };
    const policy = policyOf(workspace);
    const limited = work === undefined ? policy : onlyAgreed(work.commands, policy);
    return judge(command, { place: there, shell, policy: limited, limits });
  }
  return use.paths.map((path) => absolute(path, place)).map((path) =>
    judgePath(path, use.isRead, place, limits)
  )
    .toSorted((one, other) => SEVERITY[other.verdict] - SEVERITY[one.verdict])[0] ??
    { verdict: "ask", rule: "unknown-file", reason: "it names no file", command: "change ?" };
}
