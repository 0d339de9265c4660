// Checks requests and answers against GitHub's own description, `openapi.json` (made by `cut.ts`).

import { Ajv, type ValidateFunction } from "ajv";

import document from "./openapi.json" with { type: "json" };

interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly schema: object;
}

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly (Parameter | { $ref: string })[];
  readonly requestBody?: { required?: boolean; content: Record<string, { schema: object }> };
  readonly responses: Record<
    string,
    { $ref?: string; content?: Record<string, { schema: object }> }
  >;
}

/** An operation of GitHub, as one request names it. */
export interface Route {
  readonly path: string;
  readonly operation: Operation;
  readonly names: Record<string, string>;
}

const paths = document.paths as unknown as Record<string, Record<string, Operation>>;
const components = document.components as unknown as Record<string, Record<string, object>>;
const lacking = new Set(document.enterpriseLacks);
const patterns = Object.keys(paths).map((path) => ({
  path,
  pattern: new RegExp(
    `^${
      path.replaceAll("{ref}", "(?<ref>.+)")
        .replace(/\{(\w+_(?:number|id))\}/g, "(?<$1>\\d+)")
        .replace(/\{(\w+)\}/g, "(?<$1>[^/]+)")
    }$`,
  ),
}));

const ajv = new Ajv({ strict: false, validateFormats: false, coerceTypes: false });
ajv.addSchema({ $id: "github", ...document });
const compiled = new Map<string, ValidateFunction>();

/** The operation that `method` and `path` name; the path comes without the base address. */
export function routeOf(method: string, path: string): Route | undefined {
  for (const { path: name, pattern } of patterns) {
    const match = pattern.exec(path);
    const operation = paths[name]![method.toLowerCase()];
    if (match === null || operation === undefined) continue;
    const names = Object.entries(match.groups ?? {}).map((
      [key, value],
    ) => [key, decodeURIComponent(value)]);
    return { path: name, operation, names: Object.fromEntries(names) };
  }
  return undefined;
}

/** Whether GitHub Enterprise Server 3.19 has no such operation. */
export function isLacking(route: Route): boolean {
  return lacking.has(route.operation.operationId);
}

/** What the request has that GitHub's description has not, or "". */
export function requestProblem(route: Route, query: URLSearchParams, body: unknown): string {
  const known = new Map((route.operation.parameters ?? []).map((parameter) => {
    const whole = "$ref" in parameter ? resolve(parameter.$ref) as unknown as Parameter : parameter;
    return [whole.name, whole];
  }));
  for (const [name, value] of query) {
    const schema = known.get(name)?.schema;
    if (schema === undefined) return `unknown parameter ${name}`;
    const typed = "type" in schema && schema.type === "integer" ? Number(value) : value;
    if (!check(schema, typed)) return `parameter ${name}: ${errors(schema)}`;
  }
  const schema = route.operation.requestBody?.content["application/json"]?.schema;
  if (schema === undefined) return body === undefined ? "" : "a body where none belongs";
  if (body === undefined) {
    return route.operation.requestBody!.required ? "no body where one is required" : "";
  }
  if (!check(schema, body)) return errors(schema);
  const properties = "properties" in schema ? schema.properties as object : undefined;
  const unknown = properties && Object.keys(body as object).find((name) => !(name in properties));
  return unknown === undefined ? "" : `unknown field ${unknown}`;
}

/** How an answer differs from GitHub's description, or "". */
export function answerProblem(route: Route, status: number, body: unknown): string {
  const named = route.operation.responses[status];
  if (named === undefined) {
    return status >= 300 ? "" : `no answer ${status} is described`;
  }
  const response = named.$ref === undefined ? named : resolve(named.$ref) as typeof named;
  const schema = response.content?.["application/json"]?.schema;
  return schema === undefined || check(schema, body) ? "" : errors(schema);
}

function resolve(reference: string): object {
  const [, , kind, name] = reference.split("/");
  return components[kind!]![name!]!;
}

function check(schema: object, value: unknown): boolean {
  return validator(schema)(value);
}

function validator(schema: object): ValidateFunction {
  const text = JSON.stringify(schema).replaceAll('"#/', '"github#/');
  let found = compiled.get(text);
  if (found === undefined) compiled.set(text, found = ajv.compile(JSON.parse(text)));
  return found;
}

function errors(schema: object): string {
  return ajv.errorsText(validator(schema).errors);
}
