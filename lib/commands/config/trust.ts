import { vendorPrefixes } from "../../agents/environment.ts";
import { defineCommand } from "../../cli/command.ts";
import { whyNobodyIsAsked } from "../../cli/person.ts";
import { flag } from "../../cli/spec.ts";
import { styleFor } from "../../cli/style.ts";
import type { TrustPlan } from "../../config/trust.ts";
import { AgentxError, EXIT_CODES } from "../../errors.ts";
import { encodeJson, terminalBlock, terminalLine } from "../../text/text.ts";
import type { RenderView } from "../../text/view.ts";

/** What there is to agree to, and whether the user did. */
interface TrustOutput extends TrustPlan {
  root: string;
  /** By role: what the variables begin with that its program gets for the sake of its name. */
  vendorVariables: Record<string, readonly string[]>;
  isTrusted: boolean;
}

/** Shows what the repository would run, and asks a person at a terminal to agree. */
export const command = defineCommand({
  kind: "trust",
  examples: ["agentx trust", "agentx trust --print"],
  input: {
    print: flag("Only show it, with its hash: nothing is agreed"),
  },
  async run(context, { print }) {
    const { io } = context;
    const { root, config, trust } = await context.openState();
    const consent = await trust();
    const plan = await consent.plan();
    const vendorVariables = Object.fromEntries(
      Object.keys(plan.agents)
        .map((role) => [role, vendorPrefixes(config.agents[role].command ?? [])]),
    );
    const isTrusted = consent.isTrusted(plan);
    const output: TrustOutput = { root, isTrusted, vendorVariables, ...plan };
    if (print || output.isTrusted) return { output };

    const why = whyNobodyIsAsked(io);
    if (why !== undefined) throw notAsked(root, why);
    io.stderr(`${renderPlan(output, { style: styleFor(io, "stderr"), width: io.columns })}\n\n`);
    io.stderr("  Let this repository run that from now on? [y/N] ");
    const isAgreed = /^y(es)?$/i.test((await io.readLine()).trim());
    if (!isAgreed) return { output, exitCode: EXIT_CODES.UNTRUSTED };
    await consent.allow(plan);
    return { output: { ...output, isTrusted: true } };
  },
  render(output, view) {
    const { style } = view;
    const state = isEmpty(output)
      ? "There is nothing to agree to: this repository would run nothing."
      : output.isTrusted
      ? style.green("You agreed to this. Any change asks again.")
      : style.yellow("Nobody agreed to this: nothing of it is run.");
    return isEmpty(output) ? `  ${state}` : `${renderPlan(output, view)}\n\n  ${state}`;
  },
});

function isEmpty({ agents, files }: TrustPlan): boolean {
  return Object.keys(agents).length === 0 && files.length === 0;
}

/** All of it, on as many lines as it takes: what is not shown is not agreed to. */
function renderPlan(
  { root, agents, vendorVariables, files, hash }: TrustOutput,
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

function notAsked(root: string, why: string): AgentxError<"UNTRUSTED"> {
  return new AgentxError("UNTRUSTED", `Cannot trust "${root}": ${why}`, {
    details: { path: root, reason: why },
    next: "A person runs `agentx trust` at a terminal; CI sets AGENTX_TRUST to the hash that " +
      "`agentx trust --print` shows",
  });
}
