// The form of the documents: `issue-{n}.json`, and the same in `archive/` (SPEC-AgentX section 4.2). It
// is read as it lies, and written only where something is forgotten; keys that are not ours stay.

import { checkVersion } from "../../base/input_checks.ts";
import { isObject, parseJson } from "../../base/checks.ts";
import { AgentxError } from "../../base/errors.ts";
import { encodeJson } from "../../text/text.ts";
import { isObservation, type Observation } from "../schema.ts";

/** A file of one issue; only some of its keys are ours. */
export interface IssueFile {
  version: 1;
  issueNumber: number;
  observations: Observation[];
  [key: string]: unknown;
}

/**
 * Reads a file of the issue that its name says.
 *
 * @throws {AgentxError} `CORRUPT_STATE` for one that is damaged or somebody else's, `NEWER_STATE`
 */
export function parseIssueFile(text: string, path: string, issueNumber: number): IssueFile {
  const value = jsonOf(text, path);
  if (!isObject(value)) throw unreadable(path, "it is not a JSON object");
  checkVersion(value, path, 1);
  const { version, observations } = value;
  if (version !== 1) throw unreadable(path, "it is not a file of memory");
  if (value.issueNumber !== issueNumber) {
    throw unreadable(path, `issueNumber must be ${issueNumber}, as in its file name`);
  }
  if (!Array.isArray(observations)) throw unreadable(path, "it has no list of observations");
  const wrong = observations.findIndex((each) => !isObservation(each, issueNumber));
  if (wrong >= 0) throw unreadable(path, `observations[${wrong}] is not an observation`);
  return value as IssueFile;
}

export function encodeIssueFile(file: IssueFile): string {
  return `${encodeJson(file, 2)}\n`;
}

function jsonOf(text: string, path: string): unknown {
  try {
    return parseJson(text.replace(/^\ufeff/, "")); // some editors put it there
  } catch (error) {
    throw unreadable(path, (error as SyntaxError).message, error);
  }
}

/** Readers skip the file, and nothing changes it. */
function unreadable(path: string, why: string, cause?: unknown): AgentxError<"CORRUPT_STATE"> {
  return new AgentxError("CORRUPT_STATE", `Cannot read "${path}": ${why}`, {
    details: { path, line: null },
    next: "The file was not changed; fix it, or move it away to continue without it",
    cause,
  });
}
