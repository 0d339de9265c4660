// Renders everything that a repository would run and use, to ask for the user's consent. Pure.

import { shellLine } from "../../base/quote.ts";
import { SCHEDULES_PATH } from "../../config/packages.ts";
import type { TrustPlan } from "../../config/trust_plan.ts";
import type { Plugin } from "../../plugins/plugin_manager.ts";
import type { Schedule } from "../../schedule/schedule.ts";
import { encodeJson, terminalLine, wholeBlock } from "../../text/text.ts";
import type { RenderView } from "../../text/view.ts";
import { packageParts } from "../plugin/render.ts";

/** The settings that need consent, and whether the user agreed. */
export interface ShownConsent extends TrustPlan {
  root: string;
  /** For each role, the prefixes of the variables that its program gets because of its name. */
  vendorVariables: Record<string, readonly string[]>;
  /** The packages of the plan. */
  packages: Plugin[];
  /** The scheduled tasks by id. */
  tasks: Record<string, Schedule>;
  /** For each part with its own consent, whether the user agreed to it. */
  agreement: Record<string, boolean>;
  /** The parts that are new or have changed since the user agreed, by name. */
  changes: Record<string, "new" | "changed">;
  isTrusted: boolean;
  /** Whether a person was just shown the plan and asked. */
  wasAsked: boolean;
}

/** Renders the plan, and whether the user agreed. */
export function renderConsent(output: ShownConsent, view: RenderView): string {
  const { style, width } = view;
  const { agreement, wasAsked } = output;
  const parts = Object.keys(agreement);
  const missing = parts.filter((part) => !agreement[part]);
  const state = parts.length === 0
    ? "There is nothing to agree to: this repository would run nothing."
    : missing.length === 0
    ? style.green("You agreed to this. Any change asks again.")
    : missing.length === parts.length
    ? style.yellow("You have not agreed to this: none of it is run or used.")
    : [
      style.yellow("You have not agreed to these, so they are not run or used; the rest is:"),
      ...missing.flatMap((part) => wholeBlock(terminalLine(part), { indent: "    ", width })),
    ].join("\n");
  const isPlanShown = wasAsked || parts.length === 0;
  return isPlanShown ? `  ${state}` : `${renderPlan(output, view)}\n\n  ${state}`;
}

/** Renders the whole plan on as many lines as needed: nobody can agree to a part that is not shown. */
export function renderPlan(consent: ShownConsent, view: RenderView): string {
  const { style, width } = view;
  const { root, agents, vendorVariables, files, commands, models, programs, weaker } = consent;
  const { contents, changes, isConfined, hash } = consent;
  const isRestHeld = [agents, files, commands, models, programs]
    .some((part) => Object.keys(part).length > 0);
  const whole = (text: string) => wholeBlock(text, { indent: "    ", width });
  const shown = Object.entries(agents).flatMap(([role, settings]) => [
    `  ${style.bold(terminalLine(role))}`,
    ...whole(encodeJson(settings, 2)),
    ...vendorVariables[role].map((prefix) => `    gets your variables ${prefix}*`),
  ]);
  const named = files.map(({ name, sha256 }) =>
    `    ${terminalLine(name)}  ${style.dim(sha256 ?? "a folder: what is in it is not covered")}`
  );
  const held = Object.entries(contents).flatMap(([path, hash]) => [
    `  ${style.bold(terminalLine(path))}`,
    ...partsAt(path, consent, view),
    style.dim(`    Hash: ${hash}`),
  ]);
  const section = (heading: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : [`  ${heading}:`, ...lines];
  const entries = (parts: object, show: (part: unknown) => string) =>
    Object.entries(parts).flatMap(([name, part]) => whole(terminalLine(name + show(part))));
  return [
    `  In ${style.bold(terminalLine(root))}${
      shown.length > 0 ? " these agents would be run" : ""
    }:`,
    ...shown,
    ...section("With these files of the repository, by SHA-256", named),
    ...section(
      "These commands would check or mend what agents made, and run what the project has then",
      commands.flatMap((argv) => whole(encodeJson(argv))),
    ),
    ...isConfined
      ? []
      : ["  This machine has no sandbox: they could write whatever you may write."],
    ...section(
      "These models would be asked, by role",
      entries(models, (names) => `: ${(names as string[]).join(", ")}`),
    ),
    ...section("Git would start these programs", entries(programs, (value) => ` = ${value}`)),
    ...section("These packages and schedules would be used, by a hash of all they hold", held),
    ...section(
      "And these settings would protect you less than the defaults",
      entries(weaker, (value) => ` = ${encodeJson(value)}`),
    ),
    ...(held.length === 0
      ? [`  Hash: ${hash}`]
      : isRestHeld
      ? ["  Hash of all but packages and schedules:", `    ${hash}`]
      : []),
    ...section(
      "New or changed since you agreed",
      Object.entries(changes).flatMap(([name, change]) =>
        whole(terminalLine(`${change.padEnd(7)}  ${name}`))
      ),
    ),
  ].join("\n");
}

/** Renders the rights of a package, or the times and commands of the tasks. */
function partsAt(path: string, { packages, tasks }: ShownConsent, view: RenderView): string[] {
  if (path !== SCHEDULES_PATH) {
    return packages.filter((one) => one.path === path).flatMap((one) => packageParts(one, view));
  }
  return Object.entries(tasks).flatMap(([id, { cron, timeZone, run, enabled, timeoutMinutes }]) =>
    wholeBlock(
      terminalLine(
        `${id}: ${cron} ${timeZone}, agentx ${shellLine(run)}` +
          (enabled ? `, for at most ${timeoutMinutes} minutes` : ", off"),
      ),
      { indent: "    ", width: view.width },
    )
  );
}
