// Runs a command of a package: a child process that reads its package, gets its input and prints its output. Besides
// that, it may do only what its permissions allow.
//
// A script of JavaScript runs with the permissions of Deno, and also in the sandbox if this machine has one. Any other
// program runs in the sandbox. If neither can enforce the permissions, the command is not run; the permissions of Node
// do not limit the network. Deno alone follows links in a folder that may be written, and a sandbox hides only folders
// of keys from reading.

import { isObject, type JsonObject, parseJson } from "../base/checks.ts";
import { AgentxError } from "../base/errors.ts";
import { quote } from "../base/quote.ts";
import { findMisfit } from "../base/json_schema.ts";
import { canConfine, confined } from "../sandbox/confine.ts";
import { protectedPaths } from "../sandbox/walls.ts";
import { findProgram } from "../sys/find_program.ts";
import { isInside } from "../sys/inside.ts";
import { sys } from "../sys/mod.ts";
import type { PluginCommand } from "./extension.ts";

export interface CommandRun {
  /** The names of the package and of its command, for messages. */
  name: string;
  command: PluginCommand;
  input: JsonObject;
  /** The folder of the package. */
  packageFolder: string;
  /** A folder that keeps files of the command between runs. */
  dataFolder: string;
  /** The caller's checkout, which is the working folder of the command. */
  tree: string;
  signal?: AbortSignal;
}

const SCRIPT = /\.(?:[jt]s|mjs)$/;

/** The variables that every program needs. */
const PASSED = ["PATH", "LANG", "TERM", "TZ", "HOME", "DENO_DIR"];

/**
 * Runs a command; returns its output.
 *
 * @throws {AgentxError} `INVALID_INPUT`, `UNTRUSTED` if the permissions cannot be enforced, `AGENT_ERROR` if the
 *   command fails
 */
export async function runCommand(run: CommandRun): Promise<unknown> {
  const { name, command, input, tree, packageFolder, dataFolder, signal } = run;
  const { permissions, timeoutSeconds, maxOutputBytes } = command;
  const misfit = findMisfit(input, { additionalProperties: false, ...command.input });
  if (misfit !== undefined) throw badInput(name, misfit.key, `${misfit.key} ${misfit.why}`, input);
  const paths = (list: readonly string[]) => list.map((path) => pathOf(path, run));
  const [reads, writes] = [paths(permissions.read), paths(permissions.write)];
  sys.makeDir(dataFolder, 0o700);
  const env: Record<string, string> = {
    ...variables([...PASSED, ...permissions.env]),
    NO_COLOR: "1",
    PLUGIN_ROOT: packageFolder,
    PLUGIN_DATA: dataFolder,
  };
  const argv = await held(run, { reads, writes: [...writes, dataFolder], path: env.PATH ?? "" });
  const { outcome, exitCode, stdout, stderr } = await sys.run(argv, {
    cwd: tree,
    env,
    stdin: JSON.stringify(input),
    timeoutMs: timeoutSeconds * 1_000,
    maxOutputBytes,
    signal,
  });
  if (outcome === "aborted") throw signal?.reason;
  const said = stderr.trim().split("\n").find((line) => /error|denied|requires/i.test(line)) ??
    stderr.trim().split("\n").at(-1);
  const reasons = {
    exited: exitCode === 0 ? undefined : `exit code ${exitCode}${said ? `: ${said}` : ""}`,
    timeout: `it did not end within ${timeoutSeconds} s, and was ended`,
    "output-limit": `it printed more than ${maxOutputBytes} bytes, and was ended`,
    "not-found": "there is no such program",
  };
  const why = reasons[outcome];
  if (why !== undefined) throw failed(name, why, stderr);
  let output: unknown;
  try {
    output = parseJson(stdout);
  } catch {
    throw failed(name, "its output is not one JSON value", stderr);
  }
  const wrong = findMisfit(output, command.output);
  if (wrong === undefined) return output;
  throw failed(name, `its output does not fit its schema: ${wrong.key} ${wrong.why}`, stderr);
}

/** Returns the real path that a permission names; it must be in the working tree. */
function pathOf(path: string, { name, tree, input }: CommandRun): string {
  const [, key, above] = /^@(\w+)(\/\.\.)?$/.exec(path) ?? [];
  const given = key === undefined ? path : input[key];
  if (typeof given !== "string") throw badInput(name, key, `${key} is missing`, given);
  const full = given.startsWith("/") ? given : `${tree}/${given}`;
  const named = above === undefined ? full : full.slice(0, full.lastIndexOf("/")) || "/";
  const real = sys.realPath(named) ?? named;
  if (isInside(real, [sys.realPath(tree) ?? tree])) return real;
  throw badInput(name, key ?? path, `${quote(given)} is outside of the working tree`, given);
}

interface Limits {
  reads: readonly string[];
  writes: readonly string[];
  path: string;
}

/** Returns the command line that enforces the permissions. */
async function held(run: CommandRun, limits: Limits): Promise<string[]> {
  const { name, command, packageFolder, tree } = run;
  const [program, ...args] = command.run;
  const { network } = command.permissions;
  const file = program.includes("/") ? `${packageFolder}/${program}` : program;
  const isScript = program.includes("/") && SCRIPT.test(program);
  const deno = isScript ? denoProgram(limits.path) : undefined;
  const node = isScript && !file.endsWith(".ts") ? findProgram("node", limits) : undefined;
  const argv = deno !== undefined
    ? [...underDeno(deno, file, run, limits), ...args]
    : isScript
    ? [node, file, ...args]
    : [file, ...args];
  const [runtime] = argv;
  if (runtime === undefined) throw refused(name, tree, "it needs Deno, or Node for a file .js");
  if (!await canConfine()) {
    if (deno !== undefined) return argv as string[];
    throw refused(name, tree, "neither Deno nor a sandbox is there to hold it to its permissions");
  }
  if (deno === undefined && Array.isArray(network)) {
    throw refused(name, tree, "only Deno can hold it to the hosts that it names");
  }
  const confinement = confined(argv as string[], {
    sandbox: "workspace",
    cwd: tree,
    writes: limits.writes,
    path: limits.path,
    hasNetwork: network !== false,
    shows: [runtime.startsWith("/") ? runtime : packageFolder],
  });
  if (typeof confinement === "string") throw refused(name, tree, confinement);
  return [...confinement.command];
}

function denoProgram(path: string): string | undefined {
  return /\/deno$/.test(sys.execPath) ? sys.execPath : findProgram("deno", { path });
}

/**
 * Returns the command line of Deno. The script's modules must also be part of the package, because Deno asks for no
 * permission for a static import.
 */
function underDeno(
  deno: string,
  script: string,
  { name, command: { permissions }, packageFolder, tree }: CommandRun,
  { reads, writes }: Limits,
): string[] {
  const own = ["--no-config", "--no-lock", "--no-remote", "--no-npm", "--quiet"];
  const info = sys.ask([deno, "info", "--json", ...own, script], {
    cwd: packageFolder,
    stdin: "",
    env: variables(PASSED),
  });
  const graph = info.exitCode === 0 ? parseJson(info.stdout) : undefined;
  const modules = isObject(graph) && Array.isArray(graph.modules) ? graph.modules : [{}];
  const other = modules.find(({ specifier = "", kind }) =>
    kind !== "node" && !String(specifier).startsWith(`file://${encodeURI(packageFolder)}/`)
  );
  if (other !== undefined) {
    const what = quote(String(other.specifier ?? "what Deno cannot read"));
    throw refused(name, tree, `its script loads ${what}, which is not in the package`);
  }
  const list = (flag: string, values: readonly string[]) =>
    values.length === 0
      ? []
      : [`${flag}=${values.map((each) => each.replaceAll(",", ",,")).join(",")}`];
  const { network } = permissions;
  return [
    deno,
    "run",
    "--no-prompt",
    "--cached-only",
    ...own,
    ...list("--allow-read", [packageFolder, ...reads, ...writes]),
    ...list("--allow-write", writes),
    ...list("--deny-write", protectedPaths(tree)),
    ...network === true ? ["--allow-net"] : list("--allow-net", network || []),
    ...list("--allow-env", ["PLUGIN_ROOT", "PLUGIN_DATA", ...permissions.env]),
    script,
  ];
}

function variables(names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.flatMap((name) => {
    const value = sys.env(name);
    return value === undefined ? [] : [[name, value]];
  }));
}

function failed(name: string, reason: string, stderr: string): AgentxError<"AGENT_ERROR"> {
  return new AgentxError("AGENT_ERROR", `Cannot run "${name}": ${reason}`, {
    details: { agent: name, reason, stderr: stderr.slice(-4_000) },
    next: "See its permissions with: agentx plugin",
  });
}

function refused(name: string, tree: string, reason: string): AgentxError<"UNTRUSTED"> {
  return new AgentxError("UNTRUSTED", `Cannot run "${name}": ${reason}`, {
    details: { path: tree, reason },
    next: "Install Deno, or on Linux bubblewrap",
  });
}

function badInput(name: string, field: string, why: string, value: unknown) {
  return new AgentxError("INVALID_INPUT", `Cannot run "${name}": ${why}`, {
    details: { field, value },
    next: "See its input with: agentx plugin --json",
  });
}
