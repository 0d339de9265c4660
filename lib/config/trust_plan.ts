// The subject of a user's consent: everything that a repository would run and use, as it is now. Pure, except that it
// reads workflows; `trust.ts` makes a plan and knows the consent.

import { orElse } from "../base/errors.ts";
import { encodeJson } from "../text/text.ts";
import { listWorkflows, readWorkflow } from "./workflow.ts";

/** The subject of a user's consent. */
export interface TrustPlan {
  /** `agents` of the repository's own file. */
  agents: Record<string, unknown>;
  /** The files of the repository that the commands of agents name. */
  files: TrustedFile[];
  /** The command lines by which workflows check steps or fix files, each once. */
  commands: string[][];
  /** The models that definitions of roles name, by role. */
  models: Record<string, string[]>;
  /**
   * Programs that git would start and that only the repository's own git settings name: filters, merge drivers and
   * signing programs. By setting.
   */
  programs: Record<string, string>;
  /** Settings that protect the user less than the default, by key. */
  weaker: Record<string, unknown>;
  /** The hash of each package and of the scheduled tasks, by path in the workspace. */
  contents: Record<string, string>;
  /** Whether the commands of workflows run in a sandbox. True if there are no commands. */
  isConfined: boolean;
  /** SHA-256 of the parts in {@linkcode HashedPlan}, in hexadecimal. */
  hash: string;
}

export interface TrustedFile {
  /** The path relative to the working folder of agents. */
  name: string;
  /** Hash of the file in hexadecimal. Null for a folder, because the content of folders is not covered. */
  sha256: string | null;
}

/** The part of a plan that one hash covers. */
export type HashedPlan = Pick<
  TrustPlan,
  "agents" | "files" | "commands" | "models" | "programs" | "hash"
>;

/** The scheduled tasks by id. They show which task has changed. */
export type Tasks = Readonly<Record<string, unknown>>;

/** Returns the parts of a plan except its contents, and the tasks, each with a name in words. */
export function consentParts(
  { agents, files, commands, models, programs, weaker }: TrustPlan,
  tasks: Tasks,
): [name: string, part: unknown][] {
  const named = (kind: string, parts: object) =>
    Object.entries(parts).map(([name, part]): [string, unknown] => [`${kind} ${name}`, part]);
  return [
    ...named("agent", agents),
    ...named("file", Object.fromEntries(files.map(({ name, sha256 }) => [name, sha256]))),
    ...named("command", Object.fromEntries(commands.map((argv) => [encodeJson(argv), argv]))),
    ...named("models of", models),
    ...named("program of git", programs),
    ...named("setting", weaker),
    ...named("task", tasks),
  ];
}

/**
 * Returns each command line of the workflows once. A workflow that cannot be read is not used, so its commands are
 * never run.
 */
export function commandsOfWorkflows(folder: string): string[][] {
  const commands = listWorkflows(folder).flatMap((type) => {
    const steps = orElse([], () => readWorkflow(folder, type).steps, "INVALID_CONFIG");
    return steps.flatMap(({ evidence, fixers }) => [...evidence, ...Object.values(fixers)]);
  });
  const byText = new Map(commands.map((argv) => [encodeJson(argv), argv]));
  return [...byText.keys()].sort().map((text) => byText.get(text)!);
}
