// Checks the front matter of role files and skills. Hosts read it as strict YAML, and silently ignore a file with
// invalid YAML, so one wrong line removes a role.

import { parseFrontMatter } from "../text/yaml.ts";
import { AgentxError } from "../base/errors.ts";
import { sys } from "../sys/mod.ts";
import { type Finding, ok, warn } from "./finding.ts";

/** Maximum bytes to read. Hosts read more of a file, but its front matter is at the beginning. */
const MAX_BYTES = 100_000;

/** Folders, and the files in them that a host loads. */
const FILES: ReadonlyArray<[folder: string, file: RegExp]> = [
  [".github/agents", /^[^/]+\.agent\.md$/],
  [".claude/agents", /^[^/]+\.md$/],
  ...[".claude/skills", ".agents/skills", ".github/skills"]
    .map((folder): [string, RegExp] => [folder, /^[^/]+\/SKILL\.md$/]),
];

/** Returns a warning for each file with front matter that a host cannot read. */
export async function examineFrontMatter(root: string): Promise<Finding[]> {
  const files = FILES.flatMap(([folder, pattern]) =>
    sys.readDir(`${root}/${folder}`).flatMap((name) => [name, `${name}/SKILL.md`])
      .filter((name) => pattern.test(name)).map((name) => `${folder}/${name}`)
  ).filter((path) => sys.lstat(`${root}/${path}`)?.kind === "file");
  const findings: Finding[] = [];
  for (const path of files) {
    const why = await problemOf(`${root}/${path}`);
    if (why === undefined) continue;
    findings.push(warn(
      "roles",
      `${path}: ${why}, so coding agents leave it out`,
      "Put a value that holds a colon into quotes, and check again",
    ));
  }
  if (findings.length > 0 || files.length === 0) return findings;
  return [ok("roles", `${files.length} role files and skills are read by hosts`)];
}

async function problemOf(path: string): Promise<string | undefined> {
  const text = new TextDecoder().decode(sys.readPart(path, 0, MAX_BYTES)?.bytes)
    .replaceAll("\r\n", "\n").replace(/^\uFEFF/, "");
  const front = /^---\n([\s\S]*?)\n---(?:\n|$)/.exec(text)?.[1];
  if (front === undefined) return undefined; // hosts read a file without front matter as prose
  try {
    await parseFrontMatter(front, (why, line) => {
      const at = typeof line === "number" ? `line ${line}: ${why}` : why;
      return new AgentxError("INVALID_INPUT", at, { details: { field: "file", value: null } });
    });
    return undefined;
  } catch (error) {
    if (!(error instanceof AgentxError)) throw error;
    return error.summary;
  }
}
