// The manifest of a package in the form of Agent Plugins 1.0.0. Its schema is closed: an unknown field is reported and
// ignored, and any other misfit refuses the package.

import { isObject, type JsonObject, objectOf, tryParseJson } from "../base/checks.ts";
import { quote } from "../base/quote.ts";
import type { PackageFiles } from "../config/packages.ts";
import { findMisfit, type Schema } from "../base/json_schema.ts";
import { type PluginProblem, problem } from "./problem.ts";

export const MANIFEST = "plugin.json";

const SCHEMAS = "https://agent-plugins.org/schemas/1.0.0";
export const PLUGIN_SCHEMA = `${SCHEMAS}/plugin.schema.json`;
export const SERVERS_SCHEMA = `${SCHEMAS}/mcp.schema.json`;

/** The part of a package that belongs to agentx: a key of `extensions`, and the name of a folder. */
export const NAMESPACE = "dev.agentx";

const TEXT: Schema = { type: "string" };

const FIELDS: Schema = {
  type: "object",
  required: ["$schema", "name"],
  additionalProperties: false,
  properties: {
    $schema: TEXT,
    name: {
      type: "string",
      pattern: /^(?=.{1,64}$)(?!.*(?:--|\.\.))[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/.source,
      errorMessage:
        "must be 1 to 64 of a-z, 0-9, - and ., with no - or . at an end or twice in a row",
    },
    version: TEXT,
    description: TEXT,
    author: {
      type: "object",
      additionalProperties: false,
      properties: { name: TEXT, email: TEXT, url: TEXT },
    },
    homepage: TEXT,
    repository: TEXT,
    license: TEXT,
    keywords: { type: "array", items: TEXT },
    extensions: { type: "object", additionalProperties: { type: "object" } },
  },
};

/** The content of a manifest. */
export interface Manifest {
  name: string;
  version: string | null;
  description: string;
  /** The part of the manifest that belongs to agentx. */
  own: JsonObject;
}

/** Reads `plugin.json`; the manifest is undefined if a problem refuses the package. */
export function readManifest(
  files: PackageFiles,
): { manifest: Manifest | undefined; problems: PluginProblem[] } {
  const refuse = (why: string) => ({
    manifest: undefined,
    problems: [problem("error", MANIFEST, why)],
  });
  if (!files.has(MANIFEST)) {
    const others = [...files.keys()].filter((path) => path.endsWith(`/${MANIFEST}`)).slice(0, 3);
    const only = others.length > 0 ? `, only ${others.join(", ")}` : "";
    return refuse(`there is none at the top of the package${only}`);
  }
  const content = jsonOf(files, MANIFEST);
  if (!isObject(content)) return refuse("must be a JSON object");
  if (content.$schema !== PLUGIN_SCHEMA) {
    const hosts = "Codex refuses it as well, Claude Code and Copilot load it";
    const is = content.$schema === undefined ? "missing" : quote(content.$schema);
    return refuse(`$schema must be ${PLUGIN_SCHEMA}, but is ${is}; ${hosts}`);
  }
  const known: JsonObject = {};
  const problems: PluginProblem[] = [];
  for (const [name, value] of Object.entries(content)) {
    const isExtension = name === "extensions";
    if (!Object.hasOwn(FIELDS.properties!, name)) {
      const why =
        'is no field of it, and hosts ignore it; data of a client belongs into "extensions"';
      problems.push(problem("warning", MANIFEST, `${quote(name)} ${why}`));
    } else if (isExtension && !isObject(value)) {
      problems.push(problem("warning", MANIFEST, '"extensions" must be an object, and is ignored'));
    } else known[name] = value;
  }
  const misfit = findMisfit(known, FIELDS);
  if (misfit !== undefined) return refuse(`${misfit.key} ${misfit.why}`);
  const { name, version = null, description = "", extensions } = known;
  const own = objectOf(objectOf(extensions)[NAMESPACE]);
  return { manifest: { name, version, description, own } as Manifest, problems };
}

/** Returns the JSON value of a file of a package; undefined if the file is missing or not JSON. */
export function jsonOf(files: PackageFiles, path: string): unknown {
  return tryParseJson(packageText(files, path));
}

export function packageText(files: PackageFiles, path: string): string {
  return new TextDecoder().decode(files.get(path)?.bytes);
}
