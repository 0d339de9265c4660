import { type CommandEntry, defineCommand } from "../cli/command.ts";
import { flag } from "../cli/spec.ts";
import { examineWorkspace } from "../doctor/doctor.ts";
import { renderFindings } from "../doctor/render.ts";
import { outdatedSetups } from "../setup/check.ts";
import { sys } from "../sys/mod.ts";

/** Exit code if something fails; a warning is not a failure. */
const FAILED = 1;

export const command = (commands: readonly CommandEntry[]) =>
  defineCommand({
    kind: "doctor",
    examples: ["agentx doctor", "agentx doctor --fix"],
    input: {
      fix: flag(
        "Repair what merges and crashed processes left, cut secrets from the state, add missing lines to .gitignore and .gitattributes",
      ),
    },
    async run({ root }, { fix }) {
      const from = root ?? sys.cwd();
      const findings = [
        ...await examineWorkspace(from, { isFixing: fix, commands }),
        ...outdatedSetups(from),
      ];
      const isFailed = findings.some(({ level }) => level === "fail");
      return { output: { findings }, exitCode: isFailed ? FAILED : 0 };
    },
    render: renderFindings,
  });
