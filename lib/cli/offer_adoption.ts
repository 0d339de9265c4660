// Reports that a state was copied from another place, and asks a person once whether to adopt it.

import { adoptionOf } from "../workspace/adoption.ts";
import { adopt, wasOffered } from "../workspace/state_origin.ts";
import { renderAdoption } from "../workspace/render_adoption.ts";
import type { WorkspaceState } from "../workspace/state.ts";
import type { Io } from "./io.ts";
import { note } from "./note.ts";
import { agrees, whyNobodyIsAsked } from "./person.ts";

export async function offerAdoption(
  state: WorkspaceState,
  { io, isJson }: { io: Io; isJson: boolean },
): Promise<void> {
  const { root } = state;
  if (!isJson && whyNobodyIsAsked(io) === undefined && !wasOffered(root)) {
    const adoption = adoptionOf(state);
    if (await agrees(io, "Adopt it?", (view) => renderAdoption(adoption, view))) return adopt(root);
  }
  const place = `"${root}/.agentx/state"`;
  note(
    io,
    `${place} came from elsewhere: agentx shows it, and does not act on it. To accept it: agentx adopt`,
  );
}
