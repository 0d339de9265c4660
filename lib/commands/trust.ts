import { vendorPrefixes } from "../agents/environment.ts";
import { type CommandEntry, defineCommand } from "../cli/command.ts";
import { agrees, whyNobodyIsAsked } from "../cli/person.ts";
import { flag } from "../cli/spec.ts";
import { renderConsent, renderPlan, type ShownConsent } from "./trust/render.ts";
import { commandsOf } from "../config/runnable.ts";
import type { RepositoryTrust } from "../config/trust.ts";
import type { TrustPlan } from "../config/trust_plan.ts";
import { AgentxError, EXIT_CODES, hasCode } from "../base/errors.ts";
import type { Io } from "../cli/io.ts";
import { note } from "../cli/note.ts";
import { managerOf } from "./plugin/input.ts";
import type { Schedule } from "../schedule/schedule.ts";
import { readSchedules } from "../schedule/scheduler.ts";
import { noteWrongLines } from "./schedule/wrong_lines.ts";
import { rulingOn } from "../who/surface.ts";

export const command = (commands: readonly CommandEntry[]) =>
  defineCommand({
    kind: "trust",
    examples: ["agentx trust", "agentx trust --print", "agentx trust --withdraw"],
    input: {
      print: flag("Only show the list with its hash; agree to nothing"),
      withdraw: flag("Take back all that you agreed to in this repository"),
    },
    conflicts: { withdraw: ["print"] },
    async run(context, { print, withdraw }) {
      const { io } = context;
      const { root, config, trust, records } = await context.openState();
      const consent = await trust();
      if (withdraw) await consent.withdraw();
      const plan = await consent.plan();
      const prefixesOf = (role: string) => commandsOf(config.agents[role]).flatMap(vendorPrefixes);
      const vendorVariables = Object.fromEntries(
        Object.keys(plan.agents).map((role) => [role, [...new Set(prefixesOf(role))]]),
      );
      const tasks = tasksOf(io, { root, locks: records().locks });
      const rows = Object.entries(tasks).map(([id, { run }]) => ({ id, run }));
      await noteWrongLines(io, rows, commands);
      const output: ShownConsent = {
        ...{ root, wasAsked: false, vendorVariables, ...plan, tasks },
        packages: await (await managerOf(context)).list(),
        changes: await consent.changes(plan, tasks),
        ...agreementOn(plan, consent),
      };
      if (print || withdraw || output.isTrusted) return { output };

      const why = whyNobodyIsAsked(io);
      if (why !== undefined) throw notAsked(root, why);
      const question = "Let this repository run this from now on?";
      const ruling = rulingOn("trust", io);
      const isAgreed = await agrees(io, question, (view) => renderPlan(output, view), ruling);
      if (!isAgreed) {
        return { output: { ...output, wasAsked: true }, exitCode: EXIT_CODES.UNTRUSTED };
      }
      await consent.allow(plan, tasks);
      return { output: { ...output, ...agreementOn(plan, consent), wasAsked: true } };
    },
    render: renderConsent,
  });

function agreementOn(plan: TrustPlan, consent: RepositoryTrust) {
  const agreement = consent.agreement(plan);
  return { agreement, isTrusted: !Object.values(agreement).includes(false) };
}

/** Returns the scheduled tasks; none if the schedules cannot be read, because then none runs. */
function tasksOf(
  io: Io,
  where: Parameters<typeof readSchedules>[0],
): Record<string, Schedule> {
  try {
    return readSchedules(where);
  } catch (error) {
    if (!hasCode(error, "INVALID_CONFIG") && !hasCode(error, "CORRUPT_STATE")) throw error;
    note(io, error.oneLine);
    return {};
  }
}

function notAsked(root: string, why: string): AgentxError<"UNTRUSTED"> {
  return new AgentxError("UNTRUSTED", `Cannot trust "${root}": ${why}`, {
    details: { path: root, reason: why },
    next: "A human runs `agentx trust` at a terminal; CI sets AGENTX_TRUST to the hash that " +
      "`agentx trust --print` shows",
  });
}
