// Checks whether a host runs the entries of agentx at all: its settings may turn hooks off, it may not trust this
// folder, or the program that it starts may be missing.

import { type JsonObject, listOf, objectOf } from "../base/checks.ts";
import { orElse } from "../base/errors.ts";
import { sys } from "../sys/mod.ts";
import { type HostName, HOSTS } from "../hosts/hosts.ts";
import { userFolder } from "./hosts.ts";
import { HOW_INSTALLED } from "./how_called.ts";
import { findProgram } from "../sys/find_program.ts";
import { fail, type Finding, warn } from "../doctor/finding.ts";
import { commandFor, type Installation } from "./installation.ts";
import { readJson } from "./json_text.ts";
import { hasBlock } from "./markdown_block.ts";
import { ignoredFiles } from "./plain_json.ts";

/** Finds obstacles that keep hooks and tools from running, and settings that end tools too early. */
export function checkReach(installation: Installation): Finding[] {
  const { host, scope: { place } } = installation;
  const obstacles = [
    place.repository === undefined ? programGone(installation) : notOnPath(),
    replacedAgentsMd(installation),
    ...ignoredFiles(host, place)
      .map((message) => fail("not-reached", message, "Remove them from the file")),
    ...PROBES.filter((probe) => probe.host === host).map((probe) => find(probe, installation)),
  ];
  return obstacles.filter((obstacle) => obstacle !== undefined);
}

/** A test for a setting that keeps a host from running the entries of agentx, or from waiting for them. */
interface Probe {
  host: HostName;
  /** Returns the settings files that apply; the first file with an obstacle counts. */
  files(installation: Installation): string[];
  /** Returns the obstacle; undefined if there is none. */
  test(settings: JsonObject, installation: Installation): string | undefined;
  say(found: string, path: string, installation: Installation): Finding;
}

const PROBES: readonly Probe[] = [
  { host: "claude", files: claudeFiles, test: hooksOff, say: turnedOff },
  {
    host: "claude",
    files: claudeFiles,
    test({ env }) {
      const limitMs = Number(objectOf(env).MCP_TOOL_TIMEOUT);
      return limitMs <= CLAUDE_WAIT_MS ? `${limitMs / 1_000} s` : undefined;
    },
    say: (limit, path) =>
      fail(
        "time-out",
        `"${path}" ends a tool after ${limit} (MCP_TOOL_TIMEOUT), but it may take ` +
          `${CLAUDE_WAIT_MS / 1_000} s`,
        "Raise that limit",
      ),
  },
  {
    host: "copilot",
    files: () => [ownFile("copilot", "settings.json")],
    test: hooksOff,
    say: turnedOff,
  },
  {
    host: "copilot",
    // The user's own entries run in every folder, also in an untrusted one.
    files: ({ scope }) =>
      scope.place.repository === undefined ? [] : [ownFile("copilot", "config.json")],
    test: ({ trustedFolders }, at) => untrustedFolder(at, listOf(trustedFolders).map(String)),
    say: notTrusted,
  },
  { host: "gemini", files: settingsFiles, test: geminiHooksOff, say: turnedOff },
  { host: "qwen", files: settingsFiles, test: hooksOff, say: turnedOff },
  {
    host: "gemini",
    files() {
      const { security } = settingsIn(ownFile("gemini", "settings.json"));
      const isOff = objectOf(objectOf(security).folderTrust).enabled === false;
      return isOff ? [] : [ownFile("gemini", "trustedFolders.json")];
    },
    test: (trusted, at) => untrustedFolder(at, trustedByGemini(trusted)),
    say: notTrusted,
  },
];

function find(probe: Probe, installation: Installation): Finding | undefined {
  for (const path of probe.files(installation)) {
    const found = probe.test(settingsIn(path), installation);
    if (found !== undefined) return probe.say(found, path, installation);
  }
  return undefined;
}

/** Maximum time that a tool of agentx waits in Claude Code. */
const CLAUDE_WAIT_MS = 100_000;

function notOnPath(): Finding | undefined {
  if (findProgram("agentx") !== undefined) return undefined;
  const message = "agentx is not on your PATH, so the set-up of this repository does nothing here";
  return warn("not-reached", message, `Install it: ${HOW_INSTALLED}`);
}

/** Finds a block in AGENTS.md that the host does not read, because it reads another file instead. */
function replacedAgentsMd({ host, scope: { place } }: Installation): Finding | undefined {
  const { title, files: { replacesAgentsMd: name } } = HOSTS[host];
  if (place.repository === undefined || name === undefined) return undefined;
  const path = `${place.repository}/${name}`;
  const text = orElse(undefined, () => sys.readTextFile(sys.realPath(path) ?? path));
  if (text === undefined || hasBlock(text)) return undefined;
  const message =
    `${title} reads "${path}" instead of AGENTS.md, and so not what agentx says there`;
  return warn("not-reached", message, `Copy the block of agentx from AGENTS.md into it`);
}

function programGone(installation: Installation): Finding | undefined {
  const servers = [...installation.files.values()].flat().filter(({ at }) => at[0] !== "hooks");
  const gone = servers.map(({ value: { command } }) => String([command].flat()[0]))
    .find((path) => !(path.startsWith("/") ? sys.isExecutable(path) : findProgram(path)));
  return gone === undefined ? undefined : fail(
    "not-reached",
    `The host is set to start "${gone}", which is no longer a program`,
    `Write it again with: ${commandFor(installation)}`,
  );
}

function ownFile(host: HostName, name: string): string {
  return `${userFolder(host)}/${name}`;
}

function claudeFiles(installation: Installation): string[] {
  return settingsFiles(installation).flatMap((path) => [path, path.replace(/json$/, "local.json")]);
}

/** Returns the settings files that apply to a session in this place. */
function settingsFiles({ host, scope: { place: { repository } } }: Installation): string[] {
  const own = `${userFolder(host)}/settings.json`;
  if (repository === undefined) return [own];
  return [own, `${repository}/${HOSTS[host].project}/settings.json`];
}

function hooksOff({ disableAllHooks }: JsonObject): string | undefined {
  return disableAllHooks === true ? "all hooks off (disableAllHooks)" : undefined;
}

function geminiHooksOff({ hooksConfig }: JsonObject): string | undefined {
  const { enabled, disabled } = objectOf(hooksConfig);
  if (enabled === false) return "all hooks off (hooksConfig.enabled)";
  const ours = listOf(disabled).map(String)
    .filter((name) => /^agentx-| hook host gemini /.test(name));
  return ours.length === 0 ? undefined : `${ours.join(", ")} off (hooksConfig.disabled)`;
}

function turnedOff(what: string, path: string): Finding {
  const next = "Change that setting if its sessions are to recall and to receive answers";
  return fail("not-reached", `"${path}" turns ${what}`, next);
}

function trustedByGemini(trusted: JsonObject): string[] {
  return Object.keys(trusted).flatMap((path) => {
    if (trusted[path] === "TRUST_FOLDER") return path;
    return trusted[path] === "TRUST_PARENT" ? path.replace(/\/[^/]*\/?$/, "") : [];
  });
}

function untrustedFolder({ scope }: Installation, trusted: readonly string[]): string | undefined {
  const here = scope.place.repository ?? sys.realPath(scope.from) ?? scope.from;
  const isTrusted = trusted
    .some((path) => `${here}/`.startsWith(path.endsWith("/") ? path : `${path}/`));
  return isTrusted ? undefined : here;
}

/** Reports a folder that the user has not trusted. Hosts run the hooks of a repository only in a trusted folder. */
function notTrusted(here: string, _: string, { host, scope: { place } }: Installation): Finding {
  const { title, programs } = HOSTS[host];
  const say = place.repository === undefined ? warn : fail;
  return say(
    "not-reached",
    `${title} does not trust "${here}" yet, and runs nothing of agentx in it`,
    `Start ${programs[0]} here, and trust the folder when it asks`,
  );
}

/** Reads settings; returns none for an unreadable file, because its host reports it. */
function settingsIn(path: string): JsonObject {
  return orElse({}, () => {
    const text = sys.readTextFile(sys.realPath(path) ?? path) ?? "";
    return text.trim() === "" ? {} : readJson(text, path);
  });
}
