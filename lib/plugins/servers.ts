// The MCP servers of a package, in `mcp.json`. Hosts start them, agentx does not; what does not fit is left out by a
// host that keeps to the specification.

import { isObject, type JsonObject } from "../base/checks.ts";
import { quote } from "../base/quote.ts";
import type { PackageFiles } from "../config/packages.ts";
import { findMisfit, type Schema } from "../base/json_schema.ts";
import { jsonOf, SERVERS_SCHEMA } from "./manifest.ts";
import { type PluginProblem, problem } from "./problem.ts";

/** A server that a host would start or reach. */
export interface PluginServer {
  /** Its key in `mcp.json`. */
  name: string;
  /** The command line, or the address. */
  what: string;
}

const SERVERS = "mcp.json";

const TEXT: Schema = { type: "string" };
const TEXTS: Schema = { type: "object", additionalProperties: TEXT };

const REMOTE: Schema = {
  required: ["type", "url"],
  additionalProperties: false,
  properties: {
    type: TEXT,
    url: { type: "string", pattern: "^https?://", errorMessage: "must be an address of http" },
    headers: TEXTS,
  },
};

const BY_TYPE: Readonly<Record<string, Schema>> = {
  stdio: {
    required: ["type", "command"],
    additionalProperties: false,
    properties: {
      type: TEXT,
      command: {
        type: "string",
        pattern: /^(?:\.\/(?!.*(?:^|\/)\.\.(?:\/|$)).+|[^\s/\\]+)$/.source,
        errorMessage: "must be the name of a program, or a path in the package that begins with ./",
      },
      args: { type: "array", items: TEXT },
      env: {
        type: "object",
        propertyNames: {
          pattern: "^(?!PLUGIN_(?:ROOT|DATA)$)",
          errorMessage: "must leave PLUGIN_ROOT and PLUGIN_DATA to the host",
        },
        additionalProperties: TEXT,
      },
      cwd: {
        type: "string",
        pattern: /^(?!.*(?:^|\/)\.\.(?:\/|$))(?:\.\/|\$\{PLUGIN_(?:ROOT|DATA)\}(?:\/|$))/.source,
        errorMessage: "must begin with ./, ${PLUGIN_ROOT} or ${PLUGIN_DATA}, and stay inside",
      },
    },
  },
  "streamable-http": REMOTE,
  sse: REMOTE,
};

export function readServers(
  files: PackageFiles,
): { servers: PluginServer[]; problems: PluginProblem[] } {
  const [servers, problems]: [PluginServer[], PluginProblem[]] = [[], []];
  const warn = (why: string) => problems.push(problem("warning", SERVERS, why));
  if (!files.has(SERVERS)) return { servers, problems };
  const content = jsonOf(files, SERVERS);
  if (!isObject(content) || !isObject(content.mcpServers)) {
    warn('must be a JSON object with the key "mcpServers"');
    return { servers, problems };
  }
  const { $schema, mcpServers, ...unknown } = content;
  const [other] = Object.keys(unknown);
  if ($schema !== SERVERS_SCHEMA) warn(`$schema must be ${SERVERS_SCHEMA}, as in plugin.json`);
  else if (other !== undefined) warn(`${quote(other)} is no field of it`);
  if (problems.length > 0) return { servers, problems };
  for (const [name, value] of Object.entries(mcpServers as JsonObject)) {
    const why = misfitOf(value, files);
    if (why !== undefined) {
      warn(`server ${quote(name)}: ${why}`);
      continue;
    }
    const { command, args = [], url } = value as { command: string; args?: string[]; url?: string };
    servers.push({ name, what: url ?? [command, ...args].join(" ") });
  }
  return { servers, problems };
}

function misfitOf(value: unknown, files: PackageFiles): string | undefined {
  if (!isObject(value)) return "must be an object";
  const { type, command, url, headers = {} } = value;
  if (typeof type !== "string" || !Object.hasOwn(BY_TYPE, type)) {
    return `type must be one of ${Object.keys(BY_TYPE).join(", ")}`;
  }
  const misfit = findMisfit(value, BY_TYPE[type]);
  if (misfit !== undefined) return `${misfit.key} ${misfit.why}`;
  if (typeof command === "string" && command.startsWith("./")) {
    return files.has(command.slice(2)) ? undefined : `there is no ${command} in the package`;
  }
  if (typeof url !== "string") return undefined;
  const names = Object.keys(headers as JsonObject).map((each) => each.toLowerCase());
  return new Set(names).size < names.length ? "a header is there twice" : whyNoAddress(url);
}

function whyNoAddress(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined) return "url must be an address";
  if (url.username !== "" || url.password !== "" || url.hash !== "") {
    return "url must have no user, password or fragment";
  }
  const isHere = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(url.hostname);
  return url.protocol === "https:" || isHere ? undefined : "url must be https";
}
