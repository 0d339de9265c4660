// Checks the sharing of a workspace: contact with other machines, their clocks, and problems in their refs.

import { readSettings } from "../config/settings.ts";
import { formatDuration } from "../base/time.ts";
import { AgentxError } from "../base/errors.ts";
import { sys } from "../sys/mod.ts";
import type { WorkspacePlace } from "../workspace/find.ts";
import { birthOf } from "../workspace/state_origin.ts";
import { type Finding, ok, warn } from "./finding.ts";

/** Minimum clock difference that is reported. */
const CLOCK_MS = 5_000;

const MEBIBYTE = 1_048_576;

/** Returns findings on the remote; none for a workspace that is not shared. */
export async function examineMachines({ root, tree }: WorkspacePlace): Promise<Finding[]> {
  const { remotes } = readSettings({ root, tree }, () => {}).config;
  if (!Object.hasOwn(remotes, root)) return [];
  const { id, isOurs } = birthOf(root);
  const { addressOf, isAgreed, problemsIn, Remote } = await import("../remote/remote.ts");
  const place = { root, tree, birth: id ?? "" };
  const remote = isOurs && id !== undefined ? Remote.open(place, { notify: () => {} }) : undefined;
  if (remote === undefined) {
    const why = "your settings name a remote, and you have not agreed to it for this workspace";
    return [
      warn(
        "machines",
        why,
        "Agree to it with: agentx remote git; or stop sharing with: agentx remote none",
      ),
    ];
  }
  const view = remote.view();
  const others = Object.values(view.machines);
  const names = others.length === 0
    ? "no other machine"
    : others.map(({ name }) => name).join(", ");
  const age = view.synced === null
    ? "never synced"
    : `synced ${formatDuration(sys.now() - Date.parse(view.synced))} ago`;
  const size = (await remote.size() / MEBIBYTE).toFixed(1);
  const findings = [
    ok(
      "machines",
      `shared over ${remote.name} with ${names}; ${age}; its refs take ${size} MB here`,
    ),
  ];
  if (view.failed !== null) {
    findings.push(warn("machines", view.failed.why, "Try again with: agentx sync"));
  }
  for (const { name, clockMs } of others) {
    if (Math.abs(clockMs) <= CLOCK_MS) continue;
    const by = formatDuration(Math.abs(clockMs));
    const which = clockMs > 0 ? "ahead of" : "behind";
    const message = `the clock of ${name} is at least ${by} ${which} the one of this machine`;
    findings.push(
      warn(
        "clock",
        message,
        "Synchronise both clocks over the network: they decide when claims end",
      ),
    );
  }
  for (const problem of problemsIn(view)) {
    const next = "It was refused and changes nothing here; ask the user of that machine";
    findings.push(warn("machines", problem, next));
  }
  try {
    if (!await isAgreed(place, await addressOf(place, remote.name))) {
      const why = `the address of ${remote.name} has changed; the one that you agreed to is used`;
      findings.push(warn("machines", why, "Agree to the new one with: agentx remote git"));
    }
  } catch (error) {
    if (!(error instanceof AgentxError)) throw error;
    findings.push(warn("machines", error.summary, error.next ?? "Look at: git remote -v"));
  }
  return findings;
}
