// The timer that makes the system call `agentx schedule run` each minute: a line of cron, or systemd units of the user.

import { AgentxError } from "../base/errors.ts";
import { hashOf } from "../base/hash.ts";
import { shellLine, shellWord } from "../base/quote.ts";
import { findProgram } from "../sys/find_program.ts";
import { replaceFile } from "../sys/replace_file.ts";
import { program } from "../sys/program.ts";
import { sys } from "../sys/mod.ts";

/** The timer of a workspace. */
export interface Timer {
  /** The timer program of this machine; null if it has neither. */
  kind: "cron" | "systemd" | null;
  /** The line for `crontab -e`. */
  cron: string;
  /** The systemd units, by name. */
  units: Record<string, string>;
}

/**
 * The variables to pass on. A minimal PATH would lack the programs that agentx runs, and the XDG variables lead to the
 * folders that store the user's consent.
 */
const PASSED = ["PATH", "XDG_CONFIG_HOME", "XDG_STATE_HOME"];

export function timerFor(root: string): Timer {
  const [first, ...rest] = program.commandLine;
  const command = [findProgram(first) ?? first, ...rest, "--root", root, "schedule", "run"];
  const variables = PASSED.flatMap((name) => {
    const value = sys.env(name);
    return value === undefined ? [] : [`${name}=${value}`];
  });
  const line = shellLine(["env", ...variables, ...command]);
  const name = `agentx-schedule-${hashOf(root)}`;
  const words = (list: readonly string[]) => list.map((word) => quoted(word)).join(" ");
  const kind = findProgram("crontab") ? "cron" : findProgram("systemctl") ? "systemd" : null;
  return {
    kind,
    // An unescaped percent sign ends a line of cron.
    cron: `* * * * * ${line.replaceAll("%", "\\%")} >/dev/null 2>&1 # ${shellWord(name)}`,
    units: {
      [`${name}.service`]: `[Unit]\nDescription=agentx schedule run\n\n[Service]\nType=oneshot\n` +
        `ExecStart=${words(["/usr/bin/env", ...variables, ...command])}\n`,
      [`${name}.timer`]: `[Unit]\nDescription=agentx schedule run\n\n[Timer]\n` +
        `OnCalendar=minutely\n\n[Install]\nWantedBy=timers.target\n`,
    },
  };
}

/** Installs the timer; a second call changes nothing. Throws `IO_ERROR` if the system refuses. */
export async function installTimer({ kind, cron, units }: Timer): Promise<void> {
  if (kind === "cron") {
    const { exitCode, stdout } = await ran(["crontab", "-l"]); // fails if there is no table yet
    const lines = exitCode === 0 ? stdout.split("\n").filter((line) => line !== "") : [];
    if (!lines.includes(cron)) await must(["crontab", "-"], `${[...lines, cron].join("\n")}\n`);
    return;
  }
  const config = sys.env("XDG_CONFIG_HOME") ?? `${sys.env("HOME")}/.config`;
  const folder = `${config}/systemd/user`;
  sys.makeDir(folder);
  for (const [name, text] of Object.entries(units)) replaceFile(`${folder}/${name}`, text);
  await must(["systemctl", "--user", "daemon-reload"]);
  await must(["systemctl", "--user", "enable", "--now", Object.keys(units)[1]]);
}

/** Quotes a word for a unit, where a percent sign and a dollar sign have a special meaning. */
function quoted(word: string): string {
  return `"${word.replace(/["\\]/g, "\\$&").replaceAll("%", "%%").replaceAll("$", "$$$$")}"`;
}

async function ran(argv: readonly string[], stdin = "") {
  const env = Object.fromEntries(sys.envEntries());
  return await sys.run(argv, {
    cwd: "/",
    env,
    stdin,
    timeoutMs: 30_000,
    maxOutputBytes: 1_000_000,
  });
}

async function must(argv: readonly string[], stdin?: string): Promise<void> {
  const { outcome, exitCode, stderr } = await ran(argv, stdin);
  if (outcome === "exited" && exitCode === 0) return;
  const why = stderr.trim().split("\n")[0] || `it ended with ${exitCode ?? outcome}`;
  throw new AgentxError("IO_ERROR", `Cannot install the schedule with "${argv[0]}": ${why}`, {
    details: { operation: "install", path: argv[0], errno: "EXIT" },
    next: "Install it yourself: agentx schedule install shows the line",
  });
}
