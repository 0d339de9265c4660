import { withValue } from "../../config/edit.ts";
import { AgentxError, EXIT_CODES } from "../../base/errors.ts";
import { defineCommand } from "../../cli/command.ts";
import { agrees, whyNobodyIsAsked } from "../../cli/person.ts";
import { flag, optional, word } from "../../cli/spec.ts";
import { addressOf, joinRemote, shownAddress } from "../../remote/remote.ts";
import { sys } from "../../sys/mod.ts";
import { birthOf } from "../../workspace/state_origin.ts";
import { rulingOn } from "../../who/surface.ts";
import { changeSettings } from "../config/change.ts";
import { renderOffer, renderRemote } from "./render.ts";

export const command = defineCommand({
  kind: "remote",
  examples: ["agentx remote git", "agentx remote git upstream"],
  input: {
    branches: flag("Use branches agentx/..., for a forge that refuses other refs"),
    name: optional(word, "Name of the git remote (default: origin)", { placeholder: "NAME" }),
  },
  positional: ["name"],
  async run(context, { name = "origin", branches }) {
    const { io } = context;
    const { root, tree } = await context.openState();
    const { id, isOurs } = birthOf(root);
    if (!isOurs || id === undefined) {
      throw refused(root, "its state is not yours yet: agentx adopt");
    }
    const place = { root, tree, birth: id };
    const found = await addressOf(place, name, branches);
    const machine = { name: sys.hostname, login: sys.env("USER") ?? String(sys.uid() ?? "") };
    const refs = branches ? "agentx/" : "refs/agentx/";
    const output = { remote: name, address: shownAddress(found.address), machine: machine.name };
    const why = whyNobodyIsAsked(io);
    if (why !== undefined) throw refused(root, why);
    const show = () => renderOffer(output, { login: machine.login, refs });
    if (!await agrees(io, "Share it from now on?", show, rulingOn("trust", io))) {
      return { output: { ...output, remote: null }, exitCode: EXIT_CODES.UNTRUSTED };
    }
    await joinRemote(place, found, machine);
    await changeSettings(
      context,
      { global: true },
      (now = {}) => withValue(now, ["remotes", root], name),
    );
    return { output };
  },
  render: renderRemote,
});

function refused(root: string, why: string): AgentxError<"UNTRUSTED"> {
  return new AgentxError("UNTRUSTED", `Cannot share the workspace "${root}": ${why}`, {
    details: { path: root, reason: why },
    next: "A human runs `agentx remote git` at a terminal",
  });
}
