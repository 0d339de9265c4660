import { defineCommand } from "../cli/command.ts";
import { flag } from "../cli/spec.ts";
import { examineWorkspace } from "../doctor/doctor.ts";
import { renderFindings } from "../doctor/render.ts";
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
    const findings = await examineWorkspace(root ?? sys.cwd(), { isFixing: fix });
    const isFailed = findings.some(({ level }) => level === "fail");
    return { output: { findings }, exitCode: isFailed ? FAILED : 0 };
  },
  render: renderFindings,
});
