// The issue files of the AgentX documents: `issue-{n}.json`, also in `archive/` (SPEC-AgentX section 4.2). They are
// read as they are, and written only to forget a text; keys that are not ours stay.

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
 * Parses the text of an issue file. The issue number must be the one in the file name.
 *
 * @throws {AgentxError} `CORRUPT_STATE` if the file is damaged or not ours, `NEWER_STATE`
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

/** Makes the error for a file that cannot be read. Readers skip the file, and nothing changes it. */
function unreadable(path: string, why: string, cause?: unknown): AgentxError<"CORRUPT_STATE"> {
  return new AgentxError("CORRUPT_STATE", `Cannot read "${path}": ${why}`, {
    details: { path, line: null },
    next: "The file was not changed; fix it, or move it away to continue without it",
    cause,
  });
}
