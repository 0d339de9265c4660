// The part of a package that only agentx uses: commands under the key `dev.agentx` of `extensions`, and a folder of
// that name with files that an installation copies to the places where people keep their own. A misfit in this part is
// an error.

import { isObject, objectOf } from "../base/checks.ts";
import { quote } from "../base/quote.ts";
import type { PackageFiles } from "../config/packages.ts";
import { findMisfit, type Schema } from "../base/json_schema.ts";
import { MANIFEST, type Manifest, NAMESPACE } from "./manifest.ts";
import { type PluginProblem, problem } from "./problem.ts";

/** A command of a package. */
export interface PluginCommand {
  /** A description of one line. */
  summary: string;
  /**
   * The program and its arguments. The program is a script or program of the package, such as
   * `./dev.agentx/convert.js`, or the name of an installed program.
   */
  run: string[];
  /** The JSON Schema of the object that the command gets on standard input. */
  input: Record<string, unknown>;
  /** The JSON Schema of the one JSON value that the command prints. */
  output: Record<string, unknown>;
  /** The permissions of the command. */
  permissions: PluginPermissions;
  /** The command is ended after this time. */
  timeoutSeconds: number;
  /** The command is ended if it prints more. */
  maxOutputBytes: number;
}

/** All that a command may do besides reading its package. */
export interface PluginPermissions {
  /**
   * Paths in the working tree that the command may read: `@KEY` means the path under a key of the input, and `@KEY/..`
   * the folder around that path.
   */
  read: string[];
  /** Paths that the command may write, in the same form. */
  write: string[];
  /** True for any host, false for none, or the allowed hosts. */
  network: boolean | string[];
  /** Names of the environment variables that the command gets. */
  env: string[];
}

const TEXTS: Schema = { type: "array", items: { type: "string" } };

const PATHS: Schema = {
  type: "array",
  items: {
    type: "string",
    pattern: /^(?:@\w+(?:\/\.\.)?|(?!\/)(?!.*(?:^|\/)\.\.(?:\/|$))[^@\0][^\0]*)$/.source,
    errorMessage: "must be a path in the working tree, @KEY or @KEY/..",
  },
};

const COMMAND: Schema = {
  type: "object",
  required: ["summary", "run"],
  additionalProperties: false,
  properties: {
    summary: { type: "string", maxLength: 200 },
    run: { type: "array", minItems: 1, items: { type: "string" } },
    input: { type: "object" },
    output: { type: "object" },
    permissions: {
      type: "object",
      additionalProperties: false,
      properties: {
        read: PATHS,
        write: PATHS,
        network: { type: ["boolean", "array"], items: { type: "string" } },
        env: TEXTS,
      },
    },
    timeoutSeconds: { type: "integer", minimum: 1, maximum: 600 },
    maxOutputBytes: { type: "integer", minimum: 1, maximum: 10_000_000 },
  },
};

const OWN: Schema = {
  type: "object",
  additionalProperties: false,
  properties: {
    commands: {
      type: "object",
      propertyNames: { pattern: "^[a-z][a-z0-9-]*$", errorMessage: "must be a-z, 0-9 and -" },
      additionalProperties: COMMAND,
    },
  },
};

/** The supported keywords of JSON Schema. `pattern` is missing, because a pattern of a stranger may run forever. */
const KEYWORDS = ["$schema", "title", "description", "type", "enum", "minimum", "maximum"]
  .concat("maxLength", "minItems", "items", "properties", "required", "additionalProperties");

/**
 * The files to copy: the subfolder in the folder of agentx, the destination in the workspace, and the ending of the
 * names.
 */
const COPIED: readonly (readonly [from: string, to: string, ending: RegExp])[] = [
  ["templates", ".agentx/templates", /\.(md|html)$/],
  ["workflows", ".agentx/workflows", /\.toml$/],
  ["roles", ".github/agents", /\.agent\.md$/],
];

/** A file that an installation copies. */
export interface CopiedFile {
  /** The path from the top of the package. */
  from: string;
  /** The path from the folder that holds `.agentx/`. */
  to: string;
}

export interface Extension {
  commands: Record<string, PluginCommand>;
  copies: CopiedFile[];
  problems: PluginProblem[];
}

export function readExtension({ own }: Manifest, files: PackageFiles): Extension {
  const problems: PluginProblem[] = [];
  const refuse = (why: string) => void problems.push(problem("error", MANIFEST, why));
  const misfit = findMisfit(own, OWN);
  if (misfit !== undefined) refuse(`${NAMESPACE}.${misfit.key} ${misfit.why}`);
  const written = misfit === undefined ? objectOf(own.commands) : {};
  const commands: Record<string, PluginCommand> = {};
  for (const [name, value] of Object.entries(written)) {
    const { permissions, ...rest } = value as Partial<PluginCommand>;
    const none = { read: [], write: [], network: false, env: [] };
    const command = {
      input: { type: "object" },
      output: {},
      timeoutSeconds: 60,
      maxOutputBytes: 1_000_000,
      ...rest,
      permissions: { ...none, ...permissions },
    } as PluginCommand;
    const why = whyNot(command, files);
    if (why !== undefined) refuse(`command ${quote(name)}: ${why}`);
    else commands[name] = command;
  }
  return { commands, copies: copiesOf(files), problems };
}

function whyNot({ run, input, output, permissions }: PluginCommand, files: PackageFiles) {
  const [program] = run;
  if (program.includes("/") && !files.has(program.replace(/^\.\//, ""))) {
    return `there is no ${quote(program)} in the package; a path of it begins with ./`;
  }
  if (input.type !== "object") return 'input must be of type "object"';
  const unknown = unknownKeyword(input) ?? unknownKeyword(output);
  if (unknown !== undefined) {
    return `its schema uses ${quote(unknown)}, which agentx does not check`;
  }
  const key = [...permissions.read, ...permissions.write]
    .map((path) => /^@(\w+)/.exec(path)?.[1])
    .find((key) =>
      key !== undefined && objectOf(objectOf(input.properties)[key]).type !== "string"
    );
  return key && `a permission names ${quote(`@${key}`)}, which is no text of its input`;
}

function unknownKeyword(schema: unknown): string | undefined {
  if (!isObject(schema)) return undefined;
  const { items, properties, additionalProperties } = schema;
  const inner = [items, additionalProperties, ...Object.values(objectOf(properties))];
  return Object.keys(schema).find((key) => !KEYWORDS.includes(key)) ??
    inner.map(unknownKeyword).find((found) => found !== undefined);
}

function copiesOf(files: PackageFiles): CopiedFile[] {
  return COPIED.flatMap(([folder, target, ending]) => {
    const top = `${NAMESPACE}/${folder}/`;
    return [...files.keys()]
      .filter((path) => path.startsWith(top) && !path.slice(top.length).includes("/"))
      .filter((path) => ending.test(path))
      .map((path) => ({ from: path, to: `${target}/${path.slice(top.length)}` }));
  });
}
