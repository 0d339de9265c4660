// The part of JSON Schema that `config.schema.json` and packages use: checking a value, and filling in defaults.

import { isObject, type JsonObject } from "./checks.ts";
import { clip, quote } from "./quote.ts";

/** A schema; its keywords have the meaning of draft-07. */
export interface Schema {
  type?: string | string[];
  enum?: unknown[];
  pattern?: string;
  minimum?: number;
  exclusiveMinimum?: number;
  maximum?: number;
  minItems?: number;
  maxLength?: number;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  propertyNames?: Schema;
  additionalProperties?: Schema | false;
  default?: unknown;
  /** States the rule for the value in messages; some editors show it, too. */
  errorMessage?: string;
}

export interface Misfit {
  /** Keys and indexes joined by dots; empty if the whole value does not fit. */
  key: string;
  /** The expected value and the actual one, as a clause. */
  why: string;
}

/** Checks a parsed JSON value against a schema; returns the first misfit, or undefined if the value fits. */
export function findMisfit(value: unknown, schema: Schema): Misfit | undefined {
  return misfitsAt([], value, schema).next().value;
}

/** Returns all misfits of a value, in its order. */
export function findMisfits(value: unknown, schema: Schema): Misfit[] {
  return [...misfitsAt([], value, schema)];
}

/** Returns the schema for a path of keys; undefined if the schema does not know the path. */
export function schemaAt(names: readonly string[], schema: Schema): Schema | undefined {
  let found: Schema | undefined = schema;
  for (const name of names) found = found && schemaOf(name, found);
  return found;
}

/** Returns an object with the defaults of its schema filled in at every depth. Unknown keys are kept. */
export function withDefaults(object: JsonObject, schema: Schema): JsonObject {
  const completed: JsonObject = { ...object };
  for (const [name, { default: value }] of Object.entries(schema.properties ?? {})) {
    if (value !== undefined && !Object.hasOwn(object, name)) completed[name] = value;
  }
  for (const [name, value] of Object.entries(completed)) {
    const child = schemaOf(name, schema);
    if (child !== undefined && isObject(value)) completed[name] = withDefaults(value, child);
  }
  return completed;
}

function* misfitsAt(
  names: string[],
  value: unknown,
  schema: Schema,
): Generator<Misfit, undefined> {
  if (!fits(value, schema)) {
    const isLong = typeof value === "string" && value.length > (schema.maxLength ?? Infinity);
    const is = isLong ? `has ${value.length}` : `is ${quote(value)}`;
    const why = `${schema.errorMessage ?? mustBe(schema)}, but ${is}`;
    yield { key: names.map(clip).join("."), why };
    return;
  }
  if (!isObject(value) && !Array.isArray(value)) return;
  const required = Array.isArray(value) ? [] : schema.required ?? [];
  for (const name of required.filter((name) => !Object.hasOwn(value, name))) {
    yield { key: [...names, name].join("."), why: "is missing" };
  }
  for (const [name, child] of Object.entries(value)) {
    const childNames = [...names, name];
    const childSchema = Array.isArray(value) ? schema.items : schemaOf(name, schema);
    if (isObject(value) && childSchema === undefined && schema.additionalProperties === false) {
      yield { key: childNames.map(clip).join("."), why: "is not a known key" };
    }
    if (schema.propertyNames) yield* misfitsAt(childNames, name, schema.propertyNames);
    if (childSchema) yield* misfitsAt(childNames, child, childSchema);
  }
}

/** Whether a value fits a schema; its elements are not checked. */
function fits(value: unknown, schema: Schema): boolean {
  const { type, pattern, minimum, exclusiveMinimum, maximum, minItems } = schema;
  if (type !== undefined && ![type].flat().some((name) => hasType(value, name))) return false;
  if (schema.enum !== undefined && !schema.enum.includes(value)) return false;
  if (typeof value === "string") {
    return value.length <= (schema.maxLength ?? Infinity) &&
      (pattern === undefined || new RegExp(pattern).test(value));
  }
  if (typeof value === "number") {
    return value >= (minimum ?? -Infinity) && value > (exclusiveMinimum ?? -Infinity) &&
      value <= (maximum ?? Infinity);
  }
  return !Array.isArray(value) || value.length >= (minItems ?? 0);
}

/** Returns the rule of a schema that has no `errorMessage`. */
function mustBe({ type, enum: values, pattern, maxLength }: Schema): string {
  const rules = [
    ...type === undefined ? [] : [`be of type ${[type].flat().join(" or ")}`],
    ...values === undefined ? [] : [`be one of ${values.map(quote).join(", ")}`],
    ...pattern === undefined ? [] : [`match ${pattern}`],
    ...maxLength === undefined ? [] : [`have at most ${maxLength} characters`],
  ];
  return `must ${rules.join(" and ") || "be within its bounds"}`;
}

function hasType(value: unknown, type: string): boolean {
  if (type === "integer") return Number.isSafeInteger(value);
  const own = value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
  return own === type;
}

function schemaOf(name: string, schema: Schema): Schema | undefined {
  const { properties = {}, additionalProperties } = schema;
  if (Object.hasOwn(properties, name)) return properties[name];
  return typeof additionalProperties === "object" ? additionalProperties : undefined;
}
