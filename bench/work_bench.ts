// How does the ready queue grow? Peer: itself on a tenth of the issues.

import { openWorkspaceParts } from "../lib/workspace/open.ts";
import { workspaceWith } from "./issue_fixture.ts";
import { ratio, target } from "./target.ts";

target({
  name: "ready queue of 1,000 issues / of 100 issues, in process (linear is 10)",
  limit: { atMost: 14 },
  async measure() {
    const [large, small] = await Promise.all(
      [1_000, 100].map((issues) => openWorkspaceParts({ root: workspaceWith(issues) })),
    );
    const list = ({ ready }: typeof large) => async (times: number) => {
      for (let i = 0; i < times; i++) await ready.list();
    };
    return await ratio(list(large), list(small), { times: 5, rounds: 21 });
  },
});
