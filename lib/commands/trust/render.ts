// Shows what a repository would run, to ask for the user's consent. Pure.

import { encodeJson, terminalBlock, terminalLine } from "../../text/text.ts";
import type { RenderView } from "../../text/view.ts";
import type { TrustPlan } from "../../config/trust.ts";

/** What needs consent, and whether the user agreed. */
export interface Consent extends TrustPlan {
  root: string;
  /** By role: prefixes of the variables that its program gets because of its name. */
  vendorVariables: Record<string, readonly string[]>;
  isTrusted: boolean;
  /** Whether a person was just asked, who has seen the plan. */
  wasAsked: boolean;
}

/** Shows the plan, and whether the user agreed. */
export function renderConsent(output: Consent, view: RenderView): string {
  const { style } = view;
  const state = isEmpty(output)
    ? "There is nothing to agree to: this repository would run nothing."
    : output.isTrusted
    ? style.green("You agreed to this. Any change asks again.")
    : style.yellow("You have not agreed to this: none of it is run or used.");
  const isPlanShown = output.wasAsked || isEmpty(output);
  return isPlanShown ? `  ${state}` : `${renderPlan(output, view)}\n\n  ${state}`;
}

function isEmpty({ agents, files, commands, models, programs, weaker }: TrustPlan): boolean {
  return [agents, files, commands, models, programs, weaker]
    .every((part) => Object.keys(part).length === 0);
}

/** All of it, on as many lines as needed: nobody can agree to what is not shown. */
export function renderPlan(
  { root, agents, vendorVariables, files, commands, models, programs, weaker, isConfined, hash }:
    Consent,
  { style, width }: RenderView,
): string {
  const shown = Object.entries(agents).flatMap(([role, settings]) => [
    `  ${style.bold(terminalLine(role))}`,
    ...whole(encodeJson(settings, 2), width),
    ...vendorVariables[role].map((prefix) => `    gets your variables ${prefix}*`),
  ]);
  const named = files.map(({ name, sha256 }) =>
    `    ${terminalLine(name)}  ${style.dim(sha256 ?? "a folder: what is in it is not covered")}`
  );
  const modelLines = Object.entries(models)
    .flatMap(([role, names]) => whole(`${role}: ${names.join(", ")}`, width));
  const filters = Object.entries(programs)
    .flatMap(([key, value]) => whole(`${key} = ${value}`, width));
  const settings = Object.entries(weaker)
    .flatMap(([key, value]) => whole(`${key} = ${encodeJson(value)}`, width));
  return [
    `  In ${style.bold(terminalLine(root))} these agents would be run:`,
    ...(shown.length > 0 ? shown : ["    (none of its own)"]),
    ...(named.length > 0 ? ["  With these files of the repository, by SHA-256:", ...named] : []),
    ...(commands.length > 0
      ? [
        "  These commands would check or mend what agents made, and run what the project has then:",
        ...commands.flatMap((argv) => whole(encodeJson(argv), width)),
        ...isConfined
          ? []
          : ["  This machine has no sandbox: they could write whatever you may write."],
      ]
      : []),
    ...(modelLines.length > 0 ? ["  These models would be asked, by role:", ...modelLines] : []),
    ...(filters.length > 0 ? ["  Git would start these programs:", ...filters] : []),
    ...(settings.length > 0
      ? ["  And these settings would protect you less than the defaults:", ...settings]
      : []),
    `  Hash: ${hash}`,
  ].join("\n");
}

/** In parts that are short enough to be shown in full. */
function whole(text: string, width: number): string[] {
  return (text.match(/.{1,5000}/gu) ?? []).flatMap((part) =>
    terminalBlock(part, { indent: "    ", width })
  );
}
