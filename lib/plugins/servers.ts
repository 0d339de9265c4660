// The MCP servers of a package, from `mcp.json`. Hosts start them, agentx does not. A host that follows the
// specification leaves out a server that does not fit.

import { isObject, type JsonObject } from "../base/checks.ts";
import { quote } from "../base/quote.ts";
import type { PackageFiles } from "../config/packages.ts";
import { findMisfit, type Schema } from "../base/json_schema.ts";
import { jsonOf, SERVERS_SCHEMA } from "./manifest.ts";
import { type PluginProblem, problem } from "./problem.ts";

/** A server that a host would start or reach. */
export interface PluginServer {
  /** The key in `mcp.json`. */
  name: string;
  /** The command line or the address of the server. */
  what: string;
}

const SERVERS = "mcp.json";

/** Matches the start of a working folder. */
const FOLDER = /^(?:\.(?=\/)|\$\{PLUGIN_(?:ROOT|DATA)\}(?=\/|$))/;

const TEXT: Schema = { type: "string" };

const REMOTE: Schema = {
  required: ["type", "url"],
  additionalProperties: false,
  properties: {
    type: TEXT,
    url: { type: "string", pattern: "^https?://", errorMessage: "must be an address of http" },
    headers: {
      type: "object",
      propertyNames: {
        pattern: "^[\\w!#$%&'*+.^`|~-]+$",
        errorMessage: "must be the name of a header",
      },
      additionalProperties: {
        type: "string",
        pattern: "^[\\t\\x20-\\x7e\\x80-\\xff]*$",
        errorMessage: "must be the value of a header",
      },
    },
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
        pattern: /^(?:\.\/.+|[^\s/\\]+)$/.source,
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
        pattern: FOLDER.source,
        errorMessage: "must begin with ./, ${PLUGIN_ROOT} or ${PLUGIN_DATA}",
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
  if (!files.has(SERVERS)) {
    const isFolder = [...files.keys()].some((path) => path.startsWith(`${SERVERS}/`));
    if (isFolder) warn("must be a file");
    return { servers, problems };
  }
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
  const { type, command, cwd, url, headers = {} } = value;
  if (typeof type !== "string" || !Object.hasOwn(BY_TYPE, type)) {
    return `type must be one of ${Object.keys(BY_TYPE).join(", ")}`;
  }
  const misfit = findMisfit(value, BY_TYPE[type]);
  if (misfit !== undefined) return `${misfit.key} ${misfit.why}`;
  if (typeof cwd === "string" && inside(cwd.replace(FOLDER, "")) === undefined) {
    return `cwd must stay inside, but is ${quote(cwd)}`;
  }
  if (typeof command === "string" && command.startsWith("./")) {
    const isThere = files.has(inside(command) ?? "");
    return isThere ? undefined : `there is no ${command} in the package`;
  }
  if (typeof url !== "string") return undefined;
  const names = Object.keys(headers as JsonObject).map((each) => each.toLowerCase());
  return new Set(names).size < names.length ? "a header is there twice" : whyNoAddress(url);
}

/** Returns a path without `.` and `..`; undefined if it leads out of its folder. */
function inside(path: string): string | undefined {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === ".." && parts.pop() === undefined) return undefined;
    if (!["", ".", ".."].includes(part)) parts.push(part);
  }
  return parts.join("/");
}

function whyNoAddress(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined) return "url must be an address";
  if (/#|^\w+:\/\/[^/?]*@/.test(text)) {
    return "url must have no user, password or fragment";
  }
  const isHere = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(url.hostname);
  return url.protocol === "https:" || isHere ? undefined : "url must be https";
}
