// Finds files that a host ignores, mostly without an error, because they have comments or trailing commas.

import { AgentxError, orElse } from "../base/errors.ts";
import { sys } from "../sys/mod.ts";
import { type HostName, HOSTS } from "../hosts/hosts.ts";
import { hostParts, type SetupPlace } from "./hosts.ts";
import { readJson } from "./json_text.ts";

/** The files that must be plain JSON, by host; observed with the versions in `.ci/hosts.txt`. */
const PLAIN: Partial<Record<HostName, RegExp>> = {
  claude: /\.json$/,
  codex: /\/hooks\.json$/,
  copilot: /\/hooks\/agentx\.json$/,
};

/** Returns a message for each file with entries of agentx that the host ignores. */
export function ignoredFiles(host: HostName, place: SetupPlace): string[] {
  return hostParts(host, place).map(({ path }) => path)
    .filter((path) => PLAIN[host]?.test(path) && hasMoreThanJson(path))
    .map((path) =>
      `${HOSTS[host].title} ignores all of "${path}": it has comments or trailing commas`
    );
}

function hasMoreThanJson(path: string): boolean {
  let text = "";
  try {
    text = sys.readTextFile(sys.realPath(path) ?? path) ?? "{}";
    JSON.parse(text.replace(/^\uFEFF/, ""));
    return false;
  } catch (error) {
    if (error instanceof AgentxError) return false; // unreadable: checkFiles reports it
    if (!(error instanceof SyntaxError)) throw error;
  }
  // checkFiles reports files that are not JSON at all.
  return orElse(false, () => {
    readJson(text, path);
    return true;
  });
}
