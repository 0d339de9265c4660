// The subject of a user's consent: all that a repository would run and use, as it is now. Pure, but for the workflows that
// it reads; `trust.ts` makes a plan and knows the consent.

import { orElse } from "../base/errors.ts";
import { encodeJson } from "../text/text.ts";
import { listWorkflows, readWorkflow } from "./workflow.ts";

/** The subject of a user's consent. */
export interface TrustPlan {
  /** `agents` of the repository's own file. */
  agents: Record<string, unknown>;
  /** The files of the repository that commands name. */
  files: TrustedFile[];
  /** The command lines that steps of workflows are checked by, or mend files, each once. */
  commands: string[][];
  /** The models that definitions of roles name, by role. */
  models: Record<string, string[]>;
  /** Filters, merge drivers and programs that sign that only the settings of the repository's git name, by setting. */
  programs: Record<string, string>;
  /** Settings that protect the user less than the default, by key. */
  weaker: Record<string, unknown>;
  /** Packages and scheduled tasks, by path in the workspace, and the hash of what each holds. */
  contents: Record<string, string>;
  /** Whether the commands run in a sandbox, where there are any. */
  isConfined: boolean;
  /** SHA-256 of agents and files, in hexadecimal. */
  hash: string;
}

export interface TrustedFile {
  /** Relative to the working folder of agents. */
  name: string;
  /** Hash of its content in hexadecimal; null for a folder: its content is not covered. */
  sha256: string | null;
}

/** The part of a plan that one hash covers. */
export type HashedPlan = Pick<
  TrustPlan,
  "agents" | "files" | "commands" | "models" | "programs" | "hash"
>;

/** The scheduled tasks by id, to tell which of them changed. */
export type Tasks = Readonly<Record<string, unknown>>;

/** The parts of a plan besides its contents, and the tasks, each by a name in words. */
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

/** Each command line of a workflow once; a workflow that cannot be read is not used, so nothing of it is run. */
export function commandsOfWorkflows(folder: string): string[][] {
  const commands = listWorkflows(folder).flatMap((type) => {
    const steps = orElse([], () => readWorkflow(folder, type).steps, "INVALID_CONFIG");
    return steps.flatMap(({ evidence, fixers }) => [...evidence, ...Object.values(fixers)]);
  });
  const byText = new Map(commands.map((argv) => [encodeJson(argv), argv]));
  return [...byText.keys()].sort().map((text) => byText.get(text)!);
}
