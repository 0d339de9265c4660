// The files of a new package: a command that greets, or a skill.

import { MANIFEST, NAMESPACE, PLUGIN_SCHEMA } from "./manifest.ts";

/** Returns the texts of the files, by path in the package. */
export function scaffold(name: string, hasSkill: boolean): Record<string, string> {
  const manifest = {
    $schema: PLUGIN_SCHEMA,
    name,
    version: "0.1.0",
    description: hasSkill ? `Skill ${name}` : `Command of ${name}`,
  };
  if (hasSkill) return { [MANIFEST]: json(manifest), [`skills/${name}/SKILL.md`]: skill(name) };
  const script = `${NAMESPACE}/hello.js`;
  const hello = {
    summary: "Greet somebody",
    run: [`./${script}`],
    input: { type: "object", properties: { who: { type: "string" } }, required: ["who"] },
    output: { type: "object", properties: { greeting: { type: "string" } } },
    permissions: { read: [], write: [], network: false, env: [] },
  };
  const extensions = { [NAMESPACE]: { commands: { hello } } };
  return { [MANIFEST]: json({ ...manifest, extensions }), [script]: HELLO };
}

function json(value: object): string {
  return JSON.stringify(value, null, 2) + "\n";
}

/** The script of the command; it runs on Deno and on Node. */
const HELLO = `// One JSON value on standard input, one on standard output.
import { readFileSync } from 'node:fs';

const { who } = JSON.parse(readFileSync(0, 'utf8'));
console.log(JSON.stringify({ greeting: \`Hello, \${who}!\` }));
`;

function skill(name: string): string {
  return `---
name: ${name}
description: Says what this skill does, and when an agent should use it.
---

# ${name}

1. The first step.
`;
}
