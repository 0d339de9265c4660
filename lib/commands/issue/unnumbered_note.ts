import { note } from "../../cli/note.ts";
import type { Io } from "../../cli/io.ts";
import type { IssueScan } from "../../work/issue/issue_store.ts";

/** Notes how issues that share a number, such as `#7~x3fa` after a merge, get their own number. */
export function noteUnnumbered(io: Io, { unnumbered }: Pick<IssueScan, "unnumbered">): void {
  const refs = unnumbered.map(({ ref }) => ref);
  if (refs.length === 0) return;
  note(io, `${refs.join(", ")}: another issue has the number; for a new one: agentx doctor --fix`);
}
