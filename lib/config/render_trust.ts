/**
 * What there is to agree to, as people read it. Pure.
 *
 * @module
 */

import { encodeJson, terminalBlock, terminalLine } from "../text/text.ts";
import type { RenderView } from "../text/view.ts";
import type { TrustPlan } from "./trust.ts";

/** What there is to agree to, and whether the user did. */
export interface Consent extends TrustPlan {
  root: string;
  /** By role: what the variables begin with that its program gets for the sake of its name. */
  vendorVariables: Record<string, readonly string[]>;
  isTrusted: boolean;
}

/** @returns the plan, and whether the user agreed */
export function renderConsent(output: Consent, view: RenderView): string {
  const { style } = view;
  const state = isEmpty(output)
    ? "There is nothing to agree to: this repository would run nothing."
    : output.isTrusted
    ? style.green("You agreed to this. Any change asks again.")
    : style.yellow("Nobody agreed to this: nothing of it is run.");
  return isEmpty(output) ? `  ${state}` : `${renderPlan(output, view)}\n\n  ${state}`;
}

function isEmpty({ agents, files }: TrustPlan): boolean {
  return Object.keys(agents).length === 0 && files.length === 0;
}

/** All of it, on as many lines as it takes: what is not shown is not agreed to. */
export function renderPlan(
  { root, agents, vendorVariables, files, hash }: Consent,
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
  return [
    `  In ${style.bold(terminalLine(root))} these agents would be run:`,
    ...(shown.length > 0 ? shown : ["    (none of its own)"]),
    ...(named.length > 0 ? ["  With these files of the repository, by SHA-256:", ...named] : []),
    `  Hash: ${hash}`,
  ].join("\n");
}

/** In parts that are short enough for nothing to be left out. */
function whole(text: string, width: number): string[] {
  return (text.match(/.{1,5000}/gu) ?? []).flatMap((part) =>
    terminalBlock(part, { indent: "    ", width })
  );
}
