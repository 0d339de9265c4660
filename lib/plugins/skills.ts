// The skills of a package: each folder of `skills/` with a `SKILL.md`, in the form of Agent Skills.

import { isText, type JsonObject } from "../base/checks.ts";
import { quote } from "../base/quote.ts";
import type { PackageFiles } from "../config/packages.ts";
import { findMisfit, type Schema } from "../base/json_schema.ts";
import { frontmatterLength } from "../text/outline.ts";
import { estimatedTokens } from "../text/token_estimate.ts";
import { parseFrontMatter } from "../text/yaml.ts";
import { packageText } from "./manifest.ts";
import { type PluginProblem, problem } from "./problem.ts";

/** A skill, and an estimate of the tokens that it costs an agent. */
export interface PluginSkill {
  /** The name, which is the same in the folder and the front matter. */
  name: string;
  /** The description by which an agent decides to use the skill. */
  description: string;
  /** Estimated numbers of tokens. */
  tokens: {
    /** Name and description, in each session. */
    listed: number;
    /** All of SKILL.md, when the skill is used. */
    loaded: number;
    /** Its other text files, if SKILL.md asks an agent to read them. */
    references: number;
  };
}

const FRONT_MATTER: Schema = {
  type: "object",
  required: ["name", "description"],
  properties: {
    name: {
      type: "string",
      pattern: /^(?=.{1,64}$)[a-z0-9]+(?:-[a-z0-9]+)*$/.source,
      errorMessage: "must be 1 to 64 of a-z, 0-9 and -, with no - at an end or twice in a row",
    },
    description: {
      type: "string",
      pattern: "\\S",
      maxLength: 1_024,
      errorMessage: "must have 1 to 1,024 characters",
    },
    license: { type: "string" },
    compatibility: {
      type: "string",
      pattern: "\\S",
      maxLength: 500,
      errorMessage: "must have 1 to 500 characters",
    },
    metadata: { type: "object", additionalProperties: { type: "string" } },
    "allowed-tools": { type: "string" },
  },
};

const SKILL = /^skills\/([^/]+)\/SKILL\.md$/;
const IS_TEXT = /\.(md|txt|json|ya?ml|toml|csv|[jt]s|mjs|py|sh|html|xml)$/;

/**
 * Reads the skills. A skill that does not fit is left out, as hosts do; a skill with another name than its folder is an
 * error.
 */
export async function readSkills(
  files: PackageFiles,
): Promise<{ skills: PluginSkill[]; problems: PluginProblem[] }> {
  const [skills, problems]: [PluginSkill[], PluginProblem[]] = [[], []];
  if (files.has("skills")) problems.push(problem("warning", "skills", "must be a folder"));
  for (const path of files.keys()) {
    const folder = SKILL.exec(path)?.[1];
    if (folder === undefined) continue;
    const warn = (why: string) => problems.push(problem("warning", path, why));
    const head = await frontMatterOf(packageText(files, path));
    if (isText(head)) {
      warn(head);
      continue;
    }
    if (isText(head.name) && head.name !== folder) {
      const names = `Copilot would call it ${quote(head.name)}, Claude Code ${quote(folder)}`;
      const why = `its name must be that of its folder: ${names}`;
      problems.push(problem("error", path, why));
      continue;
    }
    const misfit = findMisfit(head, FRONT_MATTER);
    if (misfit !== undefined) {
      warn(`${misfit.key} ${misfit.why}`);
      continue;
    }
    const unknown = Object.keys(head).find((key) => !Object.hasOwn(FRONT_MATTER.properties!, key));
    if (unknown !== undefined) warn(`${quote(unknown)} is no field of a skill, and is ignored`);
    const { name, description } = head as { name: string; description: string };
    const others = [...files.keys()].filter((each) =>
      each.startsWith(`skills/${folder}/`) && each !== path && IS_TEXT.test(each)
    );
    const tokens = {
      listed: estimatedTokens(`${name}: ${description}`),
      loaded: estimatedTokens(packageText(files, path)),
      references: others.reduce((sum, each) => sum + estimatedTokens(packageText(files, each)), 0),
    };
    skills.push({ name, description, tokens });
  }
  return { skills, problems };
}

/** Returns the front matter of a text; if it is invalid, returns the reason as a text. */
async function frontMatterOf(text: string): Promise<JsonObject | string> {
  const lines = text.split(/\r?\n/);
  const length = frontmatterLength(lines);
  if (length === 0) return "must begin with front matter, between two lines of ---";
  const [yaml, misfits] = [lines.slice(1, length - 1).join("\n"), new Array<string>()];
  const wrong = (why: string, line: number | null = null) => {
    misfits.push(line === null ? why : `line ${line}: ${why}`);
    return new SyntaxError(why);
  };
  try {
    return await parseFrontMatter(yaml, wrong);
  } catch (error) {
    if (misfits.length === 0) throw error;
    return misfits[0];
  }
}
