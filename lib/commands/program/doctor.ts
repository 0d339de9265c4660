import { defineCommand } from "../../cli/command.ts";
import { flag } from "../../cli/spec.ts";
import type { Finding } from "../../doctor/finding.ts";
import type { Mark } from "../../text/style.ts";
import { terminalBlock } from "../../text/text.ts";
import type { RenderView } from "../../text/view.ts";

/** Exit code where something fails; a warning is no failure. */
const FAILED = 1;

const MARKS: Record<Finding["level"] | "fixed", Mark> = {
  ok: "green",
  fixed: "cyan",
  warn: "yellow",
  fail: "red",
};

/** Looks at everything that the toolkit relies on. */
export const command = defineCommand({
  kind: "doctor",
  examples: ["agentx doctor", "agentx doctor --fix"],
  input: {
    fix: flag(
      "Clear up after merges and dead writers, cut secrets in the state, complete git's files",
    ),
  },
  async run({ root }, { fix }) {
    const { examineWorkspace } = await import("../../doctor/doctor.ts");
    const findings = await examineWorkspace({ root, isFixing: fix });
    const isFailed = findings.some(({ level }) => level === "fail");
    return { output: { findings }, exitCode: isFailed ? FAILED : 0 };
  },
  render({ findings }, view) {
    const count = (level: Finding["level"]) =>
      findings.filter((finding) => finding.level === level).length;
    const lines = findings.map((finding) => renderFinding(finding, view));
    return [...lines, "", `  fail: ${count("fail")}, warn: ${count("warn")}`].join("\n");
  },
});

function renderFinding(finding: Finding, { style, width }: RenderView): string {
  const { check, level, message, next, isFixed } = finding;
  const word = isFixed ? "fixed" : level;
  const start = `  ${word.padEnd(5)}  ${check.padEnd(9)}  `;
  const block = (text: string) => terminalBlock(text, { indent: " ".repeat(start.length), width });
  const [first, ...rest] = block(message);
  return [
    start.replace(word, style[MARKS[word]]) + first.slice(start.length),
    ...rest,
    ...next === null ? [] : block(next).map((line) => style.dim(line)),
  ].join("\n");
}
