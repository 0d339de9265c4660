import { vendorPrefixes } from "../agents/environment.ts";
import { defineCommand } from "../cli/command.ts";
import { agrees, whyNobodyIsAsked } from "../cli/person.ts";
import { flag } from "../cli/spec.ts";
import { type Consent, renderConsent, renderPlan } from "./trust/render.ts";
import { commandsOf } from "../config/runnable.ts";
import { AgentxError, EXIT_CODES } from "../base/errors.ts";
import { rulingOn } from "../who/surface.ts";

export const command = defineCommand({
  kind: "trust",
  examples: ["agentx trust", "agentx trust --print"],
  input: {
    print: flag("Only show it with its hash, and agree to nothing"),
  },
  async run(context, { print }) {
    const { io } = context;
    const { root, config, trust } = await context.openState();
    const consent = trust();
    const plan = await consent.plan();
    const prefixesOf = (role: string) => commandsOf(config.agents[role]).flatMap(vendorPrefixes);
    const vendorVariables = Object.fromEntries(
      Object.keys(plan.agents).map((role) => [role, [...new Set(prefixesOf(role))]]),
    );
    const isTrusted = consent.isAgreed(plan);
    const output: Consent = { root, isTrusted, wasAsked: false, vendorVariables, ...plan };
    if (print || output.isTrusted) return { output };

    const why = whyNobodyIsAsked(io);
    if (why !== undefined) throw notAsked(root, why);
    const question = "Let this repository run this from now on?";
    const ruling = rulingOn("trust", io);
    const isAgreed = await agrees(io, question, (view) => renderPlan(output, view), ruling);
    if (!isAgreed) return { output: { ...output, wasAsked: true }, exitCode: EXIT_CODES.UNTRUSTED };
    await consent.allow(plan);
    return { output: { ...output, isTrusted: true, wasAsked: true } };
  },
  render: renderConsent,
});

function notAsked(root: string, why: string): AgentxError<"UNTRUSTED"> {
  return new AgentxError("UNTRUSTED", `Cannot trust "${root}": ${why}`, {
    details: { path: root, reason: why },
    next: "A human runs `agentx trust` at a terminal; CI sets AGENTX_TRUST to the hash that " +
      "`agentx trust --print` shows",
  });
}
