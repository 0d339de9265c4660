// Reads the front matter of a file, as YAML. The text comes from a repository: no schema makes objects of it, and
// aliases that unfold without end are an error.

import { isObject, type JsonObject } from "../base/checks.ts";
import { clip } from "../base/quote.ts";
import { withRequire } from "../sys/node_require.ts";

/** Makes the error for a fault, with its line in the file. */
export type WrongYaml = (why: string, line?: number | null) => Error;

/** Reads a map; in the schema `failsafe`, all its values are texts, lists and maps. */
export async function parseFrontMatter(
  text: string,
  wrong: WrongYaml,
  schema: "core" | "failsafe" = "core",
): Promise<JsonObject> {
  const { parseDocument } = await withRequire(() => import("./parse_document.ts"));
  const document = parseDocument(text, { prettyErrors: true, schema });
  // In the schema `failsafe`, `assignee: @ada` is no error, because it has only one meaning.
  const error = document.errors.find(({ code }) =>
    schema === "core" || code !== "BAD_SCALAR_START"
  );
  if (error !== undefined) {
    const line = error.linePos === undefined ? null : error.linePos[0].line + 1;
    const [why] = error.message.split(/ at line \d|\n/, 1);
    throw wrong(`its front matter is not YAML: ${clip(why)}`, line);
  }
  let value: unknown;
  try {
    value = document.toJS() ?? {};
  } catch (error) {
    if (!(error instanceof ReferenceError)) throw error;
    throw wrong(`its front matter cannot be read: ${clip(error.message)}`);
  }
  if (!isObject(value)) throw wrong("its front matter must be a map", 1);
  return value;
}
