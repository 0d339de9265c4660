/**
 * Adds lines to the file of a machine, as one of several processes.
 *
 * @module
 */

import { LineFiles } from "../../lib/remote/line_files.ts";

const [folder, name, count] = Deno.args;
const files = new LineFiles(folder, "desk00000000");
for (let index = 0; index < Number(count); index++) {
  files.add("desk00000000", [{
    ...{ v: 1, id: `desk00000000.${name}-${index}`, uid: "desk00000000-0123456789abcdef" },
    ...{ time: "2026-11-28T12:00:00.000Z", by: "engineer", op: "mark", status: "stale" },
  }]);
}
