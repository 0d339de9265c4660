// The table of rules. Pure.

import { ADDRESSES } from "./addresses.ts";
import { CODE } from "./code.ts";
import { COMMAND_LINES } from "./command_lines.ts";
import { CREDENTIAL_FILES } from "./credential_files.ts";
import { HEADERS } from "./headers.ts";
import { KEYS } from "./keys.ts";
import { LONE_VALUES } from "./lone_values.ts";
import { MANIFESTS } from "./manifests.ts";
import { NAME_RULES } from "./names.ts";
import type { Rule } from "./rule.ts";
import { SENTENCES } from "./sentences.ts";
import { TABLES } from "./tables.ts";
import { TOKEN_SHAPES } from "./token_shapes.ts";
import { TOKENS } from "./tokens.ts";

/** The rules, the more precise ones first. If findings overlap, the first one names the class. */
export const REDACTION_RULES: readonly Rule[] = [
  ...KEYS,
  ...TOKENS,
  ...TOKEN_SHAPES,
  ...MANIFESTS,
  ...HEADERS,
  ...ADDRESSES,
  ...CODE,
  ...SENTENCES,
  ...TABLES,
  ...COMMAND_LINES,
  ...CREDENTIAL_FILES,
  ...NAME_RULES,
  ...LONE_VALUES,
];
