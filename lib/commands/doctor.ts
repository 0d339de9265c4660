import { defineCommand } from "../cli/command.ts";
import { flag } from "../cli/spec.ts";
import { examineWorkspace } from "../doctor/doctor.ts";
import { renderFindings } from "../doctor/render.ts";
import { outdatedSetups } from "../setup/check.ts";
import { sys } from "../sys/mod.ts";

/** Exit code where something fails; a warning is not a failure. */
const FAILED = 1;

export const command = defineCommand({
  kind: "doctor",
  examples: ["agentx doctor", "agentx doctor --fix"],
  input: {
    fix: flag(
      "Clear up after merges and dead writers, cut secrets in the state, complete git's files",
    ),
  },
  async run({ root }, { fix }) {
    const from = root ?? sys.cwd();
    const findings = [
      ...await examineWorkspace(from, { isFixing: fix }),
      ...outdatedSetups(from),
    ];
    const isFailed = findings.some(({ level }) => level === "fail");
    return { output: { findings }, exitCode: isFailed ? FAILED : 0 };
  },
  render: renderFindings,
});
